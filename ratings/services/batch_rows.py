"""The rows of the games of a batch: loaded as they are now, with the values of their players."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from games.bulk import chunks
from games.models import Player
from ratings.batches.eligibility import load_games
from ratings.models import Batch, BatchGame
from ratings.systems.elo import MILLI
from ratings.systems.fide import is_junior


def rows_of(batch: Batch) -> "QuerySet[BatchGame]":
    """Return the stored rows of a batch."""
    return BatchGame.objects.filter(pool=batch.pool_id, batch=batch)


def load_rows(
    batch: Batch, game_ids: Sequence[int], over_limit: Collection[int]
) -> list[BatchGame]:
    """Return the games of a batch as they are now.

    What was filed before is preserved: the seeds, who was a junior, the values of handicaps, which
    games are outside the band of the pool.
    """
    stored = {row.game_id: row for row in rows_of(batch)}
    rows = load_games(batch, game_ids, over_limit, stored)
    year = batch.effective_at.year
    filed = {player: values.in_year(year) for player, values in load_players(rows).items()}
    for row in stored.values():
        filed[row.first_id] = (row.first_seed, row.first_junior)
        filed[row.second_id] = (row.second_seed, row.second_junior)
    for row in rows:
        set_players(row, filed)
    return rows


def set_players(row: BatchGame, filed: Mapping[int, tuple[int | None, bool]]) -> None:
    """Set the seeds of both players, and whether they are juniors."""
    row.first_seed, row.first_junior = filed[row.first_id]
    row.second_seed, row.second_junior = filed[row.second_id]


class PlayerValues(NamedTuple):
    """The seed of a player, in milli, and the year of birth."""

    seed: int | None
    birth_year: int | None

    def in_year(self, year: int) -> tuple[int | None, bool]:
        """Return the seed, and whether the player is a junior in this year."""
        return self.seed, self.birth_year is not None and is_junior(self.birth_year, year)


def load_players(rows: Iterable[BatchGame]) -> dict[int, PlayerValues]:
    """Return the current values of the players of these rows."""
    players = {player for row in rows for player in (row.first_id, row.second_id)}
    columns = ("pk", "seed_rating", "birth_year")
    return {
        player: PlayerValues(None if seed is None else seed * MILLI, birth_year)
        for numbers in chunks(sorted(players))
        for player, seed, birth_year in Player.objects.filter(pk__in=numbers).values_list(*columns)
    }
