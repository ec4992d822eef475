"""The players that are chosen for ambiguous places of a file are added to its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.uploads.lists import add_chosen_players, read_table
from games.core.uploads.records import add_chosen_seats
from games.rules.records.notation import RecordText
from games.rules.records.record import Record
from games.rules.records.streams import split_records

RECORD = '[Game "star-star"]\n[Board "4"]\n[First "Ada"]\n\nS10 T10 agreed 11-10\n'
CHOICES = st.dictionaries(st.integers(0, 5), st.sampled_from([7, "new"]))


@given(first=CHOICES, second=CHOICES, end=st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_each_record_gets_the_players_of_its_seats(
    first: dict[int, int | str], second: dict[int, int | str], end: str
) -> None:
    text = end.join([RECORD.replace("\n", end)] * 4)
    lines = [line for _, line in split_records(text)]
    known = {
        (lines[record], seat): player
        for seat, chosen in (("First", first), ("Second", second))
        for record, player in chosen.items()
        if record < len(lines)
    }
    added = add_chosen_seats(text, known | {(0, "First"): 9, (10**9, "First"): 9})
    tags = [Record.read(RecordText(record)).tags for record, _ in split_records(added)]
    assert [(found.get("FirstId"), found.get("SecondId")) for found in tags] == [
        tuple(str(chosen[n]) if n in chosen else None for chosen in (first, second))
        for n in range(4)
    ]


@pytest.mark.parametrize(
    ("text", "chosen", "expected"),
    [
        ("name;club\nAda;\n\nBen;B\n", {2: "7"}, "name;club;player\nAda;;7\n\nBen;B;\n"),
        ("player,name\n1,Ada\n,Ben\n", {3: "new"}, "player,name\n1,Ada\nnew,Ben\n"),
        ("Open;;\nname;Player-ID;;\nAda;;;\n", {3: "7"}, "Open;\nname;Player-ID\nAda;7\n"),
    ],
    ids=["a new column", "its own", "below a title, with empty columns"],
)
def test_a_list_gets_a_column_or_uses_its_own(
    text: str, chosen: dict[int, str], expected: str
) -> None:
    table = read_table(text, ("name", "club", "player"), ("name",))
    assert add_chosen_players(table, text, chosen) == expected
