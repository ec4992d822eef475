"""The input of all tie-breaks: the results and points of each completed round.

The rounds of a player are filled up with `ABSENT` to the completed rounds. In an unfinished event
the last completed round counts as the last round, except for Fore Buchholz, which draws the final
round of the event only (8.3).
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from games.rules.seat import Seat
from tournament.standings.crosstable import (
    ABSENT,
    BYES,
    PAIRED,
    Crosstable,
    Kind,
    PlayerId,
    RoundResult,
)
from tournament.standings.tiebreaks.values import TiebreakTerm


class ScoreTable:
    """A crosstable prepared for tie-breaks; values that several tie-breaks need are cached."""

    def __init__(self, crosstable: Crosstable):
        self.crosstable = crosstable
        self.points = crosstable.points
        self.rounds = crosstable.completed
        self.is_round_robin = crosstable.round_robin
        self.results: dict[PlayerId, tuple[RoundResult, ...]] = {
            player.number: self._completed(player.results) for player in crosstable.players
        }
        units_of = {kind: self.points.units_of(kind) for kind in Kind}
        self.round_points: dict[PlayerId, tuple[int, ...]] = {
            number: tuple(
                units_of[result.kind] if result.awarded is None else result.awarded
                for result in results
            )
            for number, results in self.results.items()
        }
        self.scores: dict[PlayerId, int] = {
            number: sum(units) for number, units in self.round_points.items()
        }
        self.score_terms: dict[bool, dict[PlayerId, list[TiebreakTerm]]] = {}
        """Cache of `buchholz.score_terms`, by whether forfeits count as games."""

    def _completed(self, results: tuple[RoundResult, ...]) -> tuple[RoundResult, ...]:
        completed = results[: self.rounds]
        return completed + (ABSENT,) * (self.rounds - len(completed))

    @cached_property
    def adjusted(self) -> dict[PlayerId, int]:
        """The scores for opponents: byes that only VURs follow count as draws (16.3)."""
        adjusted = {}
        for number, results in self.results.items():
            score = self.scores[number]
            units = self.round_points[number]
            for index in range(len(results) - 1, -1, -1):
                result = results[index]
                if not result.is_voluntary:
                    break
                if result.kind is not Kind.FORFEIT_LOSS:
                    score += self.points.draw - units[index]
            adjusted[number] = score
        return adjusted

    @cached_property
    def fore(self) -> "ScoreTable":
        """The same event with all pairings of its final round drawn (8.3); itself before that."""
        if self.rounds < self.crosstable.rounds:
            return self
        players = []
        for player in self.crosstable.players:
            results = self.results[player.number]
            if results and results[-1].opponent is not None:
                opponent = results[-1].opponent
                seat = Seat.FIRST if player.number < opponent else Seat.SECOND
                results = (*results[:-1], RoundResult(Kind.DRAW, opponent, seat))
            players.append(replace(player, results=results))
        drawn = replace(self.crosstable, players=tuple(players))
        return ScoreTable(drawn)

    @cached_property
    def ratings(self) -> dict[PlayerId, int]:
        """The ratings of all players; empty if one is unrated and the regulations give none."""
        ratings = {
            player.number: player.rating or self.crosstable.unrated
            for player in self.crosstable.players
        }
        return ratings if all(ratings.values()) else {}

    def opponents(
        self, number: PlayerId, kinds: frozenset[Kind] = PAIRED
    ) -> Iterator[tuple[int, PlayerId]]:
        """Return the opponents of a player in results of some kinds, with the round."""
        for round_number, result in enumerate(self.results[number], start=1):
            if result.opponent is not None and result.kind in kinds:
                yield round_number, result.opponent

    @cached_property
    def games_scheduled(self) -> int:
        """The games of a player without a free round; the number of rounds in a Swiss."""
        if not self.is_round_robin:
            return self.rounds
        counts = (
            sum(result.kind not in BYES for result in results) for results in self.results.values()
        )
        return max(counts, default=0)
