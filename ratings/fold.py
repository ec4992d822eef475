"""Rating batch after batch: filed games in, states and rows of changes out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from ratings.eligibility import Filed
from ratings.models import Batch, Run
from ratings.systems.elo import MILLI, Elo, PlayerState, RatedBatch, RatedGame, rate_batch

COLUMNS = (
    "pool_id", "run_id", "batch_id", "game_id", "player_id", "opponent_id", "seat", "before",
    "opponent_before", "handicap_part", "expected", "k", "score", "share", "after",
)  # fmt: skip
"""Of a change; from `player_id` on as the engine's own changes go."""

NO_OPENINGS: Mapping[int, PlayerState] = {}


@dataclass(slots=True)
class Fold:
    """The states while batch after batch is rated, and when each player was last rated."""

    elo: Elo
    states: dict[int, PlayerState] = field(default_factory=dict)
    last_game_at: dict[int, datetime] = field(default_factory=dict)

    def rate(
        self,
        at: datetime,
        games: Iterable[Filed],
        openings: Mapping[int, PlayerState] = NO_OPENINGS,
    ) -> tuple[list[int], RatedBatch[int]]:
        """Rate one batch: the ids of its rated games in order, and what came of them.

        Who is not known yet starts from his opening, else from the seed.
        """
        counted = [one for one in games if not one.exclusion]
        for one in counted:
            self._seed(one.first, one.first_seed, openings)
            self._seed(one.second, one.second_seed, openings)
        rated = [
            RatedGame(one.first, one.second, one.score, one.handicap_part or 0) for one in counted
        ]
        done = rate_batch(self.states, rated, self.elo)
        self.states.update(done.states())
        self.last_game_at.update(dict.fromkeys(done.players, at))
        return [one.game for one in counted], done

    def _seed(self, player: int, seed: int | None, openings: Mapping[int, PlayerState]) -> None:
        if player not in self.states:
            rating = self.elo.start * MILLI if seed is None else seed
            self.states[player] = openings.get(player) or PlayerState(rating, 0)


def rows_of(
    run: Run, batch: Batch, ids: list[int], done: RatedBatch[int]
) -> Iterator[tuple[object, ...]]:
    """The changes of a batch as rows of `COLUMNS`, in the order of the games."""
    pool, number, filed = run.pool_id, run.pk, batch.pk
    for change in done.changes():
        yield (pool, number, filed, ids[change.game], *change[1:])
