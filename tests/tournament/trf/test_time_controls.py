"""The time controls that the records 122 and 222 state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.trf.time_controls import (
    WrittenTime,
    read_encoded_time,
    read_written_time,
    write_encoded_time,
)

WORDS = [
    ("15 min + 10 s", 15, 10),
    ("15+10", 15, 10),
    ("90m+30s", 90, 30),
    ("90'+30''", 90, 30),
    ("90’ + 30”", 90, 30),
    ("25 min/player + 10 sec/move", 25, 10),
    ("90 minutes plus 30 seconds per move from move 1", 90, 30),
    ("90 Minuten + 30 Sekunden pro Zug", 90, 30),
    ("1 h 30 min + 30 s par coup", 90, 30),
    ("1h30+30s", 90, 30),
    ("10 min + 5 s delay", 10, 5),
    ("45 minutes a player", 45, 0),
    ("60 min each", 60, 0),
    ("2h", 120, 0),
    ("90/40+30+30s/move", 120, 30),
    ("40/90 + 30'", 120, 0),
    ("40 moves in 90 minutes + 30 min", 120, 0),
    ("90 min/40 moves + 30 min + 30 sec/move", 120, 30),
    ("100 minutes for 40 moves, 50 minutes for 20 moves, 15 minutes for the rest"
     " with 30 seconds increment per move from move 1", 165, 30),
]  # fmt: skip
UNCLEAR = [
    "", "fast", "45 minutes a player, *Star on six rings", "90", "300+3", "5400+30", "90/40+30",
    "90 min/40 moves + 30", "90/35 + 30s", "90+30+15", "90/40/20", "40 x 90 + 30s", "30 s",
    "90 min + 30 s + 15 min", "90 min + 30 s from move 61", "90 min or 60 min", "2 days per move",
    "10 +", "+ 10", "G/60;+30", "²5 min", "٣ min + 2 s", "1" * 500, "15 min" + " + 5 min" * 90,
]  # fmt: skip


@pytest.mark.parametrize(("text", "main", "increment"), WORDS)
def test_usual_words(text: str, main: int, increment: int) -> None:
    assert read_written_time(text) == WrittenTime(main, increment)
    assert read_written_time(text.upper()) == WrittenTime(main, increment)


@pytest.mark.parametrize("text", UNCLEAR)
def test_words_without_one_clear_meaning(text: str) -> None:
    assert read_written_time(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5400+30", WrittenTime(90, 30)),
        ("40/6000+30:900+30", WrittenTime(115, 30)),
        ("600", WrittenTime(10)),
        ("W300-B240", None),
        ("40/7200:20/3600:900+30", None),
        ("90", None),
        ("5400+", None),
        ("٥٤٠٠", None),
        ("90 min", None),
        ("", None),
    ],
)
def test_encoded_times(text: str, expected: WrittenTime | None) -> None:
    assert read_encoded_time(text) == expected


@given(st.integers(0, 1440), st.integers(0, 600))
def test_an_encoded_time_is_read_as_written(main: int, increment: int) -> None:
    written = write_encoded_time(main, increment)
    assert read_encoded_time(written) == WrittenTime(main, increment)
    assert write_encoded_time(None, 0) == ""


@given(st.text(max_size=60), st.text("0123456789 minh's+/:\"x", max_size=60))
def test_any_text_gives_a_time_or_none(text: str, similar: str) -> None:
    for words in (text, similar):
        for found in (read_written_time(words), read_encoded_time(words)):
            assert found is None or min(found) >= 0
