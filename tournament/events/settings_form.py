"""The forms of an event's settings, in sections: to create an event and to change one.

A field that is not an input of its serializer as it is, such as a game, gets its choices here; the
options of the pairing system are the fields `system_options.NAME`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.core.errors import Unprocessable
from games.core.forms import FormField, FormState, form_fields
from games.rules.registry import GAMES
from games.rules.text import Text
from ratings.models import Pool
from tournament.events.serializers import (
    SettingsSerializer,
    TournamentChangeSerializer,
    TournamentSerializer,
)
from tournament.events.services import time_zones
from tournament.pairing.options import FlagOption, NumberOption, Option, WordOption
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.usual_tiebreaks import usual_tiebreaks

SYSTEM_OPTION: Final = "system_options."
SHOWN_BOARD: Final = "shown_board"
"""The hidden field with the game and the board that a form has shown, such as `star-star 6`."""
OF_PAGE: Final = ("step", "go", "section", SHOWN_BOARD)
"""Fields of the form that are not settings."""
MOST_IN_LINE: Final = 50
"""Letters of a choice that a select element shows whole; longer ones are radio buttons."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the form: its title, its fields, and what a director needs to know first.

    The fields `rare` stay as they are in most events, so the form shows them folded.
    """

    key: str
    title: str | Promise
    names: tuple[str, ...]
    about: str | Promise = ""
    rare: tuple[str, ...] = ()

    def has_rare_errors(self, state: FormState) -> bool:
        """Return True if a rejected form has an error in a rare field."""
        return not state.errors.keys().isdisjoint(self.rare)


SECTIONS: Final = (
    Section(
        "event",
        _("Event"),
        ("name", "place", "country", "starts_on", "ends_on", "time_zone", "arbiter", "public"),
        _("An event in preparation is visible only to its directors."),
    ),
    Section(
        "game",
        _("Game"),
        ("ruleset", "board_size", "options", "swap", "games_per_pairing", "main_minutes",
         "increment_seconds", "time_control"),
        _("These settings are fixed when the event starts."),
        rare=("options", "swap", "games_per_pairing", "time_control"),
    ),
    Section(
        "rounds",
        _("Rounds"),
        ("system", "rounds", "tiebreaks", "unrated_rating", "half_byes", "half_byes_until_round",
         "missed_rounds", "initial_seat", "check_in", "forecast"),
        _("With five to seven rounds a Swiss system finds the winner of up to a hundred players."),
        rare=("unrated_rating", "half_byes_until_round", "missed_rounds", "initial_seat",
              "forecast"),
    ),
    Section(
        "entries",
        _("Entries and ratings"),
        ("places", "fills_places", "seed_source", "rated", "pool", "confirm_hours", "handicaps",
         "handicap_table", "handicap_share", "handicap_cap", "handicap_kinds"),
        rare=("fills_places", "seed_source", "confirm_hours", "handicap_table", "handicap_share",
              "handicap_cap", "handicap_kinds"),
    ),
)  # fmt: skip
"""The sections of the form, in their order."""
NEW_SECTIONS: Final = (
    replace(SECTIONS[0], names=("name", "slug", *SECTIONS[0].names[1:])),
    *SECTIONS[1:],
)
"""Those of the form of a new event, or of a draft, whose address can be chosen."""


def section_fields(
    section: Section,
    values: Mapping[str, Any],
    state: FormState,
    serializer: type[SettingsSerializer] = TournamentSerializer,
) -> dict[str, FormField]:
    """Return the controls of a section, with the options of the chosen system."""
    fields = form_fields(serializer(), section.names, values=values, state=state)
    pools = tuple(Pool.objects.order_by("code").values_list("code", "name"))
    selections = {"ruleset": game_choices(), "system": system_choices(), "pool": pools}
    for name in selections.keys() & fields:
        fields[name] = replace(fields[name], kind="select", choices=selections[name])
    if "time_zone" in fields:
        fields["time_zone"] = replace(fields["time_zone"], choices=_zones())
    if "board_size" in fields:
        game = str(fields["ruleset"].value)
        fields["board_size"] = board = _board_field(fields["board_size"], game, state.typed)
        shown = f"{game} {board.value}"
        fields[SHOWN_BOARD] = FormField(SHOWN_BOARD, "", kind="hidden", value=shown)
    if "system" in fields:
        chosen = PAIRING_SYSTEMS.get(str(fields["system"].value))
        if chosen and chosen.rounds_needed and "rounds" in fields:
            help_text = gettext("The number of players decides; the start checks it.")
            fields["rounds"] = replace(fields["rounds"], help=help_text)
        given = values.get("system_options") or {}
        for option in chosen.options if chosen else ():
            field = _option_field(option, given, state)
            fields[field.name] = field
    return fields


@cache
def _zones() -> tuple[tuple[str, str], ...]:
    return tuple((name, "") for name in sorted(time_zones()) if "/" in name or name == "UTC")


def setting_labels() -> dict[str, str]:
    """Return the labels of the settings, for another form that has some of them."""
    return {name: str(field.label) for name, field in TournamentChangeSerializer().fields.items()}


@cache
def game_choices() -> tuple[tuple[str, str], ...]:
    """Return the games for two players, by code."""
    return tuple((code, rules.name) for code, rules in GAMES.items() if rules.players == 2)


def system_choices() -> tuple[tuple[str, str], ...]:
    """Return the pairing systems, by code."""
    return tuple((code, gettext(system.name)) for code, system in PAIRING_SYSTEMS.items())


def _is_of_other_game(settings: Mapping[str, Any]) -> bool:
    """Return whether a form has another game than it has shown, but still the board of that."""
    shown_game, _, shown_board = str(settings.get(SHOWN_BOARD, "")).partition(" ")
    is_other = shown_game not in ("", settings.get("ruleset"))
    return is_other and shown_board == settings.get("board_size")


def _board_field(field: FormField, game: str, typed: Mapping[str, Any]) -> FormField:
    """Return the field with the boards of a game, and its usual one for that of another game."""
    rules = GAMES.get(game)
    if rules is None:
        return field
    return replace(
        field,
        value=rules.first_board if _is_of_other_game(typed) else field.value,
        choices=tuple((board, "") for board in rules.boards),
        help=gettext(rules.board_form),
    )


def _option_field(option: Option, values: Mapping[str, Any], state: FormState) -> FormField:
    name = f"{SYSTEM_OPTION}{option.name}"
    # A form that was sent for another system has no fields of this one.
    value = state.typed.get(name, values.get(option.name, option.default))
    field = FormField(
        name=name,
        label=gettext(option.label),
        value="" if value is None else value,
        help=gettext(option.summary),
        errors=state.errors.get(name, ()),
    )
    match option:
        case NumberOption():
            return replace(field, kind="number", minimum=option.least, maximum=option.most)
        case FlagOption():
            return replace(field, kind="checkbox")
        case WordOption():
            words = tuple((word, gettext(text)) for word, text in option.words.items())
            is_long = max(len(text) for _, text in words) > MOST_IN_LINE
            kind = "radios" if is_long else "select"
            return replace(field, kind=kind, required=True, choices=words)


def settings_body(content: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a form, with the options of its system only; no tie-breaks: usual.

    Raises Unprocessable if the board is still that of another game, which the form has shown.
    """
    game = content.get("ruleset", "")
    if game in GAMES and _is_of_other_game(content):
        detail = Text(
            "this is now the usual board of %(game)s; go on with it or choose another one",
            game=GAMES[game].name,
        )
        raise Unprocessable("invalid", detail, at="/board_size")
    body = {name: value for name, value in content.items() if name not in OF_PAGE}
    options = body.pop("system_options", None)
    system = PAIRING_SYSTEMS.get(str(body.get("system", "")))
    if system is None:
        return body
    body.setdefault("tiebreaks", list(usual_tiebreaks(body["system"])))
    if isinstance(options, dict):
        known = {option.name for option in system.options}
        given = {name: value for name, value in options.items() if value is not None}
        body["system_options"] = {name: given[name] for name in known & given.keys()}
    return body


def sections_with_errors(sections: Sequence[Section], state: FormState) -> list[int]:
    """Return the indices of the sections in which a form has errors."""
    return [
        index
        for index, section in enumerate(sections)
        if any(
            name in section.names or (name.startswith(SYSTEM_OPTION) and "system" in section.names)
            for name in state.errors
        )
    ]
