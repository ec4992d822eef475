"""Whatever the history: a legal round or a refusal that is right, and never an exception."""

import os
import subprocess
import sys
from random import Random

import pytest

from tests.processes import ROOT
from tournament.pairing.by_hand import check_by_hand
from tournament.pairing.bye import bars_pairing_bye
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.matching import Matching, Unmatched, bits
from tournament.pairing.random_tournament import Conditions, random_rounds
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.systems.dutch import pair_dutch
from tournament.pairing.systems.dutch.field import field_of
from tournament.pairing.trf_rounds import request_next_round
from tournament.standings.crosstable import Kind

POSITIONS = ROOT / "tests" / "data" / "pairing" / "positions"


def at_random(request: PairingRequest) -> Pairings:
    """Pair by luck, as no rule would: the histories the engine gets are strange then."""
    random = Random(request.round)
    numbers = list(request.present)
    had_bye = {n for n in numbers if bars_pairing_bye(request.crosstable, request.earlier(n))}
    for _ in range(100):
        random.shuffle(numbers)
        pairs = tuple(zip(numbers[::2], numbers[1::2], strict=False))
        bye = numbers[-1] if len(numbers) % 2 else None
        byes = {} if bye is None else {bye: Kind.PAIRING_BYE}
        if bye not in had_bye and not check_by_hand(
            request.crosstable, request.round, pairs, byes, absent=request.absent
        ):
            return Pairings(pairs, bye)
    raise NoLegalPairing("none was found by luck", ())


def strange(seed: int) -> Conditions:
    random = Random(seed)
    players = random.randint(2, 16)
    return Conditions(
        players=players,
        rounds=random.randint(1, max(1, players)),
        seed=seed,
        byes=random.choice([0, 0.1, 0.3]),
        withdrawals=random.choice([0, 0.05]),
        late=random.choice([0, 0.3]),
        forfeits=random.choice([0, 0.1, 0.4]),
        draws=random.random(),
        forbidden=random.randint(0, players // 2),
        has_baku=random.random() < 0.3,
    )


def is_hopeless(request: PairingRequest) -> bool:
    """Whether C1, C2, C3 and forbidden pairs leave no complete pairing at all."""
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
    tried = 0
    for seed in seeds:
        for document, _ in random_rounds(strange(seed), at_random):
            if document.crosstable.completed == document.crosstable.rounds:
                break
            request = request_next_round(document)
            tried += 1
            if is_hopeless(request):
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
    return tried


def test_strange_histories() -> None:
    assert try_positions(range(150)) > 300


@pytest.mark.long
def test_ten_thousand_strange_histories() -> None:
    assert try_positions(range(1000, 6000)) > 10_000


@pytest.mark.parametrize("present", [0, 1])
def test_hardly_anybody_came(present: int) -> None:
    document, _ = next(random_rounds(Conditions(players=3, rounds=2, seed=1)))
    table = document.crosstable
    away = frozenset(range(present + 1, 4))
    request = PairingRequest(crosstable=table, round=1, absent=away)
    assert pair_dutch(request) == Pairings((), present or None)


def test_the_hash_seed_changes_nothing() -> None:
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
