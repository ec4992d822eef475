"""Players who share a name are told apart in every list, by country, club, number or id."""

import re
from typing import Any

import pytest
from django.test import Client

from games.core.namesakes import namesakes_of, number_after
from games.models import Player
from tests.events import Event, make_event, settle
from tests.people import Person
from tournament.entries.links import create_links, token_of
from tournament.models import Entry, PersonalLink

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


BOTH = ("Jan Novak (Rooks)", "Jan Novak (Moons)")


def test_before_the_start(director: Client, event: Event) -> None:
    director.post("/e/spring/run/links", {"action": "create"})
    for page in ("run/check-in", "run/entries", "run/links", "players"):
        content = director.get(f"/e/spring/{page}").content.decode()
        assert all(label in content for label in BOTH), page
        assert "Eva (" not in content
        assert "1990" not in content


def test_of_a_running_event(director: Client, event: Event, printed: list[Any]) -> None:
    Entry.objects.update(checked_in_round=1)
    event.step("start")
    check = director.post("/e/spring/run/rounds/1?dry_run=1", {"action": "check"})
    assert all(label in check.content.decode() for label in BOTH)
    event.publish(1)
    rook = event.tournament.entries.get(player__name="Jan Novak", player__club="Rooks")
    pages = ["run/rounds/1", "run/rounds/1/results", "rounds/1"]
    for page in (*pages, f"players/{rook.pairing_number}"):
        content = director.get(f"/e/spring/{page}").content.decode()
        assert BOTH[0] in content, page
        assert BOTH[1] in content or page.startswith("players"), page
    overview = director.get("/e/spring").content.decode()
    assert all(label in overview for label in BOTH)
    for sheet in ("slips", "pairings"):
        director.get(f"/api/v1/{event.path}/rounds/1/{sheet}.pdf")
        assert all(label in str(printed[-1]) for label in BOTH), sheet
    event.finish(1)
    for page in ("", "/standings", "/crosstable", "/wall", "/games"):
        content = director.get(f"/e/spring{page}").content.decode()
        assert all(label in content for label in BOTH), page
    form = {"action": "commit", "results": "1 1 0-1\n1 2 0-1", "reason": "a slip"}
    found = director.post("/e/spring/run/corrections?dry_run=1", form).content.decode()
    assert all(label in found for label in BOTH)
    form = {"action": "pair", "if_match": "*"}
    found = director.post("/e/spring/run/rounds/2?dry_run=1", form).content.decode()
    preview = found.partition('id="preview"')[2].partition("</section>")[0]
    assert BOTH[1] in preview


def test_programs_get_the_names_themselves(anonymous: Person, event: Event) -> None:
    Entry.objects.update(checked_in_round=1)
    event.step("start").play(1)
    rows = anonymous.get(f"{event.path}/standings").json()["rows"]
    assert sorted(row["player"]["name"] for row in rows) == ["Eva", "Jan Novak", "Jan Novak", "Kim"]
    assert "(Rooks)" not in anonymous.get(f"{event.path}/standings.csv").content.decode()
    assert "(Rooks)" in anonymous.get(f"{event.path}/standings.html").content.decode()


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


def test_on_the_pages_of_a_dispute(director: Client, organiser: Person) -> None:
    event = make_event(organiser, slug="rated", pool="star", rounds=1)
    clubs = ("Rooks", "Moons")
    event.enter(*(Player.objects.create(name="Jan Novak", club=club) for club in clubs))
    (game,) = event.step("open", "start").publish(1)
    create_links(event.tournament, by=organiser.account)
    for player, claimed in ((game.first, "11-10"), (game.second, "10-11")):
        client = Client()
        client.defaults["HTTP_PREFER"] = "wait=0"  # no worker settles what it reports
        link = PersonalLink.objects.get(entry__player=player)
        client.post("/e/rated/me", {"action": "open", "link": token_of(link)})
        form = {"action": "claim", "claim.result": claimed}
        assert client.post(f"/games/{game.pk}/reports", form).status_code == 303
        settle()

    entry = event.tournament.entries.get(player=game.first)
    assert f"Jan Novak ({game.second.club})" in client.get("/e/rated/me").content.decode()
    for page in ("run", "run/disputes", f"run/games/{game.pk}", f"run/entries/{entry.pk}"):
        content = director.get(f"/e/rated/{page}").content.decode()
        assert f"Jan Novak ({game.first.club})" in content, page


def test_on_the_pages_of_a_game_of_two_namesakes(director: Client, organiser: Person) -> None:
    event = make_event(organiser, slug="rated", pool="star", rounds=1)
    clubs = ("Rooks", "Moons")
    event.enter(*(Player.objects.create(name="Jan Novak", club=club) for club in clubs))
    event.step("open", "start").play(1)
    game = event.games(1)[0]
    page = f"/games/{game.pk}"

    lists = ("/games", f"/players/{game.first_id}/games", "/e/rated/ratings")
    own = (page, f"{page}/embed", f"{page}/ratings", f"{page}/reports")
    for path in (*lists, *own, "/e/rated/rounds/1/boards/1"):
        content = director.get(path).content.decode()
        assert all(label in content for label in BOTH), path
        if path in own:
            assert not re.search(r"Jan Novak(?! \()", content), path


@pytest.mark.parametrize(
    ("name", "after"), [("Jan", " (14)"), ("Jan (number 14)", ""), ("Jan (number 114)", " (14)")]
)
def test_a_name_that_says_its_number_has_it_once(name: str, after: str) -> None:
    assert number_after(name, 14) == after
