"""`/tournaments/{slug}/stream` without `deploy.asgi`: the entries so far, in one response."""

import json
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.core.journal.chain import format_time
from tests.events import Event, make_event, make_running
from tests.people import Person, problem_in
from tournament.core.references import tournament_reference
from tournament.messages.feed import load_feed

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """A running event of four players, with the second round drafted."""
    event = make_running(organiser, 4)
    event.play(1)
    event.draft(2)
    return event


def read(person: Person, event: Event, query: str = "", **headers: str) -> list[dict[str, Any]]:
    """Return the data of the events; check that the first lines name where they begin."""
    response = person.get(f"{event.path}/stream{query}", **headers)
    assert (response.status_code, response["Content-Type"]) == (200, "text/event-stream")
    assert "no-store" in response["Cache-Control"]
    assert "ETag" not in response
    opening, *events = response.content.decode().removesuffix("\n\n").split("\n\n")
    assert opening.startswith("retry: 5000\nid: ")
    found = []
    for event_text in events:
        number, _, text = event_text.partition("\n")
        data = json.loads(text.removeprefix("data: "))
        assert number == f"id: {data['sequence']}"
        found.append(data)
    return found


def test_the_pages_of_a_private_event_read_it_by_their_session(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    event.tournament.public = False
    event.tournament.save()
    assert organiser.account is not None
    anonymous.client.force_login(organiser.account)

    assert anonymous.get(f"{event.path}/stream").status_code == 200


def test_an_event_is_a_line_of_the_feed(anonymous: Person, event: Event) -> None:
    entries = load_feed(event.stream, after=0, limit=100)

    assert read(anonymous, event, "?after=0") == [
        {
            "type": entry.kind,
            "timestamp": format_time(entry.at),
            "tournament": tournament_reference(event.tournament),
            "pool": None,
            "sequence": entry.sequence,
            "data": entry.data,
        }
        for entry in entries
    ]


def test_a_draft_is_not_sent_even_to_its_director(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    for person in (organiser, anonymous):
        rounds = [e["data"].get("round") for e in read(person, event, "?after=0")]
        assert 1 in rounds
        assert 2 not in rounds


def test_the_boards_in_play_are_sent_to_who_wants_them(anonymous: Person, event: Event) -> None:
    content = anonymous.get(f"{event.path}/stream?boards=1").content
    assert content.endswith(
        b'event: live\ndata: {"type":"live.versions","complete":true,"versions":{}}\n\n'
    )


def test_a_client_that_connects_again_gets_what_it_has_missed(
    anonymous: Person, event: Event
) -> None:
    everything = read(anonymous, event, "?after=0")
    known = everything[0]["sequence"]

    assert read(anonymous, event) == []
    assert read(anonymous, event, f"?after={known}") == everything[1:]
    # A browser connects again with its first address.
    assert read(anonymous, event, "?after=0", Last_Event_ID=str(known)) == everything[1:]


@pytest.mark.parametrize(
    ("query", "header"),
    [("?after=-1", ""), (f"?after={'9' * 40}", ""), ("", "9999999999"), ("", "١")],
)
def test_a_number_that_no_line_has(
    anonymous: Person, event: Event, query: str, header: str
) -> None:
    headers = {"Last_Event_ID": header} if header else {}
    response = anonymous.get(f"{event.path}/stream{query}", **headers)

    problem = problem_in(response, 422, "invalid_parameter")
    assert problem["parameter"] == ("Last-Event-ID" if header else "after")


def test_the_number_of_queries(
    anonymous: Person, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    everything = read(anonymous, event, "?after=0")
    games = [found["sequence"] for found in everything if found["type"] == "game.confirmed"]
    for after, count in ((games[0] - 1, 2), (games[1] - 1, 1)):
        with django_assert_num_queries(6):
            found = read(anonymous, event, f"?after={after}")
        assert [entry["sequence"] for entry in found if "game_id" in entry["data"]] == games[
            -count:
        ]


def test_an_application_is_not_named_to_strangers(anonymous: Person, organiser: Person) -> None:
    event = make_event(organiser)
    organiser.patch(event.path, {"venue": "Town hall"}, HTTP_IF_MATCH="*")
    assert read(organiser, event, "?after=0") == []  # of a draft, nothing is sent
    event.step("open")
    key = organiser.post(f"{event.path}/application-link").json()["key"]
    body = {"key": key, "name": "Quentin Zed", "country": "POR", "birth_year": 1961}
    assert anonymous.post(f"{event.path}/entries/apply", body).status_code == 201

    for person in (anonymous, organiser):
        message = read(person, event, "?after=0")[-1]
        assert message["type"] == "entry.applied"
        assert message["data"].keys() == {"tournament", "entry", "url", "page_url"}
        assert "Quentin" not in str(message)
