"""Groups, then knockout: round robins side by side, the best of each go on to a bracket.

Groups are filled by the seeds' list as a snake: 1 2 3 | 3 2 1 | 1 2 3. Each plays its own Berger
table (round_robin.py); smaller groups end earlier and wait. In a group the points decide, then the
direct encounter, Sonneborn-Berger, the games won, the pairing number.

The bracket (knockout.py) is seeded by places: the winners in the order of the groups, then the
seconds, and so on. The order of each later place is turned as far as it takes that as few as
possible of one group meet again in the first stage: none, in the usual sizes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from tournament.pairing.errors import OptionError, PairingRequestError
from tournament.pairing.options import NumberOption, Option, OptionValue
from tournament.pairing.request import Note, NoteCode, PairingRequest, Pairings
from tournament.pairing.systems import knockout
from tournament.pairing.systems.berger import rounds_in_cycle
from tournament.pairing.systems.round_robin import ABSENCE, MOST_CYCLES, pair_by_table
from tournament.standings.crosstable import ABSENT, Competitor, Crosstable, PlayerId
from tournament.standings.table import rank

GROUPS = NumberOption("groups", "how many groups there are", default=2, least=1, most=64)
ADVANCE = NumberOption(
    "advance", "how many of each group go on to the knockout", default=2, least=1, most=64
)
CYCLES = NumberOption(
    "cycles",
    "how often everybody meets everybody of his group",
    default=1,
    least=1,
    most=MOST_CYCLES,
)
OPTIONS: tuple[Option, ...] = (GROUPS, ADVANCE, CYCLES, ABSENCE, *knockout.OPTIONS)
PLACES_BY = ("PTS", "DE", "SB", "WIN")
Group = tuple[PlayerId, ...]


def pair_groups(request: PairingRequest) -> Pairings:
    """Give a round of all groups, or of the bracket after them.

    Raises PairingRequestError for a field that does not fill the groups or a round after the
    final, NoLegalPairing as the two systems do.
    """
    members = tuple(player.number for player in request.crosstable.players)
    try:
        group_rounds = _group_rounds(len(members), request.options)
    except OptionError as error:
        raise PairingRequestError(str(error)) from error
    groups = snake(members, GROUPS.number(request.options))
    if request.round <= group_rounds:
        return _merged(
            pair_by_table(request, group, CYCLES.number(request.options))
            for group in groups
            if request.round <= rounds_in_cycle(len(group)) * CYCLES.number(request.options)
        )
    places = [_places(request.crosstable, group, group_rounds) for group in groups]
    seeds = seeded(places, ADVANCE.number(request.options))
    found = knockout.pair_bracket(request, seeds, begun=group_rounds)
    if request.round > group_rounds + 1:
        return found
    listed = ", ".join(map(str, seeds))
    told = Note(NoteCode.QUALIFIED, seeds, f"{listed} go on, seeded in this order")
    return replace(found, notes=(told, *found.notes))


def rounds_needed(players: int, _rounds: int, options: Mapping[str, OptionValue]) -> int:
    """Give how many rounds the event must have; raises OptionError for a field too small."""
    qualified = GROUPS.number(options) * ADVANCE.number(options)
    stages = knockout.stages_of(qualified) * knockout.BEST_OF.number(options)
    return _group_rounds(players, options) + stages


def snake(members: Sequence[PlayerId], groups: int) -> tuple[Group, ...]:
    """Give the groups, filled from the best on, to and fro."""
    filled: list[list[PlayerId]] = [[] for _ in range(groups)]
    for index, number in enumerate(members):
        row, column = divmod(index, groups)
        filled[column if row % 2 == 0 else groups - 1 - column].append(number)
    return tuple(tuple(group) for group in filled)


def seeded(places: Sequence[Group], advance: int) -> Group:
    """Give the bracket's seeds from the groups in their final order.

    >>> seeded([(1, 2), (3, 4), (5, 6)], 2)
    (1, 3, 5, 4, 6, 2)
    """
    seeds: Group = ()
    group_of = {number: index for index, group in enumerate(places) for number in group}
    for place in range(advance):
        row = tuple(group[place] for group in places)
        turned = (seeds + row[turn:] + row[:turn] for turn in range(len(row)))
        seeds = min(turned, key=partial(_rematches, group_of, len(places) * advance))
    return seeds


def _rematches(group_of: Mapping[PlayerId, int], qualified: int, seeds: Group) -> int:
    """Count who would meet somebody of the own group in the first stage, as far as it is known."""
    last = (1 << knockout.stages_of(qualified)) - 1
    return sum(
        group_of[one] == group_of[seeds[last - index]]
        for index, one in enumerate(seeds)
        if last - index < len(seeds)
    )


def _group_rounds(players: int, options: Mapping[str, OptionValue]) -> int:
    groups, advance = GROUPS.number(options), ADVANCE.number(options)
    smallest, largest = players // groups, -(-players // groups)
    if smallest < max(2, advance):
        detail = f"{players} players in {groups} groups leave {smallest} to a group"
        raise OptionError(GROUPS.name, f"{detail}; each needs {max(2, advance)}")
    if groups * advance < 2:
        raise OptionError(ADVANCE.name, "at least two must go on to the knockout")
    return rounds_in_cycle(largest) * CYCLES.number(options)


def _places(table: Crosstable, group: Group, rounds: int) -> Group:
    """Give a group's players as they stand among themselves after its rounds."""
    rows = [_within(table.by_number[number], group, rounds) for number in group]
    alone = replace(table, players=tuple(rows), rounds=rounds, round_robin=True)
    return tuple(row.number for row in rank(alone, PLACES_BY))


def _within(player: Competitor, group: Group, rounds: int) -> Competitor:
    """Give a row without the games against other groups, should any have been set by hand."""
    results = tuple(
        result if result.opponent is None or result.opponent in group else ABSENT
        for result in player.results[:rounds]
    )
    return replace(player, results=results)


def _merged(rounds: Iterable[Pairings]) -> Pairings:
    found = tuple(rounds)
    return Pairings(
        pairs=tuple(pair for one in found for pair in one.pairs),
        notes=tuple(note for one in found for note in one.notes),
        byes=tuple(sorted(bye for one in found for bye in one.byes)),
        forfeits=frozenset().union(*(one.forfeits for one in found)),
    )
