"""Apply for a place in an event: with an account, or by the event's link without one.

The key of the link follows the `#` of the address, so the server does not see it before the form
is sent; until then, the page shows nothing of an event that is not public.
"""

from typing import Any, Final

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.errors import NotFound
from games.core.forms import form_fields
from games.core.page_actions import PageAction
from games.core.pages import PageView
from games.models import Account, Player
from tournament.core.lookup import tournament_seen_by
from tournament.entries.applications import Apply
from tournament.models import Tournament
from tournament.pages.event import event_frame
from tournament.serializers.applications import ApplicationSerializer
from tournament.services.entry_payloads import PRIVATE_VALUES

APPLICATION_FIELDS: Final = (
    "name",
    "country",
    "club",
    "birth_year",
    "sex",
    "category",
    "fide",
    "seed_rating",
)


class ApplyPage(PageView):
    template = "tournament/apply.html"
    actions = {
        "apply": PageAction(
            Apply,
            done=gettext_noop("You have applied. The organiser accepts or refuses."),
            link="link",
            serializer=ApplicationSerializer,
        )
    }

    def context(self, request: Request, slug: str = "", **address: Any) -> dict[str, Any]:
        """Return the form, with the event if the reader may see it."""
        user = request.user
        player = None
        if isinstance(user, Account):
            player = Player.objects.filter(account=user).first()
        names = (
            *(PRIVATE_VALUES if player else APPLICATION_FIELDS),
            *(() if isinstance(user, Account) else ("link",)),
        )
        fields = form_fields(ApplicationSerializer(), names, state=self.form)
        context = {"slug": slug, "own_player": player, "fields": fields.values(), "is_open": True}
        try:
            tournament = tournament_seen_by(request, slug)
        except NotFound:
            return context
        is_open = tournament.state == Tournament.State.REGISTRATION
        return event_frame(request, tournament) | context | {"is_open": is_open}
