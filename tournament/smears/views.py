"""Reports of names by accounts, and what the site's staff does about them."""

from typing import Any

import django_filters
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema, extend_schema_view

from games.core.actions import Action, Call
from games.core.errors import Unprocessable, require_found
from games.core.filters import FlagFilter
from games.core.permissions import require_account
from games.core.views import ListView, endpoint
from games.models import Player
from games.players.queries import no_player
from games.players.serializers import PlayerDetailsSerializer
from games.rules.text import Text
from tournament.core.lookup import named_tournament, tournament_seen_by
from tournament.models import NameReport, Tournament
from tournament.players.queries import player_seen
from tournament.smears.serializers import (
    HiddenEventSerializer,
    HideSerializer,
    NameReportRequestSerializer,
    NameReportSerializer,
)
from tournament.smears.services import (
    dismiss_report,
    hide_event,
    hide_player,
    report_name,
    show_event,
)


class ReportName(Action):
    """Report a name that insults or threatens somebody, for site staff.

    The name or the club of a `player`, or the name of a `tournament`.
    """

    name = "report_name"
    permission = "names.report"
    body = NameReportRequestSerializer
    example = {"player": 17, "reason": "insults another player"}
    response = NameReportSerializer
    status = 201
    made = ("id",)
    done = gettext_noop("Thank you. The staff of this site looks at the name.")

    def perform(self, call: Call, found: None) -> Any:
        about: Player | Tournament | None
        if "tournament" in call.body:
            about = named_tournament(call, call.body["tournament"])
        else:
            number = call.body["player"]
            about = Player.objects.select_related("merged_into").filter(pk=number).first()
            if about is None:
                raise Unprocessable("unknown_player", no_player(number), at="/player")
            about = about.current
        report = report_name(about, reason=call.body["reason"], by=call.account)
        return NameReportSerializer(report).data


class DismissReport(Action):
    """Leave a reported name as it is; for site staff."""

    name = "dismiss_name_report"
    permission = "names.hide"
    response = NameReportSerializer
    problems = (409,)
    done = gettext_noop("The name stays as it is.")

    def prepare(self, call: Call, found: None) -> NameReport:
        number = call.address["report_id"]
        report = NameReport.objects.filter(pk=number).first()
        return require_found(report, Text("there is no report %(number)s", number=number))

    def perform(self, call: Call, report: NameReport) -> Any:
        return NameReportSerializer(dismiss_report(report)).data


class HideName(Action):
    """Hide the name of a player everywhere; for site staff.

    They are called `Player 17` from then on, without a club. The journal of the site has the old
    name and the `reason`. Only staff changes the name, which shows it again, the club
    and the ids.
    """

    name = "hide_name"
    permission = "names.hide"
    body = HideSerializer
    example = {"reason": "insults another player"}
    response = PlayerDetailsSerializer
    problems = (409,)
    done = gettext_noop("The name is hidden.")

    def find(self, call: Call) -> Player:
        return player_seen(call.address["player_id"])

    def perform(self, call: Call, player: Player) -> Any:
        return PlayerDetailsSerializer(hide_player(player, **call.body, by=call.account)).data


class HideEvent(Action):
    """Hide a tournament and its games from all but its officials; for site staff.

    Its rating does not change. `show` undoes it.
    """

    name = "hide_tournament"
    permission = "names.hide"
    body = HideSerializer
    example = {"reason": "its name insults a player"}
    response = HiddenEventSerializer
    problems = (409,)
    done = gettext_noop("The event is hidden.")
    is_hidden = True

    def find(self, call: Call) -> Tournament:
        return tournament_seen_by(call, call.address["slug"])

    def perform(self, call: Call, event: Tournament) -> Any:
        change = hide_event if self.is_hidden else show_event
        change(event, **call.body, by=call.account)
        return {"slug": event.slug, "name": event.name, "hidden": self.is_hidden}


class ShowEvent(HideEvent):
    """Show a hidden tournament again; for site staff."""

    name = "show_tournament"
    example = {"reason": "it has another name now"}
    done = gettext_noop("The event is shown again.")
    is_hidden = False


class NameReportFilter(django_filters.FilterSet):
    waiting = FlagFilter(
        field_name="decided_at", lookup_expr="isnull", label="only those that wait, or do not"
    )


@extend_schema_view(get=extend_schema(operation_id="name_reports"))
class NameReportList(ListView):
    """The reports of names, oldest first; for site staff."""

    permission = "names.hide"
    queryset = NameReport.objects.none()
    serializer_class = NameReportSerializer
    filterset_class = NameReportFilter
    post = endpoint(ReportName)

    def get_queryset(self) -> Any:
        require_account(self.request, self.permission)
        return NameReport.objects.select_related("player", "tournament", "account")
