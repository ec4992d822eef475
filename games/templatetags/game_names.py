"""The names of states, bases and reports of games, and their results, for readers."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import Any, Final

from django import template
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import conditional_escape
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, gettext_noop

from games.core.places import country_name, zone_name
from games.core.text import decimal_text, translated
from games.models import Game, Report
from games.models.time_controls import TimeClass
from games.play.boards import (
    describe_least,
    handicap_in_words,
    handicap_of_reader,
    label_of,
    name_board,
    name_stones,
    say,
    score_in_words,
    stones_query,
)
from games.rules.conditions import Conditions
from games.rules.game import GameRules
from games.rules.game_outcome import GameOutcome, RulingTermination
from games.rules.lessons.theory import link_terms
from games.rules.outcome import Termination
from games.rules.records.handicaps import points_for_first, with_handicap, with_points
from games.rules.records.json_form import handicap_text
from games.rules.records.verdict import State
from games.rules.registry import GAMES

register = template.Library()
register.filter(translated)
register.filter(zone_name)
register.filter(country_name)
register.filter(stones_query)
register.filter("handicap_words", handicap_in_words)
register.filter(handicap_of_reader)
register.filter(name_stones)

game_state = register.filter("game_state", label_of(Game.State))
report_kind = register.filter("report_kind", label_of(Report.Kind))
basis_name = register.filter("basis_name", label_of(Game.Basis))
termination_name = register.filter("termination_name", label_of(Termination, RulingTermination))
time_class_name = register.filter("time_class_name", label_of(TimeClass))
verdict_state = register.filter("verdict_state", label_of(State))


@register.filter
def with_terms(text: str) -> str:
    """Return a translated text whose words for things of the games lead to the glossary."""
    return mark_safe(link_terms(conditional_escape(text), say))


@register.filter
def game_name(code: str) -> str:
    """Return the name of a game."""
    return GAMES[code].name


@register.filter
def usual_board(code: str) -> str:
    """Return the board on which a new game begins."""
    return GAMES[code].first_board


@register.filter
def board_name(game: str | GameRules, board: str) -> str:
    """Return a board of a game, with what it is called: `6 (junior board)`."""
    rules = game if isinstance(game, GameRules) else GAMES[game]
    return name_board(rules, board)


@register.filter
def least_to_win(game: Mapping[str, Any]) -> str:
    """Return in words which counts of the board win a game with handicap points; "" in others."""
    handicap = game.get("handicap_text") or ""
    even = Conditions(
        game=game["ruleset"],
        board=game["board_size"],
        options=tuple(game["options"]),
        swap=game["swap"],
    )
    return describe_least(with_handicap(even, handicap)) if points_for_first(handicap) else ""


@register.filter
def counted_score(game: Mapping[str, Any]) -> str:
    """Return the score of a game on the board, without handicap points; "" if it has none."""
    points, score = points_for_first(game.get("handicap_text") or ""), game.get("score")
    if not points or not score:
        return ""
    return f"{score['first'] - points}–{score['second'] + points}"


@register.filter
def counted_result(result: str, handicap: str | None) -> str:
    """Return the score on the board of a result with a handicap; "" without points or score."""
    counted = with_points(result, -points_for_first(handicap or ""))
    return "" if counted == result else counted


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
def report_result(report: Report) -> str:
    """Return the result of a report; with handicap points, the count of the board too."""
    score = GameOutcome.from_json(report.outcome).score if report.outcome else None
    handicap = report.game.handicap
    points = points_for_first(handicap_text(handicap)) if handicap else 0
    if score is None or not points:
        return outcome_text(report.outcome)
    return score_in_words(f"{score[0]}-{score[1]}", points)


@register.filter
def name_in(key: str, names: Mapping[str, str | Promise]) -> str | Promise:
    """Return the name of a key in a mapping of names; the key if it has none."""
    return names.get(key, key) if names else key


@register.filter
def value_in(key: object, values: Mapping[object, str]) -> str:
    """Return the value of a key in a mapping; "" if it has none."""
    return values.get(key, "") if values else ""


@register.filter
def as_moment(text: str) -> datetime:
    """Return the moment that the API writes as a text."""
    return datetime.fromisoformat(text)
