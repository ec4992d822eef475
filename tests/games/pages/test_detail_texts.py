"""The details of errors in German and French: every text of the source has a pattern."""

import re

import pytest
from django.utils import translation
from django.utils.translation import gettext
from hypothesis import given
from hypothesis import strategies as st

from games.pages.detail_texts import PLACEHOLDER, detail_text
from games.pages.details import PATTERNS
from games.pages.details.composed import COMPOSED
from games.pages.details.words import WORD_DETAILS
from tests.details import NOT_ON_PAGES, details, skeletons, source

LANGUAGES = ("de", "fr")
VALUES = re.compile(r"(\{\w*\})+")
UPDATE = "add it to games/pages/details, run `make messages`, and translate it"


def skeleton(text: str) -> str:
    """Return a text with {} for the values in it; for several without a word between them, once."""
    return VALUES.sub("{}", PLACEHOLDER.sub("{}", text).replace("%%", "%"))


def test_every_detail_of_the_source_has_a_pattern() -> None:
    known = set(map(skeleton, PATTERNS))
    composed = "\n".join(map(skeleton, COMPOSED))
    missing = {
        text: path
        for text, path in details().items()
        if skeleton(text) not in known and skeleton(text) not in composed
    }
    assert missing == {}, UPDATE
    assert len(details()) > 500


def test_every_pattern_is_a_text_of_the_source() -> None:
    texts = set(map(skeleton, skeletons()))
    assert [one for one in set(PATTERNS) - set(COMPOSED) if skeleton(one) not in texts] == []
    parts = {part for pattern in COMPOSED for part in PLACEHOLDER.split(pattern)}
    assert [part for part in parts if not any(part in text for text in texts)] == []


def test_the_files_that_no_page_shows_exist() -> None:
    starts = [start.removeprefix("*") for start in NOT_ON_PAGES]
    assert [one for one in starts if not any(one in path for path in source())] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_detail_is_translated_by_its_own_pattern(language: str) -> None:
    with translation.override(language):
        for pattern in PATTERNS:
            values = dict.fromkeys(PLACEHOLDER.findall(pattern), "17")
            translated = gettext(pattern)
            assert set(PLACEHOLDER.findall(translated)) == set(values), pattern
            assert detail_text(pattern % values) == translated % values
        for word in WORD_DETAILS.values():
            assert gettext(word), word


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_stays_in_english(language: str) -> None:
    english = re.compile(r"\b(the|is|are|has|have|and|with|not|of|needs?|must|there|expected)\b")
    with translation.override(language):
        texts = [PLACEHOLDER.sub("", gettext(pattern)) for pattern in PATTERNS]
    assert [text for text in texts if english.search(text)] == []


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
    ("the record is rejected: S91 holds no stone of the first seat",
     "Die Aufzeichnung wird abgelehnt: Auf S91 steht kein Stein dieser Seite (Anziehender)"),
    ("2 errors; line 3, sex: at most 40 characters; nothing was imported",
     "2 Fehler; Zeile 3, sex: Höchstens 40 Zeichen; nichts wurde importiert"),
    ("line 4, column 5: invalid rank x; expected a whole number; nothing was imported",
     "Zeile 4, Spalte 5: ungültig: rank x; erwartet: eine ganze Zahl; nichts wurde importiert"),
    ("nothing was imported: the task failed 5 times and is given up",
     "Nichts wurde importiert: Die Aufgabe schlug 5-mal fehl und wird aufgegeben"),
    ("line 3: its stream is 'x', not tournament/spring; nothing was imported",
     "Zeile 3: Ihr Strom ist 'x', nicht tournament/spring; nichts wurde importiert"),
    ("writing rows", "Zeilen werden gespeichert"),
    ("the tie-break RTNG: it needs the records of the games",
     "die Feinwertung RTNG: sie braucht die Aufzeichnungen der Partien"),
    ("100 % of the difference of the scores, 2 points; it is worth 1 points by table v1",
     "100 % des Unterschieds der Punkte, 2 Punkte; die Vorgabe ist nach Tabelle v1 1 Punkte wert"),
    ("something that nobody has translated", "something that nobody has translated"),
    ("a line\rand another", "a line\rand another"),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("detail", "text"), CASES)
def test_values_are_kept_and_states_are_named(detail: str, text: str) -> None:
    assert detail_text(detail) == detail
    with translation.override("de"):
        assert detail_text(detail) == text


def test_nothing_takes_long_or_fails() -> None:
    with translation.override("de"):
        for detail in ("%", "%(x)s is y", "a; b" * 2000, "a: " * 2000, "round " * 2000, "\0; \n"):
            assert detail_text(detail)


@given(st.sampled_from(PATTERNS), st.text(st.characters(categories=["L", "N"])))
def test_any_value_is_kept(pattern: str, value: str) -> None:
    names = PLACEHOLDER.findall(pattern)
    with translation.override("de"):
        text = detail_text(pattern % dict.fromkeys(names, f"«{value}»"))
    assert not names or f"«{value}»" in text
