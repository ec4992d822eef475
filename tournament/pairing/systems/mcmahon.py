"""McMahon: starting scores by rating, then score groups, so that equal players meet from round 1.

Starting scores: ratings are divided into bands of `band` points; each band is worth one more won
game at the start. No player starts above the band of the `bar` or below the band of the `floor`; if
one of these is not set, the best or the lowest rating takes its place. Players without a rating
start at the bottom.

Score groups: by starting score and points together, then pairing number. From the top, as many
players as possible are paired within their group, the higher places first; the others float down.
Players who float are paired first, with the highest player of the lower group whom they may meet.
The rest of the group is paired by the chosen method: folded (first against last), adjacent (first
against second) or slide (upper half against lower half, in order); each player meets the nearest
opponent who leaves a pairing for all others. No two players meet twice, and no group takes a
pairing that the groups below need. The lowest player who may have the bye has it (`bye`).

Handicaps are recommended from the difference of the scores, of which one won game is worth `band`
rating points, so that players above the bar meet without one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import index as as_integer

from rustworkx import PyGraph, max_weight_matching

from games.rules.messages import gettext_noop
from games.rules.text import Numeral, Text
from tournament.pairing.boards import seat_pairs
from tournament.pairing.bye import choose_bye
from tournament.pairing.deadline import check_time
from tournament.pairing.errors import OptionError, PairingRequestError
from tournament.pairing.findings import Finding
from tournament.pairing.legal import legal_matching
from tournament.pairing.matching import Matching, Unmatched, bits, lowest_bit
from tournament.pairing.options import NumberOption, Option, OptionValue, WordOption
from tournament.pairing.request import Pair, PairingRequest, Pairings
from tournament.pairing.sentences import Sentence
from tournament.standings.crosstable import Crosstable, PlayerId

HIGHEST = 4000
"""The highest rating that an option may name."""

BAND = NumberOption(
    "band",
    gettext_noop("Points of a band"),
    gettext_noop("the rating points of one band"),
    default=100,
    least=1,
    most=HIGHEST,
)
BAR_OPTION = NumberOption(
    "bar",
    gettext_noop("Upper limit of the bands"),
    gettext_noop("the rating above which all players start equal"),
    default=None,
    least=1,
    most=HIGHEST,
)
FLOOR_OPTION = NumberOption(
    "floor",
    gettext_noop("Lower limit of the bands"),
    gettext_noop("the rating below which all players start equal"),
    default=None,
    least=1,
    most=HIGHEST,
)
PAIRING_METHOD = WordOption(
    "pairing_method",
    gettext_noop("Pairing of a score group"),
    gettext_noop("how a score group is paired"),
    {
        "folded": gettext_noop("the first player meets the last, the second the second-last"),
        "adjacent": gettext_noop("the first player meets the second, the third the fourth"),
        "slide": gettext_noop("the upper half meets the lower half, in order"),
    },
)
MCMAHON_OPTIONS: tuple[Option, ...] = (BAND, BAR_OPTION, FLOOR_OPTION, PAIRING_METHOD)


def pair_mcmahon(request: PairingRequest) -> Pairings:
    """Pair a round by score groups; raises NoLegalPairing naming the players who block."""
    try:
        scores_of_all = _current_scores(request)
    except OptionError as error:
        raise PairingRequestError(str(error)) from error
    score = {number: scores_of_all[number] for number in request.present}
    order = tuple(sorted(score, key=lambda number: (-score[number], number)))
    matching = legal_matching(request, order)
    bye, findings = choose_bye(request, order, matching)
    scores = [score[number] for number in order]
    method = PAIRING_METHOD.read(request.options)
    chosen = list(_pair_groups(matching.neighbours, matching.left, scores, method))
    findings += _score_differences(request, [(order[a], order[b]) for a, b in chosen], score)
    return Pairings(seat_pairs(request, order, score, chosen), bye, tuple(findings))


def starting_scores(table: Crosstable, options: Mapping[str, OptionValue]) -> dict[PlayerId, int]:
    """Return the starting scores in units; raises OptionError for a bar below the floor."""
    check_options(options)
    band, bar, floor = (
        BAND.read_number(options),
        BAR_OPTION.read(options),
        FLOOR_OPTION.read(options),
    )
    bands = {player.number: player.rating // band for player in table.players if player.rating}
    lowest = min(bands.values(), default=0) if floor is None else floor // band
    highest = max(lowest, max(bands.values(), default=0) if bar is None else bar // band)
    return {
        player.number: table.points.win
        * (min(max(bands.get(player.number, lowest), lowest), highest) - lowest)
        for player in table.players
    }


def handicap_ratings(request: PairingRequest) -> dict[PlayerId, int]:
    """Return the rating points by which handicaps are recommended: the scores, in bands."""
    band, win = BAND.read_number(request.options), request.crosstable.points.win
    return {player: score * band // win for player, score in _current_scores(request).items()}


def _current_scores(request: PairingRequest) -> dict[PlayerId, int]:
    """Return starting score and points together, in units."""
    start = starting_scores(request.crosstable, request.options)
    return {number: units + request.units_before(number) for number, units in start.items()}


def check_options(options: Mapping[str, OptionValue]) -> None:
    """Raise OptionError for options that contradict each other."""
    bar, floor = BAR_OPTION.read(options), FLOOR_OPTION.read(options)
    if bar is not None and floor is not None and bar < floor:
        raise OptionError(
            BAR_OPTION.name,
            Text("the bar, %(bar)s, is below the floor, %(floor)s", bar=bar, floor=floor),
        )


def _pair_groups(
    neighbours: Sequence[int], free: int, scores: Sequence[int], method: str
) -> Iterator[tuple[int, int]]:
    """Yield pairs of places, the higher first, group by group from the top."""
    floating = 0
    for score, group in groupby(bits(free), key=scores.__getitem__):
        members = floating
        for place in group:
            members |= 1 << place
        staying = _choose_staying(neighbours, free, members)
        floating = members & ~staying
        free &= ~staying
        yield from _pair_group(neighbours, staying, score, scores, method)


def _choose_staying(neighbours: Sequence[int], free: int, members: int) -> int:
    """Return the members of a group who are paired within it, as many as possible.

    The higher places stay first. The greedy choice can leave fewer pairs than possible, because a
    high place may stay at the cost of two others; then the number of pairs is a condition.

    All free players have a perfect matching, and still have one if these stay in their group.
    """
    group = neighbours, free, members
    matching = Matching([allowed & free for allowed in neighbours], free)
    staying = sum(1 << place for place in bits(members) if _can_stay(matching, place, members))
    count, size = staying.bit_count(), members.bit_count()
    if count + 1 >= size:
        return staying
    if count == size - _count_unmatched(neighbours, members):
        return staying
    if count == size - _count_unmatched(neighbours, free & ~members):  # whom the others need
        return staying
    most = _count_pairs_within(*group)
    if count == 2 * most:
        return staying
    return _choose_in_order(members, lambda *chosen: _count_pairs_within(*group, *chosen) == most)


def _choose_in_order(members: int, can_complete: Callable[[int, int], bool]) -> int:
    """Return the members who stay, each if possible with those who stay before them."""
    staying = 0
    floating = 0
    waiting = list(bits(members))
    while waiting:
        # Find the longest run of waiting members who can all stay, by bisection.
        fits, fails = 0, len(waiting) + 1
        size = len(waiting)
        while fails - fits > 1:
            if can_complete(staying | sum(1 << place for place in waiting[:size]), floating):
                fits = size
            else:
                fails = size
            size = (fits + fails) // 2
        staying |= sum(1 << place for place in waiting[:fits])
        floating |= sum(1 << place for place in waiting[fits : fits + 1])
        waiting = waiting[fits + 1 :]
    return staying


def _can_stay(matching: Matching, place: int, members: int) -> bool:
    """Let a member stay in the group if all can still be paired, else float."""
    can_stay = matching.limit(place, members)
    if not can_stay:
        matching.limit(place, ~members)
    return can_stay


def _count_unmatched(neighbours: Sequence[int], players: int) -> int:
    """Return how many of some players cannot be paired with each other."""
    try:
        Matching(list(neighbours), players)
    except Unmatched as unmatched:
        return unmatched.count
    return 0


def _count_pairs_within(
    neighbours: Sequence[int], free: int, members: int, staying: int = 0, floating: int = 0
) -> int:
    """Return the most pairs within a group when all free players are paired, -1 if they cannot.

    The restrictions are those of `_can_complete`. If only the group is free, some of its members
    may remain single.
    """
    check_time()
    allowed = _restrict(neighbours, free, members, staying, floating)
    graph: PyGraph[None, int] = PyGraph()
    graph.add_nodes_from([None] * len(allowed))
    graph.add_edges_from(
        [
            (higher, lower, int(members >> higher & members >> lower & 1))
            for higher in bits(free)
            for lower in bits(allowed[higher] >> higher << higher)
        ]
    )
    pairs = max_weight_matching(graph, True, weight_fn=as_integer)
    if free != members and 2 * len(pairs) < free.bit_count():
        return -1
    return sum(members >> a & members >> b & 1 for a, b in pairs)


def _restrict(
    neighbours: Sequence[int], free: int, members: int, staying: int, floating: int
) -> list[int]:
    """Return the graph in which some members are paired within the group and others outside."""
    graph = [0] * len(neighbours)
    for place in bits(free):
        allowed = neighbours[place] & free
        bit = 1 << place
        if bit & staying:
            allowed &= members & ~floating
        elif bit & floating:
            allowed &= ~members
        else:
            allowed &= ~floating if bit & members else ~staying
        graph[place] = allowed
    return graph


def _pair_group(
    neighbours: Sequence[int], staying: int, score: int, scores: Sequence[int], method: str
) -> Iterator[tuple[int, int]]:
    matching = Matching([allowed & staying for allowed in neighbours], staying)
    while matching.left:
        higher = lowest_bit(matching.left)
        others = list(bits(matching.left & ~(1 << higher)))
        if scores[higher] > score:
            others = [place for place in others if scores[place] == score] or others
        elif method == "folded":
            others.reverse()
        elif method == "slide":
            middle = len(others) // 2
            others = [*others[middle:], *reversed(others[:middle])]
        others += [place for place in bits(matching.left) if place not in (higher, *others)]
        lower = next(place for place in others if matching.settle(higher, place))
        yield higher, lower


def _score_differences(
    request: PairingRequest, pairs: Sequence[Pair], score: Mapping[PlayerId, int]
) -> Iterator[Finding]:
    """Yield the pairs whose scores differ."""
    points = request.crosstable.points
    for pair in pairs:
        higher, lower = pair
        if score[higher] != score[lower]:
            scores = [Numeral(points.format_units(score[number])) for number in pair]
            yield Sentence.SCORES_DIFFER.about(*pair, higher=scores[0], lower=scores[1])
