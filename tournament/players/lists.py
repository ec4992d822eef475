"""All registered players, the last registered first, with the filters that the API has."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.forms import FormField
from games.core.page_actions import PageAction
from games.core.pages import PageView
from games.core.pagination import NewestFirst
from games.core.permissions import may
from games.core.requests import current_account
from games.core.text import translated
from games.models import Account
from games.players.views import PUBLIC_PLAYER_FIELDS, PlayerFilter
from games.queries import unmerged_players
from tournament.views.players import PlayerView

FILTERS: Final = {
    "name": _("Name"),
    "country": _("Country"),
    "club": _("Club"),
    "external_id": _("Id elsewhere, such as fide:1503014"),
    "birth_year": _("Year of birth"),
}
PERSONAL_COLUMN: Final = "birth_year"
"""The filter that needs a login."""


class PlayerListPage(PageView):
    """A page of the players; the parameters are the filters of `GET players`."""

    template = "tournament/player_list.html"
    actions = {
        "delete": PageAction(
            PlayerView,
            gettext_noop("The player is deleted."),
            method="delete",
            parameters=("player_id",),
        )
    }

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the players that the filters leave, and the filters."""
        user, token = current_account(request)
        given = {name: request.query_params.get(name, "").strip() for name in FILTERS}
        errors: dict[str, list[str]] = {}
        rows = unmerged_players()
        filters = PlayerFilter(
            {name: text for name, text in given.items() if text}, rows, request=request
        )
        try:
            if filters.is_valid():
                rows = filters.qs
            errors = {name: list(texts) for name, texts in filters.errors.items()}
        except Unprocessable as error:
            errors = {"external_id": [translated(error.detail)]}
        listed = rows.none() if errors else rows.values(*PUBLIC_PLAYER_FIELDS)
        return {
            **NewestFirst().context("players", listed, request),
            "fields": [
                FormField(
                    name,
                    str(label),
                    value=given[name],
                    errors=tuple(errors.get(name, ())),
                    longest=200,
                )
                for name, label in FILTERS.items()
                if name != PERSONAL_COLUMN or isinstance(user, Account)
            ],
            "is_filtered": any(given.values()),
            "can_register": may(user, token, "players.create"),
        }
