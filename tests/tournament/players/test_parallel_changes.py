"""Parallel changes of players and claims: each is answered, and no two wait for each other."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client

from games.models import Claim, Player
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person

pytestmark = pytest.mark.django_db(transaction=True)
TIMES = 2
"""How often each pair of changes is tried; a deadlock on PostgreSQL came at the first or second."""

Request = Callable[[], HttpResponse]


@pytest.fixture
def organiser() -> Person:
    return make_person("Olga")


def together(*requests: Request) -> Counter[int]:
    """Send requests at the same time; return how often each status was the answer."""
    barrier = Barrier(len(requests))

    def send(request: Request) -> int:
        try:
            barrier.wait()
            return request().status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(requests)) as pool:
        return Counter(pool.map(send, requests))


def by(person: Person, path: str, body: Any = None, method: str = "POST", **more: Any) -> Request:
    """Return a request that a person sends, with a client of its own."""
    copy = Person(person.name, person.account, person.token, person.secret, Client())
    return lambda: copy.send(method, path, body, **more)


def claim(person: Person, player: Player) -> int:
    answer = person.post("claims", {"player_id": player.pk})
    assert answer.status_code == 201, answer.content
    return int(answer.json()["id"])


def test_two_claims_of_one_player_are_accepted_together(organiser: Person) -> None:
    players = make_players(TIMES, by=organiser)
    for number, player in enumerate(players):
        claims = [claim(make_person(f"{name}{number}"), player) for name in ("Ann", "Bo")]

        found = together(*(by(organiser, f"claims/{pk}/approve") for pk in claims))

        # The other is refused, or not the organiser's to decide any more.
        assert found in ({200: 1, 409: 1}, {200: 1, 404: 1})
        states = Claim.objects.filter(player=player).values_list("state", flat=True)
        assert sorted(states) == ["accepted", "refused"]


def test_two_claims_of_one_account_are_accepted_together(organiser: Person) -> None:
    """An account is one player."""
    players = make_players(2 * TIMES, by=organiser)
    for number in range(TIMES):
        person = make_person(f"Ann{number}")
        claims = [claim(person, player) for player in players[2 * number : 2 * number + 2]]

        found = together(*(by(organiser, f"claims/{pk}/approve") for pk in claims))

        assert found == {200: 1, 409: 1}
        assert Player.objects.filter(account=person.account).count() == 1


def test_a_claim_is_accepted_while_the_player_is_corrected_and_entered(organiser: Person) -> None:
    event = make_event(organiser)
    players = make_players(TIMES, by=organiser)
    for number, player in enumerate(players):
        pk = claim(make_person(f"Ann{number}"), player)
        path = f"players/{player.pk}"

        found = together(
            by(organiser, f"claims/{pk}/approve"),
            by(organiser, f"{event.path}/entries", {"player_id": player.pk}),
            by(organiser, path, {"club": "Rooks"}, "PATCH", If_Match="*"),
        )

        assert set(found) <= {200, 201, 403}, found
        assert Claim.objects.get(pk=pk).state == "accepted"


def test_claims_are_accepted_while_players_are_merged_and_a_list_is_imported(
    organiser: Person,
) -> None:
    staff = make_person("Site", is_staff=True)
    event = make_event(organiser)
    players = make_players(2 * TIMES, by=organiser)
    for number in range(TIMES):
        one, other = players[2 * number : 2 * number + 2]
        pk = claim(make_person(f"Ann{number}"), other)
        lines = f"player,name\n{one.pk},\nnew,New {number}\n".encode()

        found = together(
            by(organiser, f"claims/{pk}/approve"),
            by(staff, "merges", {"keep_id": other.pk, "merge_id": one.pk}),
            by(organiser, f"{event.path}/entries/import", lines, content_type="text/csv"),
        )

        assert set(found) <= {200, 201, 409, 422}, found


def test_a_player_is_erased_while_they_get_a_personal_token(organiser: Person) -> None:
    staff = make_person("Site", is_staff=True)
    event = running(organiser)
    entries = list(event.tournament.entries.order_by("pk"))
    for entry in entries:
        found = together(
            by(organiser, f"{event.path}/entries/{entry.pk}/token"),
            by(staff, f"players/{entry.player_id}/erase"),
        )

        assert found == {201: 1, 200: 1}


def running(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(TIMES, by=organiser))
    return event.step("open", "start")
