"""The points that the players have before a round stand beside their names."""

import re

import pytest
from django.test import Client

from tests.events import Event, make_running
from tests.people import Person
from tournament.rounds.queries import load_pairings
from tournament.rounds.tables import pairings_by_name_document, pairings_document, points_before


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_running(organiser, 4, rounds=3)
    event.play(1)
    event.publish(2)
    return event


def test_the_page_and_the_sheet_show_the_points_before_the_round(event: Event) -> None:
    this_round = event.tournament.round_set.get(number=2)
    pairings, points = load_pairings(this_round), points_before(this_round)

    assert sorted(points.values()) == ["0", "0", "1", "1"]
    document = pairings_document(this_round, pairings, points)
    assert document.sheet == document.page == (
        "marked_board", "first_named", "first_points", "result_or_dash", "second_points",
        "second_named",
    )  # fmt: skip
    assert "points" in pairings_by_name_document(this_round, pairings, points).sheet[:2]

    page = Client().get("/e/spring/rounds/2").content.decode()
    table = page.partition('id="pairings"')[2].partition("</table>")[0]
    assert re.findall(r"<th[^>]*>(?:<span[^>]*></span> ?)?([^<]*)</th>", table) == [
        "Board", "First", "Points", "Result", "Points", "Second",
    ]  # fmt: skip
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.split("<tr[^>]*>", table)[2:]]
    assert [(row[2], row[4]) for row in rows] == [("1", "1"), ("0", "0")]
    assert re.findall('<tr class="([^"]*)">', table) == ["group"]
    by_name = Client().get("/e/spring/rounds/2?by=name").content.decode()
    assert "Points" in by_name


def test_nobody_has_points_before_the_first_round(event: Event) -> None:
    assert points_before(event.tournament.round_set.get(number=1)) == {}
    assert "Points" not in Client().get("/e/spring/rounds/1").content.decode()


def test_a_bracket_has_no_points(organiser: Person) -> None:
    event = make_running(organiser, 4, rounds=2, system="knockout")
    event.play(1)
    event.publish(2)
    assert points_before(event.tournament.round_set.get(number=2)) == {}


def test_each_player_has_their_own_points_and_seat(event: Event) -> None:
    this_round = event.tournament.round_set.get(number=2)
    points = {number: str(10 * number) for number in range(1, 5)}
    pairings = load_pairings(this_round)

    shown = ("first_named", "first_points", "second_points", "second_named")
    _, rows = pairings_document(this_round, pairings, points).select(shown)
    expected = [
        (f"Player {a} ({a})", points[a], points[b], f"Player {b} ({b})")
        for a, b in ((row.first["number"], row.second["number"]) for row in pairings if row.second)
    ]
    assert [tuple(map(str, row)) for row in rows] == expected
    by_name = pairings_by_name_document(this_round, pairings, points)
    _, rows = by_name.select(("name", "points", "seat", "opponent"))
    assert sorted(tuple(map(str, row)) for row in rows) == sorted(
        row
        for first, one, other, second in expected
        for row in ((first, one, "first", second), (second, other, "second", first))
    )


def test_the_points_before_a_round_stay_once_it_is_played(event: Event) -> None:
    event.finish(2)
    points = points_before(event.tournament.round_set.get(number=2))
    assert sorted(points.values()) == ["0", "0", "1", "1"]
