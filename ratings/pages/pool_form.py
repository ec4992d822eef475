"""The form of a pool: what its officers change, and what is set when it is created."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.pages.forms import FormField, FormState, form_fields
from games.rules.labels import LabelledEnum
from ratings.models import Pool
from ratings.systems.presets import Preset

POOL_LABELS: Final[Mapping[str, str | Promise]] = {
    "code": _("Code in addresses"),
    "name": _("Name"),
    "preset": _("System"),
    "policy": _("Events that are rated"),
    "rated_games": _("Games that are rated"),
    "least_expected": _("Least expected score"),
    "handicap_table": _("Table of handicaps"),
}

POOL_HELP: Final[Mapping[str, str | Promise]] = {
    "code": _("Letters, digits and hyphens, as in /pools/star; it never changes."),
    "name": "",
    "preset": _("It never changes; another system needs another pool."),
    "policy": _(
        "All events: a game only if both players agreed beforehand. Approved events: those that an"
        " officer approves, or whose organiser is approved."
    ),
    "rated_games": _(
        "One game a line: its code and its boards, such as “hex 11 13”; without boards all of them."
        " Empty: every game. It applies to games that are filed later."
    ),
    "least_expected": _(
        "In percent. A game is not rated if a player's expected score, by the ratings at the"
        " pairing and the handicap, is smaller; 0: all are rated."
    ),
    "handicap_table": _("The version of the handicap values, as v1."),
}

CHOICES: Final[Mapping[str, Iterable[LabelledEnum | TextChoices]]] = {
    "policy": Pool.Policy,
    "preset": Preset,
}


def pool_fields(
    serializer: serializers.BaseSerializer,
    names: Collection[str],
    *,
    values: Mapping[str, Any],
    state: FormState,
    action: str,
) -> dict[str, FormField]:
    """Return the controls of a pool, with labels, help and choices for readers."""
    labels = {name: str(label) for name, label in POOL_LABELS.items()}
    fields = form_fields(
        serializer, names, values=values, state=state, action=action, labels=labels
    )
    for name, field in fields.items():
        choices = tuple(
            (choice.value, gettext(str(choice.label))) for choice in CHOICES.get(name, ())
        )
        fields[name] = replace(field, help=str(POOL_HELP[name]), choices=choices)
    if "preset" in fields:
        fields["preset"] = replace(fields["preset"], kind="select", required=True)
    errors = errors_in(state, "rated_games")
    fields["rated_games"] = replace(fields["rated_games"], kind="textarea", errors=errors)
    return fields


def errors_in(state: FormState, member: str) -> tuple[str, ...]:
    """Return the errors of a member of a form, or of the values in it."""
    return tuple(
        message
        for name, messages in state.errors.items()
        if name.startswith(member)
        for message in messages
    )


def pool_body(content: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes of a pool; no games and no time classes mean that all are rated."""
    games: dict[str, list[str]] = {}
    for line in str(content.get("rated_games", "")).splitlines():
        code, *boards = line.replace(":", " ").replace(",", " ").split() or [""]
        if code:
            games[code] = games.get(code, []) + boards
    return content | {"rated_games": games, "time_classes": content.get("time_classes", [])}


def games_text(games: Mapping[str, Sequence[str]]) -> str:
    """Return the games that a pool rates as lines, each with its boards; `pool_body` reads them."""
    return "\n".join(" ".join((code, *boards)) for code, boards in games.items())
