"""The public pages of an event: pairings, boards, tables, players, games, files."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.play.services import rule_game
from games.rules.game_outcome import RulingTermination
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, cursor_of, make_person, make_player, player_of
from tests.tournament.conftest import OpenPage
from tournament.entries.byes import request_bye
from tournament.entries.services import withdraw_entry
from tournament.models import Bye, Round

pytestmark = pytest.mark.any_database

PRIZE = {"name": "Open", "amounts": [500, 300]}
PAGES = (
    "", "/rounds/1", "/rounds/2", "/rounds/2?by=name", "/rounds/1/boards/1", "/rounds/2/byes/1",
    "/standings", "/standings?tiebreaks=BH,PTS", "/standings?round=1", "/crosstable",
    "/crosstable?order=number&shape=square", "/players", "/players/1", "/players/1?round=1",
    "/players/7?tiebreaks=PTS,ARO", "/prizes", "/clubs", "/clubs?by=country&best=2", "/games",
    "/exports", "/calendar", "/corrections", "/journal",
)  # fmt: skip


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """Seven players after one of three rounds; the second is published, with one result.

    Ada has a half-point bye in round 2. After its publication Player 5 has withdrawn.
    """
    organiser, ada = make_person("Olga"), make_player("Ada", 2100)
    fields = {"tiebreaks": ["PTS", "BH", "SB"], "prizes": [PRIZE], "system": "dutch"}
    event = make_event(organiser, **fields)
    players = make_players(6)
    players[0].club = "Rooks"
    players[0].save()
    (own, *_) = event.enter(player_of(ada), *players)
    event.step("open", "start").play(1)
    request_bye(own, 2, Bye.Kind.HALF, by=organiser.account)
    games = event.publish(2)
    forfeit = {"result": "1-0", "termination": RulingTermination.FORFEIT}
    rule_game(games[0], by=organiser.account, reason="absent", **forfeit)
    settle()
    late = event.tournament.entries.get(player=players[5])
    withdraw_entry(late, by=organiser.account)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


def test_the_own_row_is_marked(open_page: OpenPage, ada: Person, event: Event) -> None:
    for path in ("/rounds/1", "/rounds/1?by=name", "/standings", "/crosstable", "/players"):
        own = open_page(f"/e/spring{path}", ada).content.decode()
        assert own.count('<tr class="own">') == 1, path
        assert '<tr class="own">' not in open_page(f"/e/spring{path}").content.decode()


def test_an_open_overview_changes_its_headings_with_its_boards(
    open_page: OpenPage, event: Event
) -> None:
    """The script replaces the parts with `data-live`: each that names the round must be one."""
    page = open_page("/e/spring").content.decode()
    ids = re.findall(r' id="([^"]+)"', page)

    assert len(ids) == len(set(ids))
    for part in re.findall(r"<(?:h2|span)[^>]*>(?:<span[^>]*>)?Round 2 of 3", page):
        assert "data-live" in part
    assert re.search(r'id="boards" data-live data-of="2"', page)
    leaders = re.search(r'id="leaders" data-live data-of="1 True">\s*<h2>(.*?)</h2>', page)
    assert leaders
    assert leaders[1] == "Standings after round 1"
    assert 'id="rounds" data-live ' in page
    assert re.search(r'id="all-boards" data-live><a[^>]*/rounds/2"', page)


def test_every_page_follows_the_event(open_page: OpenPage, ada: Person, event: Event) -> None:
    parts = {
        "": "boards", "/rounds/2": "pairings", "/standings": "table", "/crosstable": "table",
        "/me": "own-game", "/players": "player-list", "/games": "progress",
    }  # fmt: skip
    for path, part in parts.items():
        page = open_page(f"/e/spring{path}", ada).content.decode()
        assert page.count("data-live-events") == page.count("tournament/stream.js") == 1, path
        assert f'id="{part}" data-live' in page, path


def test_pages_follow_the_entries_before_the_start(open_page: OpenPage, organiser: Person) -> None:
    make_event(organiser, slug="coming", places=8).step("open")
    for path, parts in {"": ("player-count", "free-places"), "/players": ("player-list",)}.items():
        page = open_page(f"/e/coming{path}").content.decode()
        for part in parts:
            assert f'id="{part}" data-live' in page, part


def test_a_draft_is_only_for_officials(
    open_page: OpenPage, organiser: Person, ada: Person, event: Event
) -> None:
    Round.objects.filter(tournament=event.tournament, number=2).update(state="drafted")

    for path in ("rounds/2", "rounds/2/boards/1", "rounds/2/byes/1"):
        for person, status in ((None, 404), (ada, 404), (organiser, 200)):
            assert open_page(f"/e/spring/{path}", person).status_code == status, path
    assert "half-point bye" not in open_page("/e/spring/players/1").content.decode()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("rounds/9", 404),
        ("rounds/99999999999999999999", 404),
        ("standings?round=2", 422),
        ("standings?round=%00", 422),
        ("clubs?best=0", 422),
        (f"games?cursor={cursor_of('/e/spring/games', [10**18])}", 200),
    ],
)
def test_invalid_addresses(open_page: OpenPage, event: Event, path: str, status: int) -> None:
    answer = open_page(f"/e/spring/{path}", headers={"Accept": "text/html"})

    assert answer.status_code == status
    assert answer["Content-Type"].startswith("text/html")


def test_why_two_players_do_not_meet(open_page: OpenPage, ada: Person, event: Event) -> None:
    def ask(person: Person | None, **numbers: object) -> Any:
        form = {"action": "explain", **numbers}
        return open_page("/e/spring/rounds/1", person, form)

    assert "Player 2" in ask(ada, first_number=2, second_number=3).content.decode()
    rejected = ask(ada, first_number=2, second_number="x")
    assert rejected.status_code == 422
    assert 'value="x"' in rejected.content.decode()
    assert ask(ada, first_number=2, second_number=99).status_code == 422
    assert ask(None, first_number=2, second_number=3).status_code == 401


@pytest.mark.parametrize("path", ["standings", "rounds/2"])
def test_a_stranger_who_has_the_page_gets_304_until_it_changes(
    one_day: None, open_page: OpenPage, organiser: Person, event: Event, path: str
) -> None:
    address = f"/e/spring/{path}"
    known = {"If-None-Match": open_page(address)["ETag"]}

    assert open_page(address, headers=known).status_code == 304
    assert open_page(address, organiser, headers=known).status_code == 200
    in_german = {**known, "Accept-Language": "de"}
    assert open_page(address, headers=in_german).status_code == 200
    rule_game(event.games(2)[1], by=organiser.account, reason="seen", result="11-10")
    settle()
    assert open_page(address, headers=known).status_code == 200


def test_the_number_of_queries_is_constant(open_page: OpenPage, event: Event) -> None:
    def count(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert open_page(f"/e/spring{path}").status_code == 200
        return len(queries)

    paths = [path for path in PAGES if path != "/rounds/2/byes/1"]
    count("/rounds/1/boards/1")  # computes the explanation
    before = {path: count(path) for path in paths}
    event.finish(2)
    event.publish(3)
    after = {path: count(path) for path in paths}

    assert after == before
    assert max(before.values()) <= 17


def test_a_player_sees_the_pages_of_a_private_event(
    open_page: OpenPage, ada: Person, event: Event
) -> None:
    """Others do not: see test_page_leaks.py."""
    event.tournament.public = False
    event.tournament.save()

    for path in ("", "/rounds/2", "/standings", "/players/1", "/games", "/journal", "/wall/state"):
        assert open_page(f"/e/spring{path}", ada).status_code == 200, path


def test_the_session_of_a_page_reads_files_and_writes_nothing(
    open_page: OpenPage, organiser: Person, stranger: Person, event: Event
) -> None:
    event.tournament.public = False
    event.tournament.save()
    file = "/api/v1/tournaments/spring/standings.csv"

    assert open_page(file, organiser).status_code == 200
    assert open_page(file, stranger).status_code == 404
    write = "/api/v1/tournaments/spring/rounds/2/complete"
    assert open_page(write, organiser, {}).status_code == 404  # as without the session
