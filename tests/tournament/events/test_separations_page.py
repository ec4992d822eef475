"""The players who are kept apart, on a page of the event's directors."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Player
from tests.events import Event, make_event, make_players
from tests.people import Person, player_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = "/e/spring/run/separations"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """An event in registration with Ada, Player 1 to 4, and two players with the name Ivo."""
    event = make_event(organiser, system="dutch")
    namesakes = [Player.objects.create(name="Ivo", club=club) for club in ("Rooks", "Moons")]
    event.enter(player_of(ada), *make_players(4), *namesakes)
    event.step("open")
    return event


def save(browser: Client, *separations: Mapping[str, str | list[str]]) -> HttpResponse:
    fields = {
        f"separations.{index}.{name}": value
        for index, item in enumerate(separations)
        for name, value in item.items()
    }
    tag = browser.get(PAGE).context["if_match"]
    return browser.post(PAGE, {"action": "save", "if_match": tag} | fields)


def stored(event: Event) -> Any:
    event.tournament.refresh_from_db()
    return event.tournament.separations


def shown(browser: Client) -> list[dict[str, Any]]:
    return [
        {field.name.rpartition(".")[2]: field.value for field in item["fields"]}
        for item in browser.get(PAGE).context["separations"]
    ]


def test_they_are_stored_shown_and_removed(director: Client, event: Event, ada: Person) -> None:
    first, one = player_of(ada), Player.objects.get(name="Player 1")
    ivo = Player.objects.get(club="Moons")
    done = save(
        director,
        {"by": "club", "preference": "true", "last_round": "2"},
        {"by": "players", "players": f"ada\r\nPlayer 1; Ivo #{ivo.pk}", "preference": "false"},
        {"by": "", "players": "", "preference": "false"},
    )

    assert done.headers["Location"] == f"{PAGE}?done=save"
    club = {"by": "club", "preference": True, "players": [], "first_round": 1, "last_round": 2}
    named = {"by": "players", "preference": False, "first_round": 1, "last_round": 0}
    assert stored(event) == [club, named | {"players": [first.pk, one.pk, ivo.pk]}]
    names = ["Ada", "Player 1", "Ivo (Moons)"]
    spare = {"players": [""] * 3}
    assert shown(director) == [
        {"by": "club", "preference": True, "first_round": "", "last_round": 2} | spare,
        {"by": "players", "preference": False, "players": [*names, ""], "first_round": "",
         "last_round": ""},
        dict.fromkeys(("by", "preference", "first_round", "last_round"), "") | spare,
    ]  # fmt: skip
    assert save(director, {"players[]": [*names, ""]}).status_code == 303
    assert [item["by"] for item in stored(event)] == ["players"]
    assert stored(event)[0]["players"] == [first.pk, one.pk, ivo.pk]
    assert save(director).status_code == 303
    assert stored(event) == []


def test_a_pairing_number_names_a_player_after_the_start(director: Client, event: Event) -> None:
    event.step("start")
    numbers = dict(event.tournament.entries.values_list("pairing_number", "player"))

    assert save(director, {"by": "players", "players": "1\n3"}).status_code == 303
    assert stored(event)[0]["players"] == [numbers[1], numbers[3]]


@pytest.mark.parametrize(
    ("item", "field", "detail"),
    [
        ({"by": "players", "players": "Nobody\n#99999999"}, "players", "no player of the event"),
        ({"by": "players", "players": "Ivo\nAda"}, "players", "several players have this name"),
        ({"by": "players", "players": "Ada\nAda"}, "players", "name at least two players"),
        ({"by": "club", "first_round": "3", "last_round": "2"}, "last_round", "is before"),
    ],
)
def test_a_wrong_one_stays_in_the_form_with_its_error(
    director: Client, event: Event, item: dict[str, str], field: str, detail: str
) -> None:
    rejected = save(director, item)

    assert rejected.status_code == 422
    wrong = {
        control.name.rpartition(".")[2]: control
        for control in rejected.context["separations"][0]["fields"]
    }
    assert detail in wrong[field].errors[0]
    assert wrong["by"].value == item.get("by", "")
    assert stored(event) == []


def test_a_system_with_fixed_pairings_keeps_nobody_apart(director: Client, event: Event) -> None:
    event.tournament.system = "round-robin"
    event.tournament.save()

    assert save(director, {"by": "club"}).status_code == 422


def test_the_queries_do_not_grow_with_the_players(
    director: Client, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    director.get(PAGE)
    for players in ("Ada\nPlayer 1", "Ada\nPlayer 1\nPlayer 2\nPlayer 3"):
        save(director, {"by": "players", "players": players})
        with django_assert_num_queries(14):
            director.get(PAGE)
