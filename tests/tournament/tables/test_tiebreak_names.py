"""The names of tie-breaks for readers: modifiers are read, other texts stay."""

from tournament.templatetags.event_names import tiebreak_name

BUCHHOLZ = "Buchholz: the sum of the opponents' scores"
TEXTS = {
    "BH/C2/P": f"{BUCHHOLZ}, without the 2 lowest, forfeits count as games",
    "BH/M1": f"{BUCHHOLZ}, without the lowest and the highest",
    "KS/L+1": "Koya: points against those with half of the points or more, limit +1",
    "TPN/R": "pairing number, reversed order",
    "DE (2)": "games of the tied players with each other",
    "XYZ": "XYZ",
    "a\0b": "a\0b",
}


def test_the_name_of_a_label() -> None:
    assert {label: tiebreak_name(label) for label in TEXTS} == TEXTS
