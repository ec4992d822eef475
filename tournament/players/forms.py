"""What forms of players share: the details of a player, a search by name, columns of a list.

Ids elsewhere are lines, each with an organisation and an id, as `fide:1503014`.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.forms import FormField, FormState, form_fields
from games.models import Player
from games.players.matching import SEED_FIELDS
from games.players.queries import players_by_name, unmerged_players
from games.rules.text import Text

IDS: Final = "external_ids"
PLAYER_FIELDS: Final = ("name", "country", "club", "birth_year", "sex", *SEED_FIELDS, IDS)


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


MOST_FOUND = 20
"""Players that a search shows."""


def find_players(request: Request) -> list[Any]:
    """Return the players that a search by name means, or the one that was just registered."""
    number, name = request.query_params.get("id", ""), request.query_params.get("q", "").strip()
    if number.isascii() and number.isdigit() and len(number) < 18:
        return list(unmerged_players().filter(pk=int(number)))
    if not name or "\0" in name:
        return []
    return list(players_by_name(name).order_by("folded_name", "pk")[:MOST_FOUND])


COLUMNS_FIELD: Final = "columns"


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
