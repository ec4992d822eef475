"""The names of tie-breaks for readers."""

import pytest
from django.utils import translation

from tournament.standings.tiebreaks import TIEBREAKS
from tournament.templatetags.event_names import tiebreak_list, tiebreak_name

BUCHHOLZ = "Buchholz: the sum of the opponents' scores"
TEXTS = {
    "PTS": "points",
    "BH/C1": f"{BUCHHOLZ}, without the lowest",
    "BH/C2/P": f"{BUCHHOLZ}, without the 2 lowest, forfeits count as games",
    "BH/M1": f"{BUCHHOLZ}, without the lowest and the highest",
    "BH/M2/F": f"{BUCHHOLZ}, without the 2 lowest and the 2 highest, the last round drawn",
    "KS/L+1": "Koya: points against those with half of the points or more, limit +1",
    "TPN/R": "pairing number, reversed order",
    "DE (2)": "games of the tied players with each other",
    "XYZ": "XYZ",
    "": "",
    "a\0b": "a\0b",
}


def test_every_tiebreak_has_a_name() -> None:
    assert [code for code, tiebreak in TIEBREAKS.items() if not tiebreak.name] == []


@pytest.mark.parametrize("label", TEXTS)
def test_the_name_of_a_label(label: str) -> None:
    assert tiebreak_name(label) == TEXTS[label]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "points; Buchholz, without the lowest"),
        ("de", "Punkte; Buchholz, ohne den niedrigsten Wert"),
        ("fr", "points\N{NO-BREAK SPACE}; Buchholz, sans la valeur la plus basse"),
    ],
)
def test_tiebreaks_are_listed_with_semicolons(language: str, expected: str) -> None:
    with translation.override(language):
        assert tiebreak_list(["PTS", "BH/C1"]) == expected
