"""The forms of an event's settings, in sections: to create an event and to change one.

A field that is not an input of its serializer as it is, such as a game, gets its choices here; the
options of the pairing system are the fields `system_options.NAME`.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from dataclasses import fields as fields_of
from functools import cache
from operator import itemgetter
from typing import Any, Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.core.forms import FormField, FormState, form_fields, split_items, without_same_country
from games.core.places import currency_choices, zone_choices, zone_name, zone_of_country
from games.core.text import labelled
from games.models.time_controls import INCREMENT, MAIN, TimeControl
from games.play.boards import name_board
from games.rules.registry import GAMES
from ratings.core.pools import pools_that_rate
from ratings.models import Pool
from tournament.events.serializers import (
    SettingsSerializer,
    TournamentChangeSerializer,
    TournamentSerializer,
)
from tournament.events.services import FROZEN
from tournament.models import Tournament
from tournament.models.settings import MOST_TOURNAMENT_ROUNDS
from tournament.pairing.errors import OptionError
from tournament.pairing.options import FlagOption, NumberOption, Option, WordOption
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.usual_tiebreaks import usual_tiebreaks
from tournament.standings.prizes.money import CURRENCIES
from tournament.standings.tiebreaks import TIEBREAKS
from tournament.templatetags.event_names import tiebreak_name

SYSTEM_OPTION: Final = "system_options."
BOARD_OF: Final = "board_of."
"""The board of each game is a field of its own, such as `board_of.hex`: that of the game counts."""
SHOWN_SYSTEM: Final = "shown_system"
"""The hidden field with the system whose usual tie-breaks a form has shown."""
VARIANTS: Final = ("BH/C1", "BH/C2", "BH/M1", "SB/C1", "ARO/C1")
"""The usual tie-breaks with a modifier; any other code can be typed."""
SPARE_PLACES: Final = 2
MOST_PLACES: Final = 12
SHOWN_COUNTRY: Final = "shown_country"
"""The hidden field with the country whose time zone a form has shown."""
FIRST_ROUNDS: Final = 5
"""The rounds of a new event, unless its system needs a number that follows from the places."""
SHOWN_POOL: Final = "shown_pool"
"""The hidden field with the pool that a form proposes; `CHOSEN` once its director has chosen."""
CHOSEN: Final = "-"
OF_PAGE: Final = ("step", "go", SHOWN_SYSTEM, SHOWN_COUNTRY, SHOWN_POOL, BOARD_OF.removesuffix("."))
"""Fields of the form that are not settings."""
FORMS: Final = " x "
"""What the form of a board has if it is built of two numbers, so that no list has all boards."""
NUMBER_OF_PLACES: Final = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
MOST_IN_LINE: Final = 50
"""Letters of a choice that a select element shows whole; longer ones are radio buttons."""


@dataclass(frozen=True, slots=True)
class GamesField(FormField):
    """The choice of a game by its picture, each with its boards."""

    boards: Mapping[str, FormField] = field(default_factory=dict)

    @property
    def games(self) -> list[tuple[str, str, bool, FormField]]:
        """Return the code of each game, its name, whether it is chosen, and its board."""
        return [(*option, self.boards[option[0]]) for option in self.options]


@dataclass(frozen=True, slots=True)
class RankingField(FormField):
    """Tie-breaks in their order, a selection for each place; `codes` are typed in their stead."""

    codes: str = ""

    @property
    def places(self) -> list[list[tuple[str, str, bool]]]:
        """Return the choices of each place, and whether it is the chosen one."""
        count = min(MOST_PLACES, len(self.value) + SPARE_PLACES)
        chosen = [*self.value, *[""] * count][:count]
        return [[(key, text, key == code) for key, text in self.choices] for code in chosen]


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
        ("ruleset", "board_size", "options", "swap", "advice", "play", "days_per_turn",
         "main_minutes", "increment_seconds", "time_control"),
        _("These settings are fixed when the event starts."),
        rare=("options", "swap", "advice", "play", "days_per_turn", "time_control"),
    ),
    Section(
        "rounds",
        _("Rounds"),
        ("system", "rounds", "tiebreaks", "unrated_rating", "half_byes", "half_byes_until_round",
         "missed_rounds", "initial_seat", "games_per_pairing", "check_in",
         "live_delay", "forecast"),
        _("How many rounds separate a winner follows from the system and the number of players."),
        rare=("unrated_rating", "half_byes_until_round", "missed_rounds", "initial_seat",
              "games_per_pairing", "live_delay", "forecast"),
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
ANNOUNCEMENT: Final = Section(
    "announcement",
    _("Announcement"),
    ("description", "venue", "map_url", "fee", "currency", "contact", "applications",
     "registration_from", "registration_until"),
    _("What the page of the event says to players before they come. All of it can stay empty."),
)  # fmt: skip
"""A section of an event that exists: nobody needs it to begin."""
NEW_SECTIONS: Final = (
    replace(SECTIONS[0], names=("name", "slug", *SECTIONS[0].names[1:])),
    *SECTIONS[1:],
)
"""Those of the form of a new event, or of a draft, whose address can be chosen."""


OF_LATE_PAIRING: Final = ("half_byes", "half_byes_until_round", "missed_rounds")
"""The fields about requested byes and late entries, which a schedule made at the start has not."""

FIXED: Final = FROZEN | {"ruleset", "board_size"}
"""The fields that show a setting which cannot change after the start, and of the chosen system."""


def is_fixed(name: str) -> bool:
    """Return True if a field is of a setting that cannot change after the start."""
    return name in FIXED or name.startswith((SYSTEM_OPTION, BOARD_OF))


def section_fields(
    section: Section,
    values: Mapping[str, Any],
    state: FormState,
    serializer: type[SettingsSerializer] = TournamentSerializer,
    *,
    has_started: bool = False,
) -> dict[str, FormField]:
    """Return the controls of a section, with the options of the chosen system.

    After the start, a form sends nothing of the settings that are fixed.
    """
    fields = form_fields(serializer(), section.names, values=values, state=state)
    if has_started:
        fixed = [name for name in section.names if is_fixed(name)]
        fields |= form_fields(serializer(), fixed, values=values)
    selections = {"ruleset": game_choices(), "system": system_choices()}
    for name in selections.keys() & fields:
        fields[name] = replace(fields[name], kind="select", choices=selections[name])
    if "pool" in fields:
        fields["pool"] = _pool_field(fields["pool"], values, state.typed)
        pool = str(state.typed.get(SHOWN_POOL, values.get("pool") or ""))
        fields[SHOWN_POOL] = FormField(SHOWN_POOL, "", kind="hidden", value=pool)
    if "currency" in fields:
        choices = tuple(currency_choices(CURRENCIES))
        fields["currency"] = replace(fields["currency"], choices=choices)
    if "time_zone" in fields:
        fields["time_zone"] = _zone_field(fields["time_zone"])
    if "country" in fields:
        country = str(fields["country"].value)
        fields[SHOWN_COUNTRY] = FormField(SHOWN_COUNTRY, "", kind="hidden", value=country)
    if "board_size" in fields:
        boards = _board_fields(fields.pop("board_size"), str(fields["ruleset"].value), state.typed)
        fields["ruleset"] = GamesField(
            **_values(replace(fields["ruleset"], kind="games")), boards=boards
        )
        fields |= {board.name: board for board in boards.values()}
    if "options" in fields:
        shown = state if not (has_started and state.typed) else FormState()
        fields["options"] = _options_field(fields["options"], values, shown)
    if "system" in fields:
        code = str(fields["system"].value)
        fields["tiebreaks"] = _ranking_field(fields["tiebreaks"], code, values, state)
        fields[SHOWN_SYSTEM] = FormField(SHOWN_SYSTEM, "", kind="hidden", value=code)
        chosen = PAIRING_SYSTEMS.get(str(fields["system"].value))
        if chosen and chosen.rounds_needed and "rounds" in fields:
            help_text = gettext("The number of players decides; the start checks it.")
            fields["rounds"] = replace(fields["rounds"], help=help_text)
        if chosen and chosen.has_schedule:
            fields = {name: each for name, each in fields.items() if name not in OF_LATE_PAIRING}
        has_two_games = str(fields["games_per_pairing"].value) == "2"
        if chosen and not chosen.can_pair_two_games and not has_two_games:
            del fields["games_per_pairing"]
        given = values.get("system_options") or {}
        for option in chosen.options if chosen else ():
            field = _option_field(option, given, state)
            fields[field.name] = field
    return fields


def _pool_field(
    control: FormField, values: Mapping[str, Any], typed: Mapping[str, Any]
) -> FormField:
    """Return the choice among the pools that rate the games of the form, and the stored one."""
    pools = {pool.code: pool.name for pool in pools_for({**values, **typed})}
    none = "" if pools else gettext("No pool rates these games.")
    stored = Pool.objects.filter(code=values.get("pool") or "").values_list("code", "name")
    choices = tuple((pools | dict(stored)).items())
    return replace(control, kind="select", choices=choices, help=none or control.help)


def pools_for(sent: Mapping[str, Any]) -> list[Pool]:
    """Return the pools that rate the games of a form."""
    names = ("ruleset", "board_size", MAIN, INCREMENT)
    game, board, *times = (str(sent.get(name) or "") for name in names)
    board = str(sent.get(f"{BOARD_OF}{game}") or board)
    try:
        main, increment = (int(text) if text else None for text in times)
        time_class = TimeControl(main, increment or 0).time_class
    except ValueError:  # the field of the time says so
        time_class = None
    return pools_that_rate(game, board, time_class)


def _zone_field(control: FormField) -> FormField:
    """Return the choice of a time zone by its place; one that is stored stays."""
    choices, zone = zone_choices(), str(control.value)
    if zone not in choices:
        choices = {zone: zone_name(zone)} | choices
    return replace(control, kind="select", choices=tuple(choices.items()))


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


def _values(control: FormField) -> dict[str, Any]:
    """Return the values of a control, to make one of another class."""
    return {item.name: getattr(control, item.name) for item in fields_of(control)}


def _board_fields(board: FormField, chosen: str, typed: Mapping[str, Any]) -> dict[str, FormField]:
    """Return the boards of each game; those of a game with many forms can be typed.

    The chosen game has the board of the event, and its errors.
    """
    found = {}
    for code, _name in game_choices():
        rules, name = GAMES[code], f"{BOARD_OF}{code}"
        value = str(typed.get(name) or (board.value if code == chosen else rules.first_board))
        is_typed = FORMS in rules.board_form or value not in rules.boards
        found[code] = replace(
            board,
            name=name,
            kind="text" if is_typed else "select",
            value=value,
            choices=tuple((size, name_board(rules, size)) for size in rules.boards),
            help=gettext(rules.board_form),
            errors=board.errors if code == chosen else (),
        )
    return found


def _ranking_field(
    control: FormField, system: str, values: Mapping[str, Any], state: FormState
) -> RankingField:
    """Return the tie-breaks in their order, those usual for the system if the form has no others.

    Codes that were typed are in the list, unless they are wrong.
    """
    usual = list(usual_tiebreaks(system))
    typed = str(state.typed.get("tiebreaks", ""))
    chosen = [code for code in state.typed.get("tiebreaks[]", ()) if code]
    if not state.typed:
        chosen = list(values.get("tiebreaks", ()))
    if typed.strip() and not control.errors:
        typed, chosen = "", split_items(typed)
    if any(tiebreak_name(code) == code for code in chosen):
        typed, chosen = " ".join(chosen), []
    if not chosen or chosen == list(usual_tiebreaks(state.typed.get(SHOWN_SYSTEM, system))):
        chosen = usual
    known = (*TIEBREAKS, *VARIANTS)
    others = [code for code in chosen if code not in known]
    choices = sorted(((code, tiebreak_name(code)) for code in known), key=itemgetter(1))
    return RankingField(
        **_values(
            replace(
                control,
                kind="ranking",
                value=chosen,
                choices=(*choices, *((code, tiebreak_name(code)) for code in others)),
            )
        ),
        codes=typed,
    )


GAME_OPTIONS: Final[Mapping[str, str | Promise]] = {
    "two-point-corners": _("two-point corners"),
    "total-separation": _("total separation"),
    "link-removal": _("links can be removed"),
}
"""The names of the options of games."""


def _options_field(control: FormField, values: Mapping[str, Any], state: FormState) -> FormField:
    """Return the options of all games, each with its game, to tick."""
    chosen = state.typed.get("options[]", ()) if state.typed else values.get("options", ())
    choices = tuple(
        (option, labelled(rules.name, GAME_OPTIONS.get(option, option)))
        for rules in GAMES.values()
        if rules.players == 2
        for option in rules.options
    )
    return replace(
        control, kind="checkboxes", value=[code for code in chosen if code], choices=choices
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
            return replace(field, kind="number")
        case FlagOption():
            return replace(field, kind="checkbox")
        case WordOption():
            words = tuple((word, gettext(text)) for word, text in option.words.items())
            is_long = max(len(text) for _, text in words) > MOST_IN_LINE
            kind = "radios" if is_long else "select"
            return replace(field, kind=kind, required=True, choices=words)


def settings_body(content: dict[str, Any], address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a form, with the options of its system only; no tie-breaks: usual.

    The board is that of the chosen game, and the usual tie-breaks are those of the chosen system.
    """
    content = without_same_country(content, Tournament.objects.filter(slug=address.get("slug")))
    body = {name: value for name, value in content.items() if name not in OF_PAGE}
    boards = content.get(BOARD_OF.removesuffix("."), {})
    if isinstance(boards, dict) and (board := boards.get(content.get("ruleset"))):
        body["board_size"] = board
    options = body.pop("system_options", None)
    shown = str(content.get(SHOWN_SYSTEM, ""))
    code = str(body.get("system", shown))
    system = PAIRING_SYSTEMS.get(code)
    if system is None:
        return body
    if shown and body.get("tiebreaks") == list(usual_tiebreaks(shown)):
        del body["tiebreaks"]
    body.setdefault("tiebreaks", list(usual_tiebreaks(code)))
    if isinstance(options, dict):
        given = {name: value for name, value in options.items() if value is not None}
        body["system_options"] = {
            option.name: given[option.name]
            for option in system.options
            if given.get(option.name, option.default) != option.default
        }
    return body


def new_settings_body(content: dict[str, Any], address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of the form of a new event, with what follows from other choices."""
    return settings_body(content | choices_that_follow(content), address)


def choices_that_follow(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings that nobody has chosen and that follow from others in a new event's form.

    They are the time zone of the country that was just chosen, and the rounds that a system needs
    for the number of places. `sent` has texts or values, by the names of the form or of the API.
    """
    found: dict[str, Any] = {}
    country = str(sent.get("country") or "").upper()
    is_new = country != str(sent.get(SHOWN_COUNTRY) or "").upper()
    if is_new and sent.get("time_zone") == settings.SITE_TIME_ZONE:
        found["time_zone"] = zone_of_country(country) or settings.SITE_TIME_ZONE
    system = PAIRING_SYSTEMS.get(str(sent.get("system")))
    places = str(sent.get("places") or "")
    is_first = str(sent.get("rounds")) == str(FIRST_ROUNDS)
    if system and system.rounds_needed and is_first and NUMBER_OF_PLACES.fullmatch(places):
        with suppress(OptionError):
            needed = system.rounds_needed(int(places), FIRST_ROUNDS, sent_options(sent))
            found["rounds"] = min(needed, MOST_TOURNAMENT_ROUNDS)
    return found


def proposed_rating(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return that a new event is rated in the first pool that rates its games.

    What its director has chosen otherwise stays.
    """
    shown = typed.get(SHOWN_POOL)
    if shown is None or shown == CHOSEN:
        return {}
    if (typed.get("rated"), typed.get("pool")) != (str(bool(shown)).lower(), shown):
        return {SHOWN_POOL: CHOSEN}
    pool = next((pool.code for pool in pools_for(typed)), "")
    return {"rated": str(bool(pool)).lower(), "pool": pool, SHOWN_POOL: pool}


def sent_options(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the pairing system, of a form or of a body of the API."""
    options = sent.get("system_options")
    if isinstance(options, dict):
        return options
    return {
        name.removeprefix(SYSTEM_OPTION): int(value) if value.isdecimal() else value
        for name, value in sent.items()
        if name.startswith(SYSTEM_OPTION) and value
    }


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
