"""The form of a pool: what its officers change, and what is set when it is created."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from games.core.forms import FormField, FormState, form_fields
from ratings.systems.presets import Preset


def pool_fields(
    serializer: serializers.BaseSerializer,
    names: Collection[str],
    *,
    values: Mapping[str, Any],
    state: FormState,
    action: str,
) -> dict[str, FormField]:
    """Return the controls of a pool; its games are lines, each with a game and its boards."""
    values = {**values, "rated_games": games_text(values.get("rated_games", {}))}
    fields = form_fields(serializer, names, values=values, state=state, action=action)
    if "preset" in fields:
        choices = tuple((preset.value, gettext(preset.label)) for preset in Preset)
        fields["preset"] = replace(fields["preset"], kind="select", choices=choices)
    return fields


def pool_body(content: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes of a pool; no games mean that all are rated."""
    games: dict[str, list[str]] = {}
    for line in str(content.get("rated_games") or "").splitlines():
        code, *boards = line.replace(":", " ").replace(",", " ").split() or [""]
        if code:
            games[code] = games.get(code, []) + boards
    return content | {"rated_games": games}


def games_text(games: Mapping[str, Sequence[str]]) -> str:
    """Return the games that a pool rates as lines, each with its boards; `pool_body` reads them."""
    return "\n".join(" ".join((code, *boards)) for code, boards in games.items())
