"""Baku acceleration: group A, its virtual points, and late entries."""

import pytest

from games.models import Player
from tests.events import Event, make_event, make_players
from tests.people import Person
from tournament.core.crosstable import load_crosstable
from tournament.pairing.certificates import RoundCertificate
from tournament.pairing.systems.baku import virtual_points
from tournament.standings.points import CLASSIC

pytestmark = pytest.mark.django_db
ROUNDS = 5
VIRTUAL = virtual_points(ROUNDS, CLASSIC)


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser, system="dutch-baku", rounds=ROUNDS)
    event.enter(*make_players(9))
    return event.step("open", "start")


def group_a(event: Event) -> list[str]:
    event.tournament.refresh_from_db()
    table = load_crosstable(event.tournament)
    return [player.name for player in table.players if player.virtual == VIRTUAL]


def test_a_late_entry_does_not_move_the_boundary(event: Event) -> None:
    assert group_a(event) == [f"Player {number}" for number in range(1, 7)]
    event.play(1)
    event.enter(
        Player.objects.create(name="Strong", seed_rating=3000),
        Player.objects.create(name="Weak", seed_rating=100),
    )

    assert group_a(event) == ["Strong", *(f"Player {number}" for number in range(1, 7))]


def test_an_accelerated_round_is_certified_and_explained(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    event.play(1)
    event.play(2)
    response = anonymous.get(f"{event.path}/rounds/2/certificate")
    certificate = RoundCertificate.parse(response.content.decode())

    assert certificate.find_faults() == ()
    virtual = [player.virtual for player in certificate.request().crosstable.players]
    assert virtual == [(2, 2)] * 6 + [()] * 3
    boards = anonymous.get(f"{event.path}/rounds/2/pairings?explain=1").json()["rows"]
    assert all(board["reasons"] for board in boards)
    explanation = organiser.post(
        f"{event.path}/rounds/2/explain", {"first_number": 1, "second_number": 9}
    ).json()
    assert explanation["reason"]["sentence"]
