"""Prizes of a small event: points 2, 1, 1, 1, 1, 0, ranked by number if TPN is a code."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.pairing.events import event
from tests.tournament.standings.events import swiss
from tournament.standings.crosstable import Crosstable
from tournament.standings.errors import PrizeError
from tournament.standings.prizes import PrizeGroup, Split, Unrated, award_prizes, parse_groups
from tournament.standings.table import rank

PLAYED = event("2f1 3s1\n1s0 5f1\n4f1 1f0\n3s0 6s1\n6f1 2s0\n5s0 4f0")
PLAYERS = [
    (2000, "1990/01/31", "w", "", "", "POR"),
    (1800, "", "", "", "", "NOR"),
    (0, "2012", "w", "", "students", "POR"),
    (1500, "2010/05/05", "m", "Old  Rooks", "", "NOR"),
    (1400, "1960", "m", "Knights", "seniors", "POR"),
    (1200, "2015", "w", "old rooks", "Students", "EGY"),
]
YEAR = 2026
TABLE = replace(
    PLAYED,
    players=tuple(
        replace(
            player,
            rating=rating,
            birth=birth,
            sex=sex,
            club=club,
            category=category,
            federation=federation,
        )
        for player, (rating, birth, sex, club, category, federation) in zip(
            PLAYED.players, PLAYERS, strict=True
        )
    ),
)


def won(codes: str, *groups: PrizeGroup) -> list[tuple[str, int, int, int]]:
    awards = award_prizes(TABLE, rank(TABLE, codes), groups, year=YEAR)
    return [(award.group, award.place, award.number, award.coins) for award in awards]


@pytest.mark.parametrize(
    ("codes", "split", "amounts", "coins"),
    [
        ("PTS,TPN", Split.RANK, (100, 60, 30), [100, 60, 30]),
        ("PTS", Split.RANK, (100, 60, 30), [100, 23, 23, 22, 22]),
        ("PTS,TPN", Split.POINTS, (100, 60, 30), [100, 23, 23, 22, 22]),
        ("PTS,TPN", Split.HALF, (100, 60, 30), [100, 42, 26, 11, 11]),
        # The odd coin of a prize is in the half by rank: 50 + 51; 7 6 6 6 of 25, and 26.
        ("PTS,TPN", Split.HALF, (101, 51), [101, 33, 6, 6, 6]),
        ("PTS", Split.HALF, (101, 51), [101, 14, 13, 12, 12]),
        # Fewer coins than equal players: the better ranked get them.
        ("PTS", Split.RANK, (1, 1, 1), [1, 1, 1]),
        # More prizes than players: the others are not given.
        ("PTS,TPN", Split.RANK, (9, 8, 7, 6, 5, 4, 3, 2), [9, 8, 7, 6, 5, 4]),
        ("PTS,TPN", Split.POINTS, (9, 8, 7, 6, 5, 4, 3, 2), [9, 7, 7, 6, 6, 4]),
        ("PTS,TPN", Split.RANK, (0, 0), []),
    ],
)
def test_prizes_are_split_by_the_rule_of_the_group(
    codes: str, split: Split, amounts: tuple[int, ...], coins: list[int]
) -> None:
    group = PrizeGroup(name="all", amounts=amounts, split=split)
    found = won(codes, group)
    assert [award[3] for award in found] == coins
    assert [award[2] for award in found] == list(range(1, len(coins) + 1))
    assert sum(coins) == sum(amounts[: len(PLAYERS)])


def test_an_award_lists_the_shared_places() -> None:
    group = PrizeGroup(name="all", amounts=(100, 60, 30))
    (_, second, *_) = award_prizes(TABLE, rank(TABLE, "PTS"), [group], year=YEAR)
    assert (second.place, second.shared_places) == (2, (2, 3))


@pytest.mark.parametrize(
    ("conditions", "winner"),
    [
        ({"rating_to": 1500}, 3),
        ({"rating_from": 1, "rating_to": 1500}, 4),
        ({"birth_year_from": 2010}, 3),
        ({"birth_year_to": 1960}, 5),
        ({"sex": "m"}, 4),
        ({"sex": "w", "birth_year_from": 2013}, 6),
        ({"birth_year_from": 1961, "birth_year_to": 1989}, None),
        ({"age_to": 14}, 3),
        ({"age_to": 13}, 6),
        ({"age_to": 11}, 6),
        ({"age_to": 10}, None),
        ({"age_from": 66}, 5),
        ({"age_from": 67}, None),
        ({"age_from": 16, "age_to": 35}, 4),
        ({"federation": "nor"}, 2),
        ({"federation": "GER"}, None),
        ({"club": "OLD ROOKS"}, 4),
        ({"club": "Rooks"}, None),
        ({"category": "students"}, 3),
        ({"rating_from": 0, "rating_to": 1200}, 3),
        ({"rating_to": 1200, "unrated": Unrated.OUT}, 6),
        ({"unrated": Unrated.ONLY}, 3),
        ({"unrated": Unrated.ONLY, "rating_from": 1}, None),
    ],
)
def test_only_players_who_meet_the_conditions_win(
    conditions: dict[str, Any], winner: int | None
) -> None:
    group = replace(PrizeGroup(name="some", amounts=(50,)), **conditions)
    found = won("PTS,TPN", group)
    assert [award[2] for award in found] == ([] if winner is None else [winner])


def test_a_winner_of_an_exclusive_group_wins_nothing_in_later_groups() -> None:
    general = PrizeGroup(name="all", amounts=(100, 60, 30))
    women = PrizeGroup(name="women", amounts=(20,), sex="w")
    assert won("PTS,TPN", general, women)[3:] == [("women", 1, 6, 20)]
    added = replace(general, is_exclusive=False)
    assert won("PTS,TPN", added, women)[3:] == [("women", 1, 1, 20)]


def test_later_groups_are_split_between_the_remaining_players() -> None:
    best = PrizeGroup(name="best", amounts=(100,))
    rest = PrizeGroup(name="rest", amounts=(40, 20), split=Split.HALF)
    assert won("PTS,TPN", best, rest) == [
        ("best", 1, 1, 100), ("rest", 1, 2, 28), ("rest", 2, 3, 18), ("rest", 3, 4, 7),
        ("rest", 4, 5, 7),
    ]  # fmt: skip


def test_a_share_of_zero_does_not_exclude_from_later_groups() -> None:
    first = PrizeGroup(name="first", amounts=(3, 1))
    second = PrizeGroup(name="second", amounts=(5,))
    assert [award[2:] for award in won("PTS", first, second)] == [
        (1, 3), (2, 1), (3, 2), (4, 2), (5, 1),
    ]  # fmt: skip


# 1 has a game and a forfeit loss, 3 only a forfeit win; 4 and 5 have only byes.
UNPLAYED = event("2f1 3s-\n1s0 U\nH 1f+\nF Z\nU H")
# 1 withdrew after winning the first round.
LEFT = event("2f1 Z\n1s0 3f1\n4f1 2s0\n3s0 U")


@pytest.mark.parametrize(
    ("table", "conditions", "withdrawn", "winners"),
    [
        (UNPLAYED, {}, (), [1, 2]),
        (UNPLAYED, {"games_from": 1}, (), [1, 2]),
        (UNPLAYED, {"games_from": 2}, (), []),
        (UNPLAYED, {"games_from": 0}, (), [3, 5, 1, 2, 4]),
        (LEFT, {}, (), [1, 2, 3, 4]),
        (LEFT, {}, (1,), [2, 3, 4]),
        (LEFT, {"admits_withdrawn": True}, (1,), [1, 2, 3, 4]),
        (LEFT, {}, (2,), [1, 2, 3, 4]),  # 2 withdrew after the last round
        (LEFT, {"games_from": 2}, (1,), [2, 3]),
        (LEFT.after(1), {}, (1,), [1, 3, 2, 4]),
        (LEFT.after(0), {}, (), []),
    ],
)
def test_players_who_did_not_play_or_withdrew_win_nothing(
    table: Crosstable, conditions: dict[str, Any], withdrawn: Collection[int], winners: list[int]
) -> None:
    group = replace(PrizeGroup(name="all", amounts=(50, 40, 30, 20, 10)), **conditions)
    awards = award_prizes(table, rank(table, "PTS,TPN"), [group], year=YEAR, withdrawn=withdrawn)
    assert [award.number for award in awards] == winners
    assert [award.coins for award in awards] == list(group.amounts[: len(winners)])


ONE: dict[str, Any] = {"name": "all", "amounts": [2, 1]}


@pytest.mark.parametrize(
    ("groups", "pointer", "message"),
    [
        ([ONE] * 51, "", "at most 50 groups"),
        ([7], "0", "must be an object"),
        ([{}], "0/name", "needs a `name`"),
        ([{"name": " ", "amounts": [1]}], "0/name", "needs a `name`"),
        ([ONE, ONE], "1/name", "all: two groups have this name"),
        (
            [{"name": "all"}],
            "0/amounts",
            "all: a group needs prizes, one for each place, in whole coins",
        ),
        ([ONE | {"amounts": [1] * 1001}], "0/amounts", "at most 1000 prizes"),
        ([ONE | {"amounts": [3, 2.5]}], "0/amounts/1", "a whole number of coins"),
        ([ONE | {"amounts": [3, 1, 2]}], "0/amounts/2", "the prize of a lower place is higher"),
        ([ONE | {"amounts": [-1]}], "0/amounts/0", "0 to 1000000000000 coins"),
        ([ONE | {"amounts": [10**400]}], "0/amounts/0", "0 to 1000000000000 coins"),
        ([ONE | {"colour": "red"}], "0/colour", "no key 'colour'; valid: name, amounts"),
        ([ONE | {"split": "evenly"}], "0/split", "valid: rank, points, half"),
        ([ONE | {"unrated": "no"}], "0/unrated", "valid: in, out, only"),
        ([ONE | {"exclusive": 1}], "0/exclusive", "true or false"),
        ([ONE | {"sex": "female"}], "0/sex", "must be one of m, w"),
        ([ONE | {"club": "x" * 121}], "0/club", "at most 120 characters"),
        ([ONE | {"category": "a\nb"}], "0/category", "must be one line"),
        ([ONE | {"rating_to": "1500"}], "0/rating_to", "0 to 9999"),
        ([ONE | {"age_to": 2014}], "0/age_to", "0 to 150"),
        (
            [ONE | {"rating_from": 1600, "rating_to": 1500}],
            "0/rating_from",
            "rating_from 1600 is greater than rating_to 1500",
        ),
        (
            [ONE | {"age_from": 13, "age_to": 12}],
            "0/age_from",
            "age_from 13 is greater than age_to 12",
        ),
        (
            [ONE | {"birth_year_from": 2014, "birth_year_to": 2013}],
            "0/birth_year_from",
            "birth_year_from 2014 is greater",
        ),
    ],
)
def test_an_invalid_list_is_rejected_with_a_pointer(
    groups: object, pointer: str, message: str
) -> None:
    with pytest.raises(PrizeError, match=message) as error:
        parse_groups(groups)
    assert error.value.pointer == pointer


def test_all_that_is_wrong_in_prizes_is_said_at_once() -> None:
    groups = [
        ONE | {"amounts": [9, "x", 10, -1], "sex": "female", "colour": "red", "age_to": 200},
        ONE | {"age_from": 13, "age_to": 12, "amounts": [5, 6, 7]},
        "x",
    ]
    with pytest.raises(PrizeError) as error:
        parse_groups(groups)
    found = [(each.pointer, str(each)) for each in (error.value, *error.value.others)]
    assert [pointer for pointer, _ in found] == [
        "0/sex", "0/age_to", "0/amounts/1", "0/amounts/2", "0/amounts/3", "0/colour",
        "1/name", "1/amounts/1", "1/amounts/2", "1/age_from", "2",
    ]  # fmt: skip


ALL_KEYS: dict[str, Any] = {
    "name": "young",
    "amounts": [5, 3],
    "split": "half",
    "exclusive": False,
    "withdrawn": True,
    "unrated": "out",
    "sex": "w",
    "federation": "POR",
    "club": "Rooks",
    "category": "students",
    "rating_from": 1,
    "rating_to": 1500,
    "age_from": 8,
    "age_to": 12,
    "birth_year_from": 2010,
    "birth_year_to": 2015,
    "games_from": 0,
}


@pytest.mark.parametrize("group", [ALL_KEYS, ONE | {"split": "rank", "exclusive": True}])
def test_the_json_form_of_a_group(group: dict[str, Any]) -> None:
    assert [parsed.as_json() for parsed in parse_groups([group])] == [group]


GROUPS = st.builds(
    PrizeGroup,
    name=st.just("all"),
    amounts=st.lists(st.integers(0, 999), max_size=70).map(
        lambda amounts: tuple(sorted(amounts, reverse=True))
    ),
    split=st.sampled_from(Split),
    games_from=st.sampled_from([None, 0, 2]),
)
CODES = st.sampled_from(["PTS", "PTS,BH", "WIN"])


@given(st.integers(0, 500), GROUPS, CODES)
def test_the_awards_add_up_to_the_prizes(seed: int, group: PrizeGroup, codes: str) -> None:
    table = swiss(seed)
    needed = 1 if group.games_from is None else group.games_from
    players = [p for p in table.players if sum(r.is_played for r in p.results) >= needed]
    awards = award_prizes(table, rank(table, codes), [group], year=YEAR)
    assert sum(award.coins for award in awards) == sum(group.amounts[: len(players)])


@given(st.integers(0, 500), GROUPS, CODES)
def test_equal_players_differ_by_at_most_one_coin_for_each_half(
    seed: int, group: PrizeGroup, codes: str
) -> None:
    table = swiss(seed)
    rows = {row.number: row for row in rank(table, codes)}
    awards = award_prizes(table, tuple(rows.values()), [group], year=YEAR)
    shares: dict[tuple[int, int], list[int]] = {}
    for award in awards:
        equal = rows[award.number].rank, table.points_of(award.number)
        shares.setdefault(equal, []).append(award.coins)
    for coins in shares.values():
        assert coins == sorted(coins, reverse=True)
        assert coins[0] - coins[-1] <= (2 if group.split is Split.HALF else 1)
