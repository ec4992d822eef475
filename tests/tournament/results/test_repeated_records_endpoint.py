"""`/tournaments/{slug}/records/repeated`: officials see the records that several games have."""

import pytest

from games.models import JournalLine
from tests.events import (
    FIRST_WINS,
    FIRST_WINS_OTHERWISE,
    Event,
    make_running,
)
from tests.people import Person, player_of
from tournament.events.verification import verify_tournament

pytestmark = pytest.mark.django_db
PATH = "tournaments/spring/records/repeated"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    event = make_running(organiser, 3, rounds=1)
    event.enter(player_of(ada))
    event.publish(1)
    return event


def flagged(event: Event) -> list[tuple[int, list[int]]]:
    lines = JournalLine.objects.filter(stream=event.stream, kind="record.repeated")
    return [(line.payload.body["game"], line.payload.body["games"]) for line in lines]


def test_the_same_record_in_two_games_is_listed(organiser: Person, event: Event) -> None:
    first, second = event.games()
    event.rule(first, FIRST_WINS)
    assert organiser.get(PATH).json() == {"results": []}

    event.rule(second, f'[First "Player 2"]\n{FIRST_WINS}')

    first.refresh_from_db()
    (found,) = organiser.get(PATH).json()["results"]
    assert found["digest"] == first.record.digest
    assert [row["id"] for row in found["games"]] == [first.pk, second.pk]
    assert (
        found["games"][0].items()
        >= {"tournament": {"slug": "spring", "name": "Spring Open"}, "round": 1, "board": 1}.items()
    )
    assert flagged(event) == [(second.pk, [first.pk])]
    assert verify_tournament(event.stream) == []


def test_different_records_are_not_listed(organiser: Person, event: Event) -> None:
    for game, record in zip(event.games(), (FIRST_WINS, FIRST_WINS_OTHERWISE), strict=True):
        event.rule(game, record)

    assert organiser.get(PATH).json() == {"results": []}
    assert flagged(event) == []


@pytest.mark.parametrize("public", [True, False])
def test_games_of_other_events_are_listed_if_they_are_public(
    organiser: Person, event: Event, stranger: Person, public: bool
) -> None:
    other = make_running(stranger, 2, slug="autumn", rounds=1, public=public)
    other.publish(1)
    other.rule(other.games()[0], FIRST_WINS)
    event.rule(event.games()[0], FIRST_WINS)

    results = organiser.get(PATH).json()["results"]

    assert len(results) == len(flagged(event)) == int(public)


def test_only_officials_see_the_list(everyone: dict[str, Person], event: Event) -> None:
    assert {name: person.get(PATH).status_code for name, person in everyone.items()} == {
        "organiser": 200, "player": 403, "stranger": 403, "anonymous": 401,
    }  # fmt: skip
