"""Rank the players of an event: the standings, which are never stored.

The brackets of knockouts say who advances, and how far each player got.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

from games.core.references import PlayerReference
from games.rules.text import Text
from tournament.core.corrected_results import (
    COVERED_PURPOSES,
    NO_CORRECTIONS,
    CorrectedValues,
    Purpose,
)
from tournament.core.crosstable import (
    is_round_robin,
    load_crosstable,
    load_participants,
    without_struck,
)
from tournament.core.engine import pairing_codes
from tournament.core.queries import current_pairings
from tournament.core.references import NumberedEntry
from tournament.models import Correction, Pairing, Tournament
from tournament.models.rounds import IMPORTED
from tournament.pairing.errors import PairingError
from tournament.pairing.findings import with_names
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.ties import NO_BOARDS, FirstBoards
from tournament.standings.crosstable import Crosstable, PlayerId
from tournament.standings.table import (
    StandingsRow,
    find_empty_columns,
    label_columns,
    rank,
    rank_groups,
)
from tournament.standings.tiebreaks import TIEBREAKS, other_edition, parse_codes

State = Tournament.State


def load_bracket(
    tournament: Tournament, crosstable: Crosstable, through: int, corrected: CorrectedValues
) -> Crosstable | None:
    """Return the results that decide who advances, which a correction may leave as they were.

    None without a bracket.
    """
    if PAIRING_SYSTEMS[tournament.system].find_progress is None:
        return None
    counted = Pairing.objects.filter(tournament=tournament, counted__isnull=False)
    if corrected is NO_CORRECTIONS and not counted.exists():
        return crosstable
    return load_crosstable(tournament, through=through, for_pairing=True, corrected=corrected)


def load_first_boards(tournament: Tournament) -> FirstBoards:
    """Return the players of board 1 by round; the boards of an imported file follow the seeds."""
    pairings = current_pairings(tournament).filter(kind=Pairing.Kind.GAME, board_number=1)
    pairings = pairings.exclude(round__system=IMPORTED)
    rows = pairings.values_list("round__number", "first__pairing_number", "second__pairing_number")
    return {number: frozenset(player for player in players if player) for number, *players in rows}


def with_progress(
    tournament: Tournament,
    crosstable: Crosstable,
    bracket: Crosstable,
    first_boards: FirstBoards = NO_BOARDS,
) -> Crosstable:
    """Add how far each player got in the bracket, unless it cannot be read.

    `bracket` has the results that decide who advances, `first_boards` the players of board 1.
    """
    find_progress = PAIRING_SYSTEMS[tournament.system].find_progress
    if find_progress is None:
        return crosstable
    try:
        progress = find_progress(
            bracket, tournament.system_options, pairing_codes(tournament), first_boards
        )
    except PairingError:
        return crosstable
    players = (replace(p, progress=progress.get(p.number)) for p in crosstable.players)
    return replace(crosstable, players=tuple(players))


@dataclass(frozen=True)
class Table:
    """The standings of an event after round `through`, with the results they come from.

    `labels` name the columns of tie-breaks, even if there are no rows. `players` and `entries`
    (the ids of entries) are by pairing number. `expelled` are the reasons of the players whom the
    rows leave out. A table `for_pairing` has the results that decide who plays in later rounds.
    """

    tournament: Tournament
    through: int
    crosstable: Crosstable
    labels: tuple[str, ...]
    rows: tuple[StandingsRow, ...]
    players: Mapping[PlayerId, PlayerReference]
    entries: Mapping[PlayerId, int]
    expelled: Mapping[PlayerId, str] = field(default_factory=dict)
    for_pairing: bool = False
    _shared: dict[str, Mapping[PlayerId, int]] = field(default_factory=dict, compare=False)
    """What copies of a table have in common, once it is computed."""

    def entry_as_json(self, number: PlayerId) -> NumberedEntry:
        """Return the entry with a pairing number, and its player."""
        return {"id": self.entries[number], "number": number, "player": self.players[number]}

    @property
    def is_provisional(self) -> bool:
        """True before the last round, and until the event is final: results can still change."""
        return self.through < self.tournament.rounds or self.tournament.state not in (
            State.FINAL,
            State.ARCHIVED,
        )

    @property
    def edition(self) -> Text | None:
        """Say by which edition of C.07 an older event is ranked; None without its tie-breaks."""
        codes = parse_codes(codes_of(self.labels), round_robin=self.crosstable.round_robin)
        return other_edition(codes, self.tournament.starts_on)

    @property
    def earlier_ranks(self) -> Mapping[PlayerId, int]:
        """The ranks after the round before, by the same tie-breaks; empty before there are two.

        A bracket has none: its ranks say how far a player got.
        """
        if "earlier" not in self._shared:
            self._shared["earlier"] = self._rank_earlier()
        return self._shared["earlier"]

    def _rank_earlier(self) -> Mapping[PlayerId, int]:
        has_bracket = PAIRING_SYSTEMS[self.tournament.system].find_progress is not None
        if self.through < 2 or has_bracket:
            return {}
        codes = parse_codes(codes_of(self.labels), round_robin=self.crosstable.round_robin)
        groups = rank_groups(self.crosstable.after(self.through - 1), codes)
        before = accumulate(map(len, groups), initial=1)
        ranked = zip(groups, before, strict=False)
        return {number: place for group, place in ranked for number in group}

    @cached_property
    def corrections(self) -> Mapping[Correction, list[dict[str, Any]]]:
        """The corrections in force that the table counts, with their changes, oldest first.

        Those of later rounds and those for other purposes change nothing in it.
        """
        purpose = Purpose.PAIRINGS if self.for_pairing else Purpose.STANDINGS
        scopes = [scope for scope, covered in COVERED_PURPOSES.items() if purpose in covered]
        return self.tournament.corrections.filter(scope__in=scopes).with_changes(
            lambda change: change.get("round", 0) <= self.through
        )

    @cached_property
    def empty_columns(self) -> Mapping[str, Text]:
        """Why nobody has a value of a tie-break, by its label; empty if all columns have values."""
        codes = parse_codes(codes_of(self.labels), round_robin=self.crosstable.round_robin)
        names = {number: player["name"] for number, player in self.players.items()}
        empty = find_empty_columns(self.crosstable, codes)
        return {
            label: with_names(lack, names)
            for label, lack in empty.items()
            if all(row.values[label] is None for row in self.rows)
        }


def compute_table(
    tournament: Tournament,
    codes: Sequence[str] | str = "",
    *,
    through: int,
    corrected: CorrectedValues = NO_CORRECTIONS,
) -> Table:
    """Rank the players after a round by tie-break codes, by default the event's own.

    Takes a fixed number of queries. Raises TiebreakError for invalid codes.
    """
    parsed = parse_codes(codes or tournament.tiebreaks, round_robin=is_round_robin(tournament))
    needs_counts = any(TIEBREAKS[code.name].needs_counts for code in parsed)
    crosstable, participants = load_participants(
        tournament, through=through, with_counts=needs_counts, corrected=corrected
    )
    crosstable = without_struck(tournament, crosstable)
    bracket = load_bracket(tournament, crosstable, through, corrected)
    if bracket is not None:
        first_boards = load_first_boards(tournament)
        crosstable = with_progress(tournament, crosstable, bracket, first_boards)
    expelled = {
        number: reason
        for number, reason in participants.expelled.items()
        if number in crosstable.by_number
    }
    return Table(
        tournament=tournament,
        through=through,
        crosstable=crosstable,
        labels=tuple(label_columns(parsed)),
        rows=rank(crosstable, parsed),
        players=participants.players,
        entries=participants.entries,
        expelled=expelled,
    )


def codes_of(labels: Iterable[str]) -> list[str]:
    """Return the tie-break codes of column labels: the second `DE` has the label `DE (2)`."""
    return [label.partition(" (")[0] for label in labels]
