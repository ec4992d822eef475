"""What the import of a TRF file stores beyond plain results, and what it names as left out."""

from dataclasses import replace

import pytest

from games.models import Game, Report
from tests.events import settle
from tests.people import Person
from tests.tournament.imports import ADA, NAMESAKE, post_trf, two_players
from tournament.models import Tournament
from tournament.standings.crosstable import Kind
from tournament.trf import read_trf, write_trf

pytestmark = pytest.mark.any_database


def test_awarded_points_are_stored(organiser: Person) -> None:
    document = two_players(ADA, NAMESAKE)
    first, second = document.crosstable.players
    table = replace(
        document.crosstable,
        players=(replace(first, results=(replace(first.results[0], awarded=1),)), second),
    )
    found = post_trf(organiser, write_trf(replace(document, crosstable=table)))

    rows = organiser.get(f"tournaments/{found['tournament']['slug']}/standings").json()["rows"]
    assert [row["values"]["PTS"] for row in rows] == ["0.5", "0"]
    back = organiser.get(f"tournaments/{found['tournament']['slug']}/standings.trf26").content
    assert b"\n299 W         0.5    1    1\n" in back


def test_half_a_point_for_one_side_is_stored_and_not_rated(organiser: Person) -> None:
    text = write_trf(two_players(ADA, NAMESAKE)).replace(" w 1", " w =").replace(" 1.0 ", " 0.5 ")
    found = post_trf(organiser, text)
    Report.objects.update(settled_at=None)
    settle()

    back = organiser.get(f"tournaments/{found['tournament']['slug']}/standings.trf").content
    table = read_trf(back).crosstable
    assert [table.by_number[n].result(1).kind for n in (1, 2)] == [Kind.DRAW, Kind.LOSS]
    assert [table.points_of(number) for number in (1, 2)] == [1, 0]
    (game,) = Game.objects.all()
    assert (game.winner, game.draw) == ("", False)
    round_1 = organiser.get(f"tournaments/{found['tournament']['slug']}/rounds/1/pairings").json()
    assert [board["result"] for board in round_1["rows"]] == ["0.5-0"]


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ("### a remark\n", "line 5: ### a remark"),
        ("112 Ana Cardoso\n", "the deputy arbiter Ana Cardoso"),
        (
            "192 FIDE_DUBOV\n",
            "the tournament type FIDE_DUBOV, which is not supported; dutch replaces it",
        ),
        (
            "XXA    1  0.5\n",
            "the virtual points of accelerated rounds, which are not those of Baku acceleration",
        ),
        ("212 PTS,STARS,BH\n", "the tie-break STARS: it needs the records of the games"),
        ("202 BH,ZZ\n", "the tie-break ZZ: "),
        ("192 FIDE_ROUNDROBIN\n260 001 001    1    2\n", "does not support them"),
        ("260 007 009    1    2\n", "the pairs forbidden from round 7 on: there are 1 rounds"),
        ("192 FIDE_ROUNDROBIN\n212 PTS,BH\n", "the tie-break BH: "),
    ],
)
def test_content_that_cannot_be_stored_is_named(
    organiser: Person, records: str, expected: str
) -> None:
    lines = write_trf(two_players(ADA, NAMESAKE, rounds=1)).splitlines(keepends=True)
    text = "".join([*lines[:4], records, *lines[4:]])

    found = post_trf(organiser, text)

    assert [line for line in found["left_out"] if expected in line], found["left_out"]


def test_everything_but_the_day_of_birth_of_a_player_is_stored(organiser: Person) -> None:
    player = replace(ADA, sex="f", title="WIM", birth="31.01.1990")
    wrong = replace(NAMESAKE, birth="early")
    found = post_trf(organiser, write_trf(two_players(player, wrong)))

    known, other = found["left_out"]
    assert known == "the day and month of birth; only the year is stored"
    assert other.startswith("number 2: 'early' is neither a year")
    back = organiser.get(
        f"tournaments/{found['tournament']['slug']}/standings.trf"
    ).content.decode()
    (line,) = [line for line in back.splitlines() if line.startswith("001    1")]
    assert line[:79] == (
        "001    1 wWIM Ada                               1900 POR     1234567 1990/00/00"
    )


def test_the_initial_seat_follows_from_the_first_round_without_its_record(
    organiser: Person,
) -> None:
    text = write_trf(two_players(ADA, NAMESAKE)).replace(" w 1", " x 1").replace(" b 0", " w 0")
    found = post_trf(organiser, text.replace(" x 1", " b 1"))

    assert Tournament.objects.get(slug=found["tournament"]["slug"]).initial_seat == "second"
    assert found["rounds"] == [
        {"round": 1, "boards": 1, "agrees": True, "due": [], "held": [], "why": None}
    ]
