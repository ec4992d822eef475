"""Prizes on one small table: points 2, 1, 1, 1, 1, 0, told apart by number where codes say so."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.pairing.test_monrad import event
from tests.tournament.standings.events import swiss
from tournament.standings.errors import StandingsError
from tournament.standings.prizes import PrizeGroup, Split, award_prizes
from tournament.standings.table import rank

PLAYED = event("2f1 3s1\n1s0 5f1\n4f1 1f0\n3s0 6s1\n6f1 2s0\n5s0 4f0")
PEOPLE = [
    (2000, "1990/01/31", "w"),
    (1800, "", ""),
    (0, "2012", "w"),
    (1500, "2010/05/05", "m"),
    (1400, "1960", "m"),
    (1200, "2015", "w"),
]
TABLE = replace(
    PLAYED,
    players=tuple(
        replace(player, rating=rating, birth=birth, sex=sex)
        for player, (rating, birth, sex) in zip(PLAYED.players, PEOPLE, strict=True)
    ),
)


def won(codes: str, *groups: PrizeGroup) -> list[tuple[str, int, int, int]]:
    awards = award_prizes(TABLE, rank(TABLE, codes), groups)
    return [(award.group, award.place, award.number, award.coins) for award in awards]


@pytest.mark.parametrize(
    ("codes", "split", "coins"),
    [
        ("PTS,TPN", Split.RANK, [100, 60, 30]),
        ("PTS", Split.RANK, [100, 23, 23, 22, 22]),
        ("PTS,TPN", Split.POINTS, [100, 23, 23, 22, 22]),
        ("PTS,TPN", Split.HALF, [100, 42, 26, 11, 11]),
    ],
)
def test_money_is_split_by_the_stated_rule(codes: str, split: Split, coins: list[int]) -> None:
    group = PrizeGroup(name="all", amounts=(100, 60, 30), split=split)
    found = won(codes, group)
    assert [award[3] for award in found] == coins
    assert [award[2] for award in found] == list(range(1, len(coins) + 1))
    assert sum(coins) == 190


def test_an_award_says_which_places_it_shares() -> None:
    group = PrizeGroup(name="all", amounts=(100, 60, 30))
    (_, second, *_) = award_prizes(TABLE, rank(TABLE, "PTS"), [group])
    assert (second.place, second.shared_places) == (2, (2, 3))


@pytest.mark.parametrize(
    ("conditions", "winner"),
    [
        ({"rating_to": 1500}, 3),
        ({"rating_from": 1, "rating_to": 1500}, 4),
        ({"born_from": 2010}, 3),
        ({"born_to": 1960}, 5),
        ({"sex": "m"}, 4),
        ({"sex": "w", "born_from": 2013}, 6),
        ({"federation": "NOR"}, None),
        ({"club": "A"}, None),
    ],
)
def test_conditions_choose_who_can_win(conditions: dict[str, int], winner: int | None) -> None:
    group = replace(PrizeGroup(name="some", amounts=(50,)), **conditions)  # type: ignore[arg-type]
    found = won("PTS,TPN", group)
    assert [award[2] for award in found] == ([] if winner is None else [winner])


def test_a_winner_is_passed_over_in_later_groups_unless_they_add_up() -> None:
    general = PrizeGroup(name="all", amounts=(100, 60, 30))
    women = PrizeGroup(name="women", amounts=(20,), sex="w")
    assert won("PTS,TPN", general, women)[3:] == [("women", 1, 6, 20)]
    added = replace(general, is_exclusive=False)
    assert won("PTS,TPN", added, women)[3:] == [("women", 1, 1, 20)]


@pytest.mark.parametrize(
    ("amounts", "message"),
    [((1, 2), "a lower place has the higher"), ((-1,), "a prize is 0 to"), ((1,) * 1001, "more")],
)
def test_senseless_prizes_are_refused(amounts: tuple[int, ...], message: str) -> None:
    with pytest.raises(StandingsError, match=message):
        PrizeGroup(name="x", amounts=amounts)


@given(
    st.integers(0, 500),
    st.lists(st.integers(0, 999), max_size=9),
    st.sampled_from(Split),
    st.sampled_from(["PTS", "PTS,BH", "WIN"]),
)
def test_not_a_coin_is_lost_or_made(
    seed: int, amounts: list[int], split: Split, codes: str
) -> None:
    table = swiss(seed)
    prizes = tuple(sorted(amounts, reverse=True))
    group = PrizeGroup(name="all", amounts=prizes, split=split)
    awards = award_prizes(table, rank(table, codes), [group])
    assert sum(award.coins for award in awards) == sum(prizes[: len(table.players)])
