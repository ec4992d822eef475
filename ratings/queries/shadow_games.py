"""The rated games of a pool in their batches, to run other rating systems over them."""

from datetime import UTC
from itertools import chain

import numpy as np

from ratings.batches.order import load_inputs
from ratings.models import Batch, Pool
from ratings.runs.openings import load_openings
from ratings.systems.history import GameColumns
from ratings.systems.research.shadow_games import ShadowGames


def load_shadow_games(pool: Pool) -> ShadowGames:
    """Return the rated games of the batches of the current run, in a fixed number of queries.

    A player starts from their opening in their first batch, or else from their seed there.
    """
    batches = Batch.objects.filter(pool=pool, rated_effective_at__isnull=False)
    openings = load_openings(pool, batches)
    numbers: dict[int, int] = {}
    starts: list[int | None] = []
    played: list[int] = []
    games: list[tuple[int, int, int, int]] = []
    ends: list[int] = []
    days: list[str] = []
    for batch, inputs in load_inputs(pool, batches):
        batch_openings = openings.get(batch.pk, {})
        rated = [game for game in inputs if not game.exclusion]
        for game in rated:
            for player, seed in (
                (game.first_id, game.first_seed), (game.second_id, game.second_seed)
            ):  # fmt: skip
                if player not in numbers:
                    numbers[player] = len(numbers)
                    opening = batch_openings.get(player)
                    starts.append(opening.rating if opening else seed)
                    played.append(opening.games if opening else 0)
            seats = numbers[game.first_id], numbers[game.second_id]
            games.append((*seats, game.score, game.handicap_part or 0))
        if rated:
            ends.append(len(games))
            days.append(batch.effective_at.astimezone(UTC).date().isoformat())
    columns = np.array(list(chain.from_iterable(games)), np.int64).reshape(-1, 4)
    return ShadowGames(
        GameColumns(
            columns[:, :2].reshape(-1), columns[:, 2], columns[:, 3], np.array(ends, np.int64)
        ),
        days,
        starts,
        np.array(played, np.int64),
    )
