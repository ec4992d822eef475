"""`/players?name=&birth_year=&external_id=`: search without regard to case and accents."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models import Player
from games.names import fold_name
from tests.people import Person, make_person, problem_in

FOLDED = [
    ("Müller, Hans", "muller, hans"),
    ("Żak", "zak"),
    ("Łukasz Wierzbicki", "lukasz wierzbicki"),
    ("STRAẞE", "strasse"),
    ("Ægir", "aegir"),
    ("İnci Yıldız", "inci yildiz"),
    ("O’Neil", "oneil"),
    ("  Anne \u00a0 Marie ", "anne marie"),
    ("Αλέξης", "αλεξησ"),
    ("ﬁnn", "finn"),
    ("", ""),
]


@pytest.mark.parametrize(("name", "folded"), FOLDED)
def test_a_name_is_folded(name: str, folded: str) -> None:
    assert fold_name(name) == folded
    assert fold_name(folded) == folded


def test_a_folded_name_has_a_maximum_length() -> None:
    assert len(fold_name("\ufdfa" * 120)) == 240


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_a_name_without_accents_is_folded_like_others(text: str) -> None:
    assert f"{fold_name(text)} z".strip() == fold_name(f"{text} ż")


@pytest.fixture
def players(stranger: Person) -> None:
    by = stranger.account
    Player.objects.create(
        name="Müller",
        birth_year=1990,
        sex="w",
        external_ids={"fide": "123", "egf": "9"},
        registered_by=by,
    )
    Player.objects.create(name="MULLERová", birth_year=1991, external_ids={"fide": "1234"})
    Player.objects.bulk_create([Player(name="Żak", birth_year=1990), Player(name="100% Zoé_")])


SEARCHES = [
    ("name=muller", ["Müller", "MULLERová"]),
    ("name=M%C3%9CLLER", ["Müller", "MULLERová"]),
    ("name=0%25", ["100% Zoé_"]),
    ("name=_", ["100% Zoé_"]),
    ("name=ß", []),
    ("birth_year=1990", ["Müller"]),
    ("birth_year=1990&name=mull", ["Müller"]),
    ("external_id=fide:123", ["Müller"]),
    ("external_id=contains:9", []),
]


@pytest.mark.usefixtures("players")
@pytest.mark.parametrize(("query", "found"), SEARCHES)
def test_players_are_found(stranger: Person, query: str, found: list[str]) -> None:
    rows = stranger.get(f"players?{query}").json()["results"]

    assert [row["name"] for row in rows] == found


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("birth_year=1899", "invalid_parameter"),
        ("birth_year=2200", "invalid_parameter"),
        *(
            (f"updated_since={wrong}", "invalid_parameter")
            for wrong in (
                "2026-05-01",
                "2026-05-01T08:00:00",
                "2026-05-01T08:00:00+02:00",  # a space
                "2026-05-01%2008:00:00Z",
                "2026-02-30T08:00Z",
                "0001-01-01T00:00%2B14:00",
            )
        ),
        ("external_id=:123", "invalid_parameter"),
        ("external_id=fide:", "invalid_parameter"),
        ("external_id=a__b:1", "invalid_parameter"),
    ],
)
def test_an_invalid_search_is_rejected(stranger: Person, query: str, code: str) -> None:
    problem_in(stranger.get(f"players?{query}"), 422, code)


@pytest.mark.usefixtures("players")
def test_a_search_by_year_finds_the_players_whom_the_account_keeps(
    organiser: Person, stranger: Person, staff: Person
) -> None:
    """Otherwise anybody could find out the years of others, one search for each."""
    mia = make_person("Mia")
    Player.objects.filter(name="Müller").update(account=mia.account)
    Player.objects.filter(name="Żak").update(registered_by=stranger.account)

    def found(person: Person) -> list[str]:
        rows = person.get("players?birth_year=1990").json()["results"]
        return [row["name"] for row in rows]

    assert {person.name: found(person) for person in (organiser, stranger, staff, mia)} == {
        "Olga": [],
        "Stig": ["Żak"],  # Müller has a login now
        "Site": ["Müller", "Żak"],
        "Mia": ["Müller"],
    }


@pytest.mark.usefixtures("players")
@pytest.mark.parametrize("zone", ["Z", "%2B00:00", "-00:30"])
def test_the_players_changed_since_a_time(stranger: Person, anonymous: Person, zone: str) -> None:
    long_ago = datetime(2026, 5, 1, 8, tzinfo=UTC)
    Player._base_manager.update(updated_at=long_ago)
    muller, zak = (Player.objects.get(name=name) for name in ("Müller", "Żak"))
    Player._base_manager.filter(pk=zak.pk).update(updated_at=long_ago + timedelta(minutes=30))
    assert stranger.patch(f"players/{muller.pk}", {"club": "Rooks"}).status_code == 200

    def found(clock: str) -> list[str]:
        rows = anonymous.get(f"players?updated_since=2026-05-01T{clock}{zone}").json()["results"]
        return [row["name"] for row in rows]

    is_later = zone.startswith("-")
    assert found("08:00:00.000000") == (
        ["Müller", "Żak"] if is_later else ["Müller", "MULLERová", "Żak", "100% Zoé_"]
    )
    assert found("08:00:00.000001") == (["Müller"] if is_later else ["Müller", "Żak"])
    assert found("08:31") == ["Müller"]
