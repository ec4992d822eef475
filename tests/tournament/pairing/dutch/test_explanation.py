"""Explanations: what they say of known positions, and that the engine says the same when asked."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.processes import ROOT
from tests.tournament.pairing.dutch.test_against_gacrux import conditions_of
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.findings import Finding, FindingCode
from tournament.pairing.random_tournament import random_rounds
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems.dutch import pair_dutch
from tournament.pairing.systems.dutch.alternatives import Alternatives
from tournament.pairing.systems.dutch.assessment import assess, find_worse_criterion
from tournament.pairing.systems.dutch.explanation import explain, why_not
from tournament.pairing.systems.dutch.field import Field, field_of
from tournament.pairing.systems.dutch.round import RoundInProgress
from tournament.pairing.trf_rounds import request_next_round
from tournament.trf import read_trf

POSITIONS = ROOT / "tests" / "data" / "pairing" / "positions"


def position(name: str) -> PairingRequest:
    return request_next_round(read_trf((POSITIONS / f"{name}.trf").read_bytes()))


@pytest.mark.parametrize(
    ("one", "other", "code", "rule"),
    [
        (4, 11, FindingCode.PAIRED, None),
        (4, 1, FindingCode.MET_BEFORE, None),
        (2, 1, FindingCode.ABSENT, None),
        (4, 3, FindingCode.WITH_PAIR, "C6"),
        # 6 floated up in the last round and would again.
        (13, 6, FindingCode.WITH_PAIR, "C15"),
        # 10 cannot meet 6 and 8; then 10 or 13 has to meet one who floated up.
        (16, 8, FindingCode.WITH_PAIR, "C15"),
        # 14 and 24 would meet, and 17 float instead of 24.
        (12, 17, FindingCode.WITH_PAIR, "order"),
        (16, 9, FindingCode.WITH_PAIR, "order"),
    ],
)
def test_why_two_do_not_meet(one: int, other: int, code: FindingCode, rule: str | None) -> None:
    reason = why_not(position("008"), one, other)
    assert (reason.code, reason.values.get("rule")) == (code, rule)


def test_a_reason_has_a_code_values_and_a_sentence() -> None:
    assert why_not(position("008"), 10, 13).as_json() == {
        "code": "met-before",
        "players": [10, 13],
        "values": {"round": 6},
        "sentence": "10 and 13 met in round 6 (C1)",
    }


def test_strangers_are_refused() -> None:
    with pytest.raises(PairingRequestError, match="1 and 99 are not two players"):
        why_not(position("008"), 1, 99)


def test_every_board_says_why() -> None:
    request = position("008")
    pairings, told = explain(request, alternatives=True)
    assert pairings == pair_dutch(request)
    assert [(board.first, board.second) for board in told[:-1]] == list(pairings.pairs)
    assert [reason.sentence for reason in told[0].reasons] == [
        "4 floats down from 6.5 to 5.5 points",
        "4 sits first by article 5.2.2",
        "11's mild preference for sitting first is not granted",
        "without 4 against 11, "
        "the bracket of 5.5 would have 3 instead of 1 players floating down (C6)",
    ]
    assert told[-1].second is None
    assert told[-1].reasons == (
        Finding(
            FindingCode.BYE,
            (21,),
            "21 has the bye: 2.5 points is the lowest score whose bye leaves a pairing for all "
            "others (C5), and 21 has 0 unplayed games (C9)",
            {"points": "2.5", "unplayed": 0},
        ),
    )


def requests(seeds: range) -> Iterator[PairingRequest]:
    for seed in seeds:
        for document, _ in random_rounds(conditions_of(seed, 20)):
            if document.crosstable.completed < document.crosstable.rounds:
                yield request_next_round(document)


def rule_when_forced(request: PairingRequest, field: Field, one: int, other: int) -> str | None:
    """Force a pair by keeping both from everybody else, pair, and compare bracket by bracket."""
    numbers = field.numbers
    apart = {
        (numbers[place], stranger)
        for place in (one, other)
        for stranger in numbers
        if stranger not in (numbers[one], numbers[other])
    }
    wished = replace(request, forbidden=request.forbidden | apart)
    forced_field = field_of(wished)
    forced_field.bye_candidates &= ~(1 << one | 1 << other)
    actual = RoundInProgress(field)
    try:
        forced = RoundInProgress(forced_field)
    except NoLegalPairing:
        return "C4"
    if forced.bye_group != actual.bye_group:
        return "C5"
    brackets = list(zip(actual.brackets(), forced.brackets(), strict=True))
    following = [*brackets[1:], (None, None)]
    for (due, alternative), (next_due, next_alternative) in zip(brackets, following, strict=True):
        if (
            {frozenset(pair) for pair in due.pairs},
            set(due.floaters),
            due.bye,
        ) != (
            {frozenset(pair) for pair in alternative.pairs},
            set(alternative.floaters),
            alternative.bye,
        ):
            worse = find_worse_criterion(
                assess(field, due, next_due), assess(field, alternative, next_alternative)
            )
            return worse.criterion.value if worse else "order"
    return None


def test_forcing_each_alternative_finds_the_same_criterion() -> None:
    compared = 0
    for request in requests(range(4)):
        field = field_of(request)
        alternatives = Alternatives(field)
        for one in range(0, len(field.numbers), 3):
            for other in range(one + 1, len(field.numbers)):
                if field.allowed[one] >> other & 1:
                    loss = alternatives.force(one, other)
                    due = rule_when_forced(request, field, one, other)
                    assert (loss.rule if loss else None) == due
                    compared += 1
    assert compared > 200


def test_no_pair_forbidden_makes_a_round_better() -> None:
    rules = set()
    for request in requests(range(20, 26)):
        field = field_of(request)
        alternatives = Alternatives(field)
        for bracket in alternatives.brackets:
            for pair in bracket.pairs:
                loss = alternatives.forbid(*pair)
                assert loss is not None
                rules.add(loss.rule)
    assert {"order", "C6", "C7", "C12", "C14"} <= rules
