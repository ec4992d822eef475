"""`seed_source`: entries get their rating in the pool with their pairing number, or keep theirs."""

from typing import Any

import pytest

from games.models import Player
from ratings.models import Pool, Rating, Run
from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in
from tests.tournament.events.test_verify_state import verify

pytestmark = pytest.mark.django_db
POOL = {"pool": "star", "seed_source": "pool"}


def rate(player: Player, rating: int) -> None:
    """Give a player a rating, in thousandths."""
    pool = Pool.objects.get(code="star")
    run = Run.objects.first() or Run.objects.create(pool=pool, number=1, engine_version=1)
    Rating.objects.create(
        pool=pool, player=player, run=run, rating=rating, games=20,
        last_game_at="2026-04-01T12:00:00Z",
    )  # fmt: skip


def seeds(event: Event) -> dict[str, tuple[int, int]]:
    """Return the pairing numbers and the seed ratings by name."""
    rows = event.tournament.entries.order_by("pairing_number")
    return {row.player.name: (row.pairing_number, row.seed_rating) for row in rows}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            {"pool": "star"},
            {"Player 1": (1, 1499), "Player 2": (2, 1498), "Player 3": (3, 1497)},
        ),
        (POOL, {"Player 3": (1, 1601), "Player 2": (2, 1498), "Player 1": (3, 1400)}),
    ],
    ids=["given", "pool"],
)
def test_the_seeds_at_the_start(
    organiser: Person, settings: dict[str, Any], expected: dict[str, tuple[int, int]]
) -> None:
    event = make_event(organiser, **settings)
    players = make_players(3)
    rate(players[0], 1_400_499)
    rate(players[2], 1_600_500)
    event.enter(*players)

    event.step("open", "start")

    assert seeds(event) == expected
    assert verify() == []


def test_a_late_entry_takes_its_seed_from_the_pool_too(organiser: Person) -> None:
    event = make_event(organiser, system="dutch", **POOL)
    *players, late, imported = make_players(6)
    event.enter(*players)
    event.step("open", "start").play(1)
    rate(late, -3_000)
    rate(imported, 1_700_000)

    body = organiser.post(f"{event.path}/entries", {"player": late.pk}).json()
    lines = f"player,seed_rating\n{imported.pk},1000.5\n".encode()
    organiser.post(f"{event.path}/entries/import", lines, content_type="text/csv")

    assert (body["seed_rating"], body["number"]) == (1, 5)
    assert seeds(event)["Player 6"] == (1, 1700)
    assert verify() == []


def test_a_merged_player_has_the_rating_of_the_player_they_are(organiser: Person) -> None:
    event = make_event(organiser, **POOL)
    one, other, third = make_players(3)
    rate(other, 1_800_000)
    event.enter(one, third)
    Player.objects.filter(pk=one.pk).update(merged_into=other)

    event.step("open", "start")

    assert seeds(event)["Player 1"] == (1, 1800)


def test_seeds_from_a_pool_need_one(organiser: Person) -> None:
    event = make_event(organiser)
    for body in ({"seed_source": "pool"}, {"seed_source": "rating list"}):
        problem = problem_in(organiser.patch(event.path, body), 422)
        assert problem["code"] in ("pool_needed", "invalid")


def test_the_source_is_fixed_after_the_start(organiser: Person) -> None:
    event = make_event(organiser, pool="star")
    event.enter(*make_players(2))
    event.step("open", "start")
    response = organiser.patch(event.path, {"seed_source": "pool"})
    problem_in(response, 409, "set_up_frozen")


def test_decimals_in_a_file_are_rounded_a_half_up(organiser: Person) -> None:
    event = make_event(organiser)
    lines = b'name,Elo\nAda,"1887,5"\nBen,1887.4\n'

    organiser.post(f"{event.path}/entries/import", lines, content_type="text/csv")

    assert {name: seed for name, (_, seed) in seeds(event).items()} == {"Ada": 1888, "Ben": 1887}


def test_equal_ratings_are_in_the_order_of_the_alphabet(organiser: Person) -> None:
    event = make_event(organiser)
    names = ["Zoe", "Étoile", "de Wit", "Łódzki", "Muller"]
    event.enter(*[Player.objects.create(name=name, seed_rating=1500) for name in names])
    event.step("open", "start")
    order = sorted(seeds(event).items(), key=lambda item: item[1])
    assert [name for name, _ in order] == ["de Wit", "Étoile", "Łódzki", "Muller", "Zoe"]
