"""Reading and writing TRF: sample files, both editions, random events, and all errors."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.seat import Seat
from tests.tournament.standings.events import round_robin, swiss
from tournament.standings.crosstable import Competitor, Crosstable, Kind, RoundResult
from tournament.standings.points import PointSystem
from tournament.trf import (
    AnnouncedBye,
    ForbiddenGroup,
    TrfEdition,
    TrfFile,
    TrfHeader,
    UnknownLine,
    read_trf,
    write_trf,
)
from tournament.trf.errors import TrfError, TrfWriteError

DATA = Path(__file__).parent / "data"
SMALL = """\
012 Small
001    1 m IM Łukasz Wierzbicki                 2100 POL     1234567 1990/01/31  1.5    1     2 w 1     3 b =
001    2 w    Ana                               1900 ESP                         1.0    2     1 b 0  0000 - U
001    3                                        1800                             0.5    3  0000 - Z     1 w =
XXR 4
"""  # noqa: E501  (the columns are the subject)


@pytest.mark.parametrize("name", ["harbour-open", "lantern-masters"])
def test_sample_files_are_written_byte_for_byte(name: str) -> None:
    source = (DATA / f"{name}.trf").read_bytes()
    assert write_trf(read_trf(source)).encode() == source


def test_the_content_of_a_file() -> None:
    trf = read_trf((DATA / "harbour-open.trf").read_bytes())
    assert trf.header == TrfHeader(
        name="Harbour Open",
        city="Saltmarsh Quay",
        federation="ENG",
        start="2026/05/15",
        end="2026/05/17",
        kind="Individual: Swiss-System",
        chief_arbiter="Matilda Fairweather",
        time_control="45 minutes a player, *Star on six rings",
        round_dates=("26/05/15", "26/05/16", "26/05/16", "26/05/17", "26/05/17"),
    )
    table = trf.crosstable
    assert (table.rounds, table.completed, table.initial_seat) == (5, 5, Seat.FIRST)
    assert not table.round_robin
    assert table.by_number[18] == Competitor(
        number=18,
        name="Jürgen Mößner",
        rating=1400,
        federation="GER",
        results=(
            RoundResult(Kind.LOSS, 6, Seat.FIRST),
            RoundResult(Kind.FORFEIT_LOSS, 12, Seat.SECOND),
            RoundResult(Kind.WIN, 21, Seat.SECOND),
            RoundResult(Kind.WIN, 15, Seat.FIRST),
            RoundResult(Kind.WIN, 11, Seat.SECOND),
        ),
    )
    assert trf.ranks[2] == 6


def test_the_columns_of_a_player() -> None:
    player = read_trf(SMALL).crosstable.by_number[1]
    assert (player.sex, player.title, player.federation) == ("m", "IM", "POL")
    assert (player.fide_id, player.birth) == ("1234567", "1990/01/31")


@pytest.mark.parametrize("name", ["025", "104", "112"])
def test_both_editions_give_the_same_tournament(name: str) -> None:
    trf16 = read_trf((DATA / f"{name}.trf16.trf").read_bytes())
    trf26 = read_trf((DATA / f"{name}.trf26.trf").read_bytes())
    assert replace(trf16, system="", tiebreaks=()) == replace(trf26, system="", tiebreaks=())
    assert write_trf(trf16) == write_trf(trf26)
    assert read_trf(write_trf(trf16, edition=TrfEdition.TRF26)) == replace(
        trf16, header=replace(trf16.header, kind="Individual: Swiss-System")
    )


def test_records_around_the_players() -> None:
    points, forbidden, accelerated = (
        read_trf((DATA / f"{name}.trf26.trf").read_bytes()) for name in ("025", "104", "112")
    )
    assert points.crosstable.points == PointSystem.from_points(win=3, draw=1)
    assert forbidden.forbidden[0] == ForbiddenGroup((3, 1), 1, 7)
    assert forbidden.crosstable.initial_seat is Seat.SECOND
    assert accelerated.crosstable.by_number[24].virtual == (2, 2, 1)
    assert accelerated.crosstable.by_number[25].virtual == ()
    assert accelerated.byes == (
        AnnouncedBye(2, Kind.FULL_BYE, 22),
        AnnouncedBye(2, Kind.FULL_BYE, 38),
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(TrfEdition), st.booleans())
def test_random_events_are_read_as_written(seed: int, edition: TrfEdition, is_robin: bool) -> None:
    event = round_robin(seed) if is_robin else swiss(seed)
    written = write_trf(TrfFile(crosstable=event), edition=edition)
    read = read_trf(written)
    assert read.crosstable == event
    assert write_trf(read, edition=edition) == written


@pytest.mark.parametrize("edition", TrfEdition)
def test_all_records_are_read_as_written(edition: TrfEdition) -> None:
    seat = Seat.FIRST
    table = Crosstable(
        players=(
            Competitor(number=1, virtual=(2, 1), results=(RoundResult(Kind.WIN, 2, seat, True),)),
            Competitor(number=2, results=(RoundResult(Kind.LOSS, 1, seat.other, True),)),
            Competitor(number=7, results=(RoundResult(Kind.PAIRING_BYE, awarded=1),)),
            Competitor(number=9, results=(RoundResult(Kind.FORFEIT_LOSS, 10, seat),)),
            Competitor(number=10, results=(RoundResult(Kind.FORFEIT_LOSS, 9, seat.other),)),
        ),
        rounds=4,
        points=PointSystem.from_points(
            win=3, draw=1, loss=1, forfeit_loss=0, zero_bye=0, half_bye=2
        ),
        initial_seat=seat.other,
    )
    trf = TrfFile(
        crosstable=table,
        header=TrfHeader(name="Ω", kind="Individual: Swiss-System", deputies=("A", "B")),
        ranks={1: 1, 2: 4, 7: 2, 9: 5, 10: 5},
        tiebreaks=("PTS", "BH/C1"),
        system="FIDE_DUTCH_2026",
        byes=(
            AnnouncedBye(2, Kind.HALF_BYE, 9),
            AnnouncedBye(2, Kind.PAIRING_BYE, 10),
            AnnouncedBye(3, Kind.ZERO_BYE, 1),
        ),
        open_pairings=((7, 1),),
        forbidden=(ForbiddenGroup((1, 2, 7), 1, 4), ForbiddenGroup((9, 10), 2, 3)),
        unknown_lines=(UnknownLine(15, "### a remark"),),
    )
    written = write_trf(trf, edition=edition)
    read = read_trf(written)
    assert replace(read, unknown_lines=()) == replace(trf, unknown_lines=())
    assert [line.text for line in read.unknown_lines] == ["### a remark"]
    assert write_trf(read, edition=edition) == written


@pytest.mark.parametrize(
    ("record", "points", "awarded"),
    [
        ("299 W         0.5    1    1", "1.0", 1),
        ("299 W   0.5          1    1", "1.0", 1),
        ("299 w         0.0    1    1", "0.5", 0),
        ("299 A         3.0    1    1", "3.5", 6),
        ("299 W        -1.0    1    1", "-0.5", -2),
        ("299          -0.5    1    1", "1.0", 1),
        ("299           1.5    1    1", "3.0", 5),
    ],
)
def test_awarded_points_of_a_player(record: str, points: str, awarded: int) -> None:
    trf = read_trf(SMALL.replace(" 1.5    1", f"{points:>4}    1") + record + "\n")
    assert trf.crosstable.by_number[1].result(1).awarded == awarded
    for edition in TrfEdition:
        assert read_trf(write_trf(trf, edition=edition)).crosstable == trf.crosstable


def test_awarded_points_of_a_result_in_all_rounds() -> None:
    source = SMALL.replace(" 1.0    2", " 0.5    2") + "299 P        0.5\n299 +        0.5\n"
    assert read_trf(source).crosstable.points == PointSystem.from_points(
        pairing_bye=Fraction(1, 2), forfeit_win=Fraction(1, 2)
    )


@pytest.mark.parametrize(
    "source",
    [
        SMALL.encode(),
        b"\xef\xbb\xbf" + SMALL.encode(),
        SMALL.replace("\n", "\r\n").encode(),
        SMALL.replace("\n", "\r").encode(),
        SMALL.replace("Ł", "L").encode("latin-1"),
    ],
)
def test_line_ends_and_encodings(source: bytes) -> None:
    table = read_trf(source).crosstable
    assert [table.points_of(number) for number in (1, 2, 3)] == [3, 2, 1]
    assert table.by_number[1].name.endswith("ukasz Wierzbicki")


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("Jürgen Mößner", "latin-1"),
        ("Žiga Šarec", "cp1252"),
        ("J\x81rgen Mößner", "latin-1"),
    ],
)
def test_names_in_older_encodings(name: str, encoding: str) -> None:
    source = SMALL.replace("Łukasz Wierzbicki", f"{name:<17}").encode(encoding)
    assert read_trf(source).crosstable.by_number[1].name == name


def test_columns_counted_in_bytes() -> None:
    name = "Łukasz Wierzbicki"
    padding = " " * (len(name.encode()) - len(name))
    source = SMALL.replace(name + padding, name).replace("012 Small", "012 Größe").encode()
    trf = read_trf(source)
    assert trf.header.name == "Größe"
    assert trf.crosstable == read_trf(SMALL).crosstable


def test_unknown_lines_are_returned() -> None:
    trf = read_trf(SMALL + "### remark\nXXC rank\n013 a team\nXXS WW=2\n")
    assert [line.text for line in trf.unknown_lines] == [
        "### remark",
        "XXC rank",
        "013 a team",
        "XXS WW=2",
    ]


def test_a_round_without_results_is_open() -> None:
    source = SMALL.replace(" 3 b =", " 3 b =     2 w").replace("- U", "- U     1 b")
    trf = read_trf(source.replace("1 w =", "1 w =  0000 - H"))
    assert trf.crosstable.completed == 2
    assert trf.open_pairings == ((1, 2),)
    assert trf.byes == (AnnouncedBye(3, Kind.HALF_BYE, 3),)


def test_absences_in_the_next_round_are_announced_byes() -> None:
    trf = read_trf(SMALL + "XXZ 2, 3\n")
    assert trf.byes == (AnnouncedBye(3, Kind.ZERO_BYE, 2), AnnouncedBye(3, Kind.ZERO_BYE, 3))


@pytest.mark.parametrize("blank", ["  0000 -  ", "  0000 - -", "  0000 - Z", "       -  "])
def test_later_rounds_can_be_blank(blank: str) -> None:
    lines = [line + 2 * blank if line.startswith("001") else line for line in SMALL.splitlines()]
    assert read_trf("\n".join(lines)) == read_trf(SMALL)
    lines[1] = lines[1][:-20] + "  0000 - H"
    assert AnnouncedBye(3, Kind.HALF_BYE, 1) in read_trf("\n".join(lines)).byes


def test_codes_and_letters_can_be_lower_case() -> None:
    source = SMALL.replace("- U", "- u").replace(" w ", " W ").replace("XXR 4", "xxr 2")
    assert read_trf(source + "XXZ 1\n").byes == ()


def test_byes_of_record_240_fill_blank_rounds() -> None:
    source = SMALL.replace("0.5    3  0000 - Z", "1.0    3          ") + "240 H   1    3\n"
    assert read_trf(source).crosstable.by_number[3].result(1) == RoundResult(Kind.HALF_BYE)


@pytest.mark.parametrize(
    ("points", "system"),
    [
        (("1.5", "0.5", "0.5"), PointSystem.from_points(pairing_bye=Fraction(1, 2))),
        (("4.0", "3.0", "1.0"), PointSystem.from_points(win=3, draw=1)),
        (("3.0", "2.0", "1.0"), PointSystem.from_points(win=2, draw=1)),
    ],
)
def test_a_file_without_point_records_gets_a_usual_point_system(
    points: tuple[str, ...], system: PointSystem
) -> None:
    source = SMALL
    for old, new in zip(("1.5    1", "1.0    2", "0.5    3"), points, strict=True):
        source = source.replace(old, new + old[3:])
    assert read_trf(source).crosstable.points == system
    with pytest.raises(TrfError, match="points, but the results give"):
        read_trf(source + "BBW  1.0\n")


def test_a_forfeit_without_a_colour_gets_it_from_the_opponent() -> None:
    source = SMALL.replace("2 w 1", "2 w +").replace("1 b 0", "1 - -")
    result = read_trf(source).crosstable.by_number[2].result(1)
    assert result == RoundResult(Kind.FORFEIT_LOSS, 1, Seat.SECOND)


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
        ("1.5    1", "x.5    1", 2, 81, "'x.5' is not a number of points"),
        (" 2 w 1", " 2 b 1", 2, 92, "has the seat second, player 2 has the seat second"),
        (" 2 w 1", " 2 g 1", 2, 97, "'g' is not a colour; expected w, b or -"),
        (" 2 w 1", " 2 - 1", 2, 97, "a game without a colour"),
        (" 2 w 1", " 2 w +", 2, 92, "has a forfeit-win against a loss of player 2"),
        (" 2 w 1", " 2 w U", 2, 99, "'U' is not a result against an opponent"),
        (" 2 w 1", " 3 w 1", 2, 92, "has opponent 3, who has no opponent"),
        (" 2 w 1", " 5 w 1", 2, 92, "opponent 5 is not a player of the event"),
        (" 2 w 1", " 1 w 1", 2, 92, "a player cannot be their own opponent"),
        (" 2 w 1", " a w 1", 2, 92, "invalid opponent 'a'; expected a whole number"),
        ("   2 w 1", "  2 w 1 ", 2, 92, "'2 w 1' is not in its columns"),
        ("0000 - U", "0000 w U", 3, 107, "colour 'w' without an opponent; expected -"),
        ("0000 - U", "0000 - 1", 3, 109, "'1' without an opponent; expected U, F, H or Z"),
        ("001    2", "001    1", 3, 5, "player 1 is already in line 2"),
        ("001    2", "001     ", 3, 5, "a player without a pairing number"),
        ("001    2", "001   -2", 3, 5, "invalid pairing number '-2'"),
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
        ("XXR 4", "XXR 9999999999", 5, 4, "invalid number of rounds"),
        ("XXR 4", "BBW  0.0", 5, 4, "a win must be worth more than a loss"),
        ("XXR 4", "BBW one", 5, 4, "'one' is not a number of points"),
        ("XXR 4", "162  Q 1.0", 5, 6, "'Q' is not a result"),
        ("XXR 4", "XXP 1 8", 5, 5, "player 8 is not in the file"),
        ("XXR 4", "XXP 1", 5, 5, "a forbidden pair with fewer than two players"),
        ("XXR 4", "XXP 1 x", 5, 5, "invalid player 'x'"),
        ("XXR 4", "260 001 003    1    x", 5, 18, "invalid player 'x'"),
        ("XXR 4", "XXZ 9", 5, 5, "player 9 is not in the file"),
        ("XXR 4", "240 Q   3    1", 5, 5, "'Q' is not a bye; expected F, H or Z"),
        ("XXR 4", "240 H        1", 5, 7, "a bye without a round"),
        ("XXR 4", "240 H   1    1", 5, 5, "where the player record has another result"),
        ("XXR 4", "250       1.0 003 001 0001 0002", 5, 15, "a range that ends before it starts"),
        ("XXR 4", "XXA    1  0.3", 5, 9, "0.3 points; expected steps of 1/2 point"),
        ("XXR 4", "299 A        0.5    3    1", 5, 20, "points in round 3, which has no results"),
        ("XXR 4", "299 Q         0.5    1    1", 5, 5, "'Q' is not a result"),
        ("XXR 4", "299 W         0.5    1", 5, 24, "points without players"),
        ("XXR 4", "299          -0.5         1", 5, 20, "points without a round"),
        ("XXR 4", "299 W        half    1    1", 5, 14, "'half' is not a number of points"),
        ("XXR 4", "299 W  -0.5", 5, 8, "'-0.5' is not a number of points"),
        ("1.5    1", "-.5    1", 2, 81, "'-.5' is not a number of points"),
        ("1 w =", "1 w  ", 2, 102, "round 2 has pairings with and without a result"),
    ],
)
def test_errors_have_a_line_a_column_and_what_was_expected(
    old: str, new: str, line: int, column: int, message: str
) -> None:
    assert old in SMALL
    with pytest.raises(TrfError, match=message) as error:
        read_trf(SMALL.replace(old, new, 1))
    assert (error.value.line, error.value.column) == (line, column)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "the file has no players"),
        ("PK\x03\x04zip", "the file has no players"),
        ("012 a\n001\0   1", "line 2, column 1: a NUL character"),
        ("001    1" + " " * 6000 + "1", "rounds; expected at most 500"),
    ],
)
def test_a_file_that_is_not_a_trf_is_rejected(source: str, message: str) -> None:
    with pytest.raises(TrfError, match=message):
        read_trf(source)


@settings(max_examples=150, deadline=None)
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


def test_names_are_fitted_to_their_columns() -> None:
    table = Crosstable(players=(Competitor(number=1, name="A\nB\t" + "x" * 60),), rounds=1)
    read = read_trf(write_trf(TrfFile(crosstable=table)))
    assert read.crosstable.by_number[1].name == "A B " + "x" * 29


def test_a_number_of_five_digits_is_rejected() -> None:
    table = Crosstable(players=(Competitor(number=10_000),), rounds=1)
    with pytest.raises(TrfWriteError, match="pairing numbers up to 9999, not 10000"):
        write_trf(TrfFile(crosstable=table))
