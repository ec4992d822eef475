"""Serializers of the results of a round."""

from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy
from rest_framework import serializers

from games.core.serializers import OptionalText
from games.play.serializers import BEFORE_HANDICAP, ResultField
from tournament.core.serializers import AcceptField
from tournament.results.services import BoardResult, ResultBasis
from tournament.rounds.acceptance import REPORT_DIFFERS
from tournament.rounds.serializers import MOST_ROUND_BOARDS, BoardsField

ScoreField = partial(
    serializers.RegexField,
    r"\A-?\d{1,4}--?\d{1,4}\Z",
    error_messages={
        "invalid": gettext_lazy("a score is two numbers, the first seat's first, such as 14-7")
    },
)


class BoardResultRequestSerializer(serializers.Serializer):
    board = serializers.IntegerField(min_value=1, max_value=MOST_ROUND_BOARDS)
    return_game = serializers.BooleanField(default=False, help_text="second game, seats exchanged")
    result = ResultField(
        help_text="a score such as 26-25, with the points of the handicap, or 1-0, 0-1, 1/2; 1-0f,"
        " 0-1f, 0-0f for a forfeit; by a ruling, 0-0 if both lose a played game",
    )
    score = ScoreField(allow_blank=True, default="", help_text="the score of a result such as 1-0")
    before_handicap = serializers.BooleanField(default=False, help_text=BEFORE_HANDICAP)


class ResultsRequestSerializer(serializers.Serializer):
    results = BoardsField(child=BoardResultRequestSerializer())
    basis = serializers.ChoiceField(
        [*ResultBasis], help_text="`slip`: both players have signed; `ruling` needs a reason"
    )
    reason = OptionalText(max_length=2000, default="")
    accept = AcceptField(
        [REPORT_DIFFERS],
        "that results contradict the reports of players, which `acceptance_needed` lists",
    )

    def validate_results(self, rows: list[dict[str, Any]]) -> list[BoardResult]:
        return [BoardResult(**row) for row in rows]


class RevokedResultsRequestSerializer(serializers.Serializer):
    game_ids = serializers.ListField(
        source="games",
        child=serializers.IntegerField(min_value=1),
        allow_empty=False,
        max_length=MOST_ROUND_BOARDS,
    )
