"""Stored responses: who gets them, what they contain, and that each change is seen at once."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import DatabaseError, connection, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from deploy import public_reads
from deploy.public_reads import PERIOD, state_of
from games.core.broker import clear
from games.core.journal.lines import NewLine, append_lines, find_head
from games.core.tables import typesetting
from tests.deploy.stored_reads import READS, check_stored_reads, content_of, storing
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, make_person, make_player, player_of, problem_in
from tournament.core.heads import site_state
from tournament.core.rankings import compute_table
from tournament.models import Tournament
from tournament.tables import recent as recent_tables

pytestmark = pytest.mark.django_db
STANDINGS = "/api/v1/tournaments/spring/standings"
PAGE = "/e/spring/standings"
GAMES = "/api/v1/games?tournament_slug=spring"
HOME = "/"
PAIRINGS = "/api/v1/tournaments/spring/rounds/1/pairings"


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> dict[str, Any]:
    """An event of four players after its first round; the second one is drafted."""
    organiser, ada = make_person("Olga"), make_player("Ada", 2100)
    people = [make_player(name, 2000 - 50 * n) for n, name in enumerate(["Ben", "Cyd", "Dan"], 1)]
    event = make_event(organiser, system="dutch")
    event.enter(player_of(ada), *map(player_of, people))
    event.step("open", "start").play(1)
    event.draft(2)
    staff = make_person("Staff", is_staff=True)
    return {"organiser": organiser, "ada": ada, "event": event, "staff": staff}


@pytest.fixture
def start(db: None, played: dict[str, Any]) -> dict[str, Any]:
    return played | {"event": played["event"].again()}


@pytest.fixture
def organiser(start: dict[str, Any]) -> Person:
    found: Person = start["organiser"]
    return found


@pytest.fixture
def ada(start: dict[str, Any]) -> Person:
    found: Person = start["ada"]
    return found


@pytest.fixture(autouse=True)
def stored(start: dict[str, Any]) -> Iterator[None]:
    with storing():
        yield


@pytest.fixture
def visitor() -> Client:
    return Client()


def is_stored(visitor: Client, read: str) -> bool:
    """Return True if the second read asks the database for the heads of journals only."""
    first = visitor.get(read)
    with CaptureQueriesContext(connection) as queries:
        second = visitor.get(read)
    assert content_of(first) == content_of(second)
    return first.status_code == 200 and len(queries) == 1


COOKIE = f"{settings.SESSION_COOKIE_NAME}={'x' * 32}"
STRANGERS: dict[str, tuple[dict[str, str], int]] = {
    "without a cookie": ({}, 1),
    "with a cookie of another site": ({"cookie": "seen=1"}, 1),
    "with a cookie that has the form of a session's": ({"cookie": COOKIE}, 2),
}
"""The headers of a stranger, and the queries of a stored read: the heads, and the session."""


@pytest.mark.parametrize("read", [STANDINGS, PAIRINGS, GAMES, PAGE, HOME, "/api/v1/tournaments"])
@pytest.mark.parametrize(("headers", "queries"), STRANGERS.values(), ids=STRANGERS)
def test_the_second_read_only_looks_for_changes(
    visitor: Client,
    read: str,
    headers: dict[str, str],
    queries: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    first = Client().get(read)

    with django_assert_num_queries(queries):
        second = Client().get(read, headers=headers)
    with django_assert_num_queries(queries):
        unchanged = Client().get(read, headers={**headers, "if-none-match": first["ETag"]})

    assert content_of(second) == content_of(first)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged["ETag"] == first["ETag"]


def test_a_session_without_a_login_is_that_of_a_stranger(visitor: Client) -> None:
    visitor.session.save()
    assert is_stored(Client(), PAGE)

    with CaptureQueriesContext(connection) as queries:
        assert visitor.get(PAGE).status_code == 200
    assert len(queries) == 2


def test_headers_are_those_of_the_computed_response(visitor: Client) -> None:
    for read in (STANDINGS, PAGE):
        computed = dict(visitor.get(read, headers={"x-request-id": "computed"}).headers)
        stored = dict(visitor.get(read, headers={"x-request-id": "repeated"}).headers)

        rates = (computed.pop("RateLimit"), stored.pop("RateLimit"))
        assert rates[0] != rates[1]
        assert (computed.pop("X-Request-ID"), stored.pop("X-Request-ID")) == (
            "computed",
            "repeated",
        )
        assert stored == computed


@pytest.mark.parametrize(
    ("name", "value"),
    [("if-none-match", "the tag"), ("if-none-match", "*"), ("if-match", '"other"')],
)
def test_a_stored_read_meets_conditions_as_a_computed_one_does(
    visitor: Client, settings: Any, name: str, value: str
) -> None:
    for read in (STANDINGS, PAGE):
        tag = visitor.get(read)["ETag"]
        headers = {name: tag if value == "the tag" else value}
        stored = visitor.get(read, headers=headers)
        settings.STORED_RESPONSES = 0
        computed = visitor.get(read, headers=headers)
        settings.STORED_RESPONSES = 400

        assert (stored.status_code, stored.content) == (computed.status_code, computed.content)
        assert stored["RateLimit-Policy"] == computed["RateLimit-Policy"]


def test_what_a_page_does_not_read_is_no_other_page(
    visitor: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    page = visitor.get(f"{PAGE}?round=1")
    with django_assert_num_queries(1):
        other = visitor.get(f"{PAGE}?at=1&round=1&next=/x")

    assert content_of(other) == content_of(page)
    assert b"round%3D1" in page.content
    assert content_of(visitor.get(PAGE)) != content_of(page)


def test_the_page_of_a_game_is_stored_until_the_next_turn(
    visitor: Client, start: dict[str, Any], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    event = start["event"]
    event.publish(2)
    game = event.games(2)[0]
    pages = [f"/games/{game.pk}", f"/games/{game.pk}/embed"]
    assert [is_stored(visitor, page) for page in pages] == [False, False]
    organiser = start["organiser"]
    organiser.post(f"games/{game.pk}/live")
    for number, turn in enumerate(("S10", "T10"), 1):
        organiser.post(f"games/{game.pk}/live/turns", {"number": number, "turns": [turn]})
        board = f"/e/spring/live/{game.pk}/{number + 1}"
        for page, queries in (*((page, 2) for page in pages), (board, 1), ("/e/spring", 1)):
            first = visitor.get(page)
            with django_assert_num_queries(queries):
                assert content_of(visitor.get(f"{page}?next=/")) == content_of(first)
            if page != "/e/spring":  # whose script follows
                assert f"Turn {number}" in first.content.decode(), page
        assert visitor.get(board)["Cache-Control"] == "public, max-age=600"


def test_accepting_the_same_in_other_words_is_no_other_read(
    visitor: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    read = visitor.get(f"{STANDINGS}?round=1&terms=1")
    with django_assert_num_queries(1):
        other = visitor.get(
            f"{STANDINGS}?terms=1&round=1", headers={"accept": "application/json;q=0.7,*/*;q=0.1"}
        )

    assert content_of(other) == content_of(read)
    csv = visitor.get(f"{STANDINGS}?round=1", headers={"accept": "text/csv"})
    assert csv["Content-Type"].startswith("text/csv")


def test_all_reads_of_an_event_are_stored(visitor: Client) -> None:
    addresses = {read.format(slug="spring", last=1) for read in READS}

    assert [address for address in addresses if not is_stored(visitor, address)] == []


@pytest.mark.parametrize(
    "read",
    ["/api/v1/games", "/games", f"{PAIRINGS}?explain=1", "/e/unknown", "/search?q=ada",
     "/api/v1/tournaments/spring/standings?round=9", "/api/v1/tournaments/spring/rounds/2/pairings",
     "/api/v1/games?tournament_slug=spring2"],
)  # fmt: skip
def test_other_responses_are_not_stored(visitor: Client, read: str) -> None:
    assert "public" not in visitor.get(read).headers.get("Cache-Control", "")


@pytest.mark.parametrize(
    "sheet",
    [f"{STANDINGS}.pdf", PAIRINGS.replace("pairings", "sheets.pdf")],
)
def test_a_sheet_is_typeset_once_for_all_strangers(
    visitor: Client, ada: Person, start: dict[str, Any], sheet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    typeset = []
    monkeypatch.setattr(
        typesetting, "typeset", lambda *data: typeset.append(data) or b"%PDF of a sheet"
    )
    assert visitor.get(sheet).status_code == 200
    number = len(typeset)
    with CaptureQueriesContext(connection) as queries:
        assert Client().get(sheet)["Content-Type"] == "application/pdf"
    assert (len(typeset), len(queries)) == (number, 1)
    assert visitor.get(f"{sheet}?paper=letter").status_code == 200
    assert ada.get(sheet).status_code == 200
    assert len(typeset) == 3 * number

    start["organiser"].patch("tournaments/spring", {"name": "Autumn Open"})
    assert visitor.get(sheet).status_code == 200
    assert len(typeset) == 4 * number


def test_the_sheets_of_a_large_event_are_typeset_once(
    visitor: Client, start: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    typeset = []
    monkeypatch.setattr(
        typesetting, "typeset", lambda *data: typeset.append(data) or b"%PDF".ljust(9 << 20)
    )
    sheets = PAIRINGS.replace("pairings", "sheets.pdf")

    assert len(visitor.get(sheets).content) == 9 << 20
    number = len(typeset)
    assert len(Client().get(sheets).content) == 9 << 20
    assert len(typeset) == number


@pytest.mark.parametrize("read", [f"{STANDINGS}?terms=1", f"{STANDINGS}.xlsx", PAGE])
def test_what_is_larger_than_usual_is_stored_elsewhere(
    visitor: Client, read: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_reads, "USUAL", 0)
    monkeypatch.setitem(caches["responses"].__dict__, "set", pytest.fail)

    assert is_stored(visitor, read)


def test_a_proxy_may_share_a_response_for_two_seconds(visitor: Client, ada: Person) -> None:
    for read in (STANDINGS, PAGE):
        for _ in range(2):
            response = visitor.get(read)
            assert response["Cache-Control"] == "public, max-age=0, s-maxage=2"
            assert {"Cookie", "Authorization", "Accept-Language"} <= set(
                response["Vary"].split(", ")
            )
        unchanged = visitor.get(read, headers={"if-none-match": response["ETag"]})
        assert unchanged["Cache-Control"] == "public, max-age=0, s-maxage=2"
    assert "public" not in ada.get(STANDINGS).headers.get("Cache-Control", "")


@pytest.mark.parametrize("read", [STANDINGS, PAGE])
@pytest.mark.parametrize("order", [("get", "head"), ("head", "get")])
def test_head_has_the_fields_of_get(visitor: Client, read: str, order: tuple[str, str]) -> None:
    responses = [getattr(visitor, method)(read) for method in order]

    first, second = ({**response.headers} for response in responses)
    for fields in (first, second):
        fields.pop("RateLimit", None)
        fields.pop("X-Request-ID", None)
    assert first == second
    assert first["Cache-Control"] == "public, max-age=0, s-maxage=2"
    assert [len(response.content) > 0 for response in responses] == [m == "get" for m in order]


def test_a_login_gets_what_it_may_see(visitor: Client, organiser: Person, ada: Person) -> None:
    drafted = "/e/spring/rounds/2"
    assert visitor.get(drafted).status_code == 404
    browser = Client()
    browser.force_login(organiser.account)

    assert browser.get(drafted).status_code == 200
    page = browser.get(PAGE).content
    assert (b"Direct" in page, b"Olga" in page) == (True, True)
    assert organiser.get("tournaments/spring/rounds/2/pairings").status_code == 200
    assert ada.get(STANDINGS)["RateLimit"].startswith('"token"')

    assert visitor.get(drafted).status_code == 404
    assert b"Olga" not in visitor.get(PAGE).content


def test_a_late_entry_is_in_the_one_table_of_all_readers(
    visitor: Client, event: Event, organiser: Person, ada: Person
) -> None:
    (late,) = make_players(1)
    body = {"player_id": late.pk}
    assert organiser.post(f"{event.path}/entries", body).status_code == 201

    for _ in range(2):
        assert late.name in organiser.get(STANDINGS).content.decode()
        assert late.name in ada.get(STANDINGS).content.decode()
        assert late.name in visitor.get(STANDINGS).content.decode()


def test_a_table_is_computed_once_for_all_of_its_pages(
    start: dict[str, Any], visitor: Client, monkeypatch: Any
) -> None:
    computed = []

    def compute(*args: Any, **options: Any) -> Any:
        computed.append(options)
        return compute_table(*args, **options)

    monkeypatch.setattr(recent_tables, "compute_table", compute)
    browser = Client()
    browser.force_login(start["ada"].account)
    for client in (visitor, browser):
        for page in ("standings", "crosstable", "clubs", "prizes", "players/1", "wall"):
            assert client.get(f"/e/spring/{page}").status_code == 200

    assert len(computed) == 1


def test_a_table_has_the_settings_of_its_state(event: Event) -> None:
    """The tournament was loaded before another request changed it."""
    loaded = Tournament.objects.get(pk=event.tournament.pk)
    Tournament.objects.filter(pk=loaded.pk).update(tiebreaks=["PTS", "TPN"])

    table = recent_tables.recent_table(loaded, through=1)

    assert table.labels == ("PTS", "TPN")


def test_a_private_event_is_not_found_at_once(
    visitor: Client, organiser: Person, event: Event
) -> None:
    tag = visitor.get(STANDINGS)["ETag"]
    assert visitor.get(PAGE).status_code == 200

    changed = organiser.patch(event.path, {"public": False}, If_Match="*")

    assert changed.status_code == 200, changed.content
    for read in (STANDINGS, PAGE, PAIRINGS):
        assert visitor.get(read).status_code == 404
        assert visitor.get(read, headers={"if-none-match": tag}).status_code == 404
        assert visitor.get(read, headers={"if-none-match": "*"}).status_code == 404
    refused = visitor.get(GAMES)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_parameter")


Change = Callable[[dict[str, Any]], HttpResponse]
CHANGES: dict[str, tuple[Change, str]] = {
    "the name of the event": (
        lambda p: p["organiser"].patch("tournaments/spring", {"name": "Other"}, If_Match="*"),
        "/e/spring",
    ),
    "the name of a player": (
        lambda p: p["staff"].patch(
            f"players/{player_of(p['ada']).pk}", {"name": "Adah"}, If_Match="*"
        ),
        STANDINGS,
    ),
    "an erased player": (
        lambda p: p["staff"].post(f"players/{player_of(p['ada']).pk}/erase"),
        "/e/spring/crosstable",
    ),
    "a published round": (
        lambda p: p["organiser"].post("tournaments/spring/rounds/2/publish", {}, If_Match="*"),
        "/e/spring/rounds/2",
    ),
    "an open round": (
        lambda p: p["organiser"].post(
            "tournaments/spring/rounds/1/reopen", {"reason": "mistake"}, If_Match="*"
        ),
        STANDINGS,
    ),
    "a player in the list of the site": (
        lambda p: p["staff"].post("players", {"name": "Eve"}),
        "/api/v1/players",
    ),
    "an event in the list of the site": (
        lambda p: (
            make_event(p["organiser"], slug="autumn")
            and p["organiser"].post("tournaments/autumn/open")
        ),
        HOME,
    ),
}
"""What changes, and a read that shows it."""


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_seen_at_once(visitor: Client, start: dict[str, Any], name: str) -> None:
    change, read = CHANGES[name]
    before = content_of(visitor.get(read))

    response = change(start)
    assert response.status_code < 300, response.content

    assert content_of(visitor.get(read)) != before
    check_stored_reads("spring", [read])


def test_a_report_and_its_deadline_are_seen_at_once(
    visitor: Client, event: Event, organiser: Person, ada: Person
) -> None:
    organiser.post("tournaments/spring/rounds/2/publish", {}, If_Match="*")
    (game,) = [
        row["id"]
        for row in ada.get("games?tournament_slug=spring&round=2").json()["results"]
        if player_of(ada).pk in (row["first"]["player"]["id"], row["second"]["player"]["id"])
    ]
    seen = set()
    for result in ("11-10", "10-11"):  # the second claim only moves the deadline
        claim = {"claim": {"result": result}}
        assert ada.post(f"games/{game}/reports", claim).status_code < 300
        check_stored_reads("spring", [GAMES])
        settle()
        check_stored_reads("spring", [GAMES])
        seen.add(content_of(visitor.get(GAMES)))
    assert len(seen) == 2


def test_languages_formats_and_hosts_have_their_own_responses(visitor: Client) -> None:
    def body(read: str, **headers: str) -> bytes:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return visitor.get(read, headers=named).content

    assert b"Standings" in body(PAGE)
    assert b"Tabelle" in body(PAGE, accept_language="de")
    assert b"Standings" in body(PAGE)
    assert body(STANDINGS).startswith(b"{")
    english, german, again = (
        visitor.get(STANDINGS, headers={"accept": "text/html", "accept-language": language})
        for language in ("en", "de", "en")
    )
    assert b'<html lang="de">' in german.content
    assert b'<th scope="col" class="right">Rang</th>' in german.content
    assert (english.content, english["ETag"]) == (again.content, again["ETag"])
    assert english["ETag"] != german["ETag"]
    assert "Accept-Language" in german["Vary"]
    headers = {"accept": "text/html", "accept-language": "en", "if-none-match": german["ETag"]}
    assert visitor.get(STANDINGS, headers=headers).status_code == 200
    assert body(STANDINGS, accept="text/csv").startswith(b"rank,")
    assert body(PAGE, accept_encoding="gzip")[:2] == b"\x1f\x8b"
    assert b"http://127.0.0.1/" in body(f"{GAMES}&limit=1", host="127.0.0.1")
    assert b"http://localhost/" in body(f"{GAMES}&limit=1", host="localhost")
    assert visitor.get(PAGE, headers={"host": "evil.example"}).status_code == 400


def test_stored_responses_count_for_the_limit(visitor: Client, settings: Any) -> None:
    clear()
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous": 3}

    found = [visitor.get(STANDINGS) for _ in range(4)]

    assert [response.status_code for response in found] == [200, 200, 200, 429]
    assert [response["RateLimit"].partition(";t=")[0][-1] for response in found] == list("2100")
    problem_in(found[3], 429, "throttled")


def test_a_database_that_fails_is_reported_by_the_view(visitor: Client, monkeypatch: Any) -> None:
    def fail(_: str) -> None:
        raise DatabaseError("no such table")

    assert visitor.get(STANDINGS).status_code == 200
    monkeypatch.setattr(public_reads, "stream_state", fail)

    assert state_of(RequestFactory().get(STANDINGS)) is None
    assert visitor.get(STANDINGS).status_code == 200


def test_a_page_of_another_day_is_computed_again(monkeypatch: Any) -> None:
    now, request = public_reads.time(), RequestFactory().get(STANDINGS)
    before = state_of(request)

    monkeypatch.setattr(public_reads, "time", lambda: now + PERIOD)

    assert state_of(request) != before


def test_the_end_of_a_journal_and_as_many_lines_elsewhere_are_a_change(
    event: Event, organiser: Person
) -> None:
    make_event(organiser, slug="autumn")
    before = site_state()
    ended = find_head("tournament/autumn").sequence
    assert organiser.delete("tournaments/autumn").status_code == 204
    with transaction.atomic():
        append_lines(event.stream, [NewLine("write.forced", {})] * (ended - 1))

    lines, of_site = site_state()
    assert lines == before[0]
    assert of_site != before[1]


def test_a_change_during_the_computation_is_not_stored(
    visitor: Client, event: Event, organiser: Person, monkeypatch: Any
) -> None:
    before = public_reads.stream_state(event.stream)
    states = iter([before, [(event.stream, 2, "c")]])
    with monkeypatch.context() as patch:
        patch.setattr(public_reads, "stream_state", lambda _: next(states))
        assert visitor.get(STANDINGS).status_code == 200

    with CaptureQueriesContext(connection) as queries:
        assert visitor.get(STANDINGS).status_code == 200
    assert len(queries) > 1
