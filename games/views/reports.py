"""Reports of a game: records, claims, confirmations, disputes, rulings and annulments."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from games import queries
from games.http.generics import ValuesListView
from games.http.pagination import CursorPages
from games.http.parsers import StrictJSONParser, TextFileParser, TextParser
from games.http.preconditions import unless_changed
from games.http.request import (
    begin_write,
    current_account,
    get_visible_game,
    is_dry_run,
    require_in_game,
    task_response,
    validated_body,
)
from games.http.views import ApiView
from games.models import Account, Game, Report
from games.serializers.games import (
    ArbiterReasonSerializer,
    ConfirmationRequestSerializer,
    DisputeRequestSerializer,
    ReportAcceptedSerializer,
    ReportRequestSerializer,
    ReportSerializer,
    RulingRequestSerializer,
)
from games.services import reports, rulings
from games.views.actions import require_game_action
from games.views.targets import game_target

ACCEPTED = {200: ReportAcceptedSerializer, 202: ReportAcceptedSerializer}
"""The responses to a report: already settled (`Prefer: wait`, a dry run), or settled later."""


def report_response(request: Request, report: Report) -> Response:
    """Respond with a report and the task that settles it; a dry run has no task."""
    body = {"report": ReportSerializer(report).data}
    if is_dry_run(request):
        return Response({**body, "task": None})
    return task_response(request, queries.report_progress, report.pk, body)


def read_report(
    request: Request, game_id: int, action: str, serializer_class: type[Serializer]
) -> tuple[Game, Account, dict[str, Any]]:
    """Return the game, the account that may do the action, and what the body reports."""
    game = get_visible_game(request, game_id)
    account = require_game_action(request, game, action)
    return game, account, validated_body(serializer_class, request)


def add_answer(
    request: Request,
    game_id: int,
    action: str,
    serializer_class: type[Serializer],
    service: Callable[..., Report],
) -> Response:
    """Add the report of a side that answers the other one."""
    game, account, content = read_report(request, game_id, action, serializer_class)
    _, token = current_account(request)
    begin_write(request)
    report = service(game, by=account, token=token, **content, dry_run=is_dry_run(request))
    return report_response(request, report)


class ReportsByVersion(CursorPages):
    ordering = ("version",)


@extend_schema_view(get=extend_schema(operation_id="game_reports"))
class ReportList(ValuesListView):
    """The reports of a game, oldest first, for its players and for the event's officials."""

    queryset = Report.objects.none()
    serializer_class = ReportSerializer
    pagination_class = ReportsByVersion
    is_public = False
    parser_classes = [StrictJSONParser, TextParser, TextFileParser]

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        game = get_visible_game(request, kwargs["game_id"])
        require_in_game(request, game, "game.reports")
        rows = self.filter_queryset(game.reports.select_related("confirms"))
        return self.page_response(rows)

    @extend_schema(
        operation_id="report_game",
        request={
            "application/json": ReportRequestSerializer,
            "text/plain": bytes,
            "application/octet-stream": bytes,
        },
        responses=ACCEPTED,
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Report one's own game by its record or by a claim.

        The record is replayed at once; a task settles the result (`Prefer: wait=10` waits for it).
        A report that repeats the last one of the same player is that one: nothing is written.
        """
        game = get_visible_game(request, game_id)
        content: dict[str, Any] = (
            {"record": request.data}
            if isinstance(request.data, str)
            else validated_body(ReportRequestSerializer, request)
        )
        claim, seat = content.get("claim"), content.get("seat")
        account = require_game_action(request, game, "claim" if claim else "record")
        _, token = current_account(request)
        sender: dict[str, Any] = {"by": account, "token": token, "seat": seat}
        sender["dry_run"] = is_dry_run(request)
        begin_write(request)
        if claim:
            report = reports.submit_claim(game, **claim, **sender)
        else:
            report = reports.submit_record(game, content["record"], **sender)
        return report_response(request, report)


class Confirm(ApiView):
    @extend_schema(
        operation_id="confirm_game", request=ConfirmationRequestSerializer, responses=ACCEPTED
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Confirm the other side's last report."""
        return add_answer(
            request, game_id, "confirm", ConfirmationRequestSerializer, reports.confirm
        )


class Dispute(ApiView):
    @extend_schema(
        operation_id="dispute_game", request=DisputeRequestSerializer, responses=ACCEPTED
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Dispute the other side's last report, with a reason."""
        return add_answer(request, game_id, "dispute", DisputeRequestSerializer, reports.dispute)


def add_ruling(
    request: Request,
    game_id: int,
    action: str,
    serializer_class: type[Serializer],
    service: Callable[..., Report],
) -> Response:
    """Add the report of an arbiter, unless the game has a report that they have not read."""
    game, account, content = read_report(request, game_id, action, serializer_class)
    dry_run = is_dry_run(request)
    begin_write(request)
    with unless_changed(request, game_target(game), by=account, dry_run=dry_run):
        report = service(game, by=account, **content, dry_run=dry_run)
    return report_response(request, report)


class Rule(ApiView):
    has_precondition = True

    @extend_schema(operation_id="rule_game", request=RulingRequestSerializer, responses=ACCEPTED)
    def post(self, request: Request, game_id: int) -> Response:
        """Give a game a result as an arbiter, whatever the sides reported; also a forfeit."""
        return add_ruling(request, game_id, "rule", RulingRequestSerializer, rulings.rule_game)


class Adjourn(ApiView):
    has_precondition = True

    @extend_schema(operation_id="adjourn_game", request=ArbiterReasonSerializer, responses=ACCEPTED)
    def post(self, request: Request, game_id: int) -> Response:
        """Adjourn a game that is to be continued; its earlier reports do not count any more.

        Until it has a result, it counts as a draw in pairings and gives no points in standings, and
        its event cannot become final. A result is reported or ruled as usual.
        """
        return add_ruling(
            request, game_id, "adjourn", ArbiterReasonSerializer, rulings.adjourn_game
        )


class Annul(ApiView):
    has_precondition = True

    @extend_schema(operation_id="annul_game", request=ArbiterReasonSerializer, responses=ACCEPTED)
    def post(self, request: Request, game_id: int) -> Response:
        """Annul a game: it counts for nothing, and its reports stay."""
        return add_ruling(request, game_id, "annul", ArbiterReasonSerializer, rulings.annul_game)
