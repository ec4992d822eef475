"""`/tournaments/{slug}/clubs`: the totals of clubs and federations, in every format."""

import csv
import io
import json

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Player
from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in

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

    assert (body["tournament"], body["round"], body["provisional"]) == ("spring", 1, True)
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
    (row,) = totals(anonymous, event, "by=federation&best=99")

    assert row[:4] == (1, "POR", "3", 93)


def test_shared_places(anonymous: Person, organiser: Person) -> None:
    event = make_clubs(organiser, ["A", "B", "C", "D"])

    rows = anonymous.get(f"{event.path}/clubs?tiebreaks=PTS&best=1").json()["rows"]

    assert [(row["rank"], row["points"], row["shared"]) for row in rows] == [
        (1, "1", True), (1, "1", True), (3, "0", True), (3, "0", True),
    ]  # fmt: skip


def test_an_earlier_round(anonymous: Person, event: Event) -> None:
    assert [row[2] for row in totals(anonymous, event, "round=0")] == ["0", "0"]


def test_without_pairing_numbers_there_are_no_rows(anonymous: Person, organiser: Person) -> None:
    event = make_event(organiser, slug="early").step("open")

    assert totals(anonymous, event) == []
    text = anonymous.get(f"{event.path}/clubs.csv").content.decode()
    assert text == "rank,name,points,missing,numbers,players\n"


def test_the_formats_agree(anonymous: Person, event: Event) -> None:
    def text(suffix: str) -> str:
        return anonymous.get(f"{event.path}/clubs.{suffix}?best=2").content.decode()

    rows = json.loads(text("json"))["rows"]
    lines = list(csv.DictReader(io.StringIO(text("csv"))))

    assert [json.loads(line) for line in text("ndjson").splitlines()] == rows
    assert lines == [
        {
            "rank": str(row["rank"]),
            "name": row["name"],
            "points": row["points"],
            "missing": str(row["missing"]),
            "numbers": " ".join(str(player["number"]) for player in row["players"]),
            "players": "; ".join(
                f"{player['player']['name']} ({player['rank']}, {player['points']})"
                for player in row["players"]
            ),
        }
        for row in rows
    ]
    assert all(f"<td>{row['name']}</td>" in text("html") for row in rows)
    assert "The best 2 of each count" in text("html")


@pytest.mark.parametrize(
    ("query", "code", "valid"),
    [
        ("best=0", "invalid_parameter", "from 1 to 99"),
        ("best=100", "invalid_parameter", "from 1 to 99"),
        ("by=team", "invalid_parameter", "club, federation"),
        ("round=2", "invalid_parameter", "0 to 1"),
    ],
)
def test_an_invalid_parameter_is_rejected_with_the_valid_values(
    anonymous: Person, event: Event, query: str, code: str, valid: str
) -> None:
    problem = problem_in(anonymous.get(f"{event.path}/clubs?{query}"), 422, code)
    assert valid in problem["detail"]


@pytest.mark.parametrize(("clubs", "players"), [(1, 2), (3, 6)])
def test_the_queries_do_not_grow(
    anonymous: Person,
    organiser: Person,
    clubs: int,
    players: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    event = make_event(organiser)
    made = make_players(players)
    for number, player in enumerate(made):
        player.club = f"Club {number % clubs}"
    Player.objects.bulk_update(made, ["club"])
    event.tournament.entries.bulk_create(
        event.tournament.entries.model(tournament=event.tournament, player=player, ordinal=ordinal)
        for ordinal, player in enumerate(made, 1)
    )
    event.step("open", "start")

    with django_assert_num_queries(5):
        rows = anonymous.get(f"{event.path}/clubs").json()["rows"]

    assert len(rows) == clubs


def test_pages_name_clubs_only_where_somebody_has_one(organiser: Person, client: Client) -> None:
    make_clubs(organiser, ["", ""], slug="alone")
    make_clubs(organiser, ["", "Rooks"], slug="club")
    client.force_login(organiser.account)

    for slug, is_shown in (("alone", False), ("club", True)):
        for page in ("standings", "exports", "run/print"):
            text = client.get(f"/e/{slug}/{page}").content.decode()
            assert (">Clubs<" in text) == is_shown, (slug, page)
        assert client.get(f"/e/{slug}/clubs").status_code == 200
