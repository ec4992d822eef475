"""Rating batch after batch: rows of facts in, states and rows of changes out."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from ratings.models import Batch, BatchGame, Change, Run
from ratings.systems.elo import MILLI, Elo, PlayerState, RatedBatch, RatedGame, rate_batch


@dataclass(slots=True)
class Fold:
    """The states while batch after batch is rated, and when each player was last rated."""

    elo: Elo
    states: dict[int, PlayerState] = field(default_factory=dict)
    last_game_at: dict[int, datetime] = field(default_factory=dict)

    def rate(self, at: datetime, games: Iterable[BatchGame]) -> tuple[list[int], RatedBatch[int]]:
        """Rate one batch: the ids of its rated games in order, and what came of them."""
        counted = [one for one in games if not one.exclusion]
        for one in counted:
            self._seed(one.first_id, one.first_seed)
            self._seed(one.second_id, one.second_seed)
        rated = [
            RatedGame(one.first_id, one.second_id, one.score, one.handicap_part or 0)
            for one in counted
        ]
        done = rate_batch(self.states, rated, self.elo)
        self.states.update(done.states())
        self.last_game_at.update(dict.fromkeys(done.players, at))
        return [one.game_id for one in counted], done

    def _seed(self, player: int, seed: int | None) -> None:
        if player not in self.states:
            rating = self.elo.start * MILLI if seed is None else seed
            self.states[player] = PlayerState(rating, 0)


def rows_of(run: Run, batch: Batch, ids: list[int], done: RatedBatch[int]) -> list[Change]:
    """The changes of a batch as rows, in the order of the games."""
    return [
        Change(
            pool_id=run.pool_id,
            run=run,
            batch=batch,
            game_id=ids[change.game],
            player_id=change.player,
            opponent_id=change.opponent,
            seat=change.seat,
            before=change.before,
            opponent_before=change.opponent_before,
            handicap_part=change.handicap_part,
            expected=change.expected,
            k=change.k,
            score=change.score,
            share=change.share,
            after=change.after,
        )
        for change in done.changes()
    ]
