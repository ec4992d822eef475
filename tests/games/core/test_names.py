"""Names as they are stored, by every way in which one comes in."""

import unicodedata
from importlib import import_module

import pytest
from django.apps import apps
from hypothesis import given
from hypothesis import strategies as st

from games.models import Account, Player
from games.names import clean_name, is_hidden
from tests.events import SET_UP
from tests.people import Person
from tournament.exchange.trf_settings import printable
from tournament.models import Tournament

STORED = [
    ("Ada Lovelace", "Ada Lovelace"),
    ("  Ada \t Lovelace ".replace("\t", ""), "Ada Lovelace"),
    ("Ada\u00a0Lovelace", "Ada Lovelace"),
    ("Ada\u2003\u202fLovelace", "Ada Lovelace"),
    ("A\u030angstro\u0308m", "Ångström"),
    ("\u212bngstrom", "Ångstrom"),
    ("山田", "山田"),
    ("ﬁnn", "ﬁnn"),
    ("O’Neil-Żak, J.", "O’Neil-Żak, J."),
    ("★", "★"),
    ("", ""),
]
HIDDEN = {
    "NUL": "\0",
    "line separator": "\u2028",
    "soft hyphen": "\u00ad",
    "zero width space": "\u200b",
    "right-to-left override": "\u202e",
    "Hangul filler": "\u3164",
    "blank of Braille": "\u2800",
    "variation selector": "\ufe0f",
    "private use": "\ue000",
    "no character": "\uffff",
}


@pytest.mark.parametrize(("text", "name"), STORED)
def test_a_name_is_stored_as(text: str, name: str) -> None:
    assert clean_name(text) == name
    assert clean_name(name) == name


@pytest.mark.parametrize("character", HIDDEN.values(), ids=HIDDEN)
def test_a_name_has_no_hidden_character(character: str) -> None:
    for text in (f"Ada{character}Lovelace", f"Ada{character}", character):
        with pytest.raises(ValueError, match=f"U\\+{ord(character):04X}"):
            clean_name(text)
    assert printable(f"Ada{character}Lovelace") == "Ada Lovelace"


@pytest.mark.parametrize("text", ["\u0301", " \u0308 ", "\u20dd"])
def test_a_name_is_more_than_accents(text: str) -> None:
    with pytest.raises(ValueError, match="no visible character"):
        clean_name(text)
    assert printable(text) == ""


@given(st.text(max_size=40))
def test_what_is_stored_stays_as_it_is(text: str) -> None:
    name = printable(text)
    assert clean_name(name) == name == unicodedata.normalize("NFC", name)
    assert not any(map(is_hidden, name))


DECOMPOSED = "Zoe\u0308\u00a0A\u030a"
COMPOSED = "Zoë Å"


def test_each_way_in_stores_the_same_name(
    organiser: Person, staff: Person, anonymous: Person
) -> None:
    body = SET_UP | {"slug": "spring", "name": DECOMPOSED, "place": DECOMPOSED}
    assert organiser.post("tournaments", body | {"arbiter": DECOMPOSED}).status_code == 201
    (event,) = Tournament.objects.all()
    assert (event.name, event.place, event.arbiter) == (COMPOSED, COMPOSED, COMPOSED)

    organiser.post("players", {"name": DECOMPOSED, "club": DECOMPOSED})
    lines = f"player,name,club\nnew,{DECOMPOSED},{DECOMPOSED}\n".encode()
    for path in ("players/import", "tournaments/spring/entries/import"):
        sent = organiser.send("POST", path, lines, content_type="text/csv")
        assert sent.status_code in (200, 201), sent.content
    organiser.post("tournaments/spring/open")
    key = organiser.post("tournaments/spring/application-link").json()["key"]
    who = {"name": f"{DECOMPOSED} II", "club": "\u00a0" + DECOMPOSED, "key": key}
    assert anonymous.post("tournaments/spring/entries/apply", who).status_code == 201
    found = sorted(Player.objects.values_list("name", "club"))
    assert found == [(COMPOSED, COMPOSED)] * 3 + [(f"{COMPOSED} II", COMPOSED)]

    entry = event.entries.first()
    assert entry is not None
    values = {"club": DECOMPOSED, "category": DECOMPOSED}
    changed = organiser.patch(f"tournaments/spring/entries/{entry.pk}", values).json()
    assert (changed["club"], changed["category"]) == (COMPOSED, COMPOSED)
    assert organiser.patch("me", {"name": DECOMPOSED}).status_code == 200
    assert Account.objects.filter(name=COMPOSED).count() == 1


@pytest.mark.django_db
def test_the_upgrade_stores_what_a_name_looks_like_anew() -> None:
    upgrade = import_module("games.migrations.0002_skeletons")
    four, ada = (Player.objects.create(name=name) for name in ("\u0664", "Ada"))
    right = four.skeleton
    Player.objects.update(skeleton="of 0.2.0")

    upgrade.recompute(apps, None)

    four.refresh_from_db()
    ada.refresh_from_db()
    assert (four.skeleton, ada.skeleton) == (right, "of 0.2.0")
