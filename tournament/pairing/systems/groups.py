"""Groups, then knockout: the best players of parallel round robins qualify for a bracket.

Groups are filled from the list of seeds in snake order: 1 2 3 | 3 2 1 | 1 2 3. Each group plays its
own Berger table (`round_robin`); smaller groups end earlier and wait. In a group, the tie-breaks of
the event decide, in their order (C.07 4.2), as far as they can rank a group. A tie that they leave
among players of whom one qualifies is decided by the director, before the bracket is paired; until
then nobody has a place in it.

The bracket (`knockout`) is seeded by places: the winners in the order of the groups, then the
seconds, and so on. The order of each later place is rotated until as few players as possible meet a
player of their own group in the first stage; with the usual sizes, none do.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from string import ascii_uppercase

from games.rules.messages import gettext_noop
from games.rules.text import Text
from tournament.pairing.errors import GroupTie, OptionError, PairingRequestError, UndecidedTies
from tournament.pairing.options import MOST_GAMES, NumberOption, Option, OptionValue
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.sentences import Sentence
from tournament.pairing.systems import knockout
from tournament.pairing.systems.berger import rounds_in_cycle
from tournament.pairing.systems.round_robin import ABSENCE, pair_by_table
from tournament.pairing.systems.ties import DrawnBracket, FirstBoards, Running, count_stages
from tournament.standings.crosstable import (
    ABSENT,
    Competitor,
    Crosstable,
    PlayerId,
    Progress,
    in_order,
)
from tournament.standings.table import StandingsRow, rank
from tournament.standings.tiebreaks import TIEBREAKS

GROUP_COUNT = NumberOption(
    "groups",
    gettext_noop("Groups"),
    gettext_noop("the number of groups"),
    default=2,
    least=1,
    most=64,
)
ADVANCE = NumberOption(
    "advance",
    gettext_noop("Players who qualify"),
    gettext_noop("the number of players of each group who qualify for the knockout"),
    default=2,
    least=1,
    most=64,
)
GROUP_CYCLES = NumberOption(
    "cycles",
    gettext_noop("Cycles"),
    gettext_noop("how often two players of a group meet"),
    default=1,
    least=1,
    most=MOST_GAMES,
)
GROUP_OPTIONS: tuple[Option, ...] = (
    GROUP_COUNT,
    ADVANCE,
    GROUP_CYCLES,
    ABSENCE,
    *knockout.KNOCKOUT_OPTIONS,
)
Group = tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class RankedGroup:
    """A group with its ranking by the games among its players."""

    name: str
    rows: tuple[StandingsRow, ...]


@dataclass(frozen=True, slots=True)
class GroupStage:
    """The groups after some of their `rounds`, of each of which the best `advance` qualify."""

    groups: tuple[RankedGroup, ...]
    rounds: int
    advance: int
    is_over: bool

    @property
    def ties(self) -> tuple[GroupTie, ...]:
        """The ties for places that qualify, once all games of the groups are played."""
        return tuple(
            GroupTie(group.name, place, tied)
            for group in self.groups
            if self.is_over
            for place in dict.fromkeys(row.rank for row in group.rows if row.rank <= self.advance)
            if len(tied := tuple(row.number for row in group.rows if row.rank == place)) > 1
        )


def pair_groups(request: PairingRequest) -> Pairings:
    """Return a round of all groups, or of the bracket after them.

    Raises PairingRequestError for too few players or a round after the final, UndecidedTies before
    the bracket, and NoLegalPairing as the two systems do.
    """
    members = tuple(player.number for player in request.crosstable.players)
    try:
        group_rounds = _group_rounds(len(members), request.options)
    except OptionError as error:
        raise PairingRequestError(str(error)) from error
    cycles = GROUP_CYCLES.read_number(request.options)
    groups = fill_groups(members, GROUP_COUNT.read_number(request.options))
    if request.round <= group_rounds:
        return _merge(
            pair_by_table(request, group, cycles)
            for group in groups
            if request.round <= rounds_in_cycle(len(group)) * cycles
        )
    table = request.crosstable
    if not request.draws_lots and (ties := find_ties(table, request.options, request.codes)):
        raise UndecidedTies(ties)
    seeds = _seeds(table, groups, group_rounds, request.options, request.codes)
    pairings = knockout.pair_bracket(request, seeds, rounds_before=group_rounds)
    if request.round > group_rounds + 1:
        return pairings
    return replace(pairings, findings=(Sentence.QUALIFIED.about(*seeds), *pairings.findings))


def rank_groups(
    table: Crosstable, options: Mapping[str, OptionValue], codes: Sequence[str]
) -> GroupStage:
    """Return the groups with their rankings, by the tie-breaks that can rank a group.

    Raises OptionError for too few players.
    """
    members = tuple(player.number for player in table.players)
    rounds = _group_rounds(len(members), options)
    groups = fill_groups(members, GROUP_COUNT.read_number(options))
    ranked = (_rank_group(table, group, rounds, codes) for group in groups)
    return GroupStage(
        groups=tuple(RankedGroup(name_group(index), rows) for index, rows in enumerate(ranked)),
        rounds=rounds,
        advance=ADVANCE.read_number(options),
        is_over=table.completed >= rounds,
    )


def find_ties(
    table: Crosstable, options: Mapping[str, OptionValue], codes: Sequence[str]
) -> tuple[GroupTie, ...]:
    """Return the ties for places that qualify between the groups and the bracket; else none."""
    if table.completed != _group_rounds(len(table.players), options):
        return ()
    return rank_groups(table, options, codes).ties


def find_progress(
    table: Crosstable,
    options: Mapping[str, OptionValue],
    codes: Sequence[str],
    first_boards: FirstBoards,
) -> dict[PlayerId, Progress]:
    """Return how far each qualified player got in the bracket.

    Nobody has a place in it while a game of the groups or a tie for such a place is open.
    `first_boards` are the players of board 1 by round, as far as they are known. Raises
    NoLegalPairing as `knockout.find_progress` does, OptionError for too few players.
    """
    members = tuple(player.number for player in table.players)
    rounds = _group_rounds(len(members), options)
    if table.completed < rounds or find_ties(table, options, codes):
        return {}
    groups = fill_groups(members, GROUP_COUNT.read_number(options))
    seeds = _seeds(table, groups, rounds, options, codes)
    return knockout.progress_in_bracket(
        table, options, seeds, rounds_before=rounds, first_boards=first_boards
    )


def draw_bracket(
    table: Crosstable,
    options: Mapping[str, OptionValue],
    codes: Sequence[str],
    first_boards: FirstBoards,
    running: Running,
) -> DrawnBracket:
    """Return the bracket as `knockout.draw_bracket` does; it is empty until it has seeds."""
    members = tuple(player.number for player in table.players)
    rounds = _group_rounds(len(members), options)
    is_played = table.completed < rounds or rounds in running.pairs
    if is_played or find_ties(table, options, codes):
        return ()
    groups = fill_groups(members, GROUP_COUNT.read_number(options))
    seeds = _seeds(table, groups, rounds, options, codes)
    return knockout.draw_from_seeds(table, options, seeds, rounds, first_boards, running)


def _seeds(
    table: Crosstable,
    groups: Sequence[Group],
    rounds: int,
    options: Mapping[str, OptionValue],
    codes: Sequence[str],
) -> Group:
    """Return the seeds of the bracket after the rounds of the groups.

    Players who are not ranked qualify only from a group in which nobody else is left.
    """
    rankings = [
        (
            *(row.number for row in _rank_group(table, group, rounds, codes)),
            *(number for number in group if number in table.unranked),
        )
        for group in groups
    ]
    return seed_bracket(rankings, ADVANCE.read_number(options))


def rounds_needed(players: int, _rounds: int, options: Mapping[str, OptionValue]) -> int:
    """Return the number of rounds; raises OptionError for too few players."""
    qualified = GROUP_COUNT.read_number(options) * ADVANCE.read_number(options)
    return _group_rounds(players, options) + knockout.rounds_needed(qualified, 0, options)


def fill_groups(members: Sequence[PlayerId], groups: int) -> tuple[Group, ...]:
    """Return the groups, filled in snake order."""
    filled: list[list[PlayerId]] = [[] for _ in range(groups)]
    for index, number in enumerate(members):
        row, column = divmod(index, groups)
        filled[column if row % 2 == 0 else groups - 1 - column].append(number)
    return tuple(tuple(group) for group in filled)


def name_group(index: int) -> str:
    """Return the name of a group: A to Z, then AA to ZZ, and so on.

    >>> [name_group(index) for index in (0, 1, 25, 26)]
    ['A', 'B', 'Z', 'AA']
    """
    return ascii_uppercase[index % 26] * (1 + index // 26)


def seed_bracket(rankings: Sequence[Group], advance: int) -> Group:
    """Return the seeds of the bracket from the final rankings of the groups.

    >>> seed_bracket([(1, 2), (3, 4), (5, 6)], 2)
    (1, 3, 5, 4, 6, 2)
    """
    seeds: Group = ()
    group_of = {number: index for index, ranking in enumerate(rankings) for number in ranking}
    for place in range(advance):
        row = tuple(ranking[place] for ranking in rankings)
        rotations = (seeds + row[turn:] + row[:turn] for turn in range(len(row)))
        seeds = min(rotations, key=partial(_count_rematches, group_of, len(rankings) * advance))
    return seeds


def _count_rematches(group_of: Mapping[PlayerId, int], qualified: int, seeds: Group) -> int:
    """Count the players who meet a player of their own group in the first stage so far."""
    last = (1 << count_stages(qualified)) - 1
    return sum(
        group_of[number] == group_of[seeds[last - index]]
        for index, number in enumerate(seeds)
        if last - index < len(seeds)
    )


def _group_rounds(players: int, options: Mapping[str, OptionValue]) -> int:
    groups, advance = GROUP_COUNT.read_number(options), ADVANCE.read_number(options)
    smallest, largest = players // groups, -(-players // groups)
    if smallest < max(2, advance):
        raise OptionError(
            GROUP_COUNT.name,
            Text(
                "%(players)s players in %(groups)s groups leave %(smallest)s players "
                "in the smallest group; each group needs %(needed)s",
                players=players,
                groups=groups,
                smallest=smallest,
                needed=max(2, advance),
            ),
        )
    if groups * advance < 2:
        raise OptionError(ADVANCE.name, Text("at least two players must qualify for the knockout"))
    return rounds_in_cycle(largest) * GROUP_CYCLES.read_number(options)


def _rank_group(
    table: Crosstable, group: Group, rounds: int, codes: Sequence[str]
) -> tuple[StandingsRow, ...]:
    """Return the ranking of a group among themselves after its rounds."""
    players = in_order(_within(table.by_number[number], group, rounds) for number in group)
    group_table = replace(table, players=players, rounds=rounds, round_robin=True, held=0)
    decided = [
        replace(tie, after=group_table.completed) for tie in table.decided if tie.after == rounds
    ]
    return rank(replace(group_table, decided=tuple(decided)), group_codes(codes))


def group_codes(codes: Sequence[str]) -> tuple[str, ...]:
    """Return the tie-breaks that can rank a group: not those of a bracket, or of a Swiss only."""
    fit = [
        code
        for code in codes
        for rule in [TIEBREAKS[code.partition("/")[0].upper()]]
        if not (rule.needs_bracket or rule.is_swiss_only or rule.needs_records)
    ]
    return tuple(fit) or ("PTS",)


def _within(player: Competitor, group: Group, rounds: int) -> Competitor:
    """Return a player without games against other groups, which a round set by hand can have."""
    results = tuple(
        result if result.opponent is None or result.opponent in group else ABSENT
        for result in player.results[:rounds]
    )
    return replace(player, results=results)


def _merge(groups: Iterable[Pairings]) -> Pairings:
    merged = tuple(groups)
    return Pairings(
        pairs=tuple(pair for pairings in merged for pair in pairings.pairs),
        findings=tuple(finding for pairings in merged for finding in pairings.findings),
        byes=tuple(sorted(bye for pairings in merged for bye in pairings.byes)),
    )
