"""The settlement of reports: the table of `games.play.settlement`."""

import pytest

from games.models import Report
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


def ruling(outcome: dict[str, object], text: str = "") -> dict[str, object]:
    return {"kind": "ruling", "seat": "", "outcome": outcome, "record": text, "digest": text}


def slip(outcome: dict[str, object]) -> dict[str, object]:
    return {"kind": "slip", "seat": "", "outcome": outcome}


def revokes(version: int) -> dict[str, object]:
    return {"kind": "revocation", "seat": "", "confirms_id": version}


ADJOURNMENT = {"kind": "adjournment", "seat": ""}
ANNULMENT = {"kind": "annulment", "seat": ""}
CASES = {
    # reports; whether the deadline has passed; state, basis; the versions that give result, record
    "no report": ([], True, "open"),
    "one record": ([record("first")], False, "waiting"),
    "one claim": ([claim("second", SECOND_WON)], False, "waiting"),
    "one record, late": ([record("first")], True, "confirmed proof 1 1"),
    "one claim, late": ([claim("second", SECOND_WON)], True, "confirmed undisputed 1 -"),
    "the same record twice": ([record("second"), record("first")], False, "confirmed proof 1 1"),
    "a record confirmed": ([record("first"), confirms("second", 1)], False,
                           "confirmed proof 1 1"),
    "a claim confirmed": ([claim("second", SECOND_WON), confirms("first", 1)], False,
                          "confirmed agreement 1 -"),
    "one's own confirmation": ([record("first"), confirms("first", 1)], False, "waiting"),
    "two records": ([record("first"), record("second", OTHER)], True, "disputed: records 2"),
    "a record and its claim": ([claim("first", FIRST_WON), record("second")], False,
                               "confirmed agreement 2 2"),
    "a claim without a score": ([claim("first", FIRST_WON_WITHOUT_SCORE),
                                 claim("second", FIRST_WON)], False, "confirmed agreement 2 -"),
    "claims without scores": ([claim("first", FIRST_WON_WITHOUT_SCORE),
                               claim("second", FIRST_WON_WITHOUT_SCORE)], False,
                              "confirmed agreement 1 -"),
    "claims of one winner, two scores": ([claim("first", FIRST_WON),
                                          claim("second", FIRST_WON_MORE)], True,
                                         "disputed: claims"),
    "a record against a claim": ([claim("first", SECOND_WON), record("second")], True,
                                 "disputed: record and claim"),
    "a dispute of the second": ([record("first"), disputes("second")], True,
                                "disputed: contested"),
    "a dispute of the first": ([record("second"), disputes("first")], True, "disputed: contested"),
    "a dispute withdrawn": ([record("first"), disputes("second"), confirms("second", 1)], False,
                            "confirmed proof 1 1"),
    "a confirmation of a superseded report": (
        [record("first"), confirms("second", 1), record("first", OTHER)], False, "waiting"),
    "a claim corrected to agree": (
        [claim("first", FIRST_WON), claim("second", SECOND_WON), claim("first", SECOND_WON)],
        False, "confirmed agreement 3 -"),
    "a director for both": ([sent_by_director("first"), sent_by_director("second")], False,
                            "confirmed links 1 1"),
    "a director and a player": ([sent_by_director("first"), record("second")], False,
                                "confirmed proof 1 1"),
    "a director confirmed by one": ([sent_by_director("first"), confirms("second", 1, "director")],
                                    False, "confirmed links 1 1"),
    "a director confirmed by a player": ([sent_by_director("first"), confirms("second", 1)], False,
                                         "confirmed proof 1 1"),
    "a director without an answer": ([sent_by_director("first")], True, "confirmed ruling 1 1"),
    "a director's claims": ([claim("first", FIRST_WON, "director"),
                             claim("second", FIRST_WON, "director")], False,
                            "confirmed links 1 -"),
    "a player's report that a director replaced": (
        [record("first"), sent_by_director("first"), sent_by_director("second")], False,
        "confirmed links 2 2"),
    "a ruling over a dispute": ([record("first"), disputes("second"), ruling(SECOND_WON)], False,
                                "confirmed ruling 3 -"),
    "a later ruling, by a record": ([ruling(SECOND_WON), ruling(FIRST_WON, ONE)], False,
                                    "confirmed ruling 2 2"),
    "reports after a ruling": ([ruling(SECOND_WON), record("first"), record("second")], False,
                               "confirmed ruling 1 -"),
    "an annulment": ([ruling(SECOND_WON), ANNULMENT], False, "annulled ruling - -"),
    "a ruling over an annulment": ([ANNULMENT, ruling(SECOND_WON)], False, "confirmed ruling 2 -"),
    "a slip": ([record("first", OTHER), claim("second", SECOND_WON), slip(SECOND_WON)], False,
               "confirmed slip 3 -"),
    "a slip that a record proves": ([record("first"), slip(FIRST_WON)], False,
                                    "confirmed slip 1 1"),
    "a slip with two different records": (
        [record("first"), record("second", OTHER), slip(FIRST_WON)], False, "confirmed slip 3 -"),
    "a slip with the same record twice": ([record("first"), record("second"), slip(FIRST_WON)],
                                          False, "confirmed slip 2 2"),
    "a ruling revoked": ([record("first"), ruling(SECOND_WON), revokes(2)], False, "waiting"),
    "a revocation revoked": ([ruling(SECOND_WON), revokes(1), revokes(2)], False,
                             "confirmed ruling 1 -"),
    "the later of two rulings revoked": ([ruling(SECOND_WON), ruling(FIRST_WON), revokes(2)],
                                         False, "confirmed ruling 1 -"),
    "an adjournment": ([ADJOURNMENT], False, "open, adjourned"),
    "a result before an adjournment": ([record("first"), ADJOURNMENT, confirms("second", 1)], True,
                                       "open, adjourned"),
    "a ruling before an adjournment": ([ruling(SECOND_WON), ADJOURNMENT], False, "open, adjourned"),
    "a result after it": ([ADJOURNMENT, record("second")], False, "waiting, adjourned"),
    "an adjournment revoked": ([record("first"), ADJOURNMENT, revokes(2)], True, "open"),
    "another one": ([ADJOURNMENT, revokes(1), ADJOURNMENT], True, "open, adjourned"),
    "two equal results after it": (
        [claim("first", SECOND_WON), ADJOURNMENT, record("first"), record("second")], False,
        "confirmed proof 3 3"),
    "an annulment after it": ([ADJOURNMENT, ANNULMENT], False, "annulled ruling - -"),
}  # fmt: skip


@pytest.mark.parametrize(("reports", "late", "expected"), CASES.values(), ids=CASES)
def test_the_settlement_of_reports(
    reports: list[dict[str, object]], late: bool, expected: str
) -> None:
    rows = [Report(pk=n, version=n, **fields) for n, fields in enumerate(reports, start=1)]

    found = evaluate_reports(rows, deadline_passed=late)

    versions = [row.version if row else "-" for row in (found.report, found.record)]
    shown = f"{found.state} {found.basis} {versions[0]} {versions[1]}"
    if found.state not in ("confirmed", "annulled"):
        assert (found.basis, *versions) == ("", "-", "-")
        shown = f"{found.state}: {found.dispute}" if found.dispute else str(found.state.value)
    assert shown + (", adjourned" if found.adjourned else "") == expected


def test_records_that_differ_nowhere_but_in_their_conditions_are_disputed() -> None:
    rows = [
        Report(pk=1, version=1, **record("first")),
        Report(pk=2, version=2, **record("second") | {"digest": "of other conditions"}),
    ]
    assert evaluate_reports(rows, deadline_passed=False).dispute == "records"
