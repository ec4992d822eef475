"""The details of errors in German and French: patterns of the source, all translated."""

import ast
import re
from collections.abc import Iterator

import pytest
from django.utils import translation
from django.utils.translation import gettext

from games.pages.detail_texts import PATTERNS, PLACEHOLDER, WORDS, detail_text
from tests.processes import ROOT

LANGUAGES = ("de", "fr")


def skeletons() -> Iterator[str]:
    """Yield each text of the source, with {} for each value in it."""
    for app in ("games", "ratings", "tournament"):
        for file in (ROOT / app).rglob("*.py"):
            if file.name == "detail_texts.py":
                continue
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.JoinedStr):
                    parts = (
                        part.value if isinstance(part, ast.Constant) else "{}"
                        for part in node.values
                    )
                    yield "".join(map(str, parts))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def test_every_pattern_is_a_text_of_the_source() -> None:
    source = set(skeletons())
    assert [one for one in PATTERNS if PLACEHOLDER.sub("{}", one) not in source] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_detail_is_translated_by_its_own_pattern(language: str) -> None:
    with translation.override(language):
        for pattern in PATTERNS:
            values = dict.fromkeys(PLACEHOLDER.findall(pattern), "17")
            translated = gettext(pattern)
            assert translated != pattern
            assert set(PLACEHOLDER.findall(translated)) == set(values), pattern
            assert detail_text(pattern % values) == translated % values
        for word in WORDS.values():
            assert gettext(word), word


CASES = [
    ("there is no player 17", "Es gibt keinen Spieler 17"),
    ("round 3 is planned; this needs drafted",
     "Runde 3: noch nicht gepaart; nötig ist: wird gepaart"),
    ("Open is draft; this needs running or review",
     "Open: in Vorbereitung; nötig ist: läuft, Ergebnisse in Prüfung"),
    ("only for: owner, director; you have none of these roles here",
     "Nur für: Eigentümer, Turnierleiter; Sie haben hier keine dieser Rollen"),
    ("round 2 is published, not complete; open boards: 1, 2",
     "Runde 2 ist nicht abgeschlossen (wird gespielt); offene Bretter: 1, 2"),
    ("something that nobody has translated", "something that nobody has translated"),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("detail", "text"), CASES)
def test_values_are_kept_and_states_are_named(detail: str, text: str) -> None:
    assert detail_text(detail) == detail
    with translation.override("de"):
        assert detail_text(detail) == text


def test_nothing_takes_long_or_fails() -> None:
    with translation.override("de"):
        for detail in ("%", "%(x)s is y", "a; b" * 2000, "round " * 2000, "\0; this needs \n"):
            assert re.sub(r"\W", "", detail_text(detail)) != "" or detail == "%"
