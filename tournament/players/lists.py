"""All registered players, the last registered first, with the filters that the API has.

Register the players of a list: paste it or select a file, preview it, and see what was done.

Find the players that a search by name means.

The form of a player's details, and the body that it sends.

Ids elsewhere are lines, each with an organisation and an id, as `fide:1503014`.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.forms import FormField, FormState, form_fields
from games.core.page_actions import Form, PageAction, PageRequest
from games.core.pages import PageView
from games.core.pagination import NewestFirst
from games.core.permissions import may
from games.core.requests import current_account, require_account
from games.core.text import translated
from games.core.uploads.pages import FileImportPage, sent_list
from games.models import Account, Player
from games.players.queries import players_by_name, unmerged_players
from games.players.views import PUBLIC_PLAYER_FIELDS, ImportPlayers, PlayerFilter
from games.rules.text import Text
from tournament.players.views import PlayerView

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

    template = "tournament/players/player_list.html"
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


COLUMNS_FIELD: Final = "columns"


class PlayerImportPage(FileImportPage):
    template = "tournament/players/player_import.html"
    actions = {"import": Form(ImportPlayers, text="file")}
    parameters = (COLUMNS_FIELD,)

    def read(self, request: PageRequest) -> str:
        """Return the list, with the players that were chosen for its lines."""
        return sent_list(request)

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the field of the columns whose headings are not known."""
        require_account(request, "players.create")
        return {"field": columns_field(self.form)}


def columns_field(form: FormState) -> FormField:
    """Return the field with the columns of headings that are not known."""
    return FormField(
        name=COLUMNS_FIELD,
        label=gettext("Columns with other headings"),
        value=form.typed.get(COLUMNS_FIELD, ""),
        help=gettext("Each heading and its column, such as Verein:club,Tel:ignore."),
        longest=1000,
        errors=form.errors.get(COLUMNS_FIELD, ()),
    )


MOST_FOUND = 20
"""Players that a search shows."""


def find_players(request: Request) -> list[Any]:
    """Return the players that a search by name means, or the one that was just registered."""
    number, name = request.query_params.get("id", ""), request.query_params.get("q", "").strip()
    if number.isascii() and number.isdigit() and len(number) < 18:
        return list(unmerged_players().filter(pk=int(number)))
    if not name or "\0" in name:
        return []
    return list(players_by_name(name).order_by("name")[:MOST_FOUND])


IDS: Final = "external_ids"
PLAYER_FIELDS: Final = ("name", "country", "club", "birth_year", "sex", "seed_rating", IDS)


def player_body(content: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of a form; raises Unprocessable for a line of the ids that is none."""
    return content | {IDS: _read_ids(str(content.get(IDS, "")))}


def _read_ids(text: str) -> dict[str, str]:
    ids: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        scheme, colon, number = (part.strip() for part in line.partition(":"))
        if not (scheme and colon and number) or scheme in ids:
            detail = Text(
                "external_id is %(value)s; write the organisation and the id, as fide:1503014",
                value=f"{line[:60]!r}",
            )
            raise Unprocessable("wrong_external_id", detail, at=f"/{IDS}")
        ids[scheme] = number
    return ids


def player_fields(
    serializer: serializers.BaseSerializer, state: FormState, player: Player | None, *, action: str
) -> list[FormField]:
    """Return the controls of a player's details, empty for a new player."""
    values = {name: getattr(player, name) for name in PLAYER_FIELDS} if player else {IDS: {}}
    values[IDS] = "\n".join(f"{scheme}:{number}" for scheme, number in values[IDS].items())
    fields = form_fields(serializer, PLAYER_FIELDS, values=values, state=state, action=action)
    return list(fields.values())
