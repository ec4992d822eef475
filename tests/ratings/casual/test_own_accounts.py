"""Nobody leads the list of a pool by games against their own accounts."""

from datetime import UTC, datetime, timedelta

import pytest

from games.models import Game, Player
from ratings.batches.casual import file_casual_games
from ratings.models import BatchGame, Pool
from ratings.runs.services import advance_pool
from tests.events import make_event
from tests.people import Person, make_player, player_of
from tests.ratings.factories import make_game
from tournament.entries.services import enter_player

pytestmark = pytest.mark.django_db
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def star() -> Pool:
    return Pool.objects.get(code="star")


def play_casual(first: Player, second: Player, count: int, every: int = 1) -> list[Game]:
    """Return confirmed casual games, one on each of some days."""
    return [
        make_game(first, second, confirmed_at=START + timedelta(days=number * every))
        for number in range(count)
    ]


def exclusions(pool: Pool) -> list[str]:
    file_casual_games(pool)
    advance_pool(pool.pk)
    rows = BatchGame.objects.filter(pool=pool, batch__kind="game").order_by("game_id")
    return list(rows.values_list("exclusion", flat=True))


def finish_event(organiser: Person, *players: Player, slug: str = "spring") -> None:
    event = make_event(organiser, pool="star", rounds=1, slug=slug)
    for player in players:
        enter_player(event.tournament, player, by=organiser.account)
    event.step("open", "start").play(1)
    event.step("review", "finalise")


def rating_of(pool: Pool, player: Player) -> int | None:
    return pool.ratings.filter(player=player).values_list("rating", flat=True).first()


def test_games_of_players_without_an_approved_event_do_not_count(star: Pool) -> None:
    own, other = make_player("Ada", 1800), make_player("Sock", 2300)
    play_casual(player_of(own), player_of(other), 12)

    assert exclusions(star) == ["without_tournament"] * 12
    assert not star.ratings.exists()


def test_an_open_pool_rates_them(star: Pool) -> None:
    Pool.objects.filter(pk=star.pk).update(policy=Pool.Policy.OPEN)
    own, other = make_player("Ada", 1800), make_player("Sock", 1900)
    play_casual(player_of(own), player_of(other), 2)

    assert exclusions(Pool.objects.get(pk=star.pk)) == ["", ""]


def test_a_few_games_of_two_players_count_in_a_month(star: Pool, organiser: Person) -> None:
    ada, ben = (player_of(make_player(name)) for name in ("Ada", "Ben"))
    finish_event(organiser, ada, ben)
    play_casual(ada, ben, 8)
    make_game(ben, ada, confirmed_at=START + timedelta(days=31))

    assert exclusions(star) == [*[""] * 6, "monthly_limit", "monthly_limit", ""]


def test_the_least_expected_score_applies_to_them(star: Pool, organiser: Person) -> None:
    ada, ben = (player_of(make_player(name)) for name in ("Ada", "Ben"))
    Player.objects.filter(pk=ada.pk).update(seed_rating=2300)
    finish_event(organiser, ada, ben)
    advance_pool(star.pk)
    play_casual(ada, ben, 1)

    assert exclusions(star) == ["expected_out_of_band"]


@pytest.mark.parametrize(
    ("by", "expected"),
    [("stranger", 1500_000), ("self", 1500_000), ("organiser", 2000_000), ("officer", 2000_000)],
)
def test_a_seed_counts_if_an_official_has_stated_it(
    star: Pool,
    organiser: Person,
    officer: Person,
    stranger: Person,
    by: str,
    expected: int,
) -> None:
    ada, ben = make_player("Ada"), make_player("Ben")
    who = {"stranger": stranger, "self": ada, "organiser": organiser, "officer": officer}[by]
    Player.objects.filter(pk=player_of(ada).pk).update(seed_rating=2000, seed_by=who.account)
    finish_event(organiser, player_of(ada), player_of(ben))
    advance_pool(star.pk)

    change = star.current_run or Pool.objects.get(pk=star.pk).current_run
    assert change is not None
    rows = BatchGame.objects.get(pool=star)
    seeds = {rows.first_id: rows.first_seed, rows.second_id: rows.second_seed}
    assert (seeds[player_of(ada).pk] or 1500_000) == expected


def test_who_stated_a_seed_is_kept(staff: Person, ada: Person) -> None:
    number = staff.post("players", {"name": "Dora", "country": "POR"}).json()["id"]
    assert Player.objects.get(pk=number).seed_by is None
    assert staff.patch(f"players/{number}", {"seed_rating": 1900}).status_code == 200
    assert Player.objects.get(pk=number).seed_by == staff.account
    Player.objects.filter(pk=number).update(seed_by=None)
    assert staff.patch(f"players/{number}", {"seed_games": 40}).status_code == 200
    assert Player.objects.get(pk=number).seed_by == staff.account
    assert ada.patch(f"players/{player_of(ada).pk}", {"seed_rating": 3900}).status_code == 200
    assert Player.objects.get(pk=player_of(ada).pk).seed_by == ada.account
