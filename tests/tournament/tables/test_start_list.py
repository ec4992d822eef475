"""The start list: the players of an event by pairing number or by name."""

import re

from django.test import Client

from tests.events import make_event
from tests.people import Person, make_player, player_of


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
