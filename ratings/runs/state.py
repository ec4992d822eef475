"""The state of the players of a pool while its batches are rated."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ratings.batches.order import Period, period_number
from ratings.runs.openings import Openings
from ratings.systems.elo import Elo, RatedGame, rate_batch
from ratings.systems.fide import Fide, rate_period
from ratings.systems.presets import RatingSystem, Start

CHANGE_COLUMNS = (
    "pool_id", "run_id", "batch_id", "game_id", "player_id", "opponent_id", "seat", "before",
    "opponent_before", "handicap_part", "expected", "k", "score", "share", "after",
)  # fmt: skip
"""The columns of `Change` that a run writes; from `player_id` on, the fields of `RatingChange`."""

ChangeRow = tuple[int | str | None, ...]
"""A change as the values of `CHANGE_COLUMNS`."""


@dataclass(slots=True)
class PoolState:
    """The state of each player while batches are rated, and the time of their last batch.

    A state is a `PlayerState` or a `FideState`, as the system needs it. `rated` contains the
    players of the batches that were rated here.
    """

    system: RatingSystem
    players: dict[int, Any] = field(default_factory=dict)
    last_game_at: dict[int, datetime] = field(default_factory=dict)
    rated: set[int] = field(default_factory=set)

    def add_states(self, states: Mapping[int, tuple[Any, datetime]]) -> None:
        """Set the states of players, and the times of their last batches."""
        for player, (state, played_at) in states.items():
            self.players[player], self.last_game_at[player] = state, played_at

    def rate_period(self, period: Period, openings: Mapping[int, Openings]) -> list[ChangeRow]:
        """Rate the batches of a period and update the states; return the changes in their order.

        A new player starts from their opening in the batch, or else from their seed.
        """
        owners: list[tuple[int, int | None, int, int]] = []
        events: list[int] = []
        rated: list[RatedGame[int]] = []
        juniors: set[int] = set()
        for batch, games in period:
            batch_openings = openings.get(batch.pk, {})
            for game in games:
                if not game.exclusion:
                    first, second = game.first_id, game.second_id
                    self.add_player(first, game.first_start, batch_openings)
                    self.add_player(second, game.second_start, batch_openings)
                    if game.first_junior:
                        juniors.add(first)
                    if game.second_junior:
                        juniors.add(second)
                    self.last_game_at[first] = self.last_game_at[second] = batch.effective_at
                    events.append(batch.pk)
                    owners.append((batch.pool_id, batch.run_id, batch.pk, game.game_id))
                    rated.append(RatedGame(first, second, game.score, game.handicap_part or 0))
        if isinstance(self.system, Fide):
            result: Any = rate_period(
                self.players,
                rated,
                self.system,
                period=period_number(period[0][0].effective_at),
                events=events,
                juniors=juniors,
            )
        else:
            result = rate_batch(self.players, rated, self.system)
        self.players.update(result.states())
        self.rated.update(result.players)
        return [(*owners[change.game], *change[1:]) for change in result.changes()]

    def has_rating(self, player: int) -> bool:
        """Return True if the player has a rating by games; one of FIDE's may still be unrated."""
        return player in self.last_game_at and (
            isinstance(self.system, Elo) or self.players[player].rating > 0
        )

    def unrated_states(self) -> dict[str, Any]:
        """Return the players with games and without a rating as `Run.unrated`."""
        return {
            str(player): [at.isoformat(), *self.players[player]]
            for player, at in self.last_game_at.items()
            if not self.has_rating(player)
        }

    def add_player(self, player: int, seed: Start, openings: Openings) -> None:
        """Add a player in the first batch that rates them, if they are new."""
        if player not in self.players:
            self.players[player] = openings.get(player, seed).state(self.system)
