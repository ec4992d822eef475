"""The settlement of reports: the table of `games.play.settlement`."""

import pytest

from games.models import Report
from games.play.queries import dispute_in_words
from games.play.settlement import evaluate_reports

ONE = '[Game "star-star"]\n[Board "4"]\n\nS10 T10 agreed 11-10\n'
OTHER = '[Game "star-star"]\n[Board "4"]\n\nS10 A10 agreed 11-10\n'
FIRST_WON = {"winner": "first", "draw": False, "score": {"first": 11, "second": 10}}
FIRST_WON_WITHOUT_SCORE = {"winner": "first", "draw": False, "score": None}
FIRST_WON_MORE = {"winner": "first", "draw": False, "score": {"first": 12, "second": 9}}
SECOND_WON = {"winner": "second", "draw": False, "score": {"first": 10, "second": 11}}


def record(seat: str, text: str = ONE, device: str = "player") -> dict[str, object]:
    sent = {"seat": seat, "device": device, "outcome": FIRST_WON}
    return sent | {"kind": "record", "record": text, "digest": text}


def claim(seat: str, outcome: dict[str, object], device: str = "player") -> dict[str, object]:
    return {"kind": "claim", "seat": seat, "device": device, "outcome": outcome}


def confirms(seat: str, version: int, device: str = "player") -> dict[str, object]:
    return {"kind": "confirmation", "seat": seat, "device": device, "confirms_id": version}


def sent_by_director(seat: str) -> dict[str, object]:
    return record(seat, device="director")


def disputes(seat: str) -> dict[str, object]:
    return {"kind": "dispute", "seat": seat}


def ruling(outcome: dict[str, object]) -> dict[str, object]:
    return {"kind": "ruling", "seat": "", "outcome": outcome}


ADJOURNMENT = {"kind": "adjournment", "seat": ""}
CASES = [
    ("no report", [], False, "open", ""),
    ("one record", [record("first")], False, "waiting", ""),
    ("one claim", [claim("second", SECOND_WON)], False, "waiting", ""),
    ("one record, after the deadline", [record("first")], True, "confirmed", "proof"),
    ("one claim, after the deadline", [claim("first", FIRST_WON)], True, "confirmed", "undisputed"),
    ("the same record twice", [record("first"), record("second")], False, "confirmed", "proof"),
    ("a record confirmed", [record("first"), confirms("second", 1)], False, "confirmed", "proof"),
    (
        "a claim confirmed",
        [claim("second", SECOND_WON), confirms("first", 1)],
        False,
        "confirmed",
        "agreement",
    ),
    ("two records", [record("first"), record("second", OTHER)], False, "disputed", ""),
    (
        "two records, whatever the deadline",
        [record("first"), record("second", OTHER)],
        True,
        "disputed",
        "",
    ),
    (
        "a record and its claim",
        [record("first"), claim("second", FIRST_WON)],
        False,
        "confirmed",
        "agreement",
    ),
    (
        "a claim without a score does not contradict",
        [claim("first", FIRST_WON), claim("second", FIRST_WON_WITHOUT_SCORE)],
        False,
        "confirmed",
        "agreement",
    ),
    (
        "claims of one winner, two scores",
        [claim("first", FIRST_WON), claim("second", FIRST_WON_MORE)],
        False,
        "disputed",
        "",
    ),
    ("a record against a claim", [record("first"), claim("second", SECOND_WON)], False,
     "disputed", ""),
    ("a dispute", [record("first"), disputes("second")], True, "disputed", ""),
    (
        "a dispute withdrawn by a confirmation",
        [record("first"), disputes("second"), confirms("second", 1)],
        False,
        "confirmed",
        "proof",
    ),
    (
        "a confirmation of a superseded report",
        [record("first"), confirms("second", 1), record("first", OTHER)],
        False,
        "waiting",
        "",
    ),
    (
        "a claim corrected to agree",
        [claim("first", FIRST_WON), claim("second", SECOND_WON), claim("first", SECOND_WON)],
        False,
        "confirmed",
        "agreement",
    ),
    (
        "a director's records for both sides",
        [sent_by_director("first"), sent_by_director("second")],
        False,
        "confirmed",
        "links",
    ),
    (
        "a director's record and a player's",
        [sent_by_director("first"), record("second")],
        False,
        "confirmed",
        "proof",
    ),
    (
        "a director's record confirmed by the director",
        [sent_by_director("first"), confirms("second", 1, "director")],
        False,
        "confirmed",
        "links",
    ),
    (
        "a director's record confirmed by a player",
        [sent_by_director("first"), confirms("second", 1)],
        False,
        "confirmed",
        "proof",
    ),
    (
        "a director's record without an answer",
        [sent_by_director("first")],
        True,
        "confirmed",
        "ruling",
    ),
    (
        "a director's claims for both sides",
        [claim("first", FIRST_WON, "director"), claim("second", FIRST_WON, "director")],
        False,
        "confirmed",
        "links",
    ),
    (
        "a player's report that a later one replaced",
        [record("first"), sent_by_director("first"), sent_by_director("second")],
        False,
        "confirmed",
        "links",
    ),
    (
        "a ruling over a dispute",
        [record("first"), disputes("second"), ruling(SECOND_WON)],
        False,
        "confirmed",
        "ruling",
    ),
    (
        "an annulment over a ruling",
        [ruling(SECOND_WON), {"kind": "annulment", "seat": ""}],
        False,
        "annulled",
        "ruling",
    ),
    ("an adjournment", [ADJOURNMENT], False, "open", ""),
    (
        "a result before an adjournment",
        [record("first"), ADJOURNMENT, confirms("second", 1)],
        True,
        "open",
        "",
    ),
    ("a result after it", [ADJOURNMENT, record("second")], False, "waiting", ""),
    (
        "two equal results after it",
        [claim("first", SECOND_WON), ADJOURNMENT, record("first"), record("second")],
        False,
        "confirmed",
        "proof",
    ),
    ("a ruling after it", [ADJOURNMENT, ruling(SECOND_WON)], False, "confirmed", "ruling"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("reports", "late", "state", "basis"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_the_settlement_of_reports(
    reports: list[dict[str, object]], late: bool, state: str, basis: str
) -> None:
    rows = [Report(pk=n, version=n, **fields) for n, fields in enumerate(reports, start=1)]

    settlement = evaluate_reports(rows, deadline_passed=late)

    assert (settlement.state, settlement.basis) == (state, basis)
    is_open = state in ("open", "waiting", "disputed")
    assert settlement.adjourned == (ADJOURNMENT in reports and is_open)


def test_two_records_are_compared_by_ply() -> None:
    rows = [
        Report(pk=1, version=1, **record("first")),
        Report(pk=2, version=2, **record("second", OTHER)),
    ]

    dispute = evaluate_reports(rows, deadline_passed=False).dispute

    assert dispute_in_words(dispute) == "the two records differ first at turn 2"


def test_a_dispute_has_the_words_of_players() -> None:
    assert dispute_in_words("claims") == "the two reports give different results"
    assert (
        dispute_in_words("record and claim")
        == "a record and a reported result give different results"
    )
