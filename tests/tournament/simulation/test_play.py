"""One simulation: the pairings are those of the engine, and what is decided stays as it is."""

from dataclasses import replace
from random import Random
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.seat import Seat
from ratings.systems.handicap import CODE_TABLES
from ratings.systems.recommendation import Catalogue, CatalogueKind
from tests.tournament.simulation.events import invented_event
from tournament.pairing.request import Pair
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.simulation.event import FinishedEvent, OpenPairing, OpenRound, SimulatedEvent
from tournament.simulation.play import play_on, request_round
from tournament.simulation.strengths import Strengths
from tournament.standings.crosstable import Crosstable, Kind, RoundResult
from tournament.standings.table import rank, rank_groups

SYSTEMS = tuple(PAIRING_SYSTEMS)


def pairs_of(table: Crosstable, number: int) -> set[Pair]:
    return {
        (player.number, result.opponent)
        for player in table.players
        if (result := player.result(number)).opponent is not None
        and (
            result.seat is Seat.FIRST
            or (result.seat is None and player.number < (result.opponent or 0))
        )
    }


def kinds_of(finished: FinishedEvent, number: int) -> list[Kind]:
    return [result.kind for result in finished.crosstable.by_number[number].results]


@given(
    system=st.sampled_from(SYSTEMS),
    players=st.integers(8, 14),
    seed=st.integers(0, 2**32),
    draws=st.sampled_from([0.0, 0.4]),
)
def test_the_engine_pairs_every_round_and_the_order_is_the_standings(
    system: str, players: int, seed: int, draws: float
) -> None:
    event = invented_event(system, players, draws=draws)
    finished = play_on(event, Random(seed))
    table = finished.crosstable
    assert finished.rounds_paired == table.completed == table.rounds
    for number in range(1, table.rounds + 1):
        request = request_round(event, table.after(number - 1), number)
        assert set(PAIRING_SYSTEMS[system].pair(request).pairs) == pairs_of(table, number)
    ranks = {row.number: row.rank for row in rank(table, event.tiebreaks)}
    assert sorted(finished.order) == sorted(ranks)
    assert [ranks[number] for number in finished.order] == sorted(ranks.values())
    if not draws:
        assert Kind.DRAW not in {r.kind for player in table.players for r in player.results}


@given(seed=st.integers(0, 2**32), codes=st.permutations(["DE", "BH/C1", "SB", "WON", "PS", "TPN"]))
def test_the_groups_are_the_ranks_of_the_standings(seed: int, codes: list[str]) -> None:
    table = play_on(invented_event(players=9, draws=0.3), Random(seed)).crosstable
    for count in range(1, len(codes) + 1):
        rows = rank(table, ["PTS", *codes[:count]])
        groups = rank_groups(table, ["PTS", *codes[:count]])
        expected = {row.number: row.rank for row in rows}
        place = 1
        found = {}
        for group in groups:
            found |= dict.fromkeys(group, place)
            place += len(group)
        assert found == expected


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_seed_gives_one_event_and_the_rounds_played_stay(system: str) -> None:
    event = invented_event(system, 9)
    played = play_on(event, Random(1))
    assert play_on(event, Random(1)) == played
    halfway = replace(event, crosstable=played.crosstable.after(2))
    continued = [play_on(halfway, Random(seed)).crosstable for seed in range(6)]
    for table in continued:
        assert [p.results[:2] for p in table.players] == [
            p.results[:2] for p in played.crosstable.players
        ]
    assert any(table != continued[0] for table in continued)


def test_a_withdrawn_player_has_zero_point_byes() -> None:
    finished = play_on(invented_event(withdrawn=frozenset({2})), Random(4))
    assert set(kinds_of(finished, 2)) == {Kind.ZERO_BYE}
    assert Kind.ZERO_BYE not in kinds_of(finished, 1)


def test_a_withdrawn_player_of_a_round_robin_loses_by_forfeit_or_is_struck() -> None:
    event = invented_event(
        "round-robin", 6, withdrawn=frozenset({6}), options={"withdrawn": "keep"}
    )
    assert set(kinds_of(play_on(event, Random(1)), 6)) == {Kind.FORFEIT_LOSS}
    struck = play_on(replace(event, options={"withdrawn": "strike_under_half"}), Random(1))
    assert 6 not in struck.order
    assert len(struck.order) == 5


def test_an_open_round_keeps_its_boards_and_the_known_results() -> None:
    event = invented_event(players=6, rounds=3)
    known = {
        1: RoundResult(Kind.LOSS, 6, Seat.FIRST),
        6: RoundResult(Kind.WIN, 1, Seat.SECOND),
        5: RoundResult(Kind.HALF_BYE),
        4: RoundResult(Kind.PAIRING_BYE),
    }
    event = replace(event, open_rounds={1: OpenRound((OpenPairing((3, 2)),), known)})
    results = set()
    for seed in range(8):
        table = play_on(event, Random(seed)).crosstable
        assert pairs_of(table, 1) == {(1, 6), (3, 2)}
        assert {number: table.by_number[number].result(1) for number in known} == known
        results.add(table.by_number[3].result(1).kind)
    assert results == {Kind.WIN, Kind.LOSS}


def test_an_adjourned_game_is_a_draw_in_pairings_and_gets_a_result_at_the_end() -> None:
    event = invented_event(players=4, rounds=2)
    adjourned = [
        RoundResult(Kind.LOSS, opponent, seat, awarded=0, adjourned=True)
        for opponent, seat in ((3, Seat.FIRST), (1, Seat.SECOND))
    ]
    rows = {
        1: adjourned[0],
        3: adjourned[1],
        2: RoundResult(Kind.WIN, 4, Seat.SECOND),
        4: RoundResult(Kind.LOSS, 2, Seat.FIRST),
    }
    players = tuple(replace(p, results=(rows[p.number],)) for p in event.crosstable.players)
    table = replace(event.crosstable, players=players)
    finished = play_on(replace(event, crosstable=table), Random(3)).crosstable
    first, second = finished.by_number[1].result(1), finished.by_number[3].result(1)
    assert {first.kind, second.kind} == {Kind.WIN, Kind.LOSS}
    assert not first.adjourned
    assert not second.adjourned
    # After round 1, 2 has a point, 1 and 3 half a point each as in a draw: 2 meets one of these.
    assert finished.by_number[2].result(2).opponent in (1, 3)


def test_two_games_of_a_pairing_are_drawn_one_by_one() -> None:
    event = invented_event(players=4, rounds=3, games_per_pairing=2)
    kinds = {
        result.games
        for seed in range(10)
        for player in play_on(event, Random(seed)).crosstable.players
        for result in player.results
    }
    win, loss = Kind.WIN, Kind.LOSS
    assert kinds == {(win, win), (win, loss), (loss, win), (loss, loss)}


def test_a_round_without_a_legal_pairing_breaks_as_few_rules_as_necessary() -> None:
    finished = play_on(invented_event(players=4, rounds=5), Random(1))
    assert finished.rounds_paired == 5
    opponents = [r.opponent for r in finished.crosstable.by_number[1].results]
    assert set(opponents[:3]) == {2, 3, 4}
    assert set(opponents) == {2, 3, 4}


def first_score(event: SimulatedEvent, games: int = 400) -> float:
    """Return the share of the games that the first player of a pair wins."""
    seated, part = event.strengths.seat_by_handicap((1, 2), {1: 1800, 2: 1400})
    random = Random(5)
    won = sum(
        event.strengths.random_game(random, seated, part)[0] is Kind.WIN for _ in range(games)
    )
    return won / games


def test_a_handicap_brings_an_expected_score_near_one_half() -> None:
    ratings = {1: 1_800_000, 2: 1_400_000}
    event = invented_event(players=2, rounds=1)
    even = replace(event, strengths=Strengths(ratings=ratings))
    catalogue = Catalogue(
        game="star-star",
        board="10",
        swap=True,
        kinds=(CatalogueKind.STONES,),
        version="v2",
        values=CODE_TABLES["v2"]["star-star", "10"],
    )
    with_stones = replace(event, strengths=Strengths(ratings=ratings, catalogue=catalogue))
    seated, part = with_stones.strengths.seat_by_handicap((2, 1), {1: 1800, 2: 1400})
    assert seated == (1, 2)
    assert abs(part) > 300_000
    assert first_score(even) > 0.87
    assert 0.4 < first_score(with_stones) < 0.6


def test_the_first_seat_helps_as_its_value_says() -> None:
    strengths = Strengths(ratings={1: 1_500_000, 2: 1_500_000}, first_seat=200_000)
    event = replace(invented_event(players=2, rounds=1), strengths=strengths)
    assert 0.7 < first_score(event) < 0.82


def test_each_simulation_draws_strengths_about_ratings_that_are_not_exact() -> None:
    """A player 300 points ahead expects 85 %, but 80 % if each rating has a deviation of 150."""
    ratings, deviations = {1: 1_800_000, 2: 1_500_000}, {1: 150_000, 2: 150_000}
    strengths = Strengths(ratings=ratings, deviations=deviations)
    event = replace(invented_event(players=2, rounds=1), strengths=strengths)
    normal, ahead = NormalDist(300, 150 * 2**0.5), range(-800, 1400)
    expected = sum(normal.pdf(points) / (1 + 10 ** (-points / 400)) for points in ahead)
    won = sum(play_on(event, Random(seed)).order[0] == 1 for seed in range(1000))
    assert won / 1000 == pytest.approx(expected, abs=0.03)
    drawn = strengths.drawn(Random(1))
    assert drawn == strengths.drawn(Random(1)) != strengths.drawn(Random(2))
    assert replace(strengths, deviations={}).drawn(Random(1)).ratings == ratings


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"system": "chess"}, "there is no pairing system 'chess'"),
        ({"strengths": Strengths(ratings={1: 0})}, "players without a strength: 2, 3"),
    ],
)
def test_an_incomplete_event_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(invented_event(players=3), **changes)  # type: ignore[arg-type]
