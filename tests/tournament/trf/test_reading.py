"""Reading TRF: columns, records, encodings and both editions."""

from dataclasses import replace
from fractions import Fraction

import pytest

from games.rules.seat import Seat
from tests.tournament.trf.files import DATA, SMALL
from tournament.standings.crosstable import Competitor, Kind, RoundResult
from tournament.standings.points import PointSystem
from tournament.trf import AnnouncedBye, ForbiddenGroup, TrfEdition, TrfHeader, read_trf, write_trf
from tournament.trf.errors import TrfError


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
    ],
)
def test_line_ends_and_the_byte_order_mark(source: bytes) -> None:
    table = read_trf(source).crosstable
    assert [table.points_of(number) for number in (1, 2, 3)] == [3, 2, 1]
    assert table.by_number[1].name.endswith("ukasz Wierzbicki")


def test_columns_counted_in_bytes() -> None:
    name = "Łukasz Wierzbicki"
    padding = " " * (len(name.encode()) - len(name))
    source = SMALL.replace(name + padding, name).replace("012 Small", "012 Größe").encode()
    trf = read_trf(source)
    assert trf.header.name == "Größe"
    assert trf.crosstable == read_trf(SMALL).crosstable


def test_unknown_lines_are_returned() -> None:
    trf = read_trf(SMALL + "### remark\nXXC rank\n013 a team\nXXS QQ=2\n")
    assert [line.text for line in trf.unknown_lines] == [
        "### remark",
        "XXC rank",
        "013 a team",
        "XXS QQ=2",
    ]


def test_a_round_without_results_is_open() -> None:
    source = SMALL.replace(" 3 b =", " 3 b =     2 w").replace("- U", "- U     1 b")
    trf = read_trf(source.replace("1 w =", "1 w =  0000 - H"))
    assert trf.crosstable.completed == 2
    assert trf.open_pairings == ((1, 2),)
    assert trf.byes == (AnnouncedBye(3, Kind.HALF_BYE, 3),)


@pytest.mark.parametrize(
    ("record", "points", "units"),
    [("XXR 1", "0.5", 1), ("162  X 0.0", "0.0", 0)],
    ids=["a draw by default", "no points"],
)
def test_a_game_without_a_result_beside_results_is_adjourned(
    record: str, points: str, units: int
) -> None:
    rows = ((1, points, "2 w"), (2, points, "1 b"), (3, "1.0", "4 b 1"), (4, "0.0", "3 w 0"))
    players = "".join(
        f"001 {number:>4}".ljust(81) + f"{worth}          {cell}\n" for number, worth, cell in rows
    )

    table = read_trf(f"{players}{record}\n").crosstable

    assert table.completed == 1
    assert [table.by_number[number].result(1) for number in (1, 2)] == [
        RoundResult(Kind.LOSS, 2, Seat.FIRST, awarded=units, adjourned=True),
        RoundResult(Kind.LOSS, 1, Seat.SECOND, awarded=units, adjourned=True),
    ]
    paired = table.for_pairing()
    assert [paired.points_of(number) for number in (1, 2, 3, 4)] == [1, 1, 2, 0]


def test_absences_in_the_next_round_are_announced_byes() -> None:
    trf = read_trf(SMALL + "XXZ 2, 3\n")
    assert trf.byes == (AnnouncedBye(3, Kind.ZERO_BYE, 2), AnnouncedBye(3, Kind.ZERO_BYE, 3))


@pytest.mark.parametrize("blank", ["  0000 -  ", "  0000 - -", "  0000 - Z", "       -  "])
def test_later_rounds_can_be_blank(blank: str) -> None:
    lines = [line + 2 * blank if line.startswith("001") else line for line in SMALL.splitlines()]
    assert read_trf("\n".join(lines)) == read_trf(SMALL)
    lines[1] = lines[1][:-20] + "  0000 - H"
    assert AnnouncedBye(3, Kind.HALF_BYE, 1) in read_trf("\n".join(lines)).byes


def test_lower_case_is_read_and_a_finished_event_has_no_absences() -> None:
    source = SMALL.replace("- U", "- u").replace(" w ", " W ").replace("XXR 4", "bbw 1\nxxr 2")
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
    assert "     1 - -" in write_trf(read_trf(source))


@pytest.mark.parametrize(
    "record",
    ["XXS WW=3 BW=3 WD=1 BD=1 WL=0 BL=0", "XXS W = 3 D = 1", "XXS W=3,0 D=1", "XXS W=3\nXXS D=1.0"],
)
def test_the_points_of_other_programs(record: str) -> None:
    trf = read_trf(f"001    1      A\n001    2      B\nXXR 3\n{record}\n")

    assert trf.unknown_lines == ()
    points = trf.crosstable.points
    assert (points.win, points.draw) == (3 * points.unit, points.unit)


def test_points_that_differ_by_colour_are_an_error() -> None:
    with pytest.raises(TrfError, match="line 3, column 10: BW, which differs"):
        read_trf("001    1      A\n001    2      B\nXXS WW=3 BW=2\n")
