"""Round robins by the tables of the annex, and properties of any number of players and cycles."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.seat import Seat
from tests.tournament.pairing.events import forfeits_of, play, stronger_wins, table_of
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems.berger import berger_round, rounds_in_cycle
from tournament.pairing.systems.round_robin import pair_round_robin, rounds_needed
from tournament.standings.crosstable import Kind, RoundResult

TABLES = {
    "3 or 4": "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    "5 or 6": "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    "7 or 8": (
        "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | "
        "3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1"
    ),
    "9 or 10": (
        "1-10 2-9 3-8 4-7 5-6 | 10-6 7-5 8-4 9-3 1-2 | 2-10 3-1 4-9 5-8 6-7 | "
        "10-7 8-6 9-5 1-4 2-3 | 3-10 4-2 5-1 6-9 7-8 | 10-8 9-7 1-6 2-5 3-4 | "
        "4-10 5-3 6-2 7-1 8-9 | 10-9 1-8 2-7 3-6 4-5 | 5-10 6-4 7-3 8-2 9-1"
    ),
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_the_tables_of_the_annex(table: str) -> None:
    rounds = [
        tuple((int(first), int(second)) for first, second in (p.split("-") for p in part.split()))
        for part in table.split("|")
    ]
    assert [berger_round(len(rounds) + 1, 1, n) for n in range(1, len(rounds) + 1)] == rounds


def test_two_cycles_change_seats_and_the_order_of_the_last_two_rounds() -> None:
    assert [pairings.pairs for _, pairings in play("round-robin", 4, 6)] == [
        ((1, 4), (2, 3)),
        ((2, 4), (3, 1)),
        ((4, 3), (1, 2)),
        ((4, 1), (3, 2)),
        ((3, 4), (2, 1)),
        ((4, 2), (1, 3)),
    ]


@pytest.mark.parametrize(
    ("system", "options"),
    [("round-robin", {}), ("round-robin", {"cycles": 21}), ("knockout", {"best_of": 21})],
)
def test_the_first_move_alternates_in_a_match_of_any_length(
    system: str, options: dict[str, object]
) -> None:
    def draw(*_: object) -> tuple[Kind, Kind]:
        return Kind.DRAW, Kind.DRAW

    rounds = play(system, 2, 21, choose=draw, options=options)
    assert [pairings.pairs for _, pairings in rounds] == [((1, 2),), ((2, 1),)] * 10 + [((1, 2),)]


def test_a_free_player_has_a_zero_point_bye() -> None:
    free = [pairings.byes for _, pairings in play("round-robin", 5, 5)]
    assert free == [((n, Kind.ZERO_BYE),) for n in (1, 4, 2, 5, 3)]


@given(st.integers(2, 17), st.integers(1, 4), st.integers(0, 2**32))
def test_each_pair_meets_once_in_each_cycle(players: int, cycles: int, seed: int) -> None:
    length = rounds_in_cycle(players)
    meetings: Counter[frozenset[int]] = Counter()
    seats: dict[int, list[Seat]] = {n: [] for n in range(1, players + 1)}
    for index, (_, pairings) in enumerate(
        play("round-robin", players, cycles * length, seed=seed), start=1
    ):
        meetings.update(frozenset(pair) for pair in pairings.pairs)
        for first, second in pairings.pairs:
            seats[first].append(Seat.FIRST)
            seats[second].append(Seat.SECOND)
        seen = [n for pair in pairings.pairs for n in pair] + [n for n, _ in pairings.byes]
        assert sorted(seen) == list(range(1, players + 1))
        if index % length == 0:
            assert meetings == {
                frozenset(pair): index // length for pair in combinations(range(1, players + 1), 2)
            }
    for taken in seats.values():
        assert abs(taken.count(Seat.FIRST) - taken.count(Seat.SECOND)) <= cycles % 2
        threes = zip(taken, taken[1:], taken[2:], strict=False)
        if players > 4 or (players == 4 and cycles < 3):
            assert all(len(set(three)) == 2 for three in threes)


@pytest.mark.parametrize(
    ("players", "rounds", "options", "needed"),
    [
        (8, 7, {}, 7),
        (8, 14, {}, 14),
        (8, 9, {}, 7),
        (8, 3, {}, 7),
        (7, 7, {}, 7),
        (8, 7, {"cycles": 2}, 14),
        (2, 99, {}, 99),
    ],
)
def test_rounds_needed(players: int, rounds: int, options: dict[str, int], needed: int) -> None:
    assert rounds_needed(players, rounds, options) == needed


class TestAbsence:
    """Player 2 of four is absent from round 2 on, against 1 and 4."""

    def rounds(self, **options: str) -> list[tuple[object, ...]]:
        absent = {1: (), 2: (2,), 3: (2, 4)}
        return [
            (found.pairs, found.byes, forfeits_of(found))
            for _, found in play(
                "round-robin",
                4,
                3,
                choose=stronger_wins,
                absent=absent.__getitem__,
                options={"cycles": 1, **options},
            )
        ]

    def test_games_of_an_absent_player_are_lost_by_forfeit(self) -> None:
        assert self.rounds() == [
            (((1, 4), (2, 3)), (), set()),
            (((4, 3), (1, 2)), (), {2}),
            (((2, 4), (3, 1)), (), {2, 4}),
        ]

    def test_games_of_an_absent_player_can_become_half_point_byes(self) -> None:
        assert self.rounds(absence="bye") == [
            (((1, 4), (2, 3)), (), set()),
            (((4, 3),), ((1, Kind.HALF_BYE),), set()),
            (((3, 1),), (), set()),
        ]

    def test_an_absent_player_has_no_bye_in_their_free_round(self) -> None:
        request = PairingRequest(crosstable=table_of([[]] * 3, 3), round=1, absent=frozenset({1}))
        assert pair_round_robin(request).byes == ()


class TestErrors:
    def test_a_round_after_the_last_cycle(self) -> None:
        request = PairingRequest(crosstable=table_of([[]] * 4, 9), round=4, options={"cycles": 1})
        with pytest.raises(PairingRequestError, match="one cycle has 3 rounds; this is round 4"):
            pair_round_robin(request)

    def test_a_single_player(self) -> None:
        with pytest.raises(PairingRequestError, match="two players"):
            pair_round_robin(PairingRequest(crosstable=table_of([[]], 1), round=1))

    def test_a_game_that_was_played_early(self) -> None:
        def game(kind: Kind, opponent: int, seat: Seat) -> RoundResult:
            return RoundResult(kind, opponent, seat)

        rows = [
            [game(Kind.WIN, 2, Seat.FIRST)],
            [game(Kind.LOSS, 1, Seat.SECOND)],
            [game(Kind.FORFEIT_WIN, 4, Seat.FIRST)],
            [game(Kind.FORFEIT_LOSS, 3, Seat.SECOND)],
        ]
        with pytest.raises(NoLegalPairing, match="were paired in round 1") as blocked:
            pair_round_robin(PairingRequest(crosstable=table_of(rows, 3), round=2))
        assert blocked.value.players == (4, 3)

    def test_a_forbidden_pair(self) -> None:
        request = PairingRequest(
            crosstable=table_of([[]] * 4, 3), round=1, forbidden=frozenset({(3, 2)})
        )
        with pytest.raises(NoLegalPairing, match="2 and 3 are kept apart"):
            pair_round_robin(request)
