"""The start list: the players of an event by pairing number or by name."""

import re

from django.test import Client

from tests.events import make_event
from tests.people import Person, make_player, player_of
from tournament.tables.players import by_name, players_document


def names_on(page: str) -> list[str]:
    body = Client().get(page).content.decode().partition("<tbody>")[2].partition("</tbody>")[0]
    return re.findall(r"<a [^>]*>([^<]*)</a>", body)


def test_the_start_list_by_number_and_by_name(organiser: Person) -> None:
    event = make_event(organiser)
    names = ["Zoe", "Étienne", "Łukasz", "eva", "Mia"]
    event.enter(*(player_of(make_player(name, 1900 - n)) for n, name in enumerate(names)))
    event.step("open", "start")

    assert names_on("/e/spring/players") == names
    assert names_on("/e/spring/players?by=name") == ["Étienne", "eva", "Łukasz", "Mia", "Zoe"]
    page = Client().get("/e/spring/players?by=name").content.decode()
    assert "<h2>Start list</h2>" in page
    assert '<a href="?by=number">by number</a>' in page
    assert Client().get("/e/spring/players?by=club").status_code == 422


def test_the_start_list_as_a_sheet(organiser: Person) -> None:
    event = make_event(organiser)
    names = ["Zoe", "Étienne", "eva"]
    event.enter(*(player_of(make_player(name, 1900 - n)) for n, name in enumerate(names)))
    event.step("open", "start")

    document = players_document(event.tournament)
    _, rows = document.select(document.sheet)
    assert [row[:2] for row in rows] == [(1, "Zoe"), (2, "Étienne"), (3, "eva")]
    document = by_name(document)
    _, rows = document.select(document.sheet)
    assert [row[:2] for row in rows] == [("Étienne", 2), ("eva", 3), ("Zoe", 1)]
    for query in ("", "?by=number", "?by=name", "?paper=letter"):
        sheet = organiser.get(f"{event.path}/start-list.pdf{query}")
        assert (sheet.status_code, sheet.content[:5]) == (200, b"%PDF-"), query
        assert sheet.headers["Content-Disposition"] == 'inline; filename="spring.players.pdf"'
    for query in ("?by=club", "?paper=a0", "?order=name"):
        assert organiser.get(f"{event.path}/start-list.pdf{query}").status_code == 422
    assert (
        f"{event.path}/start-list.pdf?by=name"
        in Client().get("/e/spring/players?by=name").content.decode()
    )
