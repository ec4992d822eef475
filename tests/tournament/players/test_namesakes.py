"""Players who share a name are told apart in every list, by country, club, number or id."""

import re

import pytest
from django.test import Client

from games.core.namesakes import namesakes_of
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
    assert all(f"Jan Novak ({mark})" in content for mark in ("Rooks", "Moons"))


def test_in_the_check_of_a_round(director: Client, event: Event) -> None:
    event.step("start")
    page = director.post("/e/spring/run/rounds/1?dry_run=1", {"action": "check"}).content.decode()
    assert all(f"Jan Novak ({mark})" in page for mark in ("Rooks", "Moons"))


@pytest.mark.parametrize("is_of_one", [False, True])
def test_in_games_of_several_events(director: Client, event: Event, is_of_one: bool) -> None:
    Entry.objects.exclude(player__name="Kim").update(checked_in_round=1)
    Player.objects.filter(name="Eva").update(name="Jan Novak", club="Suns")
    event.step("start").play(1)
    game = event.games(1)[0]
    page = f"/players/{game.first_id}/games" if is_of_one else "/games"
    content = director.get(page).content.decode()
    assert all(f"Jan Novak ({player.club})" in content for player in (game.first, game.second))


def test_programs_get_the_names_themselves(anonymous: Person, event: Event) -> None:
    Entry.objects.update(checked_in_round=1)
    event.step("start").play(1)
    rows = anonymous.get(f"{event.path}/standings").json()["rows"]
    assert sorted(row["player"]["name"] for row in rows) == ["Eva", "Jan Novak", "Jan Novak", "Kim"]
    assert "(Rooks)" not in anonymous.get(f"{event.path}/standings.csv").content.decode()
    assert "(Rooks)" in anonymous.get(f"{event.path}/standings.html").content.decode()
    assert "(Rooks)" in anonymous.get(f"{event.path}/crosstable.html").content.decode()


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


def test_pages_of_a_running_event_tell_them_apart(director: Client, event: Event) -> None:
    event.tournament.entries.update(checked_in_round=1)
    event.step("start").publish(1)
    rook = event.tournament.entries.get(player__name="Jan Novak", player__club="Rooks")
    card = director.get(f"/e/spring/players/{rook.pairing_number}").content.decode()
    assert "<h2>Jan Novak (Rooks)</h2>" in card
    assert "<title>Jan Novak (Rooks)" in card
    pages = ["run/rounds/1", "run/rounds/1/results", "rounds/1"]
    for page in pages:
        found = director.get(f"/e/spring/{page}").content.decode()
        assert "Jan Novak (Rooks)" in found, page
        assert "Jan Novak (Moons)" in found, page
    form = {"action": "commit", "results": "1 1 0-1\n1 2 0-1", "reason": "a slip"}
    event.finish(1)
    found = director.post("/e/spring/run/corrections?dry_run=1", form).content.decode()
    assert "Jan Novak (Rooks)" in found
    assert "Jan Novak (Moons)" in found
    event.draft(2)
    found = director.get("/e/spring/run/rounds/2").content.decode()
    assert "Jan Novak (Rooks)" in found
    form = {"action": "pair", "if_match": "*"}
    found = director.post("/e/spring/run/rounds/2?dry_run=1", form).content.decode()
    preview = found.partition('id="preview"')[2].partition("</section>")[0]
    assert "Jan Novak (Moons)" in preview


def test_in_a_dispute(director: Client, organiser: Person, event: Event) -> None:
    event.tournament.entries.update(checked_in_round=1)
    event.step("start").publish(1)
    game = next(
        game for game in event.games(1) if "Jan Novak" in (game.first.name, game.second.name)
    )
    create_links(event.tournament, by=organiser.account)
    for player, claimed in ((game.first, "11-10"), (game.second, "10-11")):
        client = Client()
        client.defaults["HTTP_PREFER"] = "wait=0"  # no worker settles what it reports
        link = PersonalLink.objects.get(entry__player=player)
        client.post("/e/spring/me", {"action": "open", "link": token_of(link)})
        form = {"action": "claim", "claim.result": claimed}
        assert client.post(f"/games/{game.pk}/reports", form).status_code == 303
        settle()
    jan = next(player for player in (game.first, game.second) if player.name == "Jan Novak")
    named = f"Jan Novak ({jan.club})"

    assert named in client.get("/e/spring/me").content.decode()
    for page in ("run", "run/disputes", f"run/games/{game.pk}"):
        content = director.get(f"/e/spring/{page}").content.decode()
        assert named in content, page
        assert "Jan Novak –" not in content, page
    entry = event.tournament.entries.get(player=jan)
    page = director.get(f"/e/spring/run/entries/{entry.pk}").content.decode()
    assert f"<h2>{entry.pairing_number} {named}</h2>" in page


def test_in_the_ratings(director: Client, organiser: Person) -> None:
    event = make_event(organiser, slug="rated", pool="star", rounds=1)
    clubs = ("Rooks", "Moons")
    event.enter(*(Player.objects.create(name="Jan Novak", club=club) for club in clubs))
    event.step("open", "start").play(1)
    page = director.get("/e/rated/ratings").content.decode()
    assert all(f"Jan Novak ({club})" in page for club in clubs)


def test_in_the_reasons_of_a_board(director: Client, event: Event) -> None:
    event.tournament.entries.update(checked_in_round=1)
    event.step("start").publish(1)
    boards = [director.get(f"/e/spring/rounds/1/boards/{board}") for board in (1, 2)]
    pages = [" ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split()) for page in boards]
    reasons = [page.partition("Why this pairing")[2] for page in pages]
    assert any("Jan Novak (" in text for text in reasons)
    assert not any(re.search(r"Jan Novak (?!\()", text) for text in pages)


def test_on_the_pages_of_a_game(director: Client, organiser: Person, event: Event) -> None:
    event.tournament.entries.update(checked_in_round=1)
    event.step("start").publish(1)
    game = next(game for game in event.games(1) if "Eva" in (game.first.name, game.second.name))
    names = {player.name: f"Jan Novak ({player.club})" for player in (game.first, game.second)}
    jan = next(names[name] for name in names if name != "Eva" and name != "Kim")
    page = f"/games/{game.pk}"

    for path in (page, f"{page}/reports"):
        content = director.get(path).content.decode()
        assert jan in content, path
        assert not re.search(r"Jan Novak(?! \()", content), path


def test_on_the_pages_of_a_game_of_two_namesakes(director: Client, organiser: Person) -> None:
    event = make_event(organiser, slug="rated", pool="star", rounds=1)
    clubs = ("Rooks", "Moons")
    event.enter(*(Player.objects.create(name="Jan Novak", club=club) for club in clubs))
    event.step("open", "start").play(1)
    page = f"/games/{event.games(1)[0].pk}"

    for path in (page, f"{page}/embed", f"{page}/ratings", f"{page}/reports"):
        content = director.get(path).content.decode()
        assert all(f"Jan Novak ({club})" in content for club in clubs), path
        assert not re.search(r"Jan Novak(?! \()", content), path
