"""The page of the records that several games of an event have, and their lines in the journal."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import JournalLine
from tests.events import FIRST_WINS, FIRST_WINS_OTHERWISE, Event, make_running
from tests.people import Person, player_of
from tests.tournament.conftest import login
from tournament.events.verification import verify_tournament

pytestmark = pytest.mark.django_db
PAGE = "/e/spring/run/records/repeated"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event of four boards; round 1 is published."""
    event = make_running(organiser, 7, rounds=1)
    event.enter(player_of(ada))
    event.publish(1)
    return event


def shown(director: Client) -> list[tuple[str, list[int]]]:
    records = director.get(PAGE).context["repeated"]
    return [(record["digest"], [game["id"] for game in record["games"]]) for record in records]


def flagged(event: Event) -> list[tuple[int, list[int]]]:
    lines = JournalLine.objects.filter(stream=event.stream, kind="record.repeated")
    return [(line.payload.body["game"], line.payload.body["games"]) for line in lines]


def test_only_officials_see_it(client: Client, ada: Person, stranger: Person, event: Event) -> None:
    assert client.get(PAGE).status_code == 303
    for person in (ada, stranger):
        assert login(person).get(PAGE).status_code == 403


def test_the_games_of_a_repeated_record_are_listed(
    director: Client, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    games = event.games()
    event.rule(games[0])
    assert "No record of this event is in another game." in director.get(PAGE).content.decode()
    for path in ("/e/spring/run/disputes", "/e/spring/run/rounds/1/results"):
        assert f'href="{PAGE}"' in director.get(path).content.decode()
    for repeating in (games[1:2], games[2:]):
        for game in repeating:
            event.rule(game)
        with django_assert_num_queries(9):
            page = director.get(PAGE)
    games[0].refresh_from_db()
    assert shown(director) == [(games[0].record.digest, [game.pk for game in games])]
    for game in games:
        assert f'href="/games/{game.pk}"' in page.content.decode()
        assert f'href="/e/spring/run/games/{game.pk}"' in page.content.decode()


def test_the_same_moves_of_other_players_are_the_same_record(
    director: Client, event: Event
) -> None:
    first, second, other, _ = event.games()
    event.rule(first, FIRST_WINS)
    event.rule(second, f'[First "Player 2"]\n{FIRST_WINS}')
    event.rule(other, FIRST_WINS_OTHERWISE)

    assert [games for _, games in shown(director)] == [[first.pk, second.pk]]
    assert flagged(event) == [(second.pk, [first.pk])]
    assert verify_tournament(event.stream) == []


@pytest.mark.parametrize("public", [True, False])
def test_games_of_other_events_are_listed_if_they_are_public(
    director: Client, event: Event, stranger: Person, public: bool
) -> None:
    other = make_running(stranger, 2, slug="autumn", rounds=1, public=public)
    other.publish(1)
    other.rule(other.games()[0], FIRST_WINS)
    event.rule(event.games()[0], FIRST_WINS)

    assert len(shown(director)) == len(flagged(event)) == int(public)
