"""Texts: their English, what they remember, and what keeps both."""

import copy
import json
import pickle

import pytest

from games.rules.text import Numeral, Text, Word, either, restored, shortened, storable

PART = Text("round %(number)s", number=3)
TEXT = Text("%(name)s: %(detail)s (%(codes)s)", name="50 %, “A: B”", detail=PART, codes=["x", PART])


def test_a_text_is_its_english_text() -> None:
    assert TEXT == "50 %, “A: B”: round 3 (x, round 3)"
    assert f"{TEXT}." == "50 %, “A: B”: round 3 (x, round 3)."
    assert json.loads(json.dumps({"detail": TEXT})) == {"detail": str(TEXT)}
    assert Text("95 % of all") == "95 % of all"
    assert Text("%(share)s %% of all", share=95) == "95 % of all"


@pytest.mark.parametrize(
    "copied",
    [
        str(TEXT),
        str(ValueError(TEXT)),
        copy.copy(TEXT),
        copy.deepcopy(TEXT),
        pickle.loads(pickle.dumps(TEXT)),
        restored(json.loads(json.dumps(storable(TEXT)))),
        shortened(TEXT, 100),
    ],
)
def test_a_copy_remembers_pattern_and_values(copied: Text) -> None:
    assert copied == TEXT
    assert (copied.pattern, dict(copied.values)) == (TEXT.pattern, TEXT.values)
    assert copied.values["detail"].pattern == PART.pattern


def test_a_text_that_is_too_long_is_cut() -> None:
    cut = shortened(TEXT, 4)
    assert (cut, isinstance(cut, Text)) == ("50 %", False)


def test_json_keeps_everything_but_texts_and_words_as_it_is() -> None:
    content = {
        "errors": [{"line": 3, "detail": PART}, {"pattern": "x"}],
        "state": Word("draft", "in preparation"),
        "score": Numeral("1.5-0.5"),
        "rate": 0.5,
        "none": None,
    }
    stored = json.loads(json.dumps(storable(content)))
    assert stored["errors"][0]["detail"] == {"pattern": "round %(number)s", "values": {"number": 3}}
    assert restored(stored) == content
    assert restored(stored)["state"].label == "in preparation"
    assert isinstance(restored(stored)["score"], Numeral)


def test_an_error_is_a_value_by_its_text() -> None:
    text = Text("%(name)s: %(detail)s", name="x", detail=ValueError(PART))
    assert (text, text.values["detail"].pattern) == ("x: round 3", PART.pattern)


@pytest.mark.parametrize(
    ("texts", "text"), [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a or b or c")]
)
def test_one_of_several_texts_is_meant(texts: list[str], text: str) -> None:
    assert either(texts) == text
