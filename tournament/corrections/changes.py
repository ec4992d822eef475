"""What a correction changes: games, byes and entries, as requested, and each before and after."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from games.core.errors import Unprocessable
from games.models import Game, Report
from games.play.settlement import Settlement, apply_settlement
from tournament.core.corrected_results import (
    BYE_CHANGE,
    CorrectedValues,
    Purpose,
    Values,
    counted_value,
)
from tournament.entries.serializers import VALUES
from tournament.models import Correction, Entry, Pairing, Round

Counted = dict[str, Any] | None
"""The column `counted` of a pairing."""
ANNULLED = "annulled"
"""The result of a game that does not count at all."""
CORRECTED_BYES = ["pairing_bye", "half_bye", "zero_bye", "full_bye"]
"""The kinds of byes that a correction can give."""
CORRECTED_ENTRY_FIELDS = ("seed_rating", *VALUES, "title")
"""The columns of an entry that can be corrected; the club can be edited at any time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedChange:
    """A change as it is requested: of a game, of the bye of an entry, or of columns of an entry."""

    game: int | None = None
    result: str = ""
    score: str = ""
    record: str | Mapping[str, Any] | None = None
    entry: int | None = None
    round: int | None = None
    bye: str | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)


def refuse_change(code: str, index: int, detail: str, name: str = "") -> Unprocessable:
    """Return the refusal of a change of a request, at one of its members if `name` is given."""
    pointer = f"/changes/{index}" + (f"/{name}" if name else "")
    return Unprocessable(code, detail, at=pointer)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChange:
    """The corrected result of a game; `report` is the new ruling or revocation, not saved.

    `settlement` is what the reports of the game give with it. `counted` is that of the pairing
    before and after.
    """

    pairing: Pairing
    game: Game
    report: Report
    settlement: Settlement
    before: Values
    after: Values
    counted: tuple[Counted, Counted]

    @property
    def round(self) -> int:
        """Return the number of the round."""
        return self.pairing.round.number

    @property
    def is_return_game(self) -> bool:
        """Return True for the second game of the pairing."""
        return self.game.pk == self.pairing.return_game_id

    def counted_for(self, purpose: Purpose) -> Values:
        """Return the result that counts for a purpose afterwards."""
        kept: Values = (self.counted[1] or {}).get(purpose, {}).get(str(self.game.pk))
        return kept or self.after

    def as_json(self) -> dict[str, Any]:
        """Return the change as it is stored, by the seats of the game."""
        entries = [self.pairing.first_id, self.pairing.second_id]
        first, second = reversed(entries) if self.is_return_game else entries
        return {
            "game": self.game.pk,
            "round": self.round,
            "board": self.pairing.board_number,
            "first": first,
            "second": second,
            "before": self.before,
            "after": self.after,
            "report": self.report.version,
            "counted": list(self.counted),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeChange:
    """The bye of an entry in a round before and after, None without a bye.

    `counted` is that of its pairing before and after.
    """

    round: Round
    entry: Entry
    pairing: Pairing | None
    before: str | None
    after: str | None
    counted: tuple[Counted, Counted]

    def as_json(self) -> dict[str, Any]:
        """Return the change as it is stored."""
        return {
            "entry": self.entry.pk,
            "round": self.round.number,
            "bye": [self.before, self.after],
            "counted": list(self.counted),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChange:
    """The corrected columns of an entry before and after."""

    entry: Entry
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the change as it is stored."""
        return {"entry": self.entry.pk, "before": dict(self.before), "after": dict(self.after)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """All changes of a correction; `undoes` is the correction that it reverses."""

    scope: Correction.Scope
    games: Sequence[GameChange] = ()
    byes: Sequence[ByeChange] = ()
    entries: Sequence[EntryChange] = ()
    undoes: Correction | None = None

    @property
    def first_round(self) -> int:
        """Return the first round that changes; entries count from the first."""
        rounds = [change.round for change in self.games]
        rounds += [change.round.number for change in self.byes]
        return 1 if self.entries else min(rounds)

    def corrected_values(self, kept: Mapping[int, tuple[int, int]]) -> CorrectedValues:
        """Return the values that crosstables are loaded with for the preview.

        `kept` are the seed ratings that pairings count after the correction, as `kept_ratings`
        returns them.
        """
        return CorrectedValues(
            games={
                purpose: {change.game.pk: change.counted_for(purpose) for change in self.games}
                for purpose in Purpose
            },
            byes={
                purpose: {
                    (change.round.number, change.entry.pk): counted_value(
                        change.counted[1], purpose, BYE_CHANGE, change.after
                    )
                    for change in self.byes
                }
                for purpose in Purpose
            },
            entries={
                Purpose.STANDINGS: {change.entry.pk: change.after for change in self.entries},
                Purpose.PAIRINGS: {
                    change.entry.pk: _with_kept_rating(change.after, kept.get(change.entry.pk))
                    for change in self.entries
                },
            },
        )

    def as_json(self) -> list[dict[str, Any]]:
        """Return the changes as they are stored."""
        return [
            *(change.as_json() for change in self.games),
            *(change.as_json() for change in self.byes),
            *(change.as_json() for change in self.entries),
        ]


def _with_kept_rating(after: Mapping[str, Any], kept: tuple[int, int] | None) -> Mapping[str, Any]:
    if kept is None or after.get("seed_rating") != kept[1]:
        return after
    return {**after, "seed_rating": kept[0]}


def result_values(settlement: Settlement) -> dict[str, Any]:
    """Return the result of a settled game as JSON."""
    columns = settlement.as_columns()
    score = columns["score_first"], columns["score_second"]
    record = settlement.record
    return {
        "state": str(columns["state"]),
        "basis": str(columns["basis"]),
        "winner": str(columns["winner"]),
        "draw": columns["draw"],
        "termination": str(columns["termination"]),
        "score": None if score[0] is None else list(score),
        "record": record.digest if record else "",
        "detail": record.outcome.get("detail") if record else None,
    }


def settled_copy(game: Game, settlement: Settlement) -> Game:
    """Return a copy of a game with another settlement; it is not saved."""
    settled = copy(game)
    apply_settlement(settled, settlement, at=game.confirmed_at or game.created_at)
    return settled
