"""The form of a player's details, and the body that it sends.

Ids elsewhere are lines, each with an organisation and an id, as `fide:1503014`.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.http.errors import Unprocessable
from games.models import Player
from games.pages.forms import FormField, FormState, form_fields
from games.rules.text import Text
from tournament.pages.field_texts import field_labels

EMPTY_PLAYER: Final[Mapping[str, Any]] = {
    "name": "",
    "country": "",
    "club": "",
    "birth_year": None,
    "sex": "",
    "seed_rating": None,
}
"""The details of a form in which every field was left empty."""

IDS: Final = "external_ids"
PLAYER_HELP: Final = {
    "name": _("As in tables: family name, given name."),
    "country": _("Three letters, such as GER."),
    "birth_year": _("Not public: only for the player, site staff and directors of their events."),
    "sex": _("Not public: only for the player, site staff and directors of their events."),
    IDS: _("One a line: the organisation and the id, such as fide:1503014."),
}


def sex_choices() -> tuple[tuple[str, str], ...]:
    """Return the sexes as FIDE writes them, with their names for readers."""
    return tuple((letter, str(name)) for letter, name in Player.Sex.choices)


def player_body(content: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of a form; an empty field empties its value.

    Raises Unprocessable for a line of the ids that is none, or repeats an organisation.
    """
    return {**EMPTY_PLAYER, **content, IDS: _read_ids(str(content.get(IDS, "")))}


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
    values = {name: getattr(player, name) for name in EMPTY_PLAYER} if player else {}
    ids = player.external_ids if player else {}
    fields = form_fields(
        serializer,
        [*EMPTY_PLAYER, IDS],
        values=values | {IDS: "\n".join(f"{scheme}:{number}" for scheme, number in ids.items())},
        state=state,
        labels=field_labels() | {IDS: str(_("Ids elsewhere"))},
        action=action,
    )
    changed = {
        "name": replace(fields["name"], required=True),
        "sex": replace(fields["sex"], choices=sex_choices()),
        IDS: replace(fields[IDS], kind="textarea", errors=_id_errors(state, action)),
    }
    return [
        replace(field, help=str(PLAYER_HELP.get(name, "")))
        for name, field in (fields | changed).items()
    ]


def _id_errors(state: FormState, action: str) -> tuple[str, ...]:
    """Return the errors of all ids, which the API names by their organisation."""
    named = [(name, texts) for name, texts in state.errors.items() if state.action == action]
    return tuple(text for name, texts in named if name.split(".")[0] == IDS for text in texts)
