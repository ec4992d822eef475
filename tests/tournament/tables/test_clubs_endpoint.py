"""`/tournaments/{slug}/clubs`: the totals of clubs and federations, in every format."""

import csv
import io

import pytest
from django.test import Client

from games.models import Player
from tests.events import Event, make_event, make_players
from tests.people import Person

pytestmark = pytest.mark.django_db
CLUBS = ["Rooks", "Knights", "rooks", "", "Knights", "Rooks"]
"""The clubs of Player 1 to 6; three players have a point after round 1."""


def make_clubs(organiser: Person, clubs: list[str], **fields: object) -> Event:
    """Create an event after its first round, won by the first seats; clubs by pairing number."""
    event = make_event(organiser, tiebreaks=["PTS", "TPN"], **fields)
    players = make_players(len(clubs))
    for player, club in zip(players, clubs, strict=True):
        player.club = club
    Player.objects.bulk_update(players, ["club"])
    event.enter(*players)
    event.step("open", "start").play(1)
    return event


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_clubs(organiser, CLUBS)


def totals(person: Person, event: Event, query: str = "") -> list[tuple[object, ...]]:
    """Return rank, name, points, missing players, and the numbers of the counted players."""
    rows = person.get(f"{event.path}/clubs?{query}").json()["rows"]
    return [
        (r["rank"], r["name"], r["points"], r["missing"], [p["number"] for p in r["players"]])
        for r in rows
    ]


def points_by_number(person: Person, event: Event) -> dict[int, str]:
    rows = person.get(f"{event.path}/standings").json()["rows"]
    return {row["number"]: row["values"]["PTS"] for row in rows}


def test_the_content_of_a_row(anonymous: Person, event: Event) -> None:
    points = points_by_number(anonymous, event)

    body = anonymous.get(f"{event.path}/clubs?best=3").json()

    assert (body["tournament"]["slug"], body["round"], body["provisional"]) == ("spring", 1, True)
    assert (body["by"], body["best"], body["tiebreaks"]) == ("club", 3, ["PTS", "TPN"])
    assert {row["name"]: row["missing"] for row in body["rows"]} == {"Rooks": 0, "Knights": 1}
    for row in body["rows"]:
        counted = row["players"]
        assert [player["rank"] for player in counted] == sorted(
            player["rank"] for player in counted
        )
        assert all(player["points"] == points[player["number"]] for player in counted)
        assert row["points"] == str(sum(int(player["points"]) for player in counted))
        assert row["shared"] is False
        assert {player["player"]["club"].casefold() for player in counted} == {
            row["name"].casefold()
        }


def test_by_federation(anonymous: Person, event: Event) -> None:
    (row,) = totals(anonymous, event, "by=country&best=99")

    assert row[:4] == (1, "POR", "3", 93)


def test_shared_places(anonymous: Person, organiser: Person) -> None:
    event = make_clubs(organiser, ["A", "B", "C", "D"])

    rows = anonymous.get(f"{event.path}/clubs?tiebreaks=PTS&best=1").json()["rows"]

    assert [(row["rank"], row["points"], row["shared"]) for row in rows] == [
        (1, "1", True), (1, "1", True), (3, "0", True), (3, "0", True),
    ]  # fmt: skip


def test_the_columns_of_the_file(anonymous: Person, event: Event) -> None:
    text = anonymous.get(f"{event.path}/clubs.csv?best=2").content.decode()

    (row, *_) = anonymous.get(f"{event.path}/clubs?best=2").json()["rows"]
    (line, *_) = csv.DictReader(io.StringIO(text))
    players = row["players"]
    assert line == {
        "rank": "1",
        "name": row["name"],
        "points": row["points"],
        "missing": "0",
        "numbers": " ".join(str(player["number"]) for player in players),
        "players": "; ".join(
            f"{player['player']['name']} ({player['rank']}, {player['points']})"
            for player in players
        ),
    }


def test_an_earlier_round(anonymous: Person, event: Event) -> None:
    assert [row[2] for row in totals(anonymous, event, "round=0")] == ["0", "0"]


def test_pages_name_clubs_only_where_somebody_has_one(organiser: Person, client: Client) -> None:
    make_clubs(organiser, ["", ""], slug="alone")
    make_clubs(organiser, ["", "Rooks"], slug="club")
    client.force_login(organiser.account)

    for slug, is_shown in (("alone", False), ("club", True)):
        text = client.get(f"/e/{slug}/standings").content.decode()
        assert (f"/e/{slug}/clubs" in text) == is_shown
