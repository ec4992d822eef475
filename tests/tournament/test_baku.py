"""Baku acceleration over the service: group A, its virtual points, and who may not move it."""

import pytest

from games.models import Player
from tests.events import Event, make_event, make_players
from tests.people import Person
from tournament.pairing.certificates import Certificate
from tournament.pairing.systems.baku import virtual_points
from tournament.queries import load_crosstable
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


def test_the_upper_half_rounded_to_even_is_group_a(event: Event) -> None:
    table = load_crosstable(event.tournament)

    assert [player.number for player in table.players if player.virtual] == [1, 2, 3, 4, 5, 6]


def test_a_late_entry_joins_the_group_it_stands_in_and_moves_nobody(event: Event) -> None:
    assert group_a(event) == [f"Player {number}" for number in range(1, 7)]
    event.play(1)
    event.enter(
        Player.objects.create(name="Strong", seed_rating=3000),
        Player.objects.create(name="Weak", seed_rating=1),
    )

    assert group_a(event) == ["Strong", *(f"Player {number}" for number in range(1, 7))]


def test_virtual_points_pair_the_halves_apart_and_rank_nobody(event: Event) -> None:
    event.play(1)
    games = event.games(1)
    numbers = {entry.player_id: entry.pairing_number for entry in event.tournament.entries.all()}
    first_round = [{numbers[game.first_id], numbers[game.second_id]} for game in games]

    # Six with virtual points fold among themselves; the other three give the bye to their last.
    assert first_round == [{1, 4}, {2, 5}, {3, 6}, {7, 8}]
    standings = rank(load_crosstable(event.tournament), ["PTS"])
    assert sorted(row.values["PTS"] for row in standings) == [0, 0, 0, 0, 1, 1, 1, 1, 1]


def test_an_accelerated_round_is_certified_and_explained(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    event.play(1)
    event.play(2)
    answer = anonymous.get(f"{event.path}/certificates/2")
    certificate = Certificate.parse(answer.content.decode())

    assert certificate.find_faults() == ()
    virtual = [player.virtual for player in certificate.request().crosstable.players]
    assert virtual == [(2, 2)] * 6 + [()] * 3
    boards = anonymous.get(f"{event.path}/rounds/2/pairings?explain=1").json()["pairings"]
    assert all(board["reasons"] for board in boards)
    asked = organiser.post(f"{event.path}/rounds/2/explain", {"a": 1, "c": 9}).json()
    assert asked["reason"]["sentence"]
