"""Explanations of recorded positions, and the same losses from the engine itself."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.tournament.pairing.events import event, position
from tests.tournament.pairing.random_histories import random_conditions
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.findings import FindingCode
from tournament.pairing.random_tournament import random_rounds
from tournament.pairing.request import PairingRequest
from tournament.pairing.sentences import SEAT_RULES
from tournament.pairing.systems.dutch import pair_dutch
from tournament.pairing.systems.dutch.alternatives import Alternatives
from tournament.pairing.systems.dutch.assessment import assess, find_worse_criterion
from tournament.pairing.systems.dutch.criteria import Criterion
from tournament.pairing.systems.dutch.explanation import explain, why_not
from tournament.pairing.systems.dutch.field import Field, field_of
from tournament.pairing.systems.dutch.losses import CRITERIA
from tournament.pairing.systems.dutch.round import RoundInProgress
from tournament.pairing.systems.dutch.seats import SeatRule
from tournament.pairing.trf_rounds import request_next_round


@pytest.mark.parametrize(
    ("a", "b", "code", "rule"),
    [
        (4, 11, FindingCode.PAIRED, None),
        (4, 1, FindingCode.MET_BEFORE, None),
        (2, 1, FindingCode.ABSENT, None),
        (4, 3, FindingCode.WITH_PAIR, "C6"),
        # 6 floated up in the last round and would do so again.
        (13, 6, FindingCode.WITH_PAIR, "C15"),
        # 10 cannot meet 6 and 8, so 10 or 13 would have to meet a player who floated up.
        (16, 8, FindingCode.WITH_PAIR, "C15"),
        # 14 and 24 would meet, and 17 would float instead of 24.
        (12, 17, FindingCode.WITH_PAIR, "order"),
        (16, 9, FindingCode.WITH_PAIR, "order"),
    ],
)
def test_why_two_players_do_not_meet(a: int, b: int, code: FindingCode, rule: str | None) -> None:
    reason = why_not(position("008"), a, b)
    assert (reason.code, reason.values.get("rule")) == (code, rule)


def test_a_finding_as_json() -> None:
    assert why_not(position("008"), 10, 13).as_json() == {
        "code": "met_before",
        "numbers": [10, 13],
        "values": {"round": 6},
        "sentence": "10 and 13 met in round 6 (C1)",
    }


def test_unknown_players_are_rejected() -> None:
    with pytest.raises(PairingRequestError, match="1 and 99 are not two players"):
        why_not(position("008"), 1, 99)


def test_every_board_has_reasons() -> None:
    request = position("008")
    pairings, explained = explain(request, alternatives=True)
    assert pairings == pair_dutch(request)
    assert [(board.first, board.second) for board in explained[:-1]] == list(pairings.pairs)
    assert [reason.sentence for reason in explained[0].reasons] == [
        "4 floats down from 6.5 to 5.5 points",
        "4 floats from the bracket of 6.5: 0 of its 2 players are paired in it",
        "1 and 4 met in round 4 (C1)",
        "4 sits first against 11: both prefer the same seat, and 4 has the stronger preference "
        "(article 5.2.2)",
        "11's mild preference for sitting first is not granted",
        "without 4 against 11, the bracket of 5.5 would be worse: number of downfloaters 3 "
        "instead of 1 (C6); instead, 4 and 11 float down",
    ]
    assert explained[-1].second is None
    assert [reason.sentence for reason in explained[-1].reasons] == [
        "21 has the bye: 2.5 points is the lowest score whose bye leaves a pairing for all "
        "others (C5), and 21 has 0 unplayed games (C9)",
        "23 cannot have the bye: they had it in round 7 (C2)",
        "20 cannot have the bye: they had it in round 4 (C2)",
        "15 cannot have the bye: they had it in round 5 (C2)",
    ]


def test_a_bye_names_the_players_passed_over() -> None:
    table = event(
        """
        2f+ Z
        1s- F
        U   Z
        5f1 H
        4s0 F
        """
    )
    pairings, explained = explain(PairingRequest(crosstable=table, round=3), alternatives=True)
    assert pairings.bye == 4
    assert [reason.sentence for reason in explained[-1].reasons[1:]] == [
        "5 cannot have the bye: they had a bye worth a win in round 2 (C2)",
        "3 cannot have the bye: they had it in round 1 (C2)",
        "2 cannot have the bye: they had a bye worth a win in round 2 (C2)",
        "1 cannot have the bye: they won by forfeit in round 1 (C2)",
    ]


def test_every_article_on_seats_has_words() -> None:
    assert SEAT_RULES.keys() == {rule.value for rule in SeatRule}
    assert CRITERIA.keys() == {criterion.value for criterion in Criterion}


def test_every_round_can_be_explained() -> None:
    sentences = set()
    for request in requests(range(40, 44)):
        pairings, explained = explain(request, alternatives=True)
        assert pairings == pair_dutch(request)
        for board in explained:
            assert len(set(map(str, board.reasons))) == len(board.reasons)
            sentences |= {reason.sentence for reason in board.reasons}
    assert any("had the bye, the bracket of " in sentence for sentence in sentences)


def requests(seeds: range) -> Iterator[PairingRequest]:
    for seed in seeds:
        for trf, _ in random_rounds(random_conditions(seed, 20)):
            if trf.crosstable.completed < trf.crosstable.rounds:
                yield request_next_round(trf)


def rule_when_forced(request: PairingRequest, field: Field, a: int, b: int) -> str | None:
    """Force a pair by forbidding all their other pairs, and compare bracket by bracket."""
    numbers = field.numbers
    forbidden = {
        (numbers[place], number)
        for place in (a, b)
        for number in numbers
        if number not in (numbers[a], numbers[b])
    }
    forced_request = replace(request, forbidden=request.forbidden | forbidden)
    forced_field = field_of(forced_request)
    forced_field.bye_candidates &= ~(1 << a | 1 << b)
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


def test_forcing_a_pair_finds_the_criterion_that_gets_worse() -> None:
    compared = 0
    for request in requests(range(2)):
        field = field_of(request)
        alternatives = Alternatives(field)
        for a in range(0, len(field.numbers), 3):
            for b in range(a + 1, len(field.numbers)):
                if field.allowed[a] >> b & 1:
                    loss = alternatives.force(a, b)
                    due = rule_when_forced(request, field, a, b)
                    assert (loss.rule if loss else None) == due
                    compared += 1
    assert compared > 100


def test_forbidding_a_pair_never_makes_a_round_better() -> None:
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
