"""The engine's sentences on pages: each pattern and each word is translated, names are kept."""

import re
from collections.abc import Iterator

import pytest
from django.utils.translation import gettext, override
from hypothesis import given
from hypothesis import strategies as st

from tournament.documents.sentences import TRANSLATED_WORDS, WITH_POINTS, translate_sentence
from tournament.pairing import loss_sentences
from tournament.pairing.findings import Finding, FindingCode, write_names
from tournament.pairing.loss_sentences import CONDITION_SENTENCES, CRITERIA, LOSSES, explain_loss
from tournament.pairing.sentences import SEAT_RULES, Sentence

LANGUAGES = ("de", "fr")
NAMES = {1: "Ada", 2: "Ben Ng", 3: "Doe, Cleo"}
PATTERNS = sorted(
    {
        *(pattern for _, pattern in (sentence.value for sentence in Sentence)),
        *SEAT_RULES.values(), *CRITERIA.values(), *CONDITION_SENTENCES.values(), *LOSSES.values(),
        loss_sentences.WORSE, loss_sentences.INSTEAD, loss_sentences.AGAINST,
        loss_sentences.MORE_BOARDS, loss_sentences.BOTH, loss_sentences.FLOAT_SENTENCES,
        loss_sentences.FLOAT, loss_sentences.HAS_BYE, WITH_POINTS, *TRANSLATED_WORDS,
    }
)  # fmt: skip
VALUES: dict[str, str | int] = {
    "points": "1.5", "unplayed": 2, "round": 3, "rounds": 7, "from": "2", "to": "1.5", "paired": 4,
    "size": 5, "higher": "2", "lower": "1", "seat": "first", "rule": "5.2.2", "strength": "mild",
    "reason": SEAT_RULES["5.2.2"].format(granted="{1}"), "score": "1-1", "kind": "draw",
}  # fmt: skip
LOSS = {"rule": "C12", "bracket": "1.5", "actual": "2", "alternative": "3"}
CHANGE = {"boards": "1-2 3-1", "downfloaters": "2, 3", "bye": "1"}


def findings() -> Iterator[Finding]:
    """Yield a finding with each sentence, and each loss under each condition."""
    for sentence in Sentence:
        _, pattern = sentence.value
        names = set(re.findall(r"\{([a-z]+)\}", pattern)) - {"players"}
        yield sentence.about(1, 2, **{name: VALUES[name] for name in names})
    for condition in CONDITION_SENTENCES:
        for rule in (*LOSSES, *CRITERIA):
            for change in ({}, CHANGE, {"bye": "3"}, {"boards": " ".join(["1-2"] * 9)}):
                yield explain_loss(condition, (1, 2), LOSS | {"rule": rule} | change)


def named(finding: Finding) -> str:
    return write_names(finding.template, NAMES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pattern_has_a_translation_with_its_values(language: str) -> None:
    with override(language):
        translated = {pattern: gettext(pattern) for pattern in PATTERNS}

    assert {pattern for pattern, text in translated.items() if text == pattern} <= {"second"}
    for pattern, text in translated.items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", pattern))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_is_translated(language: str) -> None:
    """Nothing of the English pattern is left, so both languages differ from it in every part."""
    english = re.compile(r"\b(the|bye|against|would|floats?|meet|they|has|have|sits)\b")
    with override(language):
        texts = [translate_sentence(found.code, named(found)) for found in findings()]

    assert [text for text in texts if english.search(text)] == []


@given(st.text(min_size=1), st.text(min_size=1))
def test_sentences_are_unchanged_in_english(first: str, second: str) -> None:
    names = {1: first, 2: second, 3: "Cleo"}
    with override("en"):
        for finding in findings():
            text = write_names(finding.template, names)
            assert translate_sentence(finding.code, text) == text


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (
            Sentence.SEATS.about(1, 2, rule="5.2.1", reason=SEAT_RULES["5.2.1"]),
            "Ada ist gegen Ben Ng Anziehender: kein Wunsch spricht dagegen (Artikel 5.2.1)",
        ),
        (
            Sentence.MET_BEFORE_C1.about(1, 3, round=2),
            "Ada und Doe, Cleo trafen in Runde 2 aufeinander (C1)",
        ),
        (
            explain_loss(FindingCode.WITH_PAIR, (1, 2), LOSS | CHANGE),
            "wenn Ada und Ben Ng aufeinanderträfen: die Gruppe mit 1,5 wäre schlechter, Anzahl der"
            " nicht erfüllten Wünsche nach einer Seite: 3 statt 2 (C12); stattdessen Ada gegen"
            " Ben Ng, Doe, Cleo gegen Ada; Ben Ng und Doe, Cleo floaten abwärts; Ada hat das"
            " Freilos",
        ),
    ],
)  # fmt: skip
def test_a_sentence_in_german(finding: Finding, text: str) -> None:
    with override("de"):
        assert translate_sentence(finding.code, named(finding)) == text


def test_an_unknown_sentence_stays_in_english() -> None:
    with override("de"):
        assert translate_sentence("bye", "it was agreed") == "it was agreed"
