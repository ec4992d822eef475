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


def test_the_start_list_as_a_sheet(organiser: Person) -> None:
    event = make_event(organiser)
    names = ["Zoe", "Étienne", "eva"]
    event.enter(*(player_of(make_player(name, 1900 - n)) for n, name in enumerate(names)))
    event.step("open", "start")

    document = by_name(players_document(event.tournament))
    _, rows = document.select(document.sheet)
    assert [row[:2] for row in rows] == [("Étienne", 2), ("eva", 3), ("Zoe", 1)]
    listed = organiser.get(f"{event.path}/start-list?by=name").json()
    assert listed["tournament"] == {"slug": "spring", "name": event.tournament.name}
    assert [(row["number"], row["state"]) for row in listed["rows"]] == [
        (2, "accepted"), (3, "accepted"), (1, "accepted"),
    ]  # fmt: skip
    sheet = organiser.get(f"{event.path}/start-list.pdf?by=name")
    assert (sheet.status_code, sheet.content[:5]) == (200, b"%PDF-")
