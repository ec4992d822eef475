"""The home page, the list of events, and the search."""

from typing import Any

import pytest

from games.models import Player
from tests.events import make_event, make_running
from tests.people import Person
from tests.tournament.conftest import OpenPage

pytestmark = pytest.mark.any_database


@pytest.fixture
def start(organiser: Person, stranger: Person) -> None:
    """Three events, of which only the first is public, and two players."""
    make_event(organiser, name="Spring Open", slug="spring").step("open")
    make_event(organiser, name="Secret Open", slug="secret", public=False).step("open")
    make_event(organiser, name="Draft Open", slug="draft")
    Player.objects.create(name="Müller, Jörg", country="GER", club="Rooks")
    Player.objects.create(name="<b>Ada</b>")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("muller", ">Müller, Jörg</a> · GER · Rooks"),
        ("ada", "&lt;b&gt;Ada&lt;/b&gt;"),
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
