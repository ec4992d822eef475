"""The engine's sentences in the language of the reader.

The engine writes English patterns with values (`tournament/pairing/sentences.py`), which the API
shows as they are. A page finds the pattern of a sentence by its code, and translates the pattern
and the words among its values; names and numbers stay. What has no pattern stays in English.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from django.utils.translation import gettext

from games.documents.decimals import decimal_text
from games.rules.messages import gettext_noop
from tournament.pairing import loss_sentences
from tournament.pairing.findings import FindingCode
from tournament.pairing.loss_sentences import CONDITION_SENTENCES, CRITERIA, LOSSES
from tournament.pairing.sentences import SEAT_RULES, Sentence

VALUE = re.compile(r"\{(\w+)\}")
ONE_WORD: Final = frozenset(
    {"bracket", "from", "higher", "lower", "number", "paired", "points", "round", "rounds", "rule",
     "score", "seat", "size", "strength", "to", "unplayed"}
)  # fmt: skip
"""The values of a sentence that contain no space."""
TRANSLATED_WORDS: Final = frozenset(
    {
        gettext_noop("first"),
        gettext_noop("second"),
        gettext_noop("mild"),
        gettext_noop("strong"),
        gettext_noop("absolute"),
        gettext_noop("none"),
    }
)
"""The values of a sentence that are words."""
WITH_POINTS = gettext_noop("{number} with {points} points")
POINTS_TEXT: Final = re.compile(r"[0-9]+\.[0-9]+(-[0-9]+(\.[0-9]+)?)?|[0-9]+-[0-9]+\.[0-9]+")
"""Points, or those of both sides, that are not whole."""


def translate_sentence(code: str, sentence: str) -> str:
    """Return a sentence of a finding with this code in the language of the reader."""
    loss, _, change = sentence.partition("; instead, ")
    if change and code in CONDITION_SENTENCES:
        pattern = gettext(loss_sentences.INSTEAD)
        return pattern.format(loss=_translate(code, loss), change=_translate_change(change))
    return _translate(code, sentence)


def _translate(code: str, sentence: str) -> str:
    for pattern in _patterns_of(code):
        if found := _expression_of(pattern).fullmatch(sentence):
            return _write(pattern, found)
    condition = CONDITION_SENTENCES.get(FindingCode(code))
    if condition is None or not (found := _expression_of(condition).match(sentence)):
        return sentence
    patterns = (*LOSSES.values(), loss_sentences.WORSE)
    return _write(condition, found) + _translate_one_of(patterns, sentence[found.end() :])


@cache
def _patterns_of(code: str) -> tuple[str, ...]:
    """Return the patterns of the sentences of a code, those with most words first."""
    found = [pattern for sentence in Sentence for key, pattern in [sentence.value] if key == code]
    return tuple(sorted(found, key=lambda pattern: -len(VALUE.sub("", pattern))))


@cache
def _expression_of(pattern: str) -> re.Pattern[str]:
    """Return the expression that finds the values of a pattern, players as p0, p1."""
    seen: set[str] = set()
    parts = []
    for place, part in enumerate(VALUE.split(pattern)):
        if place % 2 == 0:
            parts.append(re.escape(part))
        elif part in seen:
            parts.append(f"(?P=p{part})")
        else:
            seen.add(part)
            parts.append(f"(?P<p{part}>{_content_of(part)})")
    return re.compile("".join(parts), re.DOTALL)


def _content_of(name: str) -> str:
    """Return the expression of a value."""
    if name == "criterion":
        return "|".join(map(re.escape, sorted(CRITERIA.values(), key=len, reverse=True)))
    return r"\S+?" if name in ONE_WORD else ".+?"


def _write(pattern: str, found: re.Match[str]) -> str:
    """Return the translated pattern with its values, translated as far as they are words."""
    values = {
        name[1:]: _translate_value(name[1:], text) for name, text in found.groupdict().items()
    }
    return VALUE.sub(lambda value: values[value[1]], gettext(pattern))


def _translate_value(name: str, text: str) -> str:
    if name == "reason":
        return _translate_one_of(SEAT_RULES.values(), text)
    if name == "criterion":
        return _translate_one_of(CRITERIA.values(), text)
    if name in ("actual", "alternative"):
        parts = [_translate_one_of((WITH_POINTS,), part) for part in text.split(", ")]
        return ", ".join(gettext(part) if part in TRANSLATED_WORDS else part for part in parts)
    if POINTS_TEXT.fullmatch(text):
        return decimal_text(text)
    return gettext(text) if text in TRANSLATED_WORDS else text


def _translate_one_of(patterns: Iterable[str], text: str) -> str:
    for pattern in patterns:
        if found := _expression_of(pattern).fullmatch(text):
            return _write(pattern, found)
    return text


def _translate_change(text: str) -> str:
    """Return what another pairing changes: its boards, who floats down, who has the bye."""
    return "; ".join(_translate_changes(text))


def _translate_changes(text: str) -> Iterator[str]:
    for part in text.split("; "):
        for pattern in (
            loss_sentences.FLOAT_SENTENCES,
            loss_sentences.FLOAT,
            loss_sentences.HAS_BYE,
        ):
            if found := _expression_of(pattern).fullmatch(part):
                joined = found.group(1).replace(*_words_between(loss_sentences.BOTH))
                yield joined.join(VALUE.split(gettext(pattern))[::2])
                break
        else:
            more = _expression_of(loss_sentences.MORE_BOARDS).fullmatch(part)
            boards = more["pboards"] if more else part
            boards = boards.replace(*_words_between(loss_sentences.AGAINST))
            if more is None:
                yield boards
            else:
                yield gettext(loss_sentences.MORE_BOARDS).format(
                    boards=boards, number=more["pnumber"]
                )


def _words_between(pattern: str) -> tuple[str, str]:
    """Return what stands between the two players of a pattern, in English and translated."""
    return VALUE.split(pattern)[2], VALUE.split(gettext(pattern))[2]
