"""The index of games for study: how they begin, and where their stones were.

All rows can be computed from the confirmed games with a record at any time, and are by
`manage.py index_games --rebuild`. Keys are those of `games.rules.records.prefixes`.
"""

from typing import Final

from django.db import models

from games.models.columns import Columns
from games.models.games import Game

BLOCK_SIZE: Final = 32_768
"""The games of a bitmap, by their ids."""


class IndexedGame(models.Model):
    """A game that is in the index, with what it was indexed from.

    `record_number` is the id of the report with the record; a report is never changed.
    """

    game = models.OneToOneField(
        Game, primary_key=True, on_delete=models.CASCADE, related_name="indexed"
    )
    record_number = models.BigIntegerField()
    public = models.BooleanField()

    columns = Columns(
        journalled=(), derived=(), technical=("game", "record_number", "public"), personal=()
    )

    def __str__(self) -> str:
        return f"index of game {self.game_id}"


class OpeningTurn(models.Model):
    """A game and the key of its first turns, with the turn that followed, in canonical form.

    There is a row for each number of turns, `ply`, up to `MOST_OPENING_PLIES`; `move` is empty
    where the game ends.
    """

    key = models.BigIntegerField()
    ply = models.PositiveSmallIntegerField()
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="opening_turns")
    move = models.CharField(max_length=200, blank=True)

    columns = Columns(
        journalled=(), derived=(), technical=("id", "key", "ply", "game", "move"), personal=()
    )

    class Meta:
        constraints = [models.UniqueConstraint("key", "game", name="opening_turn_once")]

    def __str__(self) -> str:
        return f"{self.move or 'the end'} in game {self.game_id}"


class NextMove(models.Model):
    """A turn after an opening of many games, counted over the public ones.

    Results are those of the seat that moves, `rating` is the mean of its ratings in milli.
    """

    key = models.BigIntegerField()
    move = models.CharField(max_length=200, blank=True)
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    losses = models.PositiveIntegerField()
    rating = models.IntegerField(null=True)
    last_played_on = models.DateField(null=True)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "key", "move", "games", "wins", "draws", "losses", "rating", "last_played_on",
        ),
        personal=(),
    )  # fmt: skip

    class Meta:
        constraints = [models.UniqueConstraint("key", "move", name="next_move_once")]

    def __str__(self) -> str:
        return f"{self.move or 'the end'} in {self.games} games"


class StoneBitmap(models.Model):
    """The games of a block in which a seat's stone held a cell at some point.

    `key` is that of the start, `place` is twice the number of the cell, plus one for the second
    seat. Bit i of `bits`, a little-endian number, is game `block * BLOCK_SIZE + i`. A bit may
    remain of a game that is not in the index any more.
    """

    key = models.BigIntegerField()
    place = models.PositiveSmallIntegerField()
    block = models.PositiveIntegerField()
    bits = models.BinaryField()

    columns = Columns(
        journalled=(), derived=(), technical=("id", "key", "place", "block", "bits"), personal=()
    )

    class Meta:
        constraints = [models.UniqueConstraint("key", "place", "block", name="stone_bitmap_once")]

    def __str__(self) -> str:
        return f"place {self.place} in block {self.block}"
