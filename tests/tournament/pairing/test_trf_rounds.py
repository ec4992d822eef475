"""Requests from TRF files: the round, the absent players and the forbidden pairs."""

from dataclasses import replace

import pytest

from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.request import Pairings
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.trf_rounds import (
    recorded_pairings,
    request_next_round,
    request_round,
    require_legal_byes,
    with_given_byes,
)
from tournament.standings.crosstable import Kind
from tournament.trf import AnnouncedBye, TrfFile, read_trf

CELLS = {
    1: ["   2 w 1", "   3 b  "],
    2: ["   1 b 0", "0000 - H"],
    3: ["   4 - +", "   1 w  "],
    4: ["   3 - -", ""],
    5: ["0000 - U", ""],
    6: ["0000 - Z", "0000 - Z"],
}


def trf_with(rounds: int, *records: str) -> TrfFile:
    rows = [
        f"001 {number:>4}".ljust(91) + "  ".join(cells[:rounds]) for number, cells in CELLS.items()
    ]
    return read_trf("\n".join([*rows, "XXR 5", "XXC white1", *records]))


def test_players_with_a_bye_are_absent_in_the_next_round() -> None:
    request = request_next_round(trf_with(2))
    assert (request.round, request.absent) == (2, {2, 6})


def test_pairs_are_forbidden_in_their_rounds() -> None:
    trf = trf_with(1, "XXP 1 3 5", "260 001 001    2    4", "260 002 003    1    4")
    pairs = {(1, 3), (1, 5), (3, 5)}
    assert request_next_round(trf).forbidden == pairs | {(1, 4)}
    assert request_round(trf, 1).forbidden == pairs | {(2, 4)}


def test_too_many_forbidden_pairs_are_rejected() -> None:
    many = "XXP " + " ".join(map(str, range(1, 1002)))
    rows = "\n".join(f"001 {number:>4}" for number in range(1, 1002))
    with pytest.raises(PairingRequestError, match="more than 500000 pairs"):
        request_next_round(read_trf(f"{rows}\nXXR 3\n{many}\n"))


def test_recorded_pairings_and_the_request_of_their_round() -> None:
    trf = trf_with(2)
    assert recorded_pairings(trf, 1) == Pairings(((1, 2), (3, 4)), 5)
    assert recorded_pairings(trf, 2) == Pairings(((3, 1),))
    again = request_round(trf, 1)
    assert (again.round, again.absent) == (1, {6})
    assert request_round(trf, 2) == request_next_round(trf)


def test_the_bye_of_an_open_round_belongs_to_its_pairings() -> None:
    trf = trf_with(2)
    trf = replace(trf, byes=(*trf.byes, AnnouncedBye(2, Kind.PAIRING_BYE, 4)))
    assert recorded_pairings(trf, 2) == Pairings(((3, 1),), 4)
    assert request_round(trf, 2).absent == {2, 6}


def test_there_is_no_round_after_the_last() -> None:
    trf = read_trf("\n".join([*(f"001 {n:>4}" for n in (1, 2)), "XXR 1"]))
    assert request_next_round(trf).round == 1
    finished = "001    1".ljust(91) + "   2 w 1\n" + "001    2".ljust(91) + "   1 b 0\n"
    with pytest.raises(PairingRequestError, match="all 1 rounds"):
        request_next_round(read_trf(finished))


GIVEN = [*["   2 w 1", "   1 b 0", "   4 w 1", "   3 b 0"], "0000 - U", "0000 - Z"]


def given(cells: list[str]) -> TrfFile:
    rows = [f"001 {n:>4}".ljust(91) + cell for n, cell in enumerate(cells, start=1)]
    return read_trf("\n".join([*rows, "XXR 5", "XXC white1"]))


def paired(trf: TrfFile) -> str:
    request = request_next_round(trf)
    require_legal_byes(trf, request)
    return str(with_given_byes(trf, request.round, PAIRING_SYSTEMS["dutch"].pair(request)))


def test_a_bye_given_before_round_1_leaves_the_round_to_be_paired() -> None:
    trf = given(["", "", "", "", "0000 - U", "", ""])

    assert trf.crosstable.completed == 0
    assert paired(trf) == "4\n1 4\n6 2\n3 7\n5 0\n"


def given_in_round_2(letters: str) -> TrfFile:
    later = ["" if letter == "." else f"  0000 - {letter}" for letter in letters]
    return given([cell + bye for cell, bye in zip(GIVEN, later, strict=True)])


def test_a_bye_given_before_a_later_round_leaves_it_to_be_paired() -> None:
    trf = given_in_round_2("...U.Z")

    request = request_next_round(trf)

    assert (trf.crosstable.completed, request.round, request.absent) == (1, 2, {4, 6})
    assert paired(trf) == "3\n5 1\n2 3\n4 0\n"


ONE_BYE = "a round has one at most, if the number of players is odd (C.04.1, article 3)"
AFTER_BYE = (
    "had a bye or a win without a game before, so the file cannot give it to them "
    "(C2; C.04.1, article 4)"
)


@pytest.mark.parametrize(
    ("letters", "problems"),
    [
        ("...U..", f"the file gives it to 4, and 5 others are left to pair; {ONE_BYE}"),
        ("..UU..", f"the file gives it to 3, 4; {ONE_BYE}"),
        ("..UU.Z", f"the file gives it to 3, 4, and 3 others are left to pair; {ONE_BYE}"),
        ("....UZ", f"5 {AFTER_BYE}"),
        (
            "....U.",
            f"the file gives it to 5, and 5 others are left to pair; {ONE_BYE}; 5 {AFTER_BYE}",
        ),
    ],
)
def test_byes_that_the_file_gives_follow_the_rules(letters: str, problems: str) -> None:
    with pytest.raises(NoLegalPairing) as refused:
        paired(given_in_round_2(letters))
    assert str(refused.value) == f"pairing-allocated bye of round 2: {problems}"


def test_a_round_in_which_all_others_have_byes_is_over() -> None:
    cells = [f"{cell}  0000 - {'U' if index == 2 else 'Z'}" for index, cell in enumerate(GIVEN)]

    assert given(cells).crosstable.completed == 2
