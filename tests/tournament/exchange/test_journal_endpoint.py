"""`/tournaments/{slug}/journal`: everyone sees the chain, only directors the payloads."""

import json

import pytest

from games.core.journal.chain import Link, digest_of, find_chain_errors
from games.models import Account, Role
from tests.events import Event, make_event, make_players
from tests.people import Person, add_second_factor, problem_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(2))
    return event.step("open", "start")


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
    assert (body["next"], body["previous"]) == (None, None)
    assert [link.kind for link in links] == [
        "tournament.created", "entry.accepted", "entry.accepted", "tournament.registration",
        "tournament.running", "round.paired", "round.published",
    ]  # fmt: skip


def test_directors_see_the_payloads(organiser: Person, event: Event) -> None:
    lines = organiser.get(f"{event.path}/journal").json()["results"]

    assert [digest_of(line["payload"]) for line in lines] == [
        line["payload_digest"] for line in lines
    ]


def test_nobody_reads_the_rows_but_in_a_bundle(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    for person in (organiser, anonymous):
        (first, *_) = person.get(f"{event.path}/journal").json()["results"]
        assert first["rows_digest"]
        assert "rows" not in first
        assert '"draw_seed"' not in person.get(f"{event.path}/journal.ndjson").content.decode()


@pytest.mark.parametrize(("role", "reads"), [("scorer", True), ("rating_officer", False)])
def test_roles_that_see_the_payloads(
    stranger: Person, event: Event, role: str, reads: bool
) -> None:
    Role.objects.create(stream=event.stream, account=stranger.account, role=role)

    lines = stranger.get(f"{event.path}/journal").json()["results"]

    assert {"payload" in line for line in lines} == {reads}
    assert None not in [line["payload"] for line in lines if reads]


def test_staff_sees_the_payloads(stranger: Person, event: Event) -> None:
    Account.objects.filter(pk=stranger.account.pk).update(is_staff=True)
    add_second_factor(stranger.account)

    lines = stranger.get(f"{event.path}/journal").json()["results"]

    assert all(line["payload"] for line in lines)


def test_the_journal_in_pages(anonymous: Person, event: Event) -> None:
    found: list[int] = []
    address = f"{event.path}/journal?limit=2"
    while address:
        page = anonymous.get(address).json()
        found += [line["sequence"] for line in page["results"]]
        address = page["next"]

    assert found == [1, 2, 3, 4, 5]
    problem_in(anonymous.get(f"{event.path}/journal.ndjson?limit=2"), 422, "invalid_parameter")
