"""Requests out of reports: who is absent, who is kept apart, and which round is meant."""

import pytest

from tournament.pairing.errors import PairingRequestError
from tournament.pairing.request import Pairings
from tournament.pairing.trf_rounds import recorded_pairings, request_next_round, request_round
from tournament.trf import TrfFile, read_trf

CELLS = {
    1: ["   2 w 1", "   3 b  "],
    2: ["   1 b 0", "0000 - H"],
    3: ["   4 - +", "   1 w  "],
    4: ["   3 - -", ""],
    5: ["0000 - U", ""],
    6: ["0000 - Z", "0000 - Z"],
}


def report(rounds: int, *records: str) -> TrfFile:
    rows = [
        f"001 {number:>4}".ljust(91) + "  ".join(cells[:rounds]) for number, cells in CELLS.items()
    ]
    return read_trf("\n".join([*rows, "XXR 5", "XXC white1", *records]))


def test_the_next_round_leaves_out_who_has_a_bye() -> None:
    request = request_next_round(report(2))
    assert (request.round, request.absent) == (2, {2, 6})


def test_pairs_are_kept_apart_in_the_rounds_told() -> None:
    document = report(1, "XXP 1 3 5", "260 001 001    2    4", "260 002 003    1    4")
    pairs = {(1, 3), (1, 5), (3, 5)}
    assert request_next_round(document).forbidden == pairs | {(1, 4)}
    assert request_round(document, 1).forbidden == pairs | {(2, 4)}


def test_too_many_pairs_are_refused() -> None:
    many = "XXP " + " ".join(map(str, range(1, 1002)))
    rows = "\n".join(f"001 {number:>4}" for number in range(1, 1002))
    with pytest.raises(PairingRequestError, match="more than 500000 pairs"):
        request_next_round(read_trf(f"{rows}\nXXR 3\n{many}\n"))


def test_a_round_that_was_paired_is_read_and_asked_again() -> None:
    document = report(2)
    assert recorded_pairings(document, 1) == Pairings(((1, 2), (3, 4)), 5)
    assert recorded_pairings(document, 2) == Pairings(((3, 1),))
    again = request_round(document, 1)
    assert (again.round, again.absent) == (1, {6})
    assert request_round(document, 2) == request_next_round(document)


def test_after_the_last_round_there_is_none() -> None:
    document = read_trf("\n".join([*(f"001 {n:>4}" for n in (1, 2)), "XXR 1"]))
    assert request_next_round(document).round == 1
    finished = "001    1".ljust(91) + "   2 w 1\n" + "001    2".ljust(91) + "   1 b 0\n"
    with pytest.raises(PairingRequestError, match="all 1 rounds"):
        request_next_round(read_trf(finished))
