"""The director's overview: what is next, the transitions of the event, and who may see it."""

from typing import Any

import pytest
from django.test import Client

from tests.events import Event, make_players, make_running
from tests.people import Person, player_of
from tournament.models import Tournament

pytestmark = pytest.mark.django_db
PAGE = "/e/spring/run"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event with Ada and three others, and two rounds that are not paired."""
    event = make_running(organiser, 3, rounds=2)
    event.enter(player_of(ada))
    return event


def fields(page: Any, **values: str) -> dict[str, str]:
    return {"if_match": page.context["if_match"], **values}


def test_only_officials_see_it(client: Client, ada: Person, stranger: Person, event: Event):
    assert client.get(PAGE).headers["Location"] == "/login?next=%2Fe%2Fspring%2Frun"
    for person in (ada, stranger):
        client.force_login(person.account)
        assert client.get(PAGE).status_code == 403
        assert client.post(PAGE, {"action": "cancel", "reason": "x"}).status_code == 403


def test_a_private_event_does_not_exist_for_a_stranger(
    client: Client, stranger: Person, event: Event
):
    Tournament.objects.update(public=False)
    client.force_login(stranger.account)

    assert client.get(PAGE).status_code == client.post(PAGE, {}).status_code == 404


def test_the_next_step_follows_the_rounds(director: Client, event: Event):
    def label() -> str:
        step = director.get(PAGE).context["step"]
        return step and step.label

    assert label() == "Pair round 1"
    event.draft(1)
    assert label() == "Publish round 1"
    event.publish(1)
    assert label() == "Enter the results of round 1"
    event.finish(1)
    assert label() == "Pair round 2"
    event.play(2)
    assert label() is None
    assert director.get(PAGE).context["main"] == "review"


def test_an_event_is_cancelled_with_a_reason_and_resumed(director: Client, event: Event):
    page = director.get(PAGE)
    rejected = director.post(PAGE, fields(page, action="cancel"))

    assert rejected.status_code == 422
    assert "This field is required" in rejected.content.decode()

    done = director.post(PAGE, fields(page, action="cancel", reason="flood"))
    assert (done.status_code, done.headers["Location"]) == (303, f"{PAGE}?done=cancel")
    page = director.get(done.headers["Location"])
    assert "The event is cancelled." in page.content.decode()
    assert page.context["main"] == "resume"

    director.post(PAGE, fields(page, action="resume"))
    event.tournament.refresh_from_db()
    assert event.tournament.state == "running"


def test_a_stale_page_says_who_changed_what(director: Client, event: Event):
    page = director.get(PAGE)
    event.step("cancel")

    stale = director.post(PAGE, fields(page, action="cancel", reason="flood"))

    assert stale.status_code == 412
    text = stale.content.decode()
    assert "Somebody else has changed this meanwhile" in text
    assert ": Event cancelled (Olga)" in text


def test_forbidden_transitions_are_disabled_with_their_reason(director: Client, event: Event):
    event.publish(1)

    text = " ".join(director.get(PAGE).content.decode().split())

    assert 'disabled>Begin the review</button> <span class="about">rounds 1, 2 are not' in text
    assert 'value="cancel"' in text


@pytest.mark.parametrize("body", [{}, {"action": "burn"}, {"action": "cancel", "reason": "a\0b"}])
def test_bad_forms_are_rejected(director: Client, event: Event, body: dict[str, str]):
    response = director.post(PAGE, {"if_match": "*", **body})

    assert response.status_code in (400, 422)


def test_the_queries_do_not_grow_with_the_games(
    director: Client, event: Event, django_assert_num_queries: Any
):
    for number in (1, 2):
        event.publish(number)
        with django_assert_num_queries(20):
            director.get(PAGE)
        event.finish(number)
        if number == 1:
            event.enter(*make_players(2, first_rating=900))


@pytest.mark.parametrize(
    ("language", "why", "required"),
    [
        (
            "de",
            "Spring Open: läuft; nötig ist: Anmeldung offen",
            "Dieses Feld ist zwingend erforderlich.",
        ),
        (
            "fr",
            "Spring Open : en cours ; il faut : ouvert aux inscriptions",
            "Ce champ est obligatoire.",
        ),
    ],
)
def test_refusals_are_in_the_language_of_the_reader(
    director: Client, event: Event, language: str, why: str, required: str
) -> None:
    headers = {"Accept-Language": language}
    page = director.get("/e/spring/run", headers=headers)
    text = page.content.decode().replace("\u00a0", " ")
    assert why in text
    refused = director.post("/e/spring/run", {"action": "start", "if_match": "*"}, headers=headers)
    assert refused.status_code == 409
    assert why in refused.content.decode().replace("\u00a0", " ")
    empty = director.post("/e/spring/run", {"action": "cancel", "if_match": "*"}, headers=headers)
    assert empty.status_code == 422
    assert required in empty.content.decode()
