"""The page on which an account reports a name, and that of the staff with the reports."""

from typing import Any, Final

from rest_framework.request import Request

from games.core.accounts.views import unrestricted_account
from games.core.errors import BadRequest
from games.core.forms import Form, form_fields
from games.core.pages import PageView
from games.core.permissions import require_account
from games.models import HiddenName
from games.models.streams import tournament_of
from games.rules.text import Text
from tournament.core.lookup import tournament_seen_by
from tournament.models import NameReport, Tournament
from tournament.players.queries import player_seen
from tournament.smears.serializers import NameReportRequestSerializer
from tournament.smears.views import HideEvent, HideName, RefuseReport, ReportName, ShowEvent

MOST_REPORTS: Final = 50
"""Reports that the page of the staff shows, the oldest first."""


class ReportNamePage(PageView):
    """The form about a player or an event, which the address names."""

    template = "tournament/smears/report.html"
    actions = {"report": Form(ReportName)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        unrestricted_account(request)
        named = {**request.query_params.dict(), **request.POST.dict()}
        number, slug = named.get("player_id", ""), named.get("tournament_slug", "")
        if not slug and not (number.isdecimal() and len(number) < 18):
            raise BadRequest("unreadable", Text("the address names no player and no event"))
        fields = form_fields(NameReportRequestSerializer(), ("reason",), state=self.form)
        about = tournament_seen_by(request, slug) if slug else player_seen(int(number))
        return {"about": about, "slug": slug, "fields": fields}

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page with what it was about."""
        about = content["player"], content["tournament"]
        place = f"player_id={about[0]['id']}" if about[0] else f"tournament_slug={about[1]['slug']}"
        return f"{request.path}?{place}&done={name}"


class StaffNamesPage(PageView):
    template = "tournament/smears/staff_names.html"
    actions = {
        "refuse": Form(RefuseReport, ("report_id",)),
        "hide-name": Form(HideName, ("player_id",)),
        "hide-event": Form(HideEvent, words=("slug",)),
        "show-event": Form(ShowEvent, words=("slug",)),
    }

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the reports that wait, and the events that are hidden."""
        require_account(request, "names.hide")
        waiting = NameReport.objects.filter(decided_at=None).order_by("pk")
        hidden = HiddenName.objects.filter(about__startswith="tournament/")
        slugs = [tournament_of(about) for about in hidden.values_list("about", flat=True)]
        return {
            "reports": waiting.select_related("player", "tournament", "account")[:MOST_REPORTS],
            "hidden": Tournament.objects.filter(slug__in=slugs).order_by("name"),
        }
