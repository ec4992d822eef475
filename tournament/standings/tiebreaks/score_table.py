"""What every tie-break reads: results padded to the completed rounds, and scores in units.

A tie-break is computed while an event runs as if the last completed round were the last one:
R is the number of completed rounds.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from games.rules.seat import Seat
from tournament.standings.crosstable import ABSENT, BYES, Crosstable, Kind, PlayerId, RoundResult

Number = int | Fraction


class Why(StrEnum):
    """Where the basis of an element comes from."""

    SCORE = "score"
    """The opponent's points as they stand."""
    ADJUSTED = "adjusted"
    """The opponent's points with trailing byes taken as draws (16.3.2)."""
    DUMMY = "dummy"
    """Not played: the own points (16.4)."""
    DUMMY_OF_OPPONENT = "dummy-capped-by-opponent"
    """Not played: the points of the scheduled opponent, being fewer (16.4.1)."""
    DUMMY_OF_DRAWS = "dummy-capped-by-draws"
    """Not played: a draw for every round, being fewer (16.4.2)."""
    RATING = "rating"
    """The opponent's rating, or the value published for unrated players; the element's value is
    that rating, or in TPR and PTP the points of the game."""
    OPPONENT_VALUE = "opponent-value"
    """The same tie-break, or the one averaged, of the opponent."""
    ROUND = "round"
    """A round of one's own that counts."""
    START = "start"
    """A starting score, before any round."""
    OWN = "own"
    """The own pairing number or rating, told as round 0."""


class Cut(StrEnum):
    """Why an element was left out."""

    LOW = "low"
    HIGH = "high"
    VOLUNTARY = "voluntary"
    """A voluntary unplayed round, cut before a lower element (16.5)."""


class Element(NamedTuple):
    """One part of a tie-break, in units: what counts is `value`, what it is drawn from `basis`."""

    round: int
    opponent: PlayerId | None
    basis: Number
    value: Number
    why: Why
    is_voluntary: bool = False


class Tally(NamedTuple):
    """A tie-break of one player: its value in units (None: undefined), and how it came about."""

    value: Number | None
    elements: tuple[Element, ...] = ()
    cuts: Mapping[int, Cut] = {}
    """Which elements, by their index, were left out."""


class ScoreTable:
    """A crosstable read for tie-breaks; what several of them share is computed once.

    `unrated` is the rating that the regulations published for unrated players, None when they
    are silent (C.07 article 10).
    """

    def __init__(self, crosstable: Crosstable, *, unrated: int | None = None):
        self.crosstable = crosstable
        self.points = crosstable.points
        self.rounds = crosstable.completed
        self.is_round_robin = crosstable.round_robin
        self.unrated = unrated
        self.rows: dict[PlayerId, tuple[RoundResult, ...]] = {
            player.number: self._padded(player.results) for player in crosstable.players
        }
        worth = {kind: getattr(self.points, kind.name.lower()) for kind in Kind}
        self.awards: dict[PlayerId, tuple[int, ...]] = {
            number: tuple(
                worth[result.kind] if result.awarded is None else result.awarded for result in row
            )
            for number, row in self.rows.items()
        }
        self.scores: dict[PlayerId, int] = {
            number: sum(awards) for number, awards in self.awards.items()
        }
        self.contributions: dict[bool, dict[PlayerId, list[Element]]] = {}
        """Kept by the Buchholz family: its elements, by whether forfeits count as games."""

    def _padded(self, results: tuple[RoundResult, ...]) -> tuple[RoundResult, ...]:
        row = results[: self.rounds]
        return row + (ABSENT,) * (self.rounds - len(row))

    @cached_property
    def adjusted(self) -> dict[PlayerId, int]:
        """The scores that opponents see: byes followed only by VURs count as draws (16.3)."""
        adjusted = {}
        for number, row in self.rows.items():
            score = self.scores[number]
            awards = self.awards[number]
            for index in range(len(row) - 1, -1, -1):
                result = row[index]
                if not result.is_voluntary:
                    break
                if result.kind is not Kind.FORFEIT_LOSS:
                    score += self.points.draw - awards[index]
            adjusted[number] = score
        return adjusted

    @cached_property
    def fore(self) -> "ScoreTable":
        """The same event with every game paired for the last round drawn (8.3)."""
        players = []
        for player in self.crosstable.players:
            row = self.rows[player.number]
            if row and row[-1].opponent is not None:
                opponent = row[-1].opponent
                seat = Seat.FIRST if player.number < opponent else Seat.SECOND
                row = (*row[:-1], RoundResult(Kind.DRAW, opponent, seat))
            players.append(replace(player, results=row))
        altered = replace(self.crosstable, players=tuple(players))
        return ScoreTable(altered, unrated=self.unrated)

    @cached_property
    def has_all_ratings(self) -> bool:
        """Whether article 10 applies: nobody is unrated, or a value was published for it."""
        if self.unrated is not None:
            return True
        return all(player.rating > 0 for player in self.crosstable.players)

    def rating(self, number: PlayerId) -> int:
        """Give a player's rating, or the published value when there is none."""
        return self.crosstable.by_number[number].rating or self.unrated or 0

    @cached_property
    def games_scheduled(self) -> int:
        """The games of a player with no free round; in a Swiss, the rounds."""
        if not self.is_round_robin:
            return self.rounds
        counts = (sum(r.kind not in BYES for r in row) for row in self.rows.values())
        return max(counts, default=0)
