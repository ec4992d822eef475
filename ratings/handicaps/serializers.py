"""Serializers of recommended handicaps and of the tables of their values."""

from typing import Any

from rest_framework import serializers

from games.core.serializers import BOARD_SIZE, RULESET, FlagField, IdField, ReasonField
from games.core.wrong_values import WrongValue
from games.play.queries import boards_of
from games.rules.registry import FIRST_GAME
from games.rules.text import Text
from ratings.core.pools import pool_codes
from ratings.systems.handicap import COVERED_BOARDS, LARGEST_HANDICAPS
from ratings.systems.recommendation import CatalogueKind

LARGEST_VALUE = 2000


class HandicapParamsSerializer(serializers.Serializer):
    """The players in their seats, the pool, and the game that they play."""

    pool = serializers.CharField(
        max_length=40, help_text="the code of the pool", style={"valid": lambda _: pool_codes()}
    )
    first_player_id = IdField(help_text="who has the first seat")
    second_player_id = IdField(help_text="who has the second seat")
    ruleset = serializers.CharField(max_length=32, default=FIRST_GAME, help_text=RULESET)
    board_size = serializers.CharField(
        max_length=12, help_text=BOARD_SIZE, style={"valid": boards_of}
    )
    swap = FlagField(default=True, help_text="an even game has the pie rule")
    kind = serializers.ChoiceField(
        [kind.value for kind in CatalogueKind],
        required=False,
        help_text="default: every kind that has a value in the game",
    )
    share = serializers.IntegerField(min_value=1, max_value=100, default=100, help_text="percent")
    cap = serializers.IntegerField(
        min_value=1,
        max_value=max(LARGEST_HANDICAPS.values()),
        required=False,
        help_text="the most stones or points",
    )


class TableRowSerializer(serializers.Serializer):
    """The values in a game on a board, in rating points on ten rings.

    In the model `linear`, smaller boards scale stones and points; in `margin` they scale first move
    and stones, and `point` is the first point on this board.
    """

    ruleset = serializers.CharField(max_length=32, help_text=RULESET)
    board_size = serializers.CharField(max_length=12, help_text=BOARD_SIZE)
    first_move = serializers.IntegerField(min_value=-LARGEST_VALUE, max_value=LARGEST_VALUE)
    first_stone = serializers.IntegerField(min_value=0, max_value=LARGEST_VALUE)
    further_stone = serializers.IntegerField(min_value=0, max_value=LARGEST_VALUE)
    point = serializers.IntegerField(min_value=0, max_value=LARGEST_VALUE)


class NewTableSerializer(serializers.Serializer):
    pool = serializers.CharField(
        max_length=40,
        help_text="the code of the pool whose officers add it, and whose table it changes",
    )
    reason = ReasonField()
    rows = serializers.ListField(
        child=TableRowSerializer(),
        min_length=1,
        max_length=len(COVERED_BOARDS),
        help_text="the values of other games and boards are those of the pool's table",
    )

    def validate_rows(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        places = [(row["ruleset"], row["board_size"]) for row in rows]
        for game, board in places:
            if places.count((game, board)) > 1:
                raise WrongValue(
                    Text("%(kind)s on %(board)s has two rows; send one", kind=game, board=board)
                )
        return rows
