"""The games that can be played, and the referee, who judges records."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Action, Call
from games.core.errors import ApiError, BadRequest, Unprocessable
from games.core.formats import RecordFileParser, RecordParser, StrictJSONParser
from games.core.forms import FormState, rejected_form
from games.core.pages import PageView
from games.core.serializers import validated
from games.core.text import labelled
from games.core.uploads.encodings import decode_text
from games.core.uploads.views import ENCODING
from games.core.views import ApiView
from games.play.boards import say
from games.play.outcomes import refused_conditions
from games.play.queries import record_limits_as_json
from games.play.record_entry import error_in_words, record_entry, start_of_record
from games.play.serializers import VERDICTS, RefereeRequestSerializer, RulesSerializer
from games.rules.descriptions.scores import describe_alternative, describe_score
from games.rules.descriptions.turns import describe_result
from games.rules.errors import BadConditions
from games.rules.records.streams import judge, judge_records
from games.rules.records.tags import read_conditions
from games.rules.records.verdict import Verdict
from games.rules.registry import FIRST_GAME, GAMES
from games.rules.seat import Seat
from games.rules.text import Text

MAX_RECORDS = 1000


class RulesList(ApiView):
    public_read = "site"

    @extend_schema(operation_id="list_rulesets", responses=RulesSerializer)
    def get(self, request: Request) -> Response:
        """Return every ruleset with its boards and options, and the limits of a record.

        `code` is the `ruleset` of a game or a tournament, `boards` what its `board_size` can be,
        and `options` what its `options` can have. The referee applies the limits.
        """
        page = {"next": None, "previous": None, "results": GAMES.values()}
        body = {**page, "limits": record_limits_as_json()}
        return Response(RulesSerializer(body).data)


class JudgeRecords(Action):
    """Judge one record or several; nothing is stored.

    A record is one of ours, a game in SGF (Hex, Havannah, TwixT) or a link of HexWorld. One record
    gets its verdict with 200 if it is valid, and 422 if it is not. Several get 200
    with a verdict each in `results`. The key `record` or `records` may be omitted. A record
    has at most a million characters, 10,000 words and as many comments, words of 200
    characters, 200 tags of 1,000 characters, 9,999 handicap points, and 10 handicap stones,
    or stones on a third of the board if their cells are named; `rulesets` states these
    limits. A request has at most 1,000 records.
    """

    name = "judge_records"
    is_read_only = True
    cost = "dear"
    parameters = [ENCODING]
    request = {
        "application/json": RefereeRequestSerializer,
        "text/plain": bytes,
        "application/octet-stream": bytes,
    }
    example = {"record": '[Game "star-star"]\n[Board "10"]\n1. S10 T10 2. resign'}
    responses = {200: VERDICTS}

    def read(self, call: Call, found: None, content: Any) -> dict[str, Any]:
        """Return `record` or `records`; a text is a record, or several."""
        if isinstance(content, bytes):
            return {"record": decode_text(content, call.query.get("encoding", ""))}
        body = validated(RefereeRequestSerializer, with_key(content))
        if ("record" in body) == ("records" in body):
            raise Unprocessable("invalid", Text("send either `record` or `records`"))
        return body

    def perform(self, call: Call, found: None) -> dict[str, Any]:
        record = call.body.get("record")
        if isinstance(record, str):
            verdicts = judge_text(record)
        else:
            verdicts = [judge(each) for each in call.body.get("records", [record])]
        if len(verdicts) != 1 or "records" in call.body:
            return {"results": [verdict.as_json() for verdict in verdicts]}
        (verdict,) = verdicts
        if not verdict.is_valid:
            error = verdict.errors[0]
            errors = [
                error.as_json() | {"pointer": f"/record{error.pointer}"} for error in verdict.errors
            ]
            raise Unprocessable(error.code, error.detail, errors)
        return verdict.as_json()


RECORD_PARSERS = (StrictJSONParser, RecordParser, RecordFileParser)


def with_key(data: Any) -> Any:
    """Return the body with the key `record` or `records` where it was omitted."""
    if isinstance(data, dict) and "game" in data:
        return {"record": data}
    return {"records": data} if isinstance(data, list) and data else data


def judge_text(text: str) -> list[Verdict]:
    """Return the verdicts on the records of a text; raises Unprocessable for too many."""
    verdicts = list(islice(judge_records(text), MAX_RECORDS + 1))
    if len(verdicts) > MAX_RECORDS:
        raise Unprocessable(
            "too_many_records", Text("at most %(most)s records per request", most=MAX_RECORDS)
        )
    return verdicts


class RefereePage(PageView):
    template = "games/play/referee.html"
    throttle_scope = "dear"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the control that enters a record of the game and the board in the query."""
        code = request.query_params.get("ruleset", FIRST_GAME)
        rules = GAMES.get(code)
        if rules is None:
            raise Unprocessable(
                "unknown_ruleset",
                Text("there is no game %(game)s", game=f"{code[:40]!r}"),
                at="/ruleset",
            )
        board = request.query_params.get("board_size") or rules.first_board
        try:
            conditions = read_conditions({"Game": code, "Board": board})
        except BadConditions as error:
            raise refused_conditions(error) from None
        entry = record_entry(start_of_record(conditions), state=self.form)
        return {"games": GAMES.values(), "rules": rules, "board": board, "entry": entry}

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Judge what was entered, one record or several; nothing is stored."""
        text = request.POST.get("record", "")
        try:
            if "\0" in text:
                raise BadRequest("unreadable", Text("the text contains a NUL byte"))
            if not text.strip():
                raise Unprocessable("missing", Text("enter or paste a record"), at="/record")
            verdicts = judge_text(text.replace("\r\n", "\n"))
        except ApiError as error:
            self.form = rejected_form(request, "judge", error)
            return self.page(self.context(request), status=error.status)
        self.form = FormState(typed={"record": text})
        is_valid = all(verdict.is_valid for verdict in verdicts)
        context = self.context(request) | {"verdicts": verdicts_in_words(verdicts)}
        return self.page(context, status=200 if is_valid else 422)


def verdicts_in_words(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return verdicts for the template: the result and the scores, or the errors."""
    return [
        {
            "is_valid": verdict.is_valid,
            "plies": verdict.plies,
            "state": verdict.state,
            "result": describe_result(verdict.outcome, say),
            "scores": list(_scores_in_words(verdict)),
            "claim": verdict.claim,
            "digest": verdict.digest,
            "errors": [error_in_words(error) for error in verdict.errors],
        }
        for verdict in verdicts
    ]


def _scores_in_words(verdict: Verdict) -> Iterator[str]:
    """Yield what each seat has scored or can score, and the alternative score."""
    points = verdict.conditions.points_for_first if verdict.conditions else 0
    for seat in Seat:
        if score := describe_score(verdict.outcome, seat, points, say):
            yield labelled(gettext(seat.label).capitalize(), score)
    if alternative := describe_alternative(verdict.outcome, points, say):
        yield alternative
