"""Baku acceleration: group A, its virtual points, and late entries."""

import pytest

from games.models import Player
from tests.events import Event, make_event, make_players
from tests.people import Person
from tournament.core.crosstable import load_crosstable
from tournament.pairing.certificates import RoundCertificate
from tournament.pairing.systems.baku import virtual_points
from tournament.standings.points import CLASSIC
from tournament.standings.table import rank

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


def test_group_a_is_the_upper_half_with_an_even_size(event: Event) -> None:
    table = load_crosstable(event.tournament)

    assert [player.number for player in table.players if player.virtual] == [1, 2, 3, 4, 5, 6]


def test_a_late_entry_does_not_move_the_boundary(event: Event) -> None:
    assert group_a(event) == [f"Player {number}" for number in range(1, 7)]
    event.play(1)
    event.enter(
        Player.objects.create(name="Strong", seed_rating=3000),
        Player.objects.create(name="Weak", seed_rating=100),
    )

    assert group_a(event) == ["Strong", *(f"Player {number}" for number in range(1, 7))]


def test_virtual_points_count_in_pairing_only(event: Event) -> None:
    event.play(1)
    games = event.games(1)
    numbers = {entry.player_id: entry.pairing_number for entry in event.tournament.entries.all()}
    first_round = [{numbers[game.first_id], numbers[game.second_id]} for game in games]

    # The six players with virtual points meet each other; the last of the others has the bye.
    assert first_round == [{1, 4}, {2, 5}, {3, 6}, {7, 8}]
    standings = rank(load_crosstable(event.tournament), ["PTS"])
    assert sorted(row.values["PTS"] for row in standings) == [0, 0, 0, 0, 1, 1, 1, 1, 1]


def test_an_accelerated_round_is_certified_and_explained(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    event.play(1)
    event.play(2)
    response = anonymous.get(f"{event.path}/certificates/2")
    certificate = RoundCertificate.parse(response.content.decode())

    assert certificate.find_faults() == ()
    virtual = [player.virtual for player in certificate.request().crosstable.players]
    assert virtual == [(2, 2)] * 6 + [()] * 3
    boards = anonymous.get(f"{event.path}/rounds/2/pairings?explain=1").json()["pairings"]
    assert all(board["reasons"] for board in boards)
    explanation = organiser.post(f"{event.path}/rounds/2/explain", {"first": 1, "second": 9}).json()
    assert explanation["reason"]["sentence"]
