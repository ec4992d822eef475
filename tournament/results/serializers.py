"""Serializers of the results of a round."""

from typing import Any, Final

from django.utils.translation import gettext_lazy
from rest_framework import serializers

from games.core.serializers import CodeField
from games.models import Game
from games.play.serializers import (
    BEFORE_HANDICAP,
    ResultField,
)
from tournament.core.serializers import EntryReferenceSerializer
from tournament.models import Round
from tournament.results.services import BoardResult, ResultBasis
from tournament.rounds.acceptance import REPORT_DIFFERS
from tournament.rounds.serializers import (
    MOST_ROUND_BOARDS,
    require_few_boards,
)

WRONG_SCORE: Final[dict[str, Any]] = {
    "invalid": gettext_lazy("a score is two numbers, the first seat's first, such as 14-7")
}


class BoardResultRequestSerializer(serializers.Serializer):
    board = serializers.IntegerField(min_value=1, max_value=MOST_ROUND_BOARDS)
    return_game = serializers.BooleanField(
        default=False, help_text="the second game of the pairing, whose seats are exchanged"
    )
    result = ResultField(
        help_text="a score such as 26-25, with the points of the handicap, or 1-0, 0-1, 1/2; 1-0f,"
        " 0-1f, 0-0f for a forfeit; by a ruling, 0-0 if both lose a played game",
    )
    score = serializers.RegexField(
        r"\A-?\d{1,4}--?\d{1,4}\Z",
        required=False,
        allow_blank=True,
        default="",
        help_text="the score of a result such as 1-0",
        error_messages=WRONG_SCORE,
    )
    before_handicap = serializers.BooleanField(default=False, help_text=BEFORE_HANDICAP)


class ResultsRequestSerializer(serializers.Serializer):
    results = BoardResultRequestSerializer(many=True, allow_empty=False)
    basis = serializers.ChoiceField(
        [*ResultBasis], help_text="`slip`: both players have signed; `ruling` needs a reason"
    )
    reason = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")
    accept = serializers.ListField(
        child=CodeField([REPORT_DIFFERS]),
        required=False,
        default=list,
        max_length=1,
        help_text="that results contradict the reports of players, which `acceptance_needed` lists",
    )

    def validate_results(self, rows: list[dict[str, Any]]) -> list[BoardResult]:
        """Return the results as values; their number is limited."""
        return [BoardResult(**row) for row in require_few_boards(rows)]


class RevokedResultsRequestSerializer(serializers.Serializer):
    games = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        allow_empty=False,
        max_length=MOST_ROUND_BOARDS,
        help_text="the ids of the games",
    )


class BoardResultSerializer(serializers.Serializer):
    board = serializers.IntegerField()
    return_game = serializers.BooleanField()
    game = serializers.IntegerField(help_text="its id")
    first = EntryReferenceSerializer(help_text="who has the first seat of this game")
    second = EntryReferenceSerializer()
    state = serializers.ChoiceField(Game.State.choices)
    basis = serializers.ChoiceField(Game.Basis.choices, allow_null=True)
    handicap = serializers.CharField(allow_null=True, help_text="as in the round's pairings")
    result = serializers.CharField(
        allow_null=True, help_text="26-25, 1-0, 0-1, 1/2, 0-0; with the points of the handicap"
    )
    termination = serializers.CharField(allow_null=True)
    adjourned = serializers.BooleanField(help_text="to be continued; without a result so far")
    corrections = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="the numbers of the corrections in force that changed the result",
    )


class ResultWarningSerializer(serializers.Serializer):
    code = serializers.CharField()
    detail = serializers.CharField()
    boards = serializers.ListField(child=serializers.IntegerField())


class RoundResultsSerializer(serializers.Serializer):
    round = serializers.IntegerField()
    state = serializers.ChoiceField(Round.State.choices)
    missing = serializers.IntegerField(help_text="the number of games without a result")
    warnings = ResultWarningSerializer(
        many=True, help_text="results that leave a tie-break without values"
    )
    rows = BoardResultSerializer(many=True)
