"""Errors of files that are not a valid TRF."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.trf.files import SMALL
from tournament.trf import read_trf, write_trf
from tournament.trf.errors import TeamFileError, TrfError


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        (
            "1.5    1",
            "2.5    1",
            2,
            81,
            "2.5 points, but the results give 1.5; expected 1.5",
        ),
        (" 2 w 1", " 2 b 1", 2, 92, "has the seat second, player 2 has the seat second"),
        (" 2 w 1", " 2 g 1", 2, 97, "'g' is not a colour; expected w, b or -"),
        (" 2 w 1", " 2 - 1", 2, 97, "a game without a colour"),
        (" 2 w 1", " 2 w U", 2, 99, "'U' is not a result against an opponent"),
        (" 2 w 1", " 5 w 1", 2, 92, "opponent 5 is not a player of the event"),
        (" 2 w 1", " a w 1", 2, 92, "invalid opponent 'a'; expected a whole number"),
        ("   2 w 1", "  2 w 1 ", 2, 92, "'2 w 1' is not in its columns"),
        ("0000 - U", "0000 w U", 3, 107, "colour 'w' without an opponent; expected -"),
        ("0000 - U", "0000 - 1", 3, 109, "'1' without an opponent; expected U, F, H or Z"),
        ("001    2", "001    1", 3, 5, "player 1 is already in line 2"),
        ("001    2", "001     ", 3, 5, "a player without a pairing number"),
        ("001    2", "00110002", 3, 4, "'10002' exceeds the columns of the pairing number"),
        ("001    2 ", "001 10002", 3, 9, "expected 1 to 9999 in columns 5 to 8"),
        (
            "XXR 4",
            "240 H 005    1",
            5,
            7,
            "a bye in round 5, after the last round; expected 1 to 2",
        ),
        (" 2100 ", " 21x0 ", 2, 49, "invalid rating '21x0'"),
        ("XXR 4", "XXR 1", 2, 102, "a result after the last round; expected 1 rounds"),
        ("XXR 4", "XXR 0", 5, 5, "0 rounds; expected 1 to 500"),
        ("XXR 4", "BBW  0.0", 5, 4, "a win must be worth more than a loss"),
        ("XXR 4", "162  Q 1.0", 5, 6, "'Q' is not a result"),
        ("XXR 4", "XXP 1 8", 5, 5, "player 8 is not in the file"),
        ("XXR 4", "XXP 1", 5, 5, "a forbidden pair with fewer than two players"),
        ("XXR 4", "XXP 1 x", 5, 5, "invalid player 'x'"),
        ("XXR 4", "240 Q   3    1", 5, 5, "'Q' is not a bye; expected F, H or Z"),
        ("XXR 4", "240 H        1", 5, 7, "a bye without a round"),
        ("XXR 4", "240 H   1    1", 5, 5, "where the player record has another result"),
        ("XXR 4", "250       1.0 003 001 0001 0002", 5, 15, "a range that ends before it starts"),
        ("XXR 4", "XXA    1  0.3", 5, 9, "0.3 points; expected steps of 1/2 point"),
        ("XXR 4", "299 A        0.5    3    1", 5, 20, "points in round 3, which has no results"),
        ("XXR 4", "299 Q         0.5    1    1", 5, 5, "'Q' is not a result"),
        ("XXR 4", "299 W         0.5    1", 5, 24, "points without players"),
        ("XXR 4", "299          -0.5         1", 5, 20, "points without a round"),
        ("XXR 4", "240 H   3    12", 5, 15, "'12' is not in its columns; expected column 15 blank"),
        ("XXR 4", "240  H  3    1", 5, 6, "'H' is not in its columns"),
        ("XXR 4", "240 H   3\t   1", 5, 10, "is not in its columns"),
        ("XXR 4", "260   1    2", 5, 12, "'2' is not in its columns"),
        ("XXR 4", "260 003 001    1    2", 5, 9, "a range that ends before it starts"),
        ("XXR 4", "250        1.0 001 003 0001 0002", 5, 14, "'1.0' is not in its columns"),
        ("XXR 4", "XXA     1  0.5", 5, 9, "'1' is not in its columns"),
        ("XXR 4", "162  W  3.0    D 1.0", 5, 11, "'3.0' is not in its columns"),
        ("XXR 4", "299 W          0.5   1    1", 5, 18, "'0.5' is not in its columns"),
    ],
)
def test_errors_have_a_line_a_column_and_what_was_expected(
    old: str, new: str, line: int, column: int, message: str
) -> None:
    assert old in SMALL
    with pytest.raises(TrfError, match=message) as error:
        read_trf(SMALL.replace(old, new, 1))
    assert (error.value.line, error.value.column) == (line, column)


def altered(*replacements: tuple[str, str]) -> str:
    source = SMALL
    for old, new in replacements:
        assert old in source
        source = source.replace(old, new, 1)
    return source


MANY = altered(
    ("2100", "21x0"), ("1.5    1", "1.5    x"), ("2 w 1", "2 g 1"), ("   3 b =", "   a b ="),
    ("001    2 ", "001 10002"), ("0000 - U", "0000 w U"), ("XXR 4", "XXR 0\n162  Q 1.0"),
)  # fmt: skip
CONTRADICTORY = altered(("1 b 0", "1 w 0"), ("1 w =", "1 w 1"))
RECORDS = "240 H   9    1    8\nXXP 1 7\n299 W         0.5    4    1\n"


@pytest.mark.parametrize(
    ("source", "places"),
    [
        (MANY, [(2, 49), (2, 86), (2, 97), (2, 102), (3, 9), (3, 107), (5, 5), (6, 6)]),
        (CONTRADICTORY + RECORDS, [(6, 5), (6, 7), (7, 5), (8, 20)]),
        (CONTRADICTORY, [(2, 92), (2, 102)]),
        (CONTRADICTORY.replace("2100", "21x0"), [(2, 49), (2, 92), (2, 102)]),
        (altered((" 1.5 ", " 2.5 "), (" 0.5 ", " 2.0 ")), [(2, 81), (4, 81)]),
    ],
    ids=["in lines", "among records", "among players", "a rating and players", "of points"],
)
def test_all_errors_of_a_layer_are_told_at_once(source: str, places: list[tuple[int, int]]) -> None:
    with pytest.raises(TrfError) as error:
        read_trf(source)
    assert [(each.line, each.column) for each in error.value.errors] == places


def test_a_file_with_very_many_errors_has_the_first_hundred() -> None:
    with pytest.raises(TrfError) as error:
        read_trf("".join(f"001 {number:>4}" + "x" * 200 + "\n" for number in range(1, 500)))
    assert len(error.value.errors) == 100


@pytest.mark.parametrize(
    "record",
    [
        "092 Team Swiss", "092 FIDE-TEAM-BAKU", "092 Mannschaftsturnier", "092 Tournoi par équipes",
        "192 FIDE_TEAM_TYPEA_MP_GP",
        "192 FIDE_SCHEVENINGEN", "192 BERGER_TEAM_ROUNDROBIN", "352 WBBW",
        "362 TW 3.0   TD 1.0   TL 0.0",
        "013 Harbour                            1    2    3",
        "310   1 Harbour                          HARB    1900    3.0    3.5   1    1    2",
        "320  2.0  5.0   5   3", "300   1   1   3   10   15    7   14", "330 +- 004 023 047",
        "801  1 Harbour   4    6.5   2 b 110= 1234", "802   3 HARB    19.0   32.5  FPB    4.0",
    ],
)  # fmt: skip
def test_the_file_of_a_team_event_is_refused_as_that(record: str) -> None:
    """Whatever else is wrong in it, by the rules of single players."""
    for source in (f"{SMALL}{record}\n", f"{MANY}{record}\n"):
        with pytest.raises(TeamFileError, match="a file of a team event") as error:
            read_trf(source)
        assert error.value.line == source.count("\n")
        assert len(error.value.errors) == 1


@pytest.mark.parametrize(
    "kind", ["Individual: Swiss-System, teams of three", "Einzelturnier Schweizer System"]
)
def test_an_event_of_single_players_may_list_teams(kind: str) -> None:
    team = "013 Harbour                            1    2    3"
    source = f"{SMALL}092 {kind}\n{team}\n082 1\n"
    assert [line.text for line in read_trf(source).unknown_lines] == [team]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "the file has no players"),
        ("PK\x03\x04zip", "the file has no players"),
        ("012 a\n001\0   1", "line 2, column 1: a NUL character"),
        (b"012 a\r\n001 \x9f", "line 2, column 1: not UTF-8"),
        ("001    1" + " " * 6000 + "1", "rounds; expected at most 500"),
    ],
)
def test_a_file_that_is_not_a_trf_is_rejected(source: str | bytes, message: str) -> None:
    with pytest.raises(TrfError, match=message):
        read_trf(source)


@given(st.data())
def test_a_damaged_file_is_read_or_rejected(data: st.DataObject) -> None:
    text = list(SMALL)
    for _ in range(data.draw(st.integers(1, 4))):
        index = data.draw(st.integers(0, len(text) - 1))
        text[index] = data.draw(st.sampled_from(["", "\n", "0", "9", "-", "w", "Z", "é", "  "]))
    try:
        trf = read_trf("".join(text).encode())
    except TrfError:
        return
    assert read_trf(write_trf(trf)).crosstable == trf.crosstable


@given(st.binary(max_size=300))
def test_random_bytes_are_rejected(source: bytes) -> None:
    with pytest.raises(TrfError):
        read_trf(source)
