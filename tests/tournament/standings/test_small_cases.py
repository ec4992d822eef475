"""Small events for single rules, computed by hand, that the golden events do not cover."""

from dataclasses import replace

import pytest

from tests.tournament.pairing.events import event
from tournament.standings.crosstable import Crosstable
from tournament.standings.points import CLASSIC, PointSystem
from tournament.standings.table import find_empty_columns, rank
from tournament.standings.tiebreaks import parse_codes

THREE_A_WIN = PointSystem.from_points(win=3, draw=1)

SWISS = [
    pytest.param("2f=\n1s0", {"STD": "1 0"}, id="7.7: a draw beats an opponent given a loss"),
    pytest.param("2f-\n1s-", {"STD": "0.5 0.5"}, id="7.7: a double forfeit is equal, literally"),
    pytest.param(
        "2f=\n1s=\nU",
        {"RTNG": ",,", "ARO": ",,"},
        id="10: undefined for all if one player is unrated",
    ),
    pytest.param(
        # 4 withdrew after a forfeit: 0 points, adjusted 1, which limits the dummy of 1.
        "4f+ 2f1 3s1\n3f1 1s0 U\n2s0 U 1f0\n1s- Z Z",
        {"BH": "4 5.5 6 0", "BH/C1": "3 4.5 5 0", "BH/P": "4 5.5 6 3", "SB": "4 2.5 1 0"},
        id="16.4.1: the limit is the adjusted score",
    ),
    pytest.param(
        "2f1 Z U\n1s0 Z 3f-\nU Z 2s+",
        {"BH": "3.5 2 3.5", "BH/C1": "2 2 2", "BH/P": "3.5 4 3.5"},
        id="16.3.2: a forfeit loss in the last round makes the bye before it a trailing one",
    ),
    pytest.param(
        "2f1 U\n1s0 H\nU Z",
        {"BH": "1.5 2.5 2"},
        id="16.3.2: a half-bye in the last round is a draw",
    ),
    pytest.param("2f1 U\n1s0 H\nU Z", {"KS": "0 0 0"}, id="9.2: the maximum score includes byes"),
    pytest.param(
        "U 2f1\n3f1 1s0\n2s0 U",
        {"PTS": "2 1 1", "BH": "2 3 2", "PS/C1": "2 1 1", "PS/C2": "0 0 0", "BH/C3": "0 0 0"},
        id="16.4.2: after two of nine rounds the dummy is limited to one point",
    ),
    pytest.param(
        # Terms of 1: 2 x 0 of the dummy, 1 x 0 of the forfeit, 1.5, 2.5. The forfeit is the lowest
        # VUR and the lowest term; then 1.5 is cut, because the value of the dummy is lower.
        "2f- Z 3f1 4f1\n1s+ 4f0 4s0 3f0\n4f= Z 1s0 2s1\n3s= 2s1 2f1 1s0",
        {"SB": "4 1 2.25 2.75", "SB/C1": "4 0 1.25 1.75", "SB/C2": "2.5 0 1.25 0.75"},
        id="16.5.2: of VURs with equal values the one with the lower score is cut first",
    ),
    pytest.param(
        # The half-bye has the lower score, 2, and the value 1; the forfeit has 2.5 and the value 0.
        "2f- H 3f1 4f1\n1s+ 3f1 4f1 U\n4f0 2s0 1s0 Z\n3s1 Z 2s0 1s0",
        {"SB": "2.5 6 0 0.5", "SB/C1": "2 5.5 0 0", "SB/C2": "1 4.5 0 0"},
        id="16.5.1: the lowest VUR is the one with the lowest value",
    ),
    pytest.param(
        "2f1 4s1 3f-\n1s0 3f1 4f1\n4f+ 2s0 1s+\n3s- 1f0 2s0",
        {
            "FB": "3.5 4.5 4.5 4.5",
            "BH/F": "3.5 4.5 4.5 4.5",
            "BH/C1/F": "3 4 4 4",
            "FB/P": "3.5 4.5 4.5 5.5",
            "BH/P/F": "3.5 4.5 4.5 5.5",
            "AOB/F": "4.5 4.166667 4.5 4",
        },
        id="8.3: BH/F is FB, and P counts the forfeits before the last round",
    ),
    pytest.param(
        "2f1 2s= 3f0 Z\n1s0 1f= Z 3f1\nZ Z 1s1 2s0",
        {"DE": "3 1 2"},
        id="6.1.2: two games against one opponent count as their average",
    ),
    pytest.param(
        # 2 can no longer reach 1; 3, tied with 2, could still pass 1.
        "2f1 Z\n1s0 3f=\nZ 2s=",
        {"DE": "1 1 1"},
        id="6.3: the first must be out of reach of all others, not only of the second",
    ),
]
SWISS_THREE_A_WIN = [
    pytest.param(
        # 3 could still get three points and tie with 1.
        "2f1 3s=\n1s0 Z\nZ 1f=",
        {"DE": "1 1 1"},
        id="6.3: a missing game can be a win",
    ),
    pytest.param(
        "2f1 4s=\n1s0 3f1\n4f= 2s0\n3s= 1f=",
        {"KS": "3 0 0 1", "KS/L+1": "0 0 0 1", "KS/L-1": "3 0 0 1", "KS/L-2": "4 0 1 1"},
        id="14.5: a limit moves by half points, whatever a win is worth",
    ),
    pytest.param(
        "2f1 U\n1s0 H\nU Z",
        {"PTS": "6 1 3", "WIN": "2 0 1", "STD": "2 0.5 1", "BH": "3 7 4"},
        id="16: byes are worth the points of the event",
    ),
]
ROUND_ROBIN = [
    pytest.param(
        "2f1 3s1 Z\n1s0 Z 3f1\nZ 1f0 2s0",
        {"REP": "3 3 3", "KS": "1 0 0", "SB": "1 0 0"},
        id="15.3: a free round is neither missed nor a game",
    ),
    pytest.param(
        "2f- Z\n1s- 3f+\nZ 2s-",
        {"REP": "1 1 1", "WON": "0 1 0", "STD": "0.5 1.5 0", "DE": "2 1 2", "SB": "0 0 0"},
        id="15.2: a forfeit win is a game, a forfeit loss is a missed round",
    ),
    pytest.param(
        "2f1\n1s0\n4f=\n3s=",
        {"DE": "1 4 2 2"},
        id="6.2: players who have not met yet are ranked too",
    ),
]


def check(table: Crosstable, expected: dict[str, str]) -> None:
    for code, values in expected.items():
        by_number = sorted(rank(table, code), key=lambda row: row.number)
        written = [row.values_as_json()[code] or "" for row in by_number]
        assert written == values.split("," if "," in values else " "), code


@pytest.mark.parametrize(("picture", "expected"), SWISS)
def test_a_swiss(picture: str, expected: dict[str, str]) -> None:
    rounds = len(picture.splitlines()[0].split())
    check(event(picture, points=CLASSIC, rounds=rounds), expected)


@pytest.mark.parametrize(("picture", "expected"), SWISS_THREE_A_WIN)
def test_a_swiss_of_three_points_a_win(picture: str, expected: dict[str, str]) -> None:
    check(event(picture, points=THREE_A_WIN), expected)


@pytest.mark.parametrize(("picture", "expected"), ROUND_ROBIN)
def test_a_round_robin(picture: str, expected: dict[str, str]) -> None:
    check(event(picture, round_robin=True), expected)


def test_the_rating_for_unrated_players_does_not_change_others() -> None:
    table = event("2f1\n1s0")
    first, second = table.players
    table = replace(table, players=(replace(first, rating=1700), second), unrated=1400)
    ratings = {row.number: row.values["RTNG"] for row in rank(table, "RTNG")}
    assert ratings == {1: 1700, 2: 1400}
    assert [row.number for row in rank(table, "RTNG/R")] == [2, 1]
    assert find_empty_columns(table, parse_codes("PTS,ARO,RTNG")) == {}


@pytest.mark.parametrize("code", ["ARO", "ARO/C1", "TPR", "PTP", "APRO", "APPO", "RTNG", "RTNG/R"])
def test_without_a_rating_of_every_player_the_column_is_empty_and_says_why(code: str) -> None:
    table = event("2f1\n1s0")
    first, second = table.players
    table = replace(table, players=(replace(first, rating=1700), second))

    assert [row.values[code] for row in rank(table, code)] == [None, None]
    (lack,) = find_empty_columns(table, parse_codes(f"PTS,{code}")).values()
    assert lack == (
        "it needs a rating of every player, and the event gives unrated players none; unrated: 2"
    )


def test_of_many_unrated_players_five_are_named() -> None:
    table = event("2f1\n1s0\n4f1\n3s0\n6f1\n5s0\n8f1\n7s0")

    (lack,) = find_empty_columns(table, parse_codes("ARO")).values()

    assert lack.endswith("; unrated: 1, 2, 3, 4, 5 and 3 more")


def test_fore_buchholz_draws_the_final_round_only() -> None:
    after_one_of_five = replace(event("3f1\n4s1\n1s0\n2f0"), rounds=5)
    of_one = replace(after_one_of_five, rounds=1)

    check(after_one_of_five, {"FB": "0 0 1 1", "BH/F": "0 0 1 1", "AOB/F": "1 1 0 0"})
    check(of_one, {"FB": "0.5 0.5 0.5 0.5", "BH/F": "0.5 0.5 0.5 0.5"})


def test_awarded_points_count_as_they_are() -> None:
    table = event("2f1\n1s0")
    won, lost = (player.results[0] for player in table.players)
    first, second = table.players
    table = replace(
        table,
        players=(
            replace(first, results=(replace(won, awarded=1),)),
            replace(second, results=(replace(lost, awarded=1),)),
        ),
    )
    check(table, {"PTS": "0.5 0.5", "WIN": "0 0", "STD": "0.5 0.5", "BH": "0.5 0.5"})
