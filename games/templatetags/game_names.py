"""The names of states, bases and reports of games, and their results, for readers."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import Any, Final

from django import template
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from games.documents.decimals import decimal_text
from games.models import Game, Report
from games.pages.detail_texts import detail_text
from games.pages.words import text_of
from games.rules.game_outcome import GameOutcome
from games.rules.records.verdict import State
from games.rules.registry import GAMES
from games.time_controls import TimeClass

register = template.Library()
register.filter(detail_text)

GAME_STATES: Final[dict[str, Promise]] = {
    Game.State.PROPOSED: _("proposed"),
    Game.State.DECLINED: _("declined"),
    Game.State.CANCELLED: _("proposal cancelled"),
    Game.State.EXPIRED: _("proposal expired"),
    Game.State.OPEN: _("being played"),
    Game.State.WAITING: _("reported by one side"),
    Game.State.DISPUTED: _("disputed"),
    Game.State.CONFIRMED: _("confirmed"),
    Game.State.ANNULLED: _("annulled"),
}
game_state = register.filter("game_state", text_of(GAME_STATES))

REPORT_KINDS: Final[dict[str, Promise]] = {
    Report.Kind.RECORD: _("record"),
    Report.Kind.CLAIM: _("result"),
    Report.Kind.CONFIRMATION: _("confirmation"),
    Report.Kind.DISPUTE: _("dispute"),
    Report.Kind.SLIP: _("signed slip"),
    Report.Kind.RULING: _("ruling"),
    Report.Kind.ANNULMENT: _("annulment"),
    Report.Kind.ADJOURNMENT: _("adjournment"),
    Report.Kind.REVOCATION: _("removal of a ruling"),
}
report_kind = register.filter("report_kind", text_of(REPORT_KINDS))

BASES: Final[dict[str, Promise]] = {
    Game.Basis.PROOF: _("proved by the record of the game"),
    Game.Basis.AGREEMENT: _("both sides agree"),
    Game.Basis.RULING: _("ruled by an arbiter"),
}
basis_name = register.filter("basis_name", text_of(BASES))

TERMINATIONS: Final[dict[str, Promise]] = {
    "full": _("the board is full"),
    "decided": _("nobody can change the result any more"),
    "agreed": _("agreed"),
    "resigned": _("resigned"),
    "time": _("on time"),
    "passes": _("both passed"),
    "goal": _("a winning shape"),
    "blocked": _("no legal move"),
    "solved": _("solved"),
    "forfeit": _("forfeit, not played"),
    "double-forfeit": _("forfeit by both, not played"),
}
termination_name = register.filter("termination_name", text_of(TERMINATIONS))


TIME_CLASS_NAMES: Final[dict[str, Promise]] = {
    TimeClass.BULLET: _("bullet"),
    TimeClass.BLITZ: _("blitz"),
    TimeClass.RAPID: _("rapid"),
    TimeClass.STANDARD: _("standard"),
}
time_class_name = register.filter("time_class_name", text_of(TIME_CLASS_NAMES))


VERDICTS: Final[dict[str, Promise]] = {
    State.FINISHED: _("finished"),
    State.UNFINISHED: _("unfinished"),
}
verdict_state = register.filter("verdict_state", text_of(VERDICTS))


@register.filter
def game_name(code: str) -> str:
    """Return the name of a game."""
    return GAMES[code].name


@register.filter
def day_text(day: date | str | None) -> str:
    """Return a day, or one as ISO text, as the active language writes it; "" for none."""
    with suppress(ValueError):
        day = date.fromisoformat(day) if isinstance(day, str) else day
    return date_format(day) if isinstance(day, date) else day or ""


@register.filter
def decimal_sign(number: object) -> str:
    """Return a number with the decimal sign of the active language."""
    return decimal_text(str(number))


PROGRAM_REASONS: Final = frozenset(
    {
        gettext_noop("absent: the scheduled game is lost by forfeit"),
        gettext_noop("from a file of records"),
    }
)
"""The reasons that the service itself gives; all others are a person's own words."""


@register.filter
def reason_text(reason: str) -> str:
    """Return a reason, that of the service in the language of the reader."""
    return gettext(reason) if reason in PROGRAM_REASONS else reason


@register.filter
def outcome_text(value: Mapping[str, Any]) -> str:
    """Return an outcome (or a game) as JSON in figures; without a score, with how it ended."""
    if not value:
        return ""
    outcome = GameOutcome.from_json(value)
    if outcome.score is not None:
        result = f"{outcome.score[0]}–{outcome.score[1]}"
    elif outcome.draw:
        result = "½–½"
    else:
        result = {"first": "1–0", "second": "0–1"}.get(outcome.winner or "", "0–0")
    if outcome.termination is None or outcome.score is not None or outcome.draw:
        return result
    return f"{result} ({termination_name(outcome.termination)})"


@register.filter
def name_in(key: str, names: Mapping[str, str | Promise]) -> str | Promise:
    """Return the name of a key in a mapping of names; the key if it has none."""
    return names.get(key, key) if names else key


@register.filter
def as_moment(text: str) -> datetime:
    """Return the moment that the API writes as a text."""
    return datetime.fromisoformat(text)
