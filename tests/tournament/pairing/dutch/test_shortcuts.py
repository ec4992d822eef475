"""The shortcuts give the same pairings as optimising over all remaining players."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest

from tests.tournament.pairing.dutch.random_positions import pair_or_none
from tests.tournament.pairing.random_histories import (
    event_with_random_history,
    pair_at_random,
    random_clubs,
    random_conditions,
    unusual_conditions,
)
from tournament.pairing.random_tournament import RandomConditions, random_rounds
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.systems.dutch import bracket, first_candidate, pair_dutch
from tournament.pairing.systems.dutch import round as dutch_round
from tournament.pairing.trf_rounds import request_next_round
from tournament.standings.crosstable import Competitor, Crosstable, Kind, RoundResult

HALF_BYE = RoundResult(Kind.HALF_BYE)


def by_club(request: PairingRequest, clubs: Iterable[Iterable[int]]) -> PairingRequest:
    pairs = frozenset(pair for club in clubs for pair in combinations(club, 2))
    return replace(request, forbidden=request.forbidden | pairs)


def pair_without_shortcuts(
    request: PairingRequest, monkeypatch: pytest.MonkeyPatch
) -> Pairings | None:
    with monkeypatch.context() as patched:
        patched.setattr(first_candidate.FirstCandidates, "find", lambda *_: None)
        patched.setattr(dutch_round, "DEPTHS", ())
        return pair_or_none(request)


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(6, 400))]
)
def test_in_random_tournaments_of_clubs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    conditions = random_conditions(seed, 31) if seed % 2 else unusual_conditions(seed)
    clubs = random_clubs(seed, conditions.players)
    for trf, _ in random_rounds(conditions, pair_dutch if seed % 3 else pair_at_random):
        if trf.crosstable.completed < trf.crosstable.rounds:
            request = by_club(request_next_round(trf), clubs)
            assert pair_or_none(request) == pair_without_shortcuts(request, monkeypatch)


@pytest.mark.parametrize(
    "clubs",
    [
        pytest.param([range(76, 151)], id="the lower half is one club"),
        pytest.param([range(1, 76), range(76, 151)], id="each half is a club"),
        pytest.param([range(1, 51), range(51, 101), range(101, 151)], id="three clubs"),
        pytest.param([range(1, 71)], id="a club of nearly half"),
    ],
)
def test_clubs_need_no_optimisation_of_all_groups(
    clubs: list[range], monkeypatch: pytest.MonkeyPatch
) -> None:
    # With all groups below it, each bracket would be matched over all players of the round.
    for played in (1, 4):
        groups_below = [len(below) for below, _ in optimised(clubs, played, monkeypatch)]
        assert sum(groups_below) <= 1


@pytest.mark.parametrize(
    "clubs",
    [
        pytest.param([range(76, 151)], id="the lower half is one club"),
        pytest.param([range(1, 76), range(76, 151)], id="each half is a club"),
    ],
)
def test_who_must_meet_a_half_of_all_needs_no_vertex_to_float(
    clubs: list[range], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two players of the upper half cannot meet, so that enough of them float in any case.
    for played in (1, 4):
        assert not any(needed for _, needed in optimised(clubs, played, monkeypatch))


def optimised(
    clubs: list[range], played: int, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[Any, int]]:
    """Pair a round; return the groups below each bracket, and how many vertices make them float."""
    calls = []

    def optimise(field: Any, moved: Any, residents: Any, below: Any, **options: Any) -> Any:
        calls.append((below, options["needed"][0]))
        return bracket.optimise(field, moved, residents, below, **options)

    with monkeypatch.context() as patched:
        patched.setattr(dutch_round, "optimise", optimise)
        conditions = RandomConditions(players=150, rounds=9, seed=3)
        trf = event_with_random_history(conditions, played)
        pair_dutch(by_club(request_next_round(trf), clubs))
    return calls


@pytest.mark.parametrize(("players", "members"), [(40, 18), (41, 18), (60, 27), (61, 30)])
def test_with_a_large_club(players: int, members: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # With many forbidden pairs the search takes too many steps and needs the matching.
    club = Random(players).sample(range(1, players + 1), members)
    rows = (Competitor(number=n, results=(HALF_BYE,)) for n in range(1, players + 1))
    request = PairingRequest(
        crosstable=Crosstable(players=tuple(rows), rounds=9),
        round=2,
        forbidden=frozenset(combinations(sorted(club), 2)),
    )
    monkeypatch.setattr(first_candidate, "STEPS_PER_PLAYER", 0)
    assert pair_or_none(request) == pair_without_shortcuts(request, monkeypatch)


@pytest.mark.parametrize(
    ("players", "seed", "rounds_played"),
    [
        pytest.param(400, 28, 4, id="the player left over prefers the seat of the majority"),
        pytest.param(10, 0, 2, id="the player left over comes from the upper half"),
        pytest.param(
            8, 6, 3, id="no opponent of a moved-down player who never rose fits the seats"
        ),
    ],
)
def test_a_bracket_needs_no_optimisation(
    players: int, seed: int, rounds_played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    conditions = RandomConditions(players=players, rounds=9, seed=seed, draws=0.6)
    request = request_next_round(event_with_random_history(conditions, rounds_played))
    with monkeypatch.context() as patched:
        patched.setattr(first_candidate.FirstCandidates, "find", lambda *_: None)
        expected = pair_dutch(request)
    monkeypatch.delattr(dutch_round, "optimise")
    assert pair_dutch(request) == expected


@pytest.mark.long
@pytest.mark.parametrize("players", [150, 301])
def test_in_larger_tournaments(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    conditions = RandomConditions(
        players=players, rounds=9, seed=players, byes=0.05, forfeits=0.05, late=0.05
    )
    for pair in (pair_dutch, pair_at_random):
        for trf, _ in random_rounds(conditions, pair):
            if trf.crosstable.completed < trf.crosstable.rounds:
                request = request_next_round(trf)
                assert pair_or_none(request) == pair_without_shortcuts(request, monkeypatch)
