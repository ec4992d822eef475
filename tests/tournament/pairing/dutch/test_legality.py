"""Any history leads to a legal round, or to a justified NoLegalPairing."""

import os
import subprocess
import sys

import pytest

from tests.processes import ROOT
from tests.tournament.pairing.events import POSITIONS
from tests.tournament.pairing.random_histories import pair_at_random, unusual_conditions
from tournament.pairing.by_hand import check_by_hand
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.matching import Matching, Unmatched, bits
from tournament.pairing.random_tournament import RandomConditions, random_rounds
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.systems.dutch import pair_dutch
from tournament.pairing.systems.dutch.field import field_of
from tournament.pairing.trf_rounds import request_next_round
from tournament.standings.crosstable import Kind


def is_impossible(request: PairingRequest) -> bool:
    """Return True if C1, C2, C3 and the forbidden pairs leave no complete pairing."""
    field = field_of(request)
    graph = list(field.allowed)
    if len(graph) % 2:
        for place in bits(field.bye_candidates):
            graph[place] |= 1 << len(field.numbers)
        graph.append(field.bye_candidates)
    try:
        Matching(graph)
    except Unmatched:
        return True
    return False


def try_positions(seeds: range) -> int:
    compared = 0
    for seed in seeds:
        for trf, _ in random_rounds(unusual_conditions(seed), pair_at_random):
            if trf.crosstable.completed == trf.crosstable.rounds:
                break
            request = request_next_round(trf)
            compared += 1
            if is_impossible(request):
                with pytest.raises(NoLegalPairing):
                    pair_dutch(request)
                continue
            pairings = pair_dutch(request)
            byes = {} if pairings.bye is None else {pairings.bye: Kind.PAIRING_BYE}
            assert not check_by_hand(
                request.crosstable,
                request.round,
                pairings.pairs,
                byes,
                absent=request.absent,
                forbidden=request.forbidden,
            ), seed
            field = field_of(request)
            place = {number: index for index, number in enumerate(field.numbers)}
            assert all(field.allowed[place[a]] >> place[b] & 1 for a, b in pairings.pairs), seed
    return compared


def test_random_histories() -> None:
    assert try_positions(range(30)) > 60


@pytest.mark.long
def test_ten_thousand_random_histories() -> None:
    assert try_positions(range(60, 6000)) > 10_000


@pytest.mark.parametrize("present", [0, 1])
def test_fewer_than_two_players(present: int) -> None:
    trf, _ = next(random_rounds(RandomConditions(players=3, rounds=2, seed=1)))
    table = trf.crosstable
    away = frozenset(range(present + 1, 4))
    request = PairingRequest(crosstable=table, round=1, absent=away)
    assert pair_dutch(request) == Pairings((), present or None)


def test_the_hash_seed_does_not_matter() -> None:
    command = [sys.executable, "manage.py", "pair", str(POSITIONS / "072.trf")]
    outputs = {
        subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {(POSITIONS / "072.pairs").read_text()}
