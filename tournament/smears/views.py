"""Reports of names by accounts, and what the site's staff does about them."""

from datetime import datetime
from typing import Annotated, Any, TypedDict

import django_filters
from django.utils.translation import gettext_noop

from games.core.actions import Action, Call
from games.core.errors import Unprocessable, require_found
from games.core.filters import FlagFilter
from games.core.permissions import require_account
from games.core.references import (
    AccountReference,
    PlayerReference,
    TournamentReference,
    absolute_url,
    account_reference,
    player_reference,
)
from games.core.views import ValuesListView, endpoint
from games.models import Player
from games.players.queries import no_player
from games.players.serializers import PlayerDetailsSerializer
from games.rules.text import Text
from tournament.core.lookup import named_tournament, tournament_seen_by
from tournament.core.references import tournament_reference
from tournament.models import NameReport, Tournament
from tournament.players.queries import player_seen
from tournament.smears.serializers import HideSerializer, NameReportRequestSerializer
from tournament.smears.services import (
    hide_event,
    hide_player,
    refuse_report,
    report_name,
    show_event,
)


class ReportedName(TypedDict):
    """A report of the name of a player or of a tournament."""

    id: int
    player: PlayerReference | None
    tournament: TournamentReference | None
    account: AccountReference
    reason: str
    created_at: datetime
    decided_at: Annotated[datetime | None, "when staff hid or left the name"]


class HiddenEvent(TournamentReference):
    """A tournament that is hidden, or shown again."""

    hidden: bool
    url: str


def report_as_json(report: NameReport) -> ReportedName:
    """Return a report for the API."""
    player, event = report.player, report.tournament
    return {
        "id": report.pk,
        "player": player_reference(player) if player else None,
        "tournament": tournament_reference(event) if event else None,
        "account": account_reference(report.account),
        "reason": report.reason,
        "created_at": report.created_at,
        "decided_at": report.decided_at,
    }


class ReportName(Action):
    """Report a name that insults or threatens somebody, for site staff.

    The name or the club of a player, or the name of a tournament.
    """

    name = "report_name"
    permission = "names.report"
    body = NameReportRequestSerializer
    example = {"player_id": 17, "reason": "insults another player"}
    response = ReportedName
    status = 201
    made = ("id",)
    done = gettext_noop("Thank you. The staff of this site looks at the name.")

    def perform(self, call: Call, found: None) -> Any:
        about: Player | Tournament | None
        if "tournament_slug" in call.body:
            about = named_tournament(call, call.body["tournament_slug"])
        else:
            number = call.body["player_id"]
            about = Player.objects.select_related("merged_into").filter(pk=number).first()
            if about is None:
                raise Unprocessable("unknown_player", no_player(number), at="/player_id")
            about = about.current
        report = report_name(about, reason=call.body["reason"], by=call.account)
        return report_as_json(report)


class RefuseReport(Action):
    """Refuse a report: the name stays as it is; for site staff."""

    permission = "names.hide"
    response = ReportedName
    done = gettext_noop("The name stays as it is.")

    def prepare(self, call: Call, found: None) -> NameReport:
        number = call.address["report_id"]
        report = NameReport.objects.filter(pk=number).first()
        return require_found(report, Text("there is no report %(number)s", number=number))

    def perform(self, call: Call, report: NameReport) -> Any:
        return report_as_json(refuse_report(report))


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
    done = gettext_noop("The name is hidden.")

    def find(self, call: Call) -> Player:
        return player_seen(call.address["player_id"])

    def perform(self, call: Call, player: Player) -> Any:
        return PlayerDetailsSerializer(hide_player(player, **call.body, by=call.account)).data


class HideEvent(Action):
    """Hide a tournament and its games from all but its officials; for site staff.

    Its rating does not change. `show` undoes it.
    """

    permission = "names.hide"
    body = HideSerializer
    example = {"reason": "its name insults a player"}
    response = HiddenEvent
    done = gettext_noop("The event is hidden.")
    is_hidden = True

    def find(self, call: Call) -> Tournament:
        return tournament_seen_by(call, call.address["slug"])

    def perform(self, call: Call, event: Tournament) -> Any:
        change = hide_event if self.is_hidden else show_event
        change(event, **call.body, by=call.account)
        url = absolute_url(f"tournaments/{event.slug}")
        return {**tournament_reference(event), "hidden": self.is_hidden, "url": url}


class ShowEvent(HideEvent):
    """Show a hidden tournament again; for site staff."""

    example = {"reason": "it has another name now"}
    done = gettext_noop("The event is shown again.")
    is_hidden = False


class NameReportFilter(django_filters.FilterSet):
    waiting = FlagFilter(
        field_name="decided_at", lookup_expr="isnull", label="only those that wait, or do not"
    )


class NameReportList(ValuesListView):
    """The reports of names, oldest first; for site staff."""

    permission = "names.hide"
    queryset = NameReport.objects.none()
    filterset_class = NameReportFilter
    post = endpoint(ReportName)
    row_as_json = staticmethod(report_as_json)

    def get_queryset(self) -> Any:
        require_account(self.request, self.permission)
        return NameReport.objects.select_related("player", "tournament", "account")
