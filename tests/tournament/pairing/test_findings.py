"""The engine's sentences for readers: each pattern and each word is translated, names are kept."""

import json
import re
from collections.abc import Iterator

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from games.core.text import translated
from games.rules.seat import Seat
from games.rules.text import Numeral, Text, restored, storable
from tournament.pairing.findings import Finding, FindingCode, with_names
from tournament.pairing.sentences import SEAT_RULES, Sentence
from tournament.pairing.systems.dutch.explanation import STRENGTHS
from tournament.pairing.systems.dutch.losses import (
    CONDITION_SENTENCES,
    CRITERIA,
    LOSSES,
    BracketLoss,
    explain_loss,
)
from tournament.pairing.systems.dutch.seat_preferences import Strength

LANGUAGES = ("de", "fr")
NAMES = {1: "Ada", 2: "Ben Ng", 3: "Doe, Cleo"}
VALUES: dict[str, str | int] = {
    "points": Numeral("1.5"), "unplayed": 2, "round": 3, "rounds": 7, "from": "2",
    "to": Numeral("1.5"), "paired": 4, "size": 5, "higher": "2", "lower": "1", "seat": Seat.FIRST,
    "rule": "5.2.2", "strength": STRENGTHS[Strength.MILD], "score": "1-1", "kind": "draw",
    "reason": Text(SEAT_RULES["5.2.2"], player=1),
}  # fmt: skip
LOSS = BracketLoss(
    rule="C12", bracket=Numeral("1.5"), actual=["2"], alternative=["3"],
    boards=[(1, 2), (3, 1)], downfloaters=[2, 3], bye=1,
)  # fmt: skip
AMOUNT = Text("%(number)s with %(points)s points", number=2, points=Numeral("1.5"))


def findings() -> Iterator[Finding]:
    """Yield a finding with each sentence, and each loss under each condition."""
    for sentence in Sentence:
        _, pattern = sentence.value
        names = set(re.findall(r"%\((\w+)\)s", pattern)) - {"player", "opponent", "players"}
        yield sentence.about(1, 2, **{name: VALUES[name] for name in names})
    for condition in CONDITION_SENTENCES:
        for rule in (*LOSSES, *CRITERIA):
            for loss in (
                BracketLoss(rule=rule, bracket=Numeral("2"), alternative=[AMOUNT, AMOUNT]),
                BracketLoss(rule=rule, bracket=Numeral("1.5"), bye=3, actual=[Text("none")]),
                BracketLoss(rule=rule, bracket=Numeral("1"), boards=[(1, 2)] * 9),
                BracketLoss(rule=rule, bracket=Numeral("1"), downfloaters=[2]),
                BracketLoss(rule=rule, bracket=Numeral("1"), downfloaters=[2, 3, 1], bye=1),
            ):
                yield explain_loss(condition, (1, 2), loss)


def shown(finding: Finding, language: str, names: dict[int, str] = NAMES) -> str:
    """Return what a reader sees of a finding that was stored."""
    stored = json.dumps(storable(finding.as_json()))
    with override(language):
        return translated(with_names(restored(json.loads(stored))["sentence"], names))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_is_translated(language: str) -> None:
    """Nothing of the English pattern is left, so both languages differ from it in every part."""
    english = re.compile(
        r"\b(the|bye|against|would|floats?|meet|they|has|have|sits|with|none|mild|first)\b|[0-9]\.5"
    )
    texts = [shown(finding, language) for finding in findings()]

    assert [text for text in texts if english.search(text)] == []


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
@given(st.sampled_from(list(findings())), st.text(min_size=1), st.text(min_size=1))
def test_names_are_kept_whole(language: str, finding: Finding, first: str, second: str) -> None:
    """A name may contain what a sentence does: commas, colons, quotes, percent signs, its words."""
    names = {1: first, 2: second, 3: "Sea, Ada: “50 %” and %(player)s; {0} against (C1)"}
    numbered = shown(finding, language, {1: "«1»", 2: "«2»", 3: "«3»"})
    parts = re.split("«([123])»", numbered)
    parts[1::2] = [names[int(number)] for number in parts[1::2]]
    assert shown(finding, language, names) == "".join(parts)


def test_a_finding_for_the_api_has_texts_and_pairing_numbers() -> None:
    found = json.loads(json.dumps(explain_loss(FindingCode.WITH_PAIR, (1, 2), LOSS).as_json()))
    assert found == {
        "code": "with_this_pair",
        "numbers": [1, 2],
        "values": {
            "rule": "C12", "bracket": "1.5", "actual": "2", "alternative": "3",
            "boards": "1-2 3-1", "downfloaters": "2, 3", "bye": "1",
        },
        "sentence": "if 1 and 2 met, the bracket of 1.5 would be worse: number of seat preferences"
        " not granted 3 instead of 2 (C12); instead, 1 against 2; 3 against 1; 2 and 3 float down;"
        " 1 has the bye",
    }  # fmt: skip
