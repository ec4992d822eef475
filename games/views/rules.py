"""The rules themselves: which games there are, and the referee."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import queries
from games.http.errors import Unprocessable
from games.http.parsers import StrictJSONParser, TextParser
from games.http.request import validated
from games.rules import GAMES
from games.rules.records.streams import judge, judge_records
from games.serializers.games import GameRulesSerializer, RefereeRequest
from games.serializers.wrappers import results_of

MOST_RECORDS = 1000


class RulesList(APIView):
    @extend_schema(operation_id="rules_games", responses=results_of(GameRulesSerializer))
    def get(self, request: Request) -> Response:
        """Every game that can be organised, with its boards and options."""
        return Response({"results": [queries.rules_as_json(rules) for rules in GAMES.values()]})


def keyed(data: Any) -> Any:
    """What was sent, with the key `record` or `records` where it was left out."""
    if isinstance(data, dict) and "game" in data:
        return {"record": data}
    return {"records": data} if isinstance(data, list) and data else data


class Referee(APIView):
    parser_classes = [StrictJSONParser, TextParser]

    @extend_schema(
        operation_id="referee",
        request={"application/json": RefereeRequest, "text/plain": str},
        responses=OpenApiTypes.OBJECT,
    )
    def post(self, request: Request) -> Response:
        """Judge a record, or many; nothing is stored.

        One record answers 200 with its verdict when it is valid and 422 when it is not; many
        answer 200 with `results`, a verdict each. A record, or a list of them, may also be sent
        as it is, without the key around it.
        """
        if isinstance(request.data, str):
            return self._answer(list(self._split(request.data)))
        content = validated(RefereeRequest, keyed(request.data))
        if ("record" in content) == ("records" in content):
            raise Unprocessable("invalid", "send either `record` or `records`")
        if "records" in content:
            return Response({"results": [judge(one).as_json() for one in content["records"]]})
        one = content["record"]
        return self._answer(list(self._split(one)) if isinstance(one, str) else [judge(one)])

    def _split(self, text: str) -> Any:
        for count, verdict in enumerate(judge_records(text), start=1):
            if count > MOST_RECORDS:
                raise Unprocessable("too_many_records", f"at most {MOST_RECORDS} at a time")
            yield verdict

    def _answer(self, verdicts: list[Any]) -> Response:
        shown = [verdict.as_json() for verdict in verdicts]
        if len(shown) != 1:
            return Response({"results": shown})
        if shown[0]["valid"]:
            return Response(shown[0])
        first = shown[0]["errors"][0]
        raise Unprocessable(first["code"], first["detail"], shown[0]["errors"])
