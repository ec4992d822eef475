"""The home page, the list of events, and the search."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import Player
from tests.deploy.stored_reads import storing
from tests.events import make_event, make_running
from tests.people import Person
from tests.tournament.conftest import OpenPage
from tournament.rounds.services import publish_round


@pytest.fixture
def start(organiser: Person, stranger: Person) -> None:
    """Three events, of which only the first is public, and two players."""
    make_event(organiser, name="Spring Open", slug="spring").step("open")
    make_event(organiser, name="Secret Open", slug="secret", public=False).step("open")
    make_event(organiser, name="Draft Open", slug="draft")
    Player.objects.create(name="Müller, Jörg", country="GER", club="Rooks")
    Player.objects.create(name="<b>Ada</b>")


@pytest.mark.parametrize("path", ["/", "/events", "/search?q=open"])
def test_only_visible_events_are_listed(
    start: dict[str, Any], open_page: OpenPage, organiser: Person, stranger: Person, path: str
) -> None:
    def listed(person: Person | None) -> list[str]:
        page = open_page(path, person).content.decode()
        return [slug for slug in ("spring", "secret", "draft") if f'href="/e/{slug}"' in page]

    assert listed(None) == listed(stranger) == ["spring"]
    assert listed(organiser) == ["spring", "secret", "draft"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("muller", ">Müller, Jörg</a> · GER · Rooks"),
        ("ada", "&lt;b&gt;Ada&lt;/b&gt;"),
        ("zzz", "No player has such a name"),
        ("", "Type a part of the name"),
        ("%25_", "No player has such a name"),
    ],
)
def test_a_search(open_page: OpenPage, start: dict[str, Any], query: str, text: str) -> None:
    answer = open_page(f"/search?q={query}")

    assert answer.status_code == 200
    assert text in answer.content.decode()


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("Łódź Open", "lodz"),
        ("Straße der Besten", "strasse"),
        ("O’Brien Memorial", "obrien"),
    ],
)
def test_a_search_folds_case_accents_and_apostrophes(
    open_page: OpenPage, anonymous: Person, organiser: Person, name: str, query: str
) -> None:
    make_event(organiser, slug="found", name=name).step("open")
    make_event(organiser, slug="other", name="Autumn").step("open")

    assert [event.slug for event in open_page(f"/search?q={query}").context["events"]] == ["found"]
    found = anonymous.get(f"tournaments?name={query}").json()
    assert [event["slug"] for event in found["results"]] == ["found"]


def test_events_are_listed_in_pages(open_page: OpenPage, organiser: Person) -> None:
    for number in range(3):
        make_event(organiser, slug=f"open-{number}", name=f"Open {number}").step("open")

    first = open_page("/events?limit=2").content.decode()
    assert [slug for slug in ("open-2", "open-1", "open-0") if f"/e/{slug}" in first] == [
        "open-2",
        "open-1",
    ]
    assert 'rel="next"' in first
    assert open_page("/events?state=elsewhere").status_code == 422
    assert open_page("/events?state=past").status_code == 200


def test_the_number_of_queries(
    open_page: OpenPage, organiser: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (1, 3):
        for number in range(count):
            make_event(organiser, slug=f"open-{count}-{number}", name="Spring").step("open")
        for path, queries in (("/", 6), ("/events", 1), ("/search?q=spring", 2)):
            with django_assert_num_queries(queries):
                open_page(path)


def test_the_home_page_says_which_round_is_played(open_page: OpenPage, organiser: Person) -> None:
    event = make_running(organiser, 4, slug="running")
    event.draft(1)
    assert "round 1 of" not in open_page("/", organiser).content.decode()

    publish_round(event.tournament, 1, by=organiser.account)
    assert "round 1 of 3" in open_page("/").content.decode()


def test_the_home_page_shows_what_is_played_now(open_page: OpenPage, organiser: Person) -> None:
    event = make_running(organiser, 4, slug="running", name="Spring Open")
    event.play(1)
    first, second = event.publish(2)
    event.rule(first)

    page = open_page("/").content.decode()

    assert "round 2 of 3" in page
    assert "1 of 2 results" in page
    assert 'href="/e/running/rounds/2"' in page
    assert "Standings after round 1" in page
    leader = 'href="/e/running/players/1">'
    assert page.index("Standings after round 1") < page.index(leader)
    assert f'href="/games/{first.pk}">11-10' in page
    assert f'href="/games/{second.pk}"' not in page
    assert f'href="/players/{first.second.pk}">{first.second.name}' in page


def test_the_home_page_shows_who_leads_and_who_won(
    open_page: OpenPage, organiser: Person, stranger: Person
) -> None:
    ended = make_running(organiser, 4, slug="ended", name="Autumn Open")
    for number in (1, 2, 3):
        ended.play(number)
    hidden = make_running(organiser, 4, slug="hidden", name="Hidden Open", public=False)
    hidden.play(1)
    knockout = make_running(organiser, 4, slug="cup", name="Cup", system="knockout", rounds=2)
    knockout.play(1)

    def leaders(person: Person | None) -> dict[str, list[tuple[int, str]]]:
        context = open_page("/", person).context
        events = [*context["running"], *context["past"]]
        return {
            event.slug: [(row["rank"], row["points"]) for row in event.leaders] for event in events
        }

    table = [(1, "2"), (2, "2"), (3, "1")]
    assert leaders(None) == leaders(stranger) == {"ended": table, "cup": []}
    assert leaders(organiser).keys() == {"ended", "hidden", "cup"}
    ended.step("review", "finalise")
    assert "Final standings" in open_page("/").content.decode()


def test_the_number_of_queries_of_the_home_page(
    open_page: OpenPage, organiser: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Three events have leaders, whose table is stored; the others need no query of their own."""
    for number in range(3):
        make_running(organiser, 4, slug=f"open-{number}", name="Spring").play(1)
    with storing():
        for number in (3, 4):
            open_page("/")
            with django_assert_num_queries(10):
                open_page("/")
            make_running(organiser, 4, slug=f"open-{number}", name="Spring").play(1)


def test_a_page_is_compressed(open_page: OpenPage, start: dict[str, Any]) -> None:
    answer = open_page("/events", headers={"Accept-Encoding": "gzip"})

    assert answer["Content-Encoding"] == "gzip"
    again = {"Accept-Encoding": "gzip", "If-None-Match": answer["ETag"]}
    assert open_page("/events", headers=again).status_code == 304
