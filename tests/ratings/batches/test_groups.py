"""Groups of players who play nearly only each other are shown to the officers of the pool."""

import pytest

from ratings.batches.groups import find_closed_groups
from ratings.models import Pool
from tests.people import Person
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db

OTHERS = {"DE": 1, "EF": 1, "FG": 1}
"""Games of four others who are no group, because none of their pairs has three."""


def groups_of(pool: Pool, games: dict[str, int]) -> list[tuple[str, int, int]]:
    """Return the closed groups after numbers of games between pairs of the players A to H."""
    players = dict(zip("ABCDEFGH", make_players(8), strict=True))
    played = [
        make_game(players[first], players[second])
        for (first, second), count in games.items()
        for _ in range(count)
    ]
    file_event(pool, "spring", day(2), played)
    return [
        ("".join(row["name"][-1] for row in group["players"]), group["games"], group["inside"])
        for group in find_closed_groups(pool)
    ]


@pytest.mark.parametrize(
    ("games", "found"),
    [
        ({"AB": 3, "BC": 3} | OTHERS, [("ABC", 6, 6)]),
        ({"AB": 3, "BC": 2, "AC": 2, "AD": 1} | OTHERS, []),  # two games are no link
        ({"AB": 6, "AD": 1} | OTHERS, [("AB", 7, 6)]),
        ({"AB": 5, "AD": 1} | OTHERS, []),  # too few games
        ({"AB": 4, "BC": 4, "AD": 2} | OTHERS, [("ABC", 10, 8)]),  # exactly four of five
        ({"AB": 4, "BC": 4, "AD": 3} | OTHERS, []),
        ({"AB": 3, "BC": 3, "CD": 1, "DE": 1, "EF": 1}, [("ABC", 7, 6)]),  # exactly half
        ({"AB": 3, "BC": 3, "CD": 1, "DE": 1}, []),
        ({"AB": 1, "BA": 2, "BC": 3} | OTHERS, [("ABC", 6, 6)]),  # seats make no difference
        # Without any game against the rest, no link is needed; the larger comes first.
        ({"AB": 2, "BC": 2, "AC": 2} | OTHERS, [("ABC", 6, 6)]),
        ({"AB": 6, "CD": 8, "EF": 1, "GH": 1}, [("CD", 8, 8), ("AB", 6, 6)]),
    ],
)
def test_the_closed_groups_of_a_pool(
    star: Pool, games: dict[str, int], found: list[tuple[str, int, int]]
) -> None:
    assert groups_of(star, games) == found


def test_games_that_are_not_rated_do_not_count(star: Pool) -> None:
    ann, bo, *others = make_players(4)
    games = [make_game(ann, bo, termination="forfeit" if n else "resignation") for n in range(6)]
    file_event(star, "spring", day(2), [*games, make_game(*others)])
    assert find_closed_groups(star) == []


def test_officers_see_them_before_they_publish(star: Pool, officer: Person) -> None:
    groups_of(star, {"AB": 6, "AD": 1} | OTHERS)
    officer.client.force_login(officer.account)
    assert "6 of their 7 games" in officer.client.get("/officers/pools/star").content.decode()
