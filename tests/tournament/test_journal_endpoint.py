"""`/tournaments/{slug}/journal`: everyone sees the chain, only directors the payloads."""

import json

import pytest
from pytest_django import DjangoAssertNumQueries

from games.journal import Link, digest_of, find_chain_errors
from games.models import Account, Role
from tests.events import FILLED_TWICE, Event, make_event, make_players
from tests.people import Person, player_of, statuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(2))
    return event.step("open", "start")


@pytest.mark.parametrize("form", ["", ".json", ".ndjson"])
def test_everyone_sees_the_chain(everyone: dict[str, Person], event: Event, form: str) -> None:
    assert statuses(everyone, "GET", f"{event.path}/journal{form}") == dict.fromkeys(everyone, 200)


def test_the_chain_can_be_verified_from_the_answer(anonymous: Person, event: Event) -> None:
    event.publish(1)
    body = anonymous.get(f"{event.path}/journal").json()
    lines = anonymous.get(f"{event.path}/journal.ndjson")

    assert lines["Content-Type"] == "application/x-ndjson; charset=utf-8"
    assert [json.loads(line) for line in lines.content.decode().splitlines()] == body["results"]
    links = [
        Link(**{name: line[name] for name in Link.__dataclass_fields__}) for line in body["results"]
    ]
    assert list(find_chain_errors(links)) == []
    assert (body["stream"], body["head"]) == ("tournament/spring", links[-1].digest)
    assert body["sequence"] == len(links)
    assert [link.kind for link in links] == [
        "tournament.created", "entry.accepted", "entry.accepted", "tournament.registration",
        "tournament.running", "round.paired", "round.published",
    ]  # fmt: skip


def test_directors_see_the_payloads(organiser: Person, event: Event) -> None:
    lines = organiser.get(f"{event.path}/journal").json()["results"]

    assert [digest_of(line["payload"]) for line in lines] == [
        line["payload_digest"] for line in lines
    ]


@pytest.mark.parametrize(
    ("role", "reads"), [("director", True), ("scorer", True), ("rating-officer", False)]
)
def test_roles_that_see_the_payloads(
    stranger: Person, event: Event, role: str, reads: bool
) -> None:
    Role.objects.create(stream=event.stream, account=stranger.account, role=role)

    lines = stranger.get(f"{event.path}/journal").json()["results"]

    assert {line["payload"] is not None for line in lines} == {reads}


def test_staff_sees_the_payloads(stranger: Person, event: Event) -> None:
    Account.objects.filter(pk=stranger.account.pk).update(is_staff=True)

    lines = stranger.get(f"{event.path}/journal").json()["results"]

    assert all(line["payload"] for line in lines)


def test_only_directors_see_why_a_record_was_rejected(
    organiser: Person, ada: Person, ben: Person
) -> None:
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben))
    (game,) = event.step("open", "start").publish(1)
    ada.post(f"games/{game.pk}/reports", {"record": FILLED_TWICE})

    (full,) = organiser.get(f"{event.path}/journal").json()["results"][-1:]
    (public,) = ben.get(f"{event.path}/journal").json()["results"][-1:]

    assert full["kind"] == public["kind"] == "report.refused"
    assert full["payload"]["errors"][0]["cell"] == "S10"
    assert public["payload"] is None


@pytest.mark.parametrize("count", [1, 3])
def test_the_journal_takes_two_queries(
    anonymous: Person,
    organiser: Person,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    event = make_event(organiser).step("open")
    event.enter(*make_players(count))

    with django_assert_num_queries(2):
        assert len(anonymous.get(f"{event.path}/journal").json()["results"]) == count + 2
