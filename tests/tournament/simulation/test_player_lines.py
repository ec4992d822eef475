"""Pasted players: ratings with names and errors, and what is wrong by line."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.simulation.plans import PlannedPlayer
from tournament.simulation.player_lines import BadLines, read_players


def test_names_and_errors_are_optional() -> None:
    text = "# club open\n1850\n\nAda Lovelace, 1900.5\nBen;1700;60\nunrated\t0\n2000,\n"
    assert read_players(text, 80) == (
        PlannedPlayer(2000, 80),
        PlannedPlayer(1901, 80),
        PlannedPlayer(1850, 80),
        PlannedPlayer(1700, 60),
        PlannedPlayer(0, 350),
    )
    assert read_players("1500") == (PlannedPlayer(1500, 100),)


@pytest.mark.parametrize("line", ["1.900", "Ada;1.900", "1 900", "Ada\t1’900"])
def test_a_sign_after_the_thousands(line: str) -> None:
    assert [player.rating for player in read_players(line)] == [1900]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("Ada", "has no rating"),
        ("-5", "has no rating"),
        ("٣", "has no rating"),
        ("1800,60,7", "is not a rating"),
        ("1800,sixty", "is not a rating"),
        ("4001", "is not a rating from 100 to 4000"),
        ("Ada;1.85", "'1.85' is not a rating from 100 to 4000"),
        ("1,900", "'1' is not a rating from 100 to 4000"),
        ("Ada;99", "is not a rating from 100 to 4000"),
        ("1800;1001", "above 1000"),
        ("\0", "has no rating"),
        ("9" * 500, "has no rating"),
    ],
)
def test_a_bad_line_is_named(line: str, part: str) -> None:
    with pytest.raises(BadLines) as refused:
        read_players(f"1500\n{line}\n1400")
    ((number, detail),) = refused.value.problems
    assert number == 2
    assert part in detail


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(BadLines):
        assert all(p.rating == 0 or 100 <= p.rating <= 4000 for p in read_players(text))
