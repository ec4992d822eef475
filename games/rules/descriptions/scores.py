"""A score in words: the sum that players write, or what is counted so far.

`18 peries + 1 quark peri + 2 for a star fewer = 21`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from games.rules.messages import (
    BORDER_HEXES,
    STONES,
    Noun,
    Say,
    count,
    gettext_noop,
    say_in_english,
)
from games.rules.outcome import Outcome, Termination
from games.rules.scoring.sums import Terms, alternative_of, terms_of
from games.rules.seat import Seat

POINTS: Final[Noun] = gettext_noop("{number} point"), gettext_noop("{number} points")
_COUNTED: Final[Mapping[str, Noun]] = {
    "corners": (gettext_noop("{number} corner"), gettext_noop("{number} corners")),
    "pentahexes": (
        gettext_noop("{number} pentahex"),
        gettext_noop("{number} pentahexes"),
    ),
    "peries": (gettext_noop("{number} peri"), gettext_noop("{number} peries")),
    "quarks": (gettext_noop("{number} quark"), gettext_noop("{number} quarks")),
    "stars": (gettext_noop("{number} star"), gettext_noop("{number} stars")),
    "stones": STONES,
    "touches": BORDER_HEXES,
}
"""What is counted, in the singular and the plural."""

_QUARK_PERI = gettext_noop("{number} quark peri")
_HANDICAP = gettext_noop("{number} handicap")
_FEWER: Noun = (
    gettext_noop("{number} for a star fewer"),
    gettext_noop("{number} for {stars} stars fewer"),
)
_MORE: Noun = (
    gettext_noop("{number} for a star more"),
    gettext_noop("{number} for {stars} stars more"),
)
_STARS: Noun = gettext_noop("{number} for a star"), gettext_noop("{number} for {stars} stars")
_SO_FAR = gettext_noop("counted so far: {counts}")
_RANGE = gettext_noop("{least} to {most} possible")
_ALTERNATIVE = gettext_noop("Alternative score of {seat}: {sum}")
_ALTERNATIVE_SO_FAR = gettext_noop(
    "Alternative score of {seat}, counted so far: {sum}; from {least} to {most} on a full board"
)
_ALTERNATIVE_AGREED = gettext_noop(
    "Alternative score of {seat}: {score}, agreed; counted so far: {sum}"
)


def list_counts(counts: Mapping[str, object], say: Say = say_in_english) -> str:
    """Return counts with what is counted, `3 peries, 1 quark, 1 star`."""
    numbers = ((name, number) for name, number in counts.items() if isinstance(number, int))
    return ", ".join(
        count(number, _COUNTED[name], say) if name in _COUNTED else f"{number} {name}"
        for name, number in numbers
    )


def describe_counts(
    outcome: Outcome, seat: Seat, points: int = 0, say: Say = say_in_english
) -> str:
    """Return the sum that is the score of a seat, or what is counted so far if it is not proved.

    `points` are the handicap points of the first seat. Return "" in games without scores.
    """
    if outcome.bounds is None or outcome.detail is None:
        return ""
    terms = terms_of(outcome, points)
    if terms is not None:
        return f"{_sum(_terms_in_words(terms[seat], say))} = {_signed(sum(terms[seat].values()))}"
    counts = outcome.detail[seat]
    assert isinstance(counts, Mapping)
    found = list_counts(counts, say) if any(counts.values()) else say(gettext_noop("nothing"))
    return say(_SO_FAR, counts=found)


def describe_standing(outcome: Outcome, seat: Seat, say: Say = say_in_english) -> str:
    """Return the scores that a seat can still reach, or that the score is only agreed; else ""."""
    if outcome.termination is Termination.AGREED and not outcome.is_counted and outcome.score:
        return say(Termination.AGREED)
    if outcome.bounds is None or outcome.termination:
        return ""
    least, most = map(_signed, outcome.bounds[seat is Seat.SECOND])
    return say(_RANGE, least=least, most=most)


def describe_score(outcome: Outcome, seat: Seat, points: int = 0, say: Say = say_in_english) -> str:
    """Return what a seat can reach or has agreed to, and its counts; "" in games without scores."""
    parts = (
        describe_standing(outcome, seat, say),
        describe_counts(outcome, seat, points, say),
    )
    return f"{say(gettext_noop(';'))} ".join(filter(None, parts))


def describe_alternative(outcome: Outcome, points: int = 0, say: Say = say_in_english) -> str:
    """Return the alternative score of *Star as a sum; "" in other games and without a score."""
    found = alternative_of(outcome, points)
    if found is None or (outcome.termination and found.score is None):
        return ""
    own, other = (tally.with_quark_peri for tally in (found.first, found.second))
    terms = [(False, f"{own}"), (True, f"{other}"), _addend(found.reward, "(REWARD)")]
    if found.handicap:
        terms.append(_addend(found.handicap, f"({say(gettext_noop('handicap'))})"))
    values: dict[str, str] = {
        "seat": say(Seat.FIRST.value),
        "sum": f"{_sum(terms)} = {_signed(found.counted, plus='+')}",
    }
    if outcome.is_counted:
        return say(_ALTERNATIVE, **values)
    if found.score is not None:
        return say(_ALTERNATIVE_AGREED, score=_signed(found.score, plus="+"), **values)
    least, most = (_signed(bound, plus="+") for bound in found.bounds)
    return say(_ALTERNATIVE_SO_FAR, least=least, most=most, **values)


def _addend(value: int, name: str) -> tuple[bool, str]:
    return value < 0, f"{abs(value)} {name}"


def _terms_in_words(terms: Terms, say: Say) -> Iterator[tuple[bool, str]]:
    """Yield for each term whether it is subtracted, and its words; none for those of nothing."""
    for name, value in terms.items():
        if value or name in ("peries", "touches"):
            yield value < 0, _term(name, value, say)


def _term(name: str, value: int, say: Say) -> str:
    number, stars = abs(value), abs(value) // 2
    if name == "quark_peri":
        return say(_QUARK_PERI, number=number)
    if name == "handicap":
        return say(_HANDICAP, number=number)
    if name == "reward":
        return say((_FEWER if value > 0 else _MORE)[stars != 1], number=number, stars=stars)
    if name == "stars":
        return say(_STARS[stars != 1], number=number, stars=stars)
    return count(number, _COUNTED[name], say)


def _sum(terms: Iterable[tuple[bool, str]]) -> str:
    """Return terms with the signs between them."""
    written = "".join(f" {'−' if is_minus else '+'} {words}" for is_minus, words in terms)
    return written.removeprefix(" + ").strip()


def _signed(number: int, plus: str = "") -> str:
    return f"−{-number}" if number < 0 else f"{plus if number else ''}{number}"
