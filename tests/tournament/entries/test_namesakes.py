"""Players who share a name are told apart in every list, by country, club, number or id."""

import pytest
from django.test import Client

from games.core.namesakes import namesakes_of
from games.models import Player
from tests.events import Event, make_event
from tests.people import Person
from tournament.models import Entry

pytestmark = pytest.mark.django_db

JAN = {"id": 1, "name": "Jan Novak", "country": "CZE", "club": None}
CASES = [
    ([JAN, JAN], {}, {}),
    ([JAN, {**JAN, "id": 2, "name": "Ada"}], {}, {}),
    ([JAN, {**JAN, "id": 2, "country": "POL"}], {}, {1: "Jan Novak (CZE)", 2: "Jan Novak (POL)"}),
    (
        [JAN | {"club": "Rooks"}, {**JAN, "id": 2, "name": "JAN NOVÁK", "club": "Moons"}],
        {},
        {1: "Jan Novak (Rooks)", 2: "JAN NOVÁK (Moons)"},
    ),
    (
        [JAN, {**JAN, "id": 2, "club": "Moons"}],
        {1: 7, 2: 9},
        {1: "Jan Novak (number 7)", 2: "Jan Novak (number 9)"},
    ),
    (
        [JAN, {**JAN, "id": 2, "country": None}],
        {1: 7},
        {1: "Jan Novak (#1)", 2: "Jan Novak (#2)"},
    ),
]


@pytest.mark.parametrize(("players", "numbers", "names"), CASES)
def test_what_distinguishes_them(
    players: list[dict[str, object]], numbers: dict[int, int], names: dict[int, str]
) -> None:
    assert namesakes_of(players, numbers) == names


@pytest.fixture
def event(organiser: Person) -> Event:
    """Two players of one name, of two clubs, and two others."""
    event = make_event(organiser, system="dutch", check_in="tournament")
    names = ("Jan Novak", "Rooks"), ("Jan Novak", "Moons"), ("Eva", "Rooks"), ("Kim", "")
    players = [Player.objects.create(name=name, club=club, birth_year=1990) for name, club in names]
    event.enter(*players)
    return event.step("open")


@pytest.fixture
def director(client: Client, organiser: Person) -> Client:
    client.force_login(organiser.account)
    return client


@pytest.mark.parametrize("page", ["run/check-in", "run/entries", "run/links", "players"])
def test_before_the_start(director: Client, event: Event, page: str) -> None:
    director.post("/e/spring/run/links", {"action": "create"})
    content = director.get(f"/e/spring/{page}").content.decode()
    assert "Jan Novak (Rooks)" in content
    assert "Jan Novak (Moons)" in content
    assert "Eva (" not in content
    assert "1990" not in content


@pytest.mark.parametrize("page", ["", "/standings", "/crosstable", "/wall", "/games"])
def test_of_a_running_event(director: Client, event: Event, page: str) -> None:
    Entry.objects.update(checked_in_round=1)
    event.step("start").play(1)
    content = director.get(f"/e/spring{page}").content.decode()
    marks = "#" if page == "/games" else "Rooks", "#" if page == "/games" else "Moons"
    assert all(f"Jan Novak ({mark}" in content for mark in marks)


def test_programs_get_the_names_themselves(anonymous: Person, event: Event) -> None:
    Entry.objects.update(checked_in_round=1)
    event.step("start").play(1)
    rows = anonymous.get(f"{event.path}/standings").json()["rows"]
    assert sorted(row["player"]["name"] for row in rows) == ["Eva", "Jan Novak", "Jan Novak", "Kim"]
    assert "(Rooks)" not in anonymous.get(f"{event.path}/standings.csv").content.decode()
    assert "(Rooks)" in anonymous.get(f"{event.path}/standings.html").content.decode()
    assert "(Rooks)" in anonymous.get(f"{event.path}/crosstable.svg").content.decode()


def test_a_part_of_the_list_tells_them_from_the_others(director: Client, event: Event) -> None:
    Entry.objects.update(checked_in_round=1)
    event.tournament.prizes = [{"name": "Open", "amounts": [100]}]
    event.tournament.save(update_fields=["prizes"])
    event.step("start").play(1)
    winner = event.tournament.entries.get(pairing_number=1)
    assert winner.player.name == "Eva"
    Player.objects.filter(pk=winner.player_id).update(name="Jan Novak")
    page = director.get("/e/spring/prizes").content.decode()
    assert "Jan Novak (number 1)" in page
    assert page.count(">Jan Novak") == 1
