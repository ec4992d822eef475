"""What is said of a game: reports, confirmations, disputes, and an arbiter's word."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import queries
from games.http.parsers import StrictJSONParser, TextParser
from games.http.request import (
    current_account,
    get_visible_game,
    is_dry_run,
    maybe_dry_run,
    require_account,
    task_response,
    validated_body,
)
from games.models import Game, Report
from games.serializers.games import (
    AnswerRequest,
    DisputeRequest,
    ReasonRequest,
    ReportRequest,
    ReportSerializer,
    RulingRequest,
)
from games.serializers.wrappers import ACCEPTED, results_of
from games.services import reports, rulings


def accepted(request: Request, report: Report) -> Response:
    """The stored report, with the task that settles it; of a dry run, what it would be."""
    body = {"report": ReportSerializer(report).data}
    if is_dry_run(request):
        return Response({**body, "task": None})
    return task_response(request, lambda: queries.report_progress(report.pk), body)


def side(request: Request, game: Game, action: str) -> Any:
    """The account, if it plays this game and its token allows the action."""
    user, _ = current_account(request)
    seats = game.seats_of(user)
    return require_account(request, action, stream=game.stream, seats=seats)


class ReportList(APIView):
    parser_classes = [StrictJSONParser, TextParser]

    @extend_schema(operation_id="game_reports", responses=results_of(ReportSerializer))
    def get(self, request: Request, game_id: int) -> Response:
        """All that was reported; for the two players and the event's arbiters."""
        game = get_visible_game(request, game_id)
        user, _ = current_account(request)
        require_account(request, "game.reports", stream=game.stream, seats=game.seats_of(user))
        rows = game.reports.order_by("version").select_related("confirms")
        return Response({"results": ReportSerializer(rows, many=True).data})

    @extend_schema(
        operation_id="report_game",
        request={"application/json": ReportRequest, "text/plain": str},
        responses=ACCEPTED,
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Report one's own game by its record or by a claim.

        The record is replayed at once; the result is settled by a task (`Prefer: wait=10` waits).
        """
        game = get_visible_game(request, game_id)
        is_text = isinstance(request.data, str)
        content: dict[str, Any] = (
            {"record": request.data} if is_text else validated_body(ReportRequest, request)
        )
        seat = content.get("seat")
        if "record" in content:
            account = side(request, game, "game.record")
            with maybe_dry_run(request):
                report = reports.submit_record(game, content["record"], by=account, seat=seat)
        else:
            account = side(request, game, "game.claim")
            claim = content["claim"]
            with maybe_dry_run(request):
                report = reports.submit_claim(
                    game, claim["result"], claim["termination"], by=account, seat=seat
                )
        return accepted(request, report)


class Confirm(APIView):
    @extend_schema(operation_id="confirm_game", request=AnswerRequest, responses=ACCEPTED)
    def post(self, request: Request, game_id: int) -> Response:
        """Agree with what the other side reported last."""
        game = get_visible_game(request, game_id)
        account = side(request, game, "game.answer")
        content = validated_body(AnswerRequest, request)
        with maybe_dry_run(request):
            report = reports.confirm(game, by=account, **content)
        return accepted(request, report)


class Dispute(APIView):
    @extend_schema(operation_id="dispute_game", request=DisputeRequest, responses=ACCEPTED)
    def post(self, request: Request, game_id: int) -> Response:
        """Refuse what the other side reported last, saying why."""
        game = get_visible_game(request, game_id)
        account = side(request, game, "game.answer")
        content = validated_body(DisputeRequest, request)
        with maybe_dry_run(request):
            report = reports.dispute(game, by=account, **content)
        return accepted(request, report)


class Rule(APIView):
    @extend_schema(operation_id="rule_game", request=RulingRequest, responses=ACCEPTED)
    def post(self, request: Request, game_id: int) -> Response:
        """An arbiter's result, on top of whatever the sides said; forfeits too."""
        game = get_visible_game(request, game_id)
        account = require_account(request, "game.rule", stream=game.stream)
        content = validated_body(RulingRequest, request)
        with maybe_dry_run(request):
            report = rulings.rule_game(game, by=account, **content)
        return accepted(request, report)


class Annul(APIView):
    @extend_schema(operation_id="annul_game", request=ReasonRequest, responses=ACCEPTED)
    def post(self, request: Request, game_id: int) -> Response:
        """Strike a game out; it counts for nothing, its reports stay."""
        game = get_visible_game(request, game_id)
        account = require_account(request, "game.rule", stream=game.stream)
        content = validated_body(ReasonRequest, request)
        with maybe_dry_run(request):
            report = rulings.annul_game(game, by=account, **content)
        return accepted(request, report)
