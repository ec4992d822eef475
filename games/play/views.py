"""Reports of a game: records, claims, confirmations, disputes, rulings and annulments."""

from typing import Any

from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games import queries
from games.core.actions import Answer, Call, endpoint, with_task
from games.core.formats import StrictJSONParser, TextFileParser, TextParser
from games.core.pagination import CursorPages
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.models import Game, Report
from games.play.actions import GAME_ACTIONS
from games.play.lookup import get_visible_game, require_in_game
from games.play.serializers import (
    ArbiterReasonSerializer,
    ConfirmationRequestSerializer,
    DisputeRequestSerializer,
    ReportAcceptedSerializer,
    ReportRequestSerializer,
    ReportSerializer,
    RulingRequestSerializer,
)
from games.play.services import Statement, confirm, dispute, state_claim, state_record, submit
from games.services import rulings
from games.views.actions import ActionInGame

ACCEPTED = {200: ReportAcceptedSerializer, 202: ReportAcceptedSerializer}
"""The responses to a report: already settled (`Prefer: wait`, a dry run), or settled later."""


class WriteReport(ActionInGame):
    """A report of a game, which a task settles; `game_action` is what the report does."""

    responses = ACCEPTED

    def add(self, call: Call, prepared: Any, *, dry_run: bool) -> Report:
        """Add the report; a dry run returns one that is not saved."""
        raise NotImplementedError

    def try_out(self, call: Call, prepared: Any) -> dict[str, Any]:
        report = self.add(call, prepared, dry_run=True)
        return {"report": ReportSerializer(report).data, "task": None}

    def perform(self, call: Call, prepared: Any) -> Answer:
        report = self.add(call, prepared, dry_run=False)
        body = {"report": ReportSerializer(report).data}
        return with_task(body, queries.report_progress, report.pk)


class ReportGame(WriteReport):
    """Report one's own game by its record or by a claim.

    The record is replayed at once; a task settles the result (`Prefer: wait=10` waits for it). A
    report that repeats the last one of the same player is that one: nothing is written.
    """

    name = "report_game"
    game_action = "record"
    body = ReportRequestSerializer
    request = {
        "application/json": ReportRequestSerializer,
        "text/plain": bytes,
        "application/octet-stream": bytes,
    }

    def check(self, call: Call, found: Game) -> None:
        """Require nothing yet: the permission depends on the body."""

    def read(self, call: Call, found: Game, content: Any) -> Any:
        """Return the members; a text is a record."""
        return (
            {"record": content} if isinstance(content, str) else super().read(call, found, content)
        )

    def prepare(self, call: Call, game: Game) -> Statement:
        action = GAME_ACTIONS["claim" if call.body.get("claim") else "record"]
        require_in_game(call, game, action.permission)
        seat, claim = call.body.get("seat"), call.body.get("claim")
        if claim:
            return state_claim(game, **claim, by=call.account, seat=seat)
        record = call.body["record"]
        return state_record(game, record, by=call.account, seat=seat, journals=not call.dry_run)

    def add(self, call: Call, prepared: Statement, *, dry_run: bool) -> Report:
        return submit(prepared, by=call.account, token=call.auth, dry_run=dry_run)


class ConfirmGame(WriteReport):
    """Confirm the other side's last report."""

    name = "confirm_game"
    game_action = "confirm"
    body = ConfirmationRequestSerializer
    done = gettext_noop("You have confirmed the result.")

    def add(self, call: Call, prepared: Game, *, dry_run: bool) -> Report:
        sender: dict[str, Any] = {"by": call.account, "token": call.auth}
        return confirm(prepared, **sender, **call.body, dry_run=dry_run)


class DisputeGame(WriteReport):
    """Dispute the other side's last report, with a reason."""

    name = "dispute_game"
    game_action = "dispute"
    body = DisputeRequestSerializer
    done = gettext_noop("The directors see that you dispute it.")

    def add(self, call: Call, prepared: Game, *, dry_run: bool) -> Report:
        sender: dict[str, Any] = {"by": call.account, "token": call.auth}
        return dispute(prepared, **sender, **call.body, dry_run=dry_run)


class RuleGame(WriteReport):
    """Give a game a result as an arbiter, whatever the sides reported; also a forfeit."""

    name = "rule_game"
    game_action = "rule"
    body = RulingRequestSerializer
    has_precondition = True
    done = gettext_noop("The game is ruled.")

    def add(self, call: Call, prepared: Game, *, dry_run: bool) -> Report:
        return rulings.rule_game(prepared, by=call.account, **call.body, dry_run=dry_run)


class AdjournGame(WriteReport):
    """Adjourn a game that is to be continued; its earlier reports do not count any more.

    Until it has a result, it counts as a draw in pairings and gives no points in standings, and its
    event cannot become final. A result is reported or ruled as usual.
    """

    name = "adjourn_game"
    game_action = "adjourn"
    body = ArbiterReasonSerializer
    has_precondition = True
    done = gettext_noop("The game is adjourned.")

    def add(self, call: Call, prepared: Game, *, dry_run: bool) -> Report:
        return rulings.adjourn_game(prepared, by=call.account, **call.body, dry_run=dry_run)


class AnnulGame(WriteReport):
    """Annul a game: it counts for nothing, and its reports stay."""

    name = "annul_game"
    game_action = "annul"
    body = ArbiterReasonSerializer
    has_precondition = True
    done = gettext_noop("The game is annulled; it counts for nothing.")

    def add(self, call: Call, prepared: Game, *, dry_run: bool) -> Report:
        return rulings.annul_game(prepared, by=call.account, **call.body, dry_run=dry_run)


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
    post = endpoint(ReportGame)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        game = get_visible_game(request, kwargs["game_id"])
        require_in_game(request, game, "game.reports")
        rows = self.filter_queryset(game.reports.select_related("confirms"))
        return self.page_response(rows)


class Confirmation(ApiView):
    post = endpoint(ConfirmGame)


class Dispute(ApiView):
    post = endpoint(DisputeGame)


class Ruling(ApiView):
    post = endpoint(RuleGame)


class Adjournment(ApiView):
    post = endpoint(AdjournGame)


class Annulment(ApiView):
    post = endpoint(AnnulGame)
