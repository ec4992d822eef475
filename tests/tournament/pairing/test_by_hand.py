import pytest

from tests.tournament.pairing.events import event
from tournament.pairing.by_hand import IMPOSSIBLE, check_by_hand
from tournament.pairing.findings import FindingCode
from tournament.standings.crosstable import Kind

# After round 1: 1 beat 2, 3 beat 4, 5 had the bye, 6 asked for half a point.
TABLE = event("2f1\n1s0\n4f1\n3s0\nU\nH")
BYE = Kind.PAIRING_BYE
LEGAL = [(1, 3), (5, 6), (2, 4)]


@pytest.mark.parametrize(
    ("pairs", "byes", "options", "codes"),
    [
        (LEGAL, {}, {}, []),
        ([(1, 3), (5, 6)], {2: BYE, 4: Kind.ZERO_BYE}, {}, []),
        ([(1, 3), (5, 6)], {}, {"absent": [2, 4]}, []),
        ([(1, 3), (5, 6)], {}, {}, [("player_missing", (2,)), ("player_missing", (4,))]),
        ([(2, 1), (3, 4), (5, 6)], {}, {}, [("rematch", (2, 1)), ("rematch", (3, 4))]),
        ([(1, 3), (2, 4)], {5: BYE, 6: BYE}, {}, [("second_bye", (5,)), ("several_byes", (5, 6))]),
        (LEGAL, {}, {"absent": [4]}, [("player_absent", (4,))]),
        (LEGAL, {}, {"forbidden": [(4, 2), (1, 6)]}, [("forbidden", (2, 4))]),
        ([(1, 3), (3, 5), (2, 2)], {}, {}, [("player_twice", (3,)), ("player_twice", (2,))]),
        (LEGAL, {1: BYE}, {}, [("player_twice", (1,))]),
        ([(1, 9)], {}, {}, [("unknown_player", (9,))]),
        ([(1, 3), (2, 4)], {5: Kind.ZERO_BYE, 6: Kind.WIN}, {}, [("no_bye", (6,))]),
    ],
)
def test_findings_of_a_round_set_by_hand(
    pairs: list[tuple[int, int]],
    byes: dict[int, Kind],
    options: dict[str, list[int]],
    codes: list[tuple[str, tuple[int, ...]]],
) -> None:
    found = check_by_hand(TABLE, 2, pairs, byes, **options)  # type: ignore[arg-type]
    assert [(violation.code, violation.players) for violation in found] == codes


def test_only_impossible_rounds_cannot_be_overridden() -> None:
    twice = check_by_hand(TABLE, 2, [(1, 3), (1, 5)], {})
    again = check_by_hand(TABLE, 2, [(1, 2), (3, 5), (4, 6)], {})
    assert [finding.code in IMPOSSIBLE for finding in twice + again] == [True, False]
    assert again[0].sentence == "1 and 2 meet again; they met in round 1"


def test_a_round_after_the_last_is_impossible() -> None:
    (violation,) = check_by_hand(TABLE, 10, [], {})
    assert violation.code is FindingCode.NO_SUCH_ROUND
