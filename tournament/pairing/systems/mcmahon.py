"""McMahon: starting scores by rating, then score groups, so that equals meet from round 1 on.

Starting score: the ratings are cut into bands of `band` points, and each band up is worth one won
game more at the start. Nobody starts above the band of the `bar`, nor below that of the `floor`;
an open end is that of the field. Who has no rating starts at the bottom.

Score groups: by starting score and points together, then pairing number. From the top, as many as
can be paired within their group are, the higher places first; the others float down. Who floats is
paired first, with the highest of the lower group he may meet. The rest of the group meets by the
rule chosen: folded (first against last), neighbours (first against second) or halves (the upper
against the lower in order), each the nearest that leaves a pairing for the others. Nobody meets
twice, and what is possible below is never spoilt above. The bye goes to the lowest who may have it.

Handicap: where the scores of two differ, the difference in won games, less what `handicap_less`
takes off, is recommended for the one with the lower score, up to `handicap_most`; it stands in the
notes as their value. Whether it is given is for the organiser.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from tournament.pairing.boards import seated_boards, units_before
from tournament.pairing.errors import OptionError, PairingRequestError
from tournament.pairing.legal import bye_notes, legal_neighbours, no_pairing, settle_bye
from tournament.pairing.matching import Matching, Unmatched, bits, lowest_bit
from tournament.pairing.options import NumberOption, Option, OptionValue, WordOption
from tournament.pairing.request import (
    Note,
    NoteCode,
    PairingRequest,
    Pairings,
    opponents_met,
)
from tournament.standings.crosstable import Crosstable, PlayerId

HIGHEST_RATING = 4000
BAND = NumberOption(
    "band", "rating points to a starting point", default=100, least=1, most=HIGHEST_RATING
)
BAR = NumberOption(
    "bar", "the rating above which all start equal", default=None, least=1, most=HIGHEST_RATING
)
FLOOR = NumberOption(
    "floor", "the rating below which all start equal", default=None, least=1, most=HIGHEST_RATING
)
PAIRING_METHOD = WordOption(
    "pairing_method",
    "how a score group is paired",
    {
        "folded": "the first player meets the last, the second the second-last",
        "adjacent": "the first player meets the second, the third the fourth",
        "slide": "the upper half meets the lower half, in order",
    },
)
HANDICAP_LESS = NumberOption(
    "handicap_less", "what is taken off the difference", default=0, least=0, most=9
)
HANDICAP_MOST = NumberOption(
    "handicap_most", "the highest handicap recommended; 0 for none", default=9, least=0, most=99
)
OPTIONS: tuple[Option, ...] = (BAND, BAR, FLOOR, PAIRING_METHOD, HANDICAP_LESS, HANDICAP_MOST)


def pair_mcmahon(request: PairingRequest) -> Pairings:
    """Pair a round by score groups; raises NoLegalPairing naming the players who block."""
    try:
        start = starting_scores(request.crosstable, request.options)
    except OptionError as error:
        raise PairingRequestError(str(error)) from error
    score = {number: start[number] + units_before(request, number) for number in request.present}
    order = tuple(sorted(score, key=lambda number: (-score[number], number)))
    met = {number: opponents_met(request.earlier(number)) for number in order}
    neighbours = legal_neighbours(request, order, met)
    is_odd = len(order) % 2 == 1
    try:
        matching = Matching(neighbours)
    except Unmatched as blocked:
        raise no_pairing(blocked, order, neighbours[-1] if is_odd else None) from None

    notes: list[Note] = []
    bye = None
    if is_odd:
        taker = settle_bye(matching, len(order))
        bye = order[taker]
        notes += bye_notes(request, order, taker)
    levels = [score[number] for number in order]
    rule = PAIRING_METHOD.read(request.options)
    chosen = list(_pair_groups(neighbours, matching.left, levels, rule))
    notes += _difference_notes(request, [(order[a], order[b]) for a, b in chosen], score)
    return Pairings(seated_boards(request, order, score, chosen), bye, tuple(notes))


def starting_scores(table: Crosstable, options: Mapping[str, OptionValue]) -> dict[PlayerId, int]:
    """Give everybody's starting score in units; raises OptionError for a bar below the floor."""
    check_options(options)
    band, bar, floor = BAND.number(options), BAR.read(options), FLOOR.read(options)
    bands = {player.number: player.rating // band for player in table.players if player.rating}
    lowest = min(bands.values(), default=0) if floor is None else floor // band
    highest = max(lowest, max(bands.values(), default=0) if bar is None else bar // band)
    return {
        player.number: table.points.win
        * (min(max(bands.get(player.number, lowest), lowest), highest) - lowest)
        for player in table.players
    }


def check_options(options: Mapping[str, OptionValue]) -> None:
    """Raise OptionError for options that contradict each other."""
    bar, floor = BAR.read(options), FLOOR.read(options)
    if bar is not None and floor is not None and bar < floor:
        raise OptionError(BAR.name, f"the bar, {bar}, lies below the floor, {floor}")


def _pair_groups(
    neighbours: Sequence[int], free: int, levels: Sequence[int], rule: str
) -> Iterator[tuple[int, int]]:
    """Give pairs of places, the higher first, group by group from the top."""
    floated = 0
    for level, group in groupby(bits(free), key=levels.__getitem__):
        members = floated
        for place in group:
            members |= 1 << place
        kept = _kept(neighbours, free, members)
        floated = members & ~kept
        free &= ~kept
        yield from _pair_inside(neighbours, kept, level, levels, rule)


def _kept(neighbours: Sequence[int], free: int, members: int) -> int:
    """Give the members of a group who are paired within it, the higher places first.

    All that is free has a perfect matching, and still has one when these keep to their group.
    """
    kept = 0
    waiting = list(bits(members))
    away = 0
    while waiting:
        fits, fails = 0, len(waiting) + 1
        reach = len(waiting)
        while fails - fits > 1:
            wanted = kept | sum(1 << place for place in waiting[:reach])
            if _is_complete(neighbours, free, members, wanted, away):
                fits = reach
            else:
                fails = reach
            reach = (fits + fails) // 2
        kept |= sum(1 << place for place in waiting[:fits])
        away |= sum(1 << place for place in waiting[fits : fits + 1])
        waiting = waiting[fits + 1 :]
    return kept


def _is_complete(
    neighbours: Sequence[int], free: int, members: int, inside: int, outside: int
) -> bool:
    """Whether all can be paired when some members must stay inside and some must leave."""
    graph = [0] * len(neighbours)
    for place in bits(free):
        allowed = neighbours[place] & free
        bit = 1 << place
        if bit & inside:
            allowed &= members & ~outside
        elif bit & outside:
            allowed &= ~members
        else:
            allowed &= ~outside if bit & members else ~inside
        graph[place] = allowed
    try:
        Matching(graph, free)
    except Unmatched:
        return False
    return True


def _pair_inside(
    neighbours: Sequence[int], kept: int, level: int, levels: Sequence[int], rule: str
) -> Iterator[tuple[int, int]]:
    matching = Matching([allowed & kept for allowed in neighbours], kept)
    while matching.left:
        higher = lowest_bit(matching.left)
        others = list(bits(matching.left & ~(1 << higher)))
        if levels[higher] > level:
            others = [place for place in others if levels[place] == level] or others
        elif rule == "folded":
            others.reverse()
        elif rule == "slide":
            middle = len(others) // 2
            others = [*others[middle:], *reversed(others[:middle])]
        others += [place for place in bits(matching.left) if place not in (higher, *others)]
        lower = next(place for place in others if matching.settle(higher, place))
        yield higher, lower


def _difference_notes(
    request: PairingRequest,
    pairs: Sequence[tuple[PlayerId, PlayerId]],
    score: Mapping[PlayerId, int],
) -> Iterator[Note]:
    """Tell of the pairs whose scores differ, and the handicap that the difference suggests."""
    points = request.crosstable.points
    less, most = HANDICAP_LESS.number(request.options), HANDICAP_MOST.number(request.options)
    for higher, lower in pairs:
        difference = score[higher] - score[lower]
        if difference:
            told = f"{higher} at {points.format_units(score[higher])} meets {lower} at "
            told += points.format_units(score[lower])
            yield Note(NoteCode.FLOAT, (higher, lower), told)
        handicap = min(difference // points.win - less, most)
        if handicap > 0:
            sentence = f"a handicap of {handicap} for {lower} against {higher} is recommended"
            yield Note(NoteCode.HANDICAP, (lower, higher), sentence, handicap)
