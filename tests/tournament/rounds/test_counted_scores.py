"""Scores of games with handicap points: people enter the count of the board, and see both."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from games.rules.seat import Seat
from tests.events import Event, settle
from tests.people import Person
from tests.tournament.handicaps import publish_ten_points
from tournament.entries.links import create_links, token_of
from tournament.models import PersonalLink

pytestmark = pytest.mark.django_db
RESULTS = "/e/spring/run/rounds/1/results"


@pytest.fixture
def event(organiser: Person) -> Event:
    return publish_ten_points(organiser)


@pytest.fixture
def director(client: Client, organiser: Person) -> Client:
    client.force_login(organiser.account)
    return client


def text_of(response: HttpResponse) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def result(event: Event) -> dict[str, Any]:
    settle()
    return event.owner.get(f"games/{event.games(1)[0].pk}").json()


def test_players_choose_the_count_of_the_board(organiser: Person, event: Event) -> None:
    from games.play.pages import result_choices

    game = event.games(1)[0]
    choices = dict(result_choices(game, {Seat.FIRST: "Ada", Seat.SECOND: "Ben"}))["Ben wins"]
    assert ("9-22", "19–12 on the board, 9–22 with the handicap") in choices


def test_the_opponent_reads_the_count_that_was_reported(
    director: Client, organiser: Person, event: Event
) -> None:
    both = "19–12 on the board, 9–22 with the handicap"
    game = event.games(1)[0]
    create_links(event.tournament, by=organiser.account)
    first, second = Client(), Client()
    for client, name in ((first, "A"), (second, "B")):
        client.defaults["HTTP_PREFER"] = "wait=0"  # no worker settles what it reports
        link = token_of(PersonalLink.objects.get(entry__player__name=name))
        client.post("/e/spring/me", {"action": "open", "link": link})
    reports = f"/games/{game.pk}/reports"
    first.post(reports, {"action": "claim", "claim.result": "9-22"})
    settle()

    for page in (text_of(second.get("/e/spring/me")), text_of(second.get(reports))):
        assert f"A reports {both} ." in page
        assert f"Confirm {both}" in page
    assert f"You have reported {both}" in text_of(first.get(reports))

    second.post(reports, {"action": "claim", "claim.result": "19-12"})
    settle()
    for path in (RESULTS, "/e/spring/run", f"/e/spring/run/games/{game.pk}"):
        assert both in text_of(director.get(path)), path
