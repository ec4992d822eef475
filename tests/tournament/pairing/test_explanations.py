"""Explanations of certified rounds, for every system, with preferences and relaxations."""

from dataclasses import replace
from itertools import combinations

import pytest

from tests.tournament.pairing.events import games, history, play, position
from tournament.pairing.certificates import RoundCertificate, certify
from tournament.pairing.errors import PairingError, PairingRequestError
from tournament.pairing.explanations import NotExplained, explain_absence, explain_round
from tournament.pairing.findings import ExplainedPairing
from tournament.pairing.relaxations import propose
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems import PAIRING_SYSTEMS


def certified(request: PairingRequest, code: str = "dutch") -> RoundCertificate:
    return certify(request, PAIRING_SYSTEMS[code].pair(request), system=code)


def as_text(explained: tuple[ExplainedPairing, ...]) -> str:
    rows = [f"{pairing.first} {pairing.second or 0}" for pairing in explained]
    return "".join(f"{row}\n" for row in (len(rows), *rows))


PREFERENCES = (
    frozenset(combinations(range(1, 9), 2)),
    frozenset({(1, 9), (2, 10)}),
    frozenset(combinations(range(1, 20), 2)),
)


@pytest.mark.parametrize(
    "preferences", [(), PREFERENCES[:1], PREFERENCES], ids=["none", "followed", "given up"]
)
@pytest.mark.parametrize(
    "name", ["001", *(pytest.param(name, marks=pytest.mark.long) for name in ("008", "024", "040"))]
)
def test_every_board_has_its_reasons(name: str, preferences: tuple[frozenset, ...]) -> None:
    request = position(name)
    numbers = request.crosstable.by_number
    levels = tuple(
        frozenset(pair for pair in level if all(number in numbers for number in pair))
        for level in preferences
    )
    certificate = certified(replace(request, preferences=levels))

    boards = explain_round(certificate)

    assert as_text(boards) == certificate.output
    assert all(board.reasons for board in boards)
    for board in (board for board in boards if board.second):
        assert explain_absence(certificate, board.first, board.second).code == "paired"


@pytest.mark.parametrize("code", ["monrad", "mcmahon", "round-robin", "knockout"])
def test_other_systems_give_their_findings(code: str) -> None:
    rounds = list(play(code, 8, 3, ratings=range(1800, 1000, -100)))
    table, pairings = rounds[-1]
    request = PairingRequest(crosstable=table, round=3)
    certificate = certified(request, code)

    assert [(b.first, b.second) for b in explain_round(certificate)] == list(pairings.pairs)
    with pytest.raises(NotExplained, match=PAIRING_SYSTEMS[code].name):
        explain_absence(certificate, 1, 2)


def test_monrad_names_an_earlier_opponent() -> None:
    request = history(games((1, 3), (2, 4)), games((1, 2), (3, 4)), players=4)
    boards = explain_round(certified(request, "monrad"))

    codes = {reason.code for board in boards for reason in board.reasons}
    assert "met_before" in codes


def test_a_relaxed_round_is_explained() -> None:
    request = history(games((1, 2), bye=3), games((3, 1), bye=2), games((2, 3), bye=1), players=3)
    certificate = certified(propose(request, has_criterion_c3=True).request)

    assert as_text(explain_round(certificate)) == certificate.output
    assert "met in round 2" in explain_absence(certificate, 1, 3).sentence


def test_unknown_players_are_rejected() -> None:
    with pytest.raises(PairingRequestError, match="not two players"):
        explain_absence(certified(position("008")), 1, 1000)


def test_a_changed_certificate_is_not_explained() -> None:
    with pytest.raises(PairingError, match="another pairing"):
        explain_round(replace(certified(position("008")), output="0\n"))
