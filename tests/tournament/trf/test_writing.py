"""Writing TRF: sample files, random events and all records, read again."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.seat import Seat
from tests.tournament.standings.events import round_robin, swiss
from tests.tournament.trf.files import DATA
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
from tournament.trf.errors import TrfWriteError


@pytest.mark.parametrize("name", ["harbour-open", "lantern-masters"])
def test_sample_files_are_written_byte_for_byte(name: str) -> None:
    source = (DATA / f"{name}.trf").read_bytes()
    assert write_trf(read_trf(source)).encode() == source


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
        system="FIDE_DUTCH" if edition is TrfEdition.TRF26 else "",
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
    ("edition", "expected"),
    [
        (
            TrfEdition.TRF16,
            ["BBW  3.0", "BBD  1.0", "BBL  0.0", "BBZ  0.0", "BBF  0.0", "BBU  3.0",
             "XXS FW=2.0 FPB=2.5 HPB=0.5"],
        ),
        (
            TrfEdition.TRF26,
            ["162  W 3.0    D 1.0    L 0.0    P 3.0",
             "299 +         2.0", "299 F         2.5", "299 H         0.5"],
        ),
    ],
)  # fmt: skip
def test_points_that_differ_from_those_of_games_are_written(
    edition: TrfEdition, expected: list[str]
) -> None:
    points = PointSystem.from_points(
        win=3, draw=1, forfeit_win=2, full_bye=Fraction(5, 2), half_bye=Fraction(1, 2)
    )
    players = (Competitor(number=1), Competitor(number=2))
    table = Crosstable(players=players, rounds=1, points=points)
    written = write_trf(TrfFile(crosstable=table), edition=edition)

    codes = {line[:3] for line in expected}
    assert [line for line in written.splitlines() if line[:3] in codes] == expected
    assert read_trf(written).crosstable.points == points


@pytest.mark.parametrize("edition", TrfEdition)
def test_an_absence_worth_more_than_a_forfeit_is_read_as_written(edition: TrfEdition) -> None:
    # In TRF26 both have one value in record 162.
    table = Crosstable(
        players=(Competitor(number=1), Competitor(number=2)),
        rounds=1,
        points=PointSystem.from_points(win=3, draw=1, zero_bye=1),
    )
    lines = write_trf(TrfFile(crosstable=table), edition=edition).splitlines()
    assert read_trf("\n".join(lines)).crosstable == table
    assert read_trf("\n".join(reversed(lines))).crosstable == table


@pytest.mark.parametrize("edition", TrfEdition)
def test_a_round_without_any_player_is_read_as_written(edition: TrfEdition) -> None:
    table = Crosstable(
        players=(Competitor(number=1), Competitor(number=2)),
        rounds=2,
        points=PointSystem.from_points(win=3, draw=1, zero_bye=1),
    )
    byes = (
        AnnouncedBye(1, Kind.HALF_BYE, 1),
        AnnouncedBye(1, Kind.ZERO_BYE, 2),
        AnnouncedBye(2, Kind.ZERO_BYE, 1),
        AnnouncedBye(2, Kind.ZERO_BYE, 2),
    )
    trf = TrfFile(crosstable=table, byes=byes)
    assert read_trf(write_trf(trf, edition=edition)).byes == byes


def test_names_are_fitted_to_their_columns() -> None:
    table = Crosstable(players=(Competitor(number=1, name="A\nB\t" + "x" * 60),), rounds=1)
    read = read_trf(write_trf(TrfFile(crosstable=table)))
    assert read.crosstable.by_number[1].name == "A B " + "x" * 29


def test_a_number_of_five_digits_is_rejected() -> None:
    table = Crosstable(players=(Competitor(number=10_000),), rounds=1)
    with pytest.raises(TrfWriteError, match="pairing numbers up to 9999, not 10000"):
        write_trf(TrfFile(crosstable=table))
