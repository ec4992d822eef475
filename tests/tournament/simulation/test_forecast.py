"""Tallies, what they say, and what the points prove."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import PlayerState
from ratings.systems.fide import start_rated
from ratings.systems.presets import PRESETS
from tests.tournament.simulation.events import invented_event
from tournament.simulation.bounds import Bounds, certain_in_top, score_bounds
from tournament.simulation.event import SimulatedEvent
from tournament.simulation.forecast import mean_rank, rank_at, sampling_error, summarise
from tournament.simulation.play import play_on
from tournament.simulation.rating_changes import RatingRule
from tournament.simulation.simulator import SimulationError, Task, simulate_in_chunks
from tournament.simulation.tally import NO_SIMULATIONS, Tally, simulate


def halfway(seed: int, system: str = "dutch", players: int = 8, through: int = 2) -> SimulatedEvent:
    """Return an event of four rounds after some of them."""
    event = invented_event(system, players)
    finished = play_on(event, Random(seed))
    return replace(event, crosstable=finished.crosstable.after(through))


def rule_of(event: SimulatedEvent, preset: str = "fixed") -> RatingRule:
    states = {number: PlayerState(r, 20) for number, r in event.strengths.ratings.items()}
    return RatingRule(system=PRESETS[preset], states=states)


@given(seed=st.integers(0, 2**32), cuts=st.lists(st.integers(0, 12), max_size=3))
def test_a_tally_is_the_sum_of_its_chunks_in_any_order(seed: int, cuts: list[int]) -> None:
    event = halfway(seed)
    rule = rule_of(event)
    whole = simulate(event, rule, seed="s", start=0, stop=12)
    edges = sorted({0, 12, *cuts})
    chunks = [
        simulate(event, rule, seed="s", start=start, stop=stop) for start, stop in pairwise(edges)
    ]
    Random(seed).shuffle(chunks)
    total = NO_SIMULATIONS
    for chunk in chunks:
        total += Tally.parse(chunk.as_json())
    assert total == whole
    assert all(sum(own.places) == 12 for own in whole.players.values())


def test_processes_give_the_same_tally() -> None:
    event = halfway(3)
    task = Task(event=event, rule=rule_of(event), seed="s")
    total = NO_SIMULATIONS
    steps = []
    for tally in simulate_in_chunks(task, start=0, stop=30, processes=2):
        total += tally
        steps.append(total.simulations)
    assert total == simulate(event, task.rule, seed="s", start=0, stop=30)
    assert steps[0] == 4
    assert steps[-1] == 30


def test_a_schedule_that_was_changed_by_hand_cannot_be_simulated() -> None:
    event = invented_event("round-robin", 6)
    row = play_on(event, Random(1)).crosstable.after(2)
    players = (replace(player, results=player.results[1:2]) for player in row.players)
    changed = replace(event, crosstable=replace(row, players=tuple(players)))
    task = Task(event=changed, rule=None, seed="s")
    with pytest.raises(SimulationError, match="have to meet but were paired in round 1"):
        list(simulate_in_chunks(task, start=0, stop=2, processes=1))


def test_the_changes_of_ratings_are_fair_in_the_mean() -> None:
    event = invented_event(players=4, rounds=3)
    tally = simulate(event, rule_of(event), seed="s", start=0, stop=400)
    rows = summarise(event, tally, top=2)
    assert sum(own.change for own in tally.players.values()) == pytest.approx(0, abs=400 * 4)
    for row in rows:
        assert row.change is not None
        # three games with K = 24: no game changes a rating by more than 12 in the mean
        assert 10_000 < row.change.deviation < 24_000
        assert abs(row.change.mean) < 4 * row.change.deviation / 20


@pytest.mark.parametrize(("preset", "least"), [("fixed", 9), ("fide-2024", 8)])
def test_a_game_that_the_pool_leaves_out_changes_no_rating(preset: str, least: int) -> None:
    """A player 400 points ahead expects 91 % by Elo, and 92 % by FIDE's table."""
    event = invented_event(players=2, rounds=1)
    start = PlayerState if preset == "fixed" else start_rated
    states = {1: start(2_000_000, 20), 2: start(1_600_000, 20)}
    game = play_on(event, Random(1)).games
    for percent, is_rated in ((least, True), (least + 1, False)):
        rule = RatingRule(system=PRESETS[preset], states=states, least_expected=percent)
        assert any(rule.changes(game).values()) is is_rated


@given(seed=st.integers(0, 2**32), system=st.sampled_from(["dutch", "monrad", "knockout"]))
def test_what_is_certain_is_so_in_every_simulation(seed: int, system: str) -> None:
    event = halfway(seed, system, through=2 if system == "knockout" else 3)
    bounds = score_bounds(event)
    assert bounds is not None
    orders = [play_on(event, Random(index)).order for index in range(8)]
    for top in range(1, 8):
        inside, outside = certain_in_top(bounds, top)
        assert inside.isdisjoint(outside)
        for order in orders:
            assert inside <= set(order[:top])
            assert outside.isdisjoint(order[:top])


def test_the_bounds_of_points_and_of_a_bracket() -> None:
    before = score_bounds(invented_event(players=4, rounds=3))
    assert before == dict.fromkeys(range(1, 5), Bounds(0, 6))
    knockout = halfway(2, "knockout", through=2)
    found = score_bounds(knockout)
    assert found is not None
    assert sorted(found.values()) == [Bounds(0, 0)] * 4 + [Bounds(2, 2)] * 2 + [Bounds(4, 6)] * 2
    by_rating = replace(knockout, tiebreaks=("RTNG",))
    assert score_bounds(by_rating) is None
    strikes = {"withdrawn": "strike_under_half"}
    assert score_bounds(invented_event("round-robin", 6, options=strikes)) is None


def test_the_winner_is_certain_with_an_unreachable_lead() -> None:
    bounds = {1: Bounds(8, 10), 2: Bounds(5, 7), 3: Bounds(3, 7), 4: Bounds(0, 2)}
    assert certain_in_top(bounds, 1) == (frozenset({1}), frozenset({2, 3, 4}))
    assert certain_in_top(bounds, 2) == (frozenset({1}), frozenset({4}))
    assert certain_in_top(bounds, 3) == (frozenset({1, 2, 3}), frozenset({4}))


def test_ranks_of_places() -> None:
    places = [10, 0, 60, 25, 5]
    assert mean_rank(places) == Fraction(315, 100)
    assert [rank_at(places, Fraction(n, 100)) for n in (5, 10, 11, 95, 96)] == [1, 1, 3, 4, 5]


def test_the_sampling_error_of_two_thousand_simulations() -> None:
    assert sampling_error(1000, 2000) == pytest.approx(0.0219, abs=0.0001)
    assert sampling_error(0, 2000) == pytest.approx(0.00096, abs=0.00001)
