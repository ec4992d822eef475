"""Reports in and out: the sample files byte for byte, both editions, random events, every fault."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.seat import Seat
from tests.tournament.standings.events import round_robin, swiss
from tournament.standings.crosstable import Competitor, Crosstable, Kind, RoundResult
from tournament.standings.errors import StandingsError
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
from tournament.trf.errors import TrfError

DATA = Path(__file__).parent / "data"
SMALL = """\
012 Small
001    1 m IM Łukasz Wierzbicki                 2100 POL     1234567 1990/01/31  1.5    1     2 w 1     3 b =
001    2 w    Ana                               1900 ESP                         1.0    2     1 b 0  0000 - U
001    3                                        1800                             0.5    3  0000 - Z     1 w =
XXR 4
"""  # noqa: E501  (the columns are the subject)


@pytest.mark.parametrize("name", ["harbour-open", "lantern-masters"])
def test_sample_events_come_back_byte_for_byte(name: str) -> None:
    source = (DATA / f"{name}.trf").read_bytes()
    assert write_trf(read_trf(source)).encode() == source


def test_a_report_is_read_as_it_stands() -> None:
    document = read_trf((DATA / "harbour-open.trf").read_bytes())
    assert document.header == TrfHeader(
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
    table = document.crosstable
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
    assert document.ranks[2] == 6


def test_every_column_of_a_player_is_read() -> None:
    player = read_trf(SMALL).crosstable.by_number[1]
    assert (player.sex, player.title, player.federation) == ("m", "IM", "POL")
    assert (player.fide_id, player.birth) == ("1234567", "1990/01/31")


@pytest.mark.parametrize("name", ["025", "104", "112"])
def test_the_two_editions_of_a_position_are_one_tournament(name: str) -> None:
    old = read_trf((DATA / f"{name}.trf16.trf").read_bytes())
    new = read_trf((DATA / f"{name}.trf26.trf").read_bytes())
    assert replace(old, system="", tiebreaks=()) == replace(new, system="", tiebreaks=())
    assert write_trf(old) == write_trf(new)
    assert read_trf(write_trf(old, edition=TrfEdition.TRF26)) == replace(
        old, header=replace(old.header, kind="Individual: Swiss-System")
    )


def test_records_around_the_players_are_understood() -> None:
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
def test_random_events_survive_the_way_out_and_in(seed: int, form: TrfEdition, robin: bool) -> None:
    event = round_robin(seed) if robin else swiss(seed)
    written = write_trf(TrfFile(crosstable=event), edition=form)
    read = read_trf(written)
    assert read.crosstable == event
    assert write_trf(read, edition=form) == written


@pytest.mark.parametrize("form", TrfEdition)
def test_what_stands_around_survives_too(form: TrfEdition) -> None:
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
    document = TrfFile(
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
        kept=(UnknownLine(15, "### a remark"),),
    )
    written = write_trf(document, edition=form)
    read = read_trf(written)
    assert replace(read, kept=()) == replace(document, kept=())
    assert [kept.text for kept in read.kept] == ["### a remark"]
    assert write_trf(read, edition=form) == written


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
def test_points_that_were_awarded_otherwise(record: str, points: str, awarded: int) -> None:
    document = read_trf(SMALL.replace(" 1.5    1", f"{points:>4}    1") + record + "\n")
    assert document.crosstable.by_number[1].result(1).awarded == awarded
    for form in TrfEdition:
        assert read_trf(write_trf(document, edition=form)).crosstable == document.crosstable


def test_points_of_a_result_wherever_it_is_made() -> None:
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
def test_any_line_end_and_encoding_will_do(source: bytes) -> None:
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
def test_names_of_older_programs_are_read(name: str, encoding: str) -> None:
    source = SMALL.replace("Łukasz Wierzbicki", f"{name:<17}").encode(encoding)
    assert read_trf(source).crosstable.by_number[1].name == name


def test_columns_counted_in_bytes_are_read_as_well() -> None:
    name = "Łukasz Wierzbicki"
    spare = " " * (len(name.encode()) - len(name))
    source = SMALL.replace(name + spare, name).replace("012 Small", "012 Größe").encode()
    document = read_trf(source)
    assert document.header.name == "Größe"
    assert document.crosstable == read_trf(SMALL).crosstable


def test_what_is_not_understood_is_kept() -> None:
    document = read_trf(SMALL + "### remark\nXXC rank\n013 a team\nXXS WW=2\n")
    assert [kept.text for kept in document.kept] == [
        "### remark",
        "XXC rank",
        "013 a team",
        "XXS WW=2",
    ]


def test_a_round_without_results_is_open() -> None:
    source = SMALL.replace(" 3 b =", " 3 b =     2 w").replace("- U", "- U     1 b")
    document = read_trf(source.replace("1 w =", "1 w =  0000 - H"))
    assert document.crosstable.completed == 2
    assert document.open_pairings == ((1, 2),)
    assert document.byes == (AnnouncedBye(3, Kind.HALF_BYE, 3),)


def test_the_absent_of_the_next_round_are_announced() -> None:
    document = read_trf(SMALL + "XXZ 2, 3\n")
    assert document.byes == (AnnouncedBye(3, Kind.ZERO_BYE, 2), AnnouncedBye(3, Kind.ZERO_BYE, 3))


@pytest.mark.parametrize("blank", ["  0000 -  ", "  0000 - -", "  0000 - Z", "       -  "])
def test_rounds_to_come_may_be_filled_with_blanks(blank: str) -> None:
    lines = [line + 2 * blank if line.startswith("001") else line for line in SMALL.splitlines()]
    assert read_trf("\n".join(lines)) == read_trf(SMALL)
    lines[1] = lines[1][:-20] + "  0000 - H"
    assert AnnouncedBye(3, Kind.HALF_BYE, 1) in read_trf("\n".join(lines)).byes


def test_codes_and_letters_may_be_small_and_the_absent_of_a_finished_event_are_nobody() -> None:
    source = SMALL.replace("- U", "- u").replace(" w ", " W ").replace("XXR 4", "xxr 2")
    assert read_trf(source + "XXZ 1\n").byes == ()


def test_byes_of_record_240_fill_rounds_left_blank() -> None:
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
def test_points_that_are_not_stated_are_taken_from_the_sums(
    points: tuple[str, ...], system: PointSystem
) -> None:
    source = SMALL
    for old, new in zip(("1.5    1", "1.0    2", "0.5    3"), points, strict=True):
        source = source.replace(old, new + old[3:])
    assert read_trf(source).crosstable.points == system
    with pytest.raises(TrfError, match="points are made in the rounds"):
        read_trf(source + "BBW  1.0\n")


def test_a_forfeit_borrows_its_colour_from_the_other_side() -> None:
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
            "1.5 points are made in the rounds; expected that, not 2.5",
        ),
        ("1.5    1", "x.5    1", 2, 81, "'x.5' is no number of points"),
        (" 2 w 1", " 2 b 1", 2, 92, "has the seat second, player 2 has the seat second"),
        (" 2 w 1", " 2 g 1", 2, 97, "'g' is no colour; expected w, b or -"),
        (" 2 w 1", " 2 - 1", 2, 97, "a game without a colour"),
        (" 2 w 1", " 2 w +", 2, 92, "has a forfeit-win against a loss of player 2"),
        (" 2 w 1", " 2 w U", 2, 99, "'U' is no result against an opponent"),
        (" 2 w 1", " 3 w 1", 2, 92, "has opponent 3, who has no opponent"),
        (" 2 w 1", " 5 w 1", 2, 92, "opponent 5 is not a player of the event"),
        (" 2 w 1", " 1 w 1", 2, 92, "a player cannot be their own opponent"),
        (" 2 w 1", " a w 1", 2, 92, "'a' is no opponent; expected a whole number"),
        ("   2 w 1", "  2 w 1 ", 2, 92, "'2 w 1' stands askew"),
        ("0000 - U", "0000 w U", 3, 107, "colour 'w' without an opponent; expected -"),
        ("0000 - U", "0000 - 1", 3, 109, "'1' without an opponent; expected U, F, H or Z"),
        ("001    2", "001    1", 3, 5, "player 1 stands in line 2 already"),
        ("001    2", "001     ", 3, 5, "a player without a pairing number"),
        ("001    2", "001   -2", 3, 5, "'-2' is no pairing number"),
        ("001    2", "00110002", 3, 4, "'10002' runs over the columns of the pairing number"),
        ("001    2 ", "001 10002", 3, 9, "expected 1 to 9999 in columns 5 to 8"),
        ("XXR 4", "240 H 005    1", 5, 7, "a bye in round 5, after the last; expected 1 to 2"),
        (" 2100 ", " 21x0 ", 2, 49, "'21x0' is no rating"),
        ("XXR 4", "XXR 1", 2, 102, "a result after the last round; expected 1 rounds"),
        ("XXR 4", "XXR 0", 5, 5, "0 rounds; expected 1 to 500"),
        ("XXR 4", "XXR 9999999999", 5, 4, "is no number of rounds"),
        ("XXR 4", "BBW  0.0", 5, 4, "a win must be worth more than a loss"),
        ("XXR 4", "BBW one", 5, 4, "'one' is no number of points"),
        ("XXR 4", "162  Q 1.0", 5, 6, "'Q' is no result"),
        ("XXR 4", "XXP 1 8", 5, 5, "player 8 is not in the file"),
        ("XXR 4", "XXP 1", 5, 5, "a forbidden pair of fewer than two"),
        ("XXR 4", "XXP 1 x", 5, 5, "'x' is no player"),
        ("XXR 4", "260 001 003    1    x", 5, 18, "'x' is no player"),
        ("XXR 4", "XXZ 9", 5, 5, "player 9 is not in the file"),
        ("XXR 4", "240 Q   3    1", 5, 5, "'Q' is no bye; expected F, H or Z"),
        ("XXR 4", "240 H        1", 5, 7, "a bye of no round"),
        ("XXR 4", "240 H   1    1", 5, 5, "where the player's line has another result"),
        ("XXR 4", "250       1.0 003 001 0001 0002", 5, 15, "a range that ends before it begins"),
        ("XXR 4", "XXA    1  0.3", 5, 9, "0.3 points; expected steps of 1/2 point"),
        ("XXR 4", "299 A        0.5    3    1", 5, 20, "nothing in round 3 to award"),
        ("XXR 4", "299 Q         0.5    1    1", 5, 5, "'Q' is no result"),
        ("XXR 4", "299 W         0.5    1", 5, 24, "points for nobody"),
        ("XXR 4", "299          -0.5         1", 5, 20, "points of no round"),
        ("XXR 4", "299 W        half    1    1", 5, 14, "'half' is no number of points"),
        ("XXR 4", "299 W  -0.5", 5, 8, "'-0.5' is no number of points"),
        ("1.5    1", "-.5    1", 2, 81, "'-.5' is no number of points"),
        ("1 w =", "1 w  ", 2, 102, "round 2 has boards with and without a result"),
    ],
)
def test_every_fault_has_a_line_a_column_and_what_was_due(
    old: str, new: str, line: int, column: int, message: str
) -> None:
    assert old in SMALL
    with pytest.raises(TrfError, match=message) as fault:
        read_trf(SMALL.replace(old, new, 1))
    assert (fault.value.line, fault.value.column) == (line, column)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "there is no player in the file"),
        ("PK\x03\x04zip", "there is no player in the file"),
        ("012 a\n001\0   1", "line 2, column 1: a NUL character"),
        ("001    1" + " " * 6000 + "1", "rounds; expected at most 500"),
    ],
)
def test_what_is_no_report_is_refused(source: str, message: str) -> None:
    with pytest.raises(TrfError, match=message):
        read_trf(source)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_report_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    text = list(SMALL)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place] = data.draw(st.sampled_from(["", "\n", "0", "9", "-", "w", "Z", "é", "  "]))
    try:
        document = read_trf("".join(text).encode())
    except TrfError:
        return
    assert read_trf(write_trf(document)).crosstable == document.crosstable


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_with_a_reason(source: bytes) -> None:
    with pytest.raises(TrfError):
        read_trf(source)


def test_names_cannot_break_their_columns() -> None:
    table = Crosstable(players=(Competitor(number=1, name="A\nB\t" + "x" * 60),), rounds=1)
    read = read_trf(write_trf(TrfFile(crosstable=table)))
    assert read.crosstable.by_number[1].name == "A B " + "x" * 29


def test_a_number_the_columns_cannot_hold_is_refused() -> None:
    table = Crosstable(players=(Competitor(number=10_000),), rounds=1)
    with pytest.raises(StandingsError, match="pairing numbers up to 9999, not 10000"):
        write_trf(TrfFile(crosstable=table))
