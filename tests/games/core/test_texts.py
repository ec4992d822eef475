"""Texts in German and French: each pattern of the source is translated, and keeps its values."""

import ast
import gettext as catalogues
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from games.core.errors import Unprocessable, unknown_key
from games.core.text import translated
from games.core.uploads.lists import LineErrors
from games.rules.records.streams import judge
from games.rules.seat import Seat
from games.rules.text import Text, Word
from tests.processes import ROOT
from tournament.core.states import wrong_state
from tournament.models import Tournament
from tournament.pairing.options import read_options
from tournament.pairing.systems.groups import GROUP_OPTIONS
from tournament.trf.errors import TrfError

LANGUAGES: Final = ("de", "fr")
PLACEHOLDER: Final = re.compile(r"%\((\w+)\)s")


@cache
def text_calls() -> list[tuple[str, str, set[str | None]]]:
    """Return place, pattern and names of the values of each call of Text with its pattern."""
    found = []
    for app in ("games", "ratings", "tournament", "deploy"):
        for file in sorted((ROOT / app).rglob("*.py")):
            text = file.read_text()
            for node in ast.walk(ast.parse(text)) if "Text(" in text else ():
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Text":
                    (given,) = node.args
                    if isinstance(given, ast.Constant):
                        names = {keyword.arg for keyword in node.keywords}
                        place = f"{file.relative_to(ROOT)}:{node.lineno}"
                        found.append((place, str(given.value), names))
    return found


def patterns() -> list[str]:
    return sorted({pattern for _, pattern, _ in text_calls()})


class Missing(catalogues.NullTranslations):
    """What a catalogue falls back to: nothing."""

    def gettext(self, message: str) -> str:
        """Return no translation."""
        return ""


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    with translation.override(request.param):
        yield request.param


def test_each_text_has_the_values_of_its_pattern() -> None:
    wrong = [
        place
        for place, pattern, names in text_calls()
        if None not in names and names != set(PLACEHOLDER.findall(pattern))
    ]
    assert wrong == []
    assert len(patterns()) > 800


def test_each_pattern_of_the_source_is_translated(language: str) -> None:
    with Path(ROOT, f"deploy/locale/{language}/LC_MESSAGES/django.mo").open("rb") as file:
        catalogue = catalogues.GNUTranslations(file)
    catalogue.add_fallback(Missing())
    assert [one for one in patterns() if not catalogue.gettext(one)] == [], "run `make messages`"
    assert [
        one
        for one in patterns()
        if set(PLACEHOLDER.findall(one)) != set(PLACEHOLDER.findall(catalogue.gettext(one)))
    ] == []


def line_errors(*details: Text) -> str:
    """Return what is wrong with a file whose lines have these errors."""
    errors = LineErrors()
    for line, detail in enumerate(details, start=3):
        errors.add(line, "sex", detail)
    with pytest.raises(Unprocessable) as raised:
        errors.raise_if_any()
    return raised.value.detail


ROUND = Text("round %(number)s", number=3)
CASES = [
    (wrong_state("Open; 100 %: \"A, B\"", "draft", Tournament.State.RUNNING,
                 Tournament.State.REVIEW).detail,
     "Open; 100 %: \"A, B\": in Vorbereitung; nötig ist: läuft, Ergebnisse in Prüfung"),
    (Text("the record is rejected: %(detail)s",
          detail=Text("%(cell)s holds no stone of the %(seat)s seat", cell="S91", seat=Seat.FIRST)),
     "Die Aufzeichnung wird abgelehnt: Auf S91 steht kein Stein dieser Seite (Anziehender)"),
    (line_errors(Text("at most %(most)s characters", most=40), ROUND),
     "2 Fehler; Zeile 3, sex: Höchstens 40 Zeichen; nichts wurde importiert"),
    (str(TrfError(Text("invalid %(name)s %(word)s", name="rank", word="x"), 4, 5,
                  Text("a whole number"))),
     "Zeile 4, Spalte 5: ungültig: rank x; erwartet: eine ganze Zahl"),
    (Text("only for: %(roles)s; you have none of these roles here",
          roles=Word("site staff", "the site's staff")),
     "Nur für: die Betreiber; Sie haben hier keine dieser Rollen"),
    (judge('[Game "star-star"]\n[Board "10"]\n\nS10 S10').errors[0].detail,
     "S10 wurde bei Zug 1 besetzt"),
    (unknown_key("ruleset", "chess", ["hex", "star"]).detail,
     "Spiel ist 'chess'; gültig sind: hex, star"),
    (judge('[Game "hex"]\n[Board "99"]\n\na1').errors[0].detail,
     "hex hat kein Brett '99'; es nimmt Spalten, oder Spalten x Reihen, je 2 bis 26: 11, 11x14"),
    (judge('[Game "hex"]\n[Board "11"]\n[Options "x"]\n\na1').errors[0].detail,
     "hex hat keine Option 'x'; Optionen: keine"),
    (read_options(GROUP_OPTIONS, {"groups": 99})[1][0].detail,
     "Gruppen muss zwischen 1 und 64 liegen"),
    ("something that nobody has translated", "something that nobody has translated"),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "german"), CASES)
def test_values_are_kept_and_words_are_named(text: str, german: str) -> None:
    with translation.override("de"):
        assert translated(text) == german


def test_readers_of_english_get_the_words_of_the_pages_too() -> None:
    refusal = wrong_state("Spring", "draft", Tournament.State.REGISTRATION).detail
    assert refusal == "Spring has the state draft; this is possible only in the state registration"
    assert translated(refusal) == (
        "Spring has the state in preparation; this is possible only in the state open for entries"
    )


@given(st.deferred(lambda: st.sampled_from(patterns())), st.text())
def test_any_name_is_kept(pattern: str, name: str) -> None:
    values = dict.fromkeys(PLACEHOLDER.findall(pattern), f"«{name}»")
    with translation.override("fr"):
        shown = translated(Text(pattern, **values))
    assert not values or f"«{name}»" in shown
