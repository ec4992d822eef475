"""Knockouts: folded seeds, byes, ties of several games, level ties and absent players."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.pairing.events import (
    ENDS,
    forfeits_of,
    games,
    history,
    play,
    stronger_wins,
    table_of,
)
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.findings import FindingCode
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems.knockout import pair_knockout, rounds_needed
from tournament.pairing.systems.ties import count_stages, folded
from tournament.standings.crosstable import Kind


def meetings(players: int, rounds: int, **options: object) -> list[list[tuple[int, ...]]]:
    """Return who met in each round, by board, the better seed first."""
    rounds_played = play("knockout", players, rounds, choose=stronger_wins, **options)  # type: ignore[arg-type]
    return [[tuple(sorted(pair)) for pair in pairings.pairs] for _, pairings in rounds_played]


@pytest.mark.parametrize(
    ("places", "order"), [(2, (1, 2)), (4, (1, 4, 2, 3)), (8, (1, 8, 4, 5, 2, 7, 3, 6))]
)
def test_folded_seeds(places: int, order: tuple[int, ...]) -> None:
    assert folded(places) == order


FIELDS = {
    2: [[(1, 2)]],
    3: [[(2, 3)], [(1, 2)]],
    4: [[(1, 4), (2, 3)], [(1, 2)]],
    6: [[(3, 6), (4, 5)], [(1, 4), (2, 3)], [(1, 2)]],
    8: [[(1, 8), (2, 7), (3, 6), (4, 5)], [(1, 4), (2, 3)], [(1, 2)]],
}


@pytest.mark.parametrize(("players", "rounds"), FIELDS.items(), ids=map(str, FIELDS))
def test_a_bracket_without_an_upset(players: int, rounds: list[list[tuple[int, int]]]) -> None:
    assert meetings(players, len(rounds)) == rounds


def test_top_seeds_have_byes_for_the_whole_stage() -> None:
    rounds = list(play("knockout", 5, 6, choose=stronger_wins, options={"best_of": 2}))
    byes = [pairings.byes for _, pairings in rounds]
    first_stage = ((1, Kind.FULL_BYE), (2, Kind.FULL_BYE), (3, Kind.FULL_BYE))
    assert byes == [first_stage, first_stage, (), (), (), ()]


def test_the_game_for_third_place_is_optional() -> None:
    assert meetings(4, 2, options={"third_place": True})[1] == [(1, 2), (3, 4)]
    assert meetings(3, 2, options={"third_place": True})[1] == [(1, 2)]
    assert meetings(2, 1, options={"third_place": True}) == [[(1, 2)]]


class TestBestOf:
    def test_a_decided_tie_has_no_more_games(self) -> None:
        assert meetings(2, 3, options={"best_of": 3}) == [[(1, 2)], [(1, 2)], []]

    def test_a_finding_says_that_the_tie_is_decided(self) -> None:
        *_, (_, last) = play("knockout", 2, 3, choose=stronger_wins, options={"best_of": 3})
        assert [(found.code, found.players, found.sentence) for found in last.findings] == [
            (FindingCode.DECIDED, (1, 2), "the pairing of 1 and 2 is decided at 2-0"),
            (FindingCode.OVER, (), "the last pairing of the bracket is decided"),
        ]

    @pytest.mark.parametrize(
        ("best_of", "ends"), [(3, [0, 0, 0]), (4, [0, 2, 2])], ids=["one all", "still in reach"]
    )
    def test_seats_alternate_in_an_open_tie(self, best_of: int, ends: list[int]) -> None:
        results = iter(ends)
        rounds = play(
            "knockout", 2, 3, choose=lambda *_: ENDS[next(results)], options={"best_of": best_of}
        )
        assert [found.pairs for _, found in rounds] == [((1, 2),), ((2, 1),), ((1, 2),)]


class TestLevel:
    @pytest.mark.parametrize(("level", "winners"), [("seed", {1, 2}), ("second-seat", {2, 4})])
    def test_the_option_decides_level_ties(self, level: str, winners: set[int]) -> None:
        """Round 1 is 1-4 and 3-2, and all games are drawn."""
        rounds = list(play("knockout", 4, 2, choose=lambda *_: ENDS[2], options={"level": level}))
        assert rounds[0][1].pairs == ((1, 4), (3, 2))
        assert {*rounds[1][1].pairs[0]} == winners
        assert [finding.code for finding in rounds[1][1].findings] == [FindingCode.LEVEL_TIE] * 2

    def test_a_double_forfeit(self) -> None:
        """Both players forfeit: neither has played, but the pairing had seats."""
        rounds = list(play("knockout", 4, 2, absent=lambda n: (1, 4) if n == 1 else ()))
        assert forfeits_of(rounds[0][1]) == {1, 4}
        assert rounds[1][1].pairs == ()
        ((player, kind),) = rounds[1][1].byes
        assert (player in (2, 3), kind) == (True, Kind.FULL_BYE)
        (finding,) = [f for f in rounds[1][1].findings if f.code is FindingCode.LEVEL_TIE]
        assert finding.sentence == "1 and 4 were both absent; both are out"

    def test_a_double_forfeit_by_the_seeds(self) -> None:
        options = {"both_absent": "seed"}
        rounds = list(
            play("knockout", 4, 2, absent=lambda n: (1, 4) if n == 1 else (), options=options)
        )
        assert 1 in rounds[1][1].pairs[0]

    def test_two_ties_in_which_all_are_absent(self) -> None:
        rounds = list(play("knockout", 4, 2, absent=lambda n: (1, 2, 3, 4) if n == 1 else ()))
        assert (rounds[1][1].pairs, rounds[1][1].byes) == ((), ())
        assert rounds[1][1].findings[-1].sentence == (
            "nobody is left in the bracket, and nobody has won"
        )

    def test_who_were_both_absent_do_not_play_for_third_place(self) -> None:
        options = {"third_place": True}
        rounds = list(
            play("knockout", 3, 2, absent=lambda n: (2, 3) if n == 1 else (), options=options)
        )
        assert (rounds[1][1].pairs, rounds[1][1].byes) == ((), ((1, Kind.FULL_BYE),))
        assert rounds[1][1].findings[-1].sentence == (
            "1 is the only player left in the bracket, and has won"
        )


def test_an_absent_player_is_out() -> None:
    rounds = list(play("knockout", 4, 2, choose=stronger_wins, absent=lambda _: (1,)))
    assert forfeits_of(rounds[0][1]) == {1}
    assert {*rounds[1][1].pairs[0]} == {2, 4}
    assert forfeits_of(rounds[1][1]) == set()


class TestErrors:
    def test_a_round_after_the_final(self) -> None:
        request = PairingRequest(crosstable=table_of([[]] * 4, 9), round=3)
        with pytest.raises(PairingRequestError, match="a knockout of 4 players ends with round 2"):
            pair_knockout(request)

    @pytest.mark.parametrize(
        ("semi_finals", "expected"),
        [
            (((1, 3), (2, 4)), {frozenset({1, 2}), frozenset({3, 4})}),
            (((8, 4), (3, 2)), {frozenset({4, 2}), frozenset({8, 3})}),
            (((1, 7),), set()),
        ],
        ids=["other opponents", "a player who was out", "one tie"],
    )
    def test_the_ties_that_were_played_continue_the_bracket(
        self, semi_finals: tuple[tuple[int, int], ...], expected: set[frozenset[int]]
    ) -> None:
        quarter_finals = games((1, 8), (4, 5), (2, 7), (3, 6))
        request = history(quarter_finals, games(*semi_finals), players=8)
        request = replace(request, options={"third_place": True})

        pairings = pair_knockout(request)

        assert {frozenset(pair) for pair in pairings.pairs} == expected

    def test_a_forbidden_pair(self) -> None:
        request = PairingRequest(
            crosstable=table_of([[]] * 2, 1), round=1, forbidden=frozenset({(2, 1)})
        )
        with pytest.raises(NoLegalPairing, match="kept apart"):
            pair_knockout(request)


@given(
    st.integers(2, 40),
    st.sampled_from([1, 2, 3]),
    st.sampled_from(["seed", "second-seat"]),
    st.integers(0, 2**32),
)
def test_every_bracket_ends_with_a_final_of_two(
    players: int, best_of: int, level: str, seed: int
) -> None:
    options = {"best_of": best_of, "level": level}
    rounds = rounds_needed(players, 0, options)
    remaining = set(range(1, players + 1))
    for index, (_, pairings) in enumerate(
        play("knockout", players, rounds, seed=seed, options=options)
    ):
        playing = [n for pair in pairings.pairs for n in pair] + [n for n, _ in pairings.byes]
        assert len(playing) == len(set(playing))
        assert set(playing) <= remaining
        if index % best_of == 0:
            left = count_stages(players) - index // best_of
            assert len(playing) == (players if index == 0 else 2**left)
            remaining = set(playing)
            if left > 1:
                assert {1, 2} not in [set(pair) for pair in pairings.pairs]
    assert len(remaining) == 2
