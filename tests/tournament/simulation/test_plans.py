"""Plans: the same seed gives the same figures, however the simulations are divided."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.simulation.figures import Totals
from tournament.simulation.formats import PlanError, make_event_plan, make_formats
from tournament.simulation.plans import (
    EventPlan,
    PlannedPlayer,
    draw_strengths,
    simulate,
    simulate_once,
)

RATINGS = (2000, 1900, 1850, 1700, 1600, 1500, 1450)


def small_plan(
    systems: tuple[str, ...] = ("monrad",),
    rounds: tuple[int, ...] = (3,),
    ratings: tuple[int, ...] = RATINGS,
    error: int = 100,
    options: dict[str, Any] | None = None,
    **changes: Any,
) -> EventPlan:
    """Return a plan of a few players."""
    players = tuple(PlannedPlayer(rating, error) for rating in ratings)
    formats = make_formats(len(players), systems=systems, rounds=rounds, options=options or {})
    return make_event_plan(players, formats, **{"simulations": 20, "seed": 5, **changes})


def test_the_totals_do_not_depend_on_the_steps() -> None:
    plan = small_plan(("dutch",))
    (one,) = plan.formats
    at_once = simulate(plan, one, range(1, 13))
    in_steps = sum((simulate(plan, one, range(n, n + 3)) for n in (10, 1, 7, 4)), Totals())
    assert in_steps == at_once
    assert Totals.parse(at_once.as_json()) == at_once
    assert EventPlan.parse(plan.as_json()) == plan


@pytest.mark.parametrize("system", PAIRING_SYSTEMS)
def test_every_system_can_be_simulated(system: str) -> None:
    plan = small_plan((system,), ratings=(*RATINGS, 0))
    found = simulate(plan, plan.formats[0], range(1, 4))
    assert found.simulations == 3
    assert found.figure("blocked").value == 0
    assert found.figure("games").value > 0
    assert -1 <= found.figure("tau").value <= 1


def test_certain_strengths_are_found_by_a_round_robin() -> None:
    ratings = (4000, 3200, 2400, 1600, 800)
    plan = small_plan(("round-robin",), (5,), ratings=ratings, error=0)
    found = simulate(plan, plan.formats[0], range(1, 11))
    assert found.figure("winner").value == 1
    assert found.figure("strongest_rank").value == 1
    assert found.figure("top_share").value == 1


@pytest.mark.long
def test_more_rounds_do_not_find_the_order_worse() -> None:
    plan = small_plan(("dutch", "monrad"), (3, 5, 7), ratings=tuple(range(2200, 1400, -50)))
    for system in ("dutch", "monrad"):
        taus = [
            simulate(plan, one, range(1, 201)).figure("tau")
            for one in plan.formats
            if one.system == system
        ]
        for fewer, more in pairwise(taus):
            assert more.value > fewer.value - fewer.error - more.error


def test_all_formats_meet_the_same_strengths() -> None:
    plan = small_plan(("dutch", "monrad"))
    strengths = [draw_strengths(plan, number) for number in (1, 2, 1)]
    assert strengths[0] == strengths[2] != strengths[1]
    assert simulate_once(plan, plan.formats[0], 1) != simulate_once(
        replace(plan, seed=6), plan.formats[0], 1
    )


@given(st.lists(st.integers(1, 4000), min_size=2, max_size=20), st.integers(0, 2**63 - 1))
def test_without_errors_the_strengths_are_the_ratings(ratings: list[int], seed: int) -> None:
    players = tuple(PlannedPlayer(rating, 0) for rating in ratings)
    plan = make_event_plan(players, (), seed=seed)
    assert draw_strengths(plan, 1) == {
        number: 1000 * rating for number, rating in enumerate(ratings, start=1)
    }


def test_an_unrated_player_is_drawn_around_the_mean() -> None:
    plan = small_plan(ratings=(2000, 1600, 0), error=0, simulations=20)
    assert draw_strengths(plan, 3)[3] == 1_800_000


def test_a_schedule_is_compared_once() -> None:
    formats = make_formats(
        8, systems=["round-robin", "dutch", "knockout"], rounds=[5, 6], options={}
    )
    found = [(one.system, one.rounds, one.tiebreaks[0]) for one in formats]
    assert found == [
        ("round-robin", 7, "PTS"),
        ("dutch", 5, "PTS"),
        ("dutch", 6, "PTS"),
        ("knockout", 3, "STAGE"),
    ]


@pytest.mark.parametrize(
    ("players", "changes", "at", "part"),
    [
        (8, {"systems": ["lucky"]}, "/systems/0", "there is no pairing system 'lucky'"),
        (8, {"rounds": [8]}, "/rounds", "8 players can play at most 7 rounds"),
        (8, {"rounds": [0]}, "/rounds", "between 1 and 40"),
        (1, {}, "/players", "between 2 and 400"),
        (401, {}, "/players", "between 2 and 400"),
        (60, {"systems": ["round-robin"]}, "/systems", "60 players need 59 rounds"),
        (8, {"options": {"monrad": {}}}, "/system_options", "not one of the systems"),
        (8, {"options": {"dutch": {"bar": 1}}}, "/system_options/dutch/bar", "no options"),
        (8, {"systems": ["dutch", "monrad"], "rounds": range(1, 8)}, "/rounds", "14 formats"),
        (8, {"tiebreaks": ["BHH"]}, "/tiebreaks", "BHH"),
        (8, {"tiebreaks": ["STAGE"]}, "/tiebreaks", "final order of a knockout"),
        (8, {"tiebreaks": ["PTS", "MARGIN"]}, "/tiebreaks", "needs the records"),
        (8, {"systems": []}, "/systems", "at least one format"),
    ],
)
def test_formats_that_are_refused(
    players: int, changes: dict[str, Any], at: str, part: str
) -> None:
    fields: dict[str, Any] = {"systems": ["dutch"], "rounds": [5], "options": {}} | changes
    with pytest.raises(PlanError) as refused:
        make_formats(players, **fields)
    assert refused.value.at == at
    assert part in refused.value.detail


def test_all_that_is_wrong_in_formats_is_said_at_once() -> None:
    with pytest.raises(PlanError) as refused:
        make_formats(
            8,
            systems=["dutch", "lucky", "round-robin", "swiss-manual"],
            rounds=[5, 8, 0, 9, 41],
            options={"round-robin": {"bar": 9}, "monrad": {}},
            tiebreaks=["STAGE"],
        )
    found = [(error.at, error.detail) for error in (refused.value, *refused.value.others)]
    assert [at for at, _ in found] == [
        "/system_options", "/rounds", "/rounds", "/rounds", "/rounds", "/tiebreaks", "/systems/1",
        "/system_options/round-robin/bar", "/tiebreaks", "/systems/3",
    ]  # fmt: skip
    assert len({*found}) == len(found)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"simulations": 19}, "/simulations"),
        ({"simulations": 5001}, "/simulations"),
        ({"seed": -1}, "/seed"),
        ({"draws": 1.5}, "/draws"),
        ({"draws": float("nan")}, "/draws"),
        ({"first_seat": 5000}, "/first_seat"),
        ({"top": 0}, "/top"),
    ],
)
def test_values_that_are_refused(changes: dict[str, Any], at: str) -> None:
    with pytest.raises(PlanError) as refused:
        small_plan(**changes)
    assert refused.value.at == at


def test_a_plan_that_takes_too_long_says_how_many_simulations_fit() -> None:
    ratings = tuple(range(2400, 2000, -1))
    with pytest.raises(PlanError, match="these formats allow 937 simulations"):
        small_plan(("dutch",), (8,), ratings=ratings, simulations=1000)
