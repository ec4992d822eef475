"""A club's open of 33 players and five rounds, directed through the API: whatever happens on a day.

The file of the club is messy, two players come late, one leaves and returns, boards change before
and after publication, a round is withdrawn and restored, and results turn out to be wrong.
"""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.models import Player
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.events import approve_organiser
from tests.people import Person, problem_in
from tests.tournament.days.day import WHY, Day
from tests.tournament.days.invariants import check_bundle, check_journal, check_standings

CLUB_FILE = (Path(__file__).parents[1] / "data" / "club-open.csv").read_bytes()
MAPPING = "columns=Nr:player,Telefon:ignore"
PRINTED = {
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
}
SET_UP = {
    "name": "Club Open", "slug": "club", "starts_on": "2026-05-01", "ends_on": "2026-05-03",
    "time_zone": "Europe/Berlin", "ruleset": "star-star", "board_size": "4", "system": "dutch",
    "rounds": 5, "half_byes": 2, "pool": "star", "tiebreaks": ["PTS", "BH/C1", "BH", "SB"],
}  # fmt: skip

pytestmark = pytest.mark.django_db


def print_all(day: Day, *papers: str) -> None:
    """Get papers of the event in the formats of their suffixes."""
    for paper in papers:
        response = day.organiser.get(f"{day.path}/{paper}")
        suffix = paper.partition("?")[0].rpartition(".")[2]
        assert (response.status_code, response["Content-Type"]) == (200, PRINTED[suffix]), paper
        assert len(response.content) > 200


def enter_club(day: Day) -> None:
    """Import the file of the club, one of whose players has a registered namesake."""
    namesakes = [
        Player.objects.create(name="Schmidt, Peter", country="GER", birth_year=year)
        for year in (1960, 1990)
    ]
    Player.objects.create(name="Müller, Hans", country="GER")
    path = f"{day.path}/entries/import?encoding=cp1252&{MAPPING}"

    def send(content: bytes, query: str = "") -> Any:
        return day.organiser.post(path + query, content, content_type="text/csv")

    problem = problem_in(send(CLUB_FILE, "&dry_run=1"), 422, "invalid_lines")
    (error,) = problem["errors"]
    assert (error["code"], error["line"]) == ("ambiguous_player", 37)
    assert [row["id"] for row in error["candidates"]] == [player.pk for player in namesakes]
    corrected = CLUB_FILE.replace(b"; Schmidt", f"{namesakes[0].pk}; Schmidt".encode())
    preview = send(corrected, "&dry_run=1").json()
    assert preview["columns"]["Verein"] == "club"
    assert not day.entries()
    lines = send(corrected).json()["rows"]
    actions = [line["action"] for line in lines]
    assert (len(lines), actions.count("known"), actions.count("created")) == (33, 2, 31)
    assert len({line["player"]["id"] for line in lines}) == 33


def entries_of(day: Day) -> dict[str, int]:
    """Return the entries by the family name of the player."""
    rows: list[dict[str, Any]] = []
    path: str | None = f"{day.path}/entries?limit=200"
    rows = day.ask("GET", path)["results"]
    return {row["player"]["name"].partition(",")[0]: row["id"] for row in rows}


def draft(day: Day, number: int) -> None:
    assert day.post(f"/rounds/{number}/pair", {}), day.refusal


def publish(day: Day, number: int) -> None:
    assert day.post(f"/rounds/{number}/publish", {}, accept=True), day.refusal
    print_all(day, f"rounds/{number}/pairings.csv")


def exchange(day: Day, number: int) -> dict[str, Any]:
    """Exchange the second players of boards 2 and 3; return the round."""
    path = f"{day.path}/rounds/{number}/pairings"
    two, three = day.pairings(number)[1:3]
    rows = [
        {"board": a["board"], "first_id": a["first"]["id"], "second_id": b["second"]["id"]}
        for a, b in ((two, three), (three, two))
    ]
    content = {"reason": "two of a family", "boards": rows}
    response = day.organiser.patch(path, content)
    if response.status_code == 409:
        accept = problem_in(response, 409, "acceptance_needed")["accept"]
        return dict(day.ask("PATCH", path, content | {"accept": accept}))
    assert response.status_code == 200, response.content
    return dict(response.json())


def enter_results(day: Day, number: int, *results: str, start: int = 1) -> None:
    """Enter results of the boards from `start` on, from the slips."""
    rows = [{"board": board, "result": result} for board, result in enumerate(results, start)]
    content = {"results": rows, "basis": "slip"}
    day.ask("POST", f"{day.path}/rounds/{number}/results", content)


def play(day: Day, number: int, random: Random) -> None:
    """Enter all results that are missing, complete the round, and print its tables."""
    missing = day.ask("GET", f"{day.path}/rounds/{number}/results?missing=1")["rows"]
    rows = [
        {"board": row["board"], "result": random.choice(["11-10", "12-9", "1-0", "0-1", "8-13"])}
        for row in missing
    ]
    path = f"{day.path}/rounds/{number}"
    day.ask("POST", f"{path}/results", {"results": rows, "basis": "slip"})
    day.ask("POST", f"{path}/complete")
    check_standings(day)
    print_all(day, "standings.csv", "standings.html")


def standing(day: Day, name: str) -> str:
    """Return the points of a player."""
    rows = day.ask("GET", f"{day.path}/standings")["rows"]
    return str(next(row["values"]["PTS"] for row in rows if row["player"]["name"] == name))


def reverse_result(day: Day, number: int, board: int) -> tuple[int, str, str]:
    """Correct the result of a board; return the correction, and the players, the winner first."""
    row = day.pairings(number)[board - 1]
    first, second = row["first"]["player"]["name"], row["second"]["player"]["name"]
    scores = [int(score) for score in row["result"].split("-")]
    result = "0-1" if scores[0] > scores[1] else "1-0"
    change = {"game_id": row["game_id"], "result": result}
    content = {"changes": [change], "reason": "the slip was read wrongly"}
    preview = day.ask("POST", f"{day.path}/corrections?dry_run=1", content)
    changed = {row["entry"]["player"]["name"] for row in preview["effect"]["standings"]}
    assert {first, second} <= changed
    content["digest"] = preview["digest"]
    number = day.ask("POST", f"{day.path}/corrections", content)["number"]
    return (number, first, second) if result == "1-0" else (number, second, first)


def rated_players(anonymous: Person) -> dict[str, str]:
    """Return the ratings by name."""
    rows = anonymous.get("pools/star/ratings?provisional=true&limit=100").json()["results"]
    return {row["player"]["name"]: row["rating"] for row in rows}


def test_a_directors_open(organiser: Person, ada: Person, anonymous: Person) -> None:
    approve_organiser(organiser)
    day = Day(organiser, ada, anonymous, path="tournaments/club")
    random = Random(7)
    day.ask("POST", "tournaments", SET_UP)
    enter_club(day)
    entries = entries_of(day)
    bye = {"entry_id": entries["Rossi"], "round": 1, "kind": "half_bye", "reason": "a late train"}
    day.ask("POST", f"{day.path}/byes", bye)
    for action in ("open", "start"):
        day.ask("POST", f"{day.path}/{action}")
    print_all(day, "cards.pdf")

    # Round 1: a draft is changed by hand before its publication, and two players do not come.
    draft(day, 1)
    changed = exchange(day, 1)
    assert (changed["state"], changed["system"]) == ("drafted", "by_hand")
    publish(day, 1)
    print_all(day, "rounds/1/slips.pdf", "rounds/1/pairings.pdf")
    assert len(day.games()) == 16
    enter_results(day, 1, "1-0f", "11-10", "0-0f")
    play(day, 1, random)
    assert standing(day, "Rossi, Clara") == "0.5"

    # Round 2, with a late entry: a published board is changed, and its game is another one.
    late = day.ask("POST", f"{day.path}/entries", {"player_id": day.register_player()})
    assert late["first_round"] == 2
    draft(day, 2)
    publish(day, 2)
    before = day.games()
    assert exchange(day, 2)["state"] == "published"
    assert len(set(before) - set(day.games())) == 2
    play(day, 2, random)

    # Round 3, without a player who left, with one more who comes: withdrawn and restored.
    day.ask("POST", f"{day.path}/entries/{entries['Novák']}/withdraw")
    day.ask("POST", f"{day.path}/entries", {"player_id": day.register_player()})
    draft(day, 3)
    publish(day, 3)
    enter_results(day, 3, "11-10", "9-12", "1-0f")
    version = day.ask("GET", f"{day.path}/rounds/3")["version"]
    results = day.ask("GET", f"{day.path}/rounds/3/results")
    day.ask("POST", f"{day.path}/rounds/3/unpair", WHY)
    problem_in(anonymous.get(f"{day.path}/rounds/3/pairings"), 404, "not_published")
    day.ask("POST", f"{day.path}/rounds/3/restore", WHY | {"version": version})
    assert day.ask("GET", f"{day.path}/rounds/3/results") == results
    play(day, 3, random)

    # Round 4: the player returns, and a result of round 3 was wrong.
    day.ask("POST", f"{day.path}/entries/{entries['Novák']}/return")
    draft(day, 4)
    publish(day, 4)
    points = {row["name"]: row["PTS"] for row in day.csv("standings.csv")}
    _, winner, loser = reverse_result(day, 3, 2)
    for name, change in ((winner, 1), (loser, -1)):
        assert float(standing(day, name)) == float(points[name]) + change
    play(day, 4, random)
    assert "Novák, Eva" in str(day.pairings(4))

    draft(day, 5)
    publish(day, 5)
    play(day, 5, random)
    for action in ("review", "finalise"):
        day.ask("POST", f"{day.path}/{action}")
    print_all(
        day, "standings.pdf", "crosstable.html", "crosstable.pdf", "prizes.html", "clubs.html"
    )
    pool = Pool.objects.get(code="star")
    advance_pool(pool.pk)

    # A result was wrong after all; the first correction of it was wrong, too.
    before, ratings = day.view(), rated_players(anonymous)
    number, *players = reverse_result(day, 5, 1)
    advance_pool(pool.pk)
    check_standings(day)
    changed = {name for name, rating in rated_players(anonymous).items() if rating != ratings[name]}
    assert set(players) <= changed
    day.ask("POST", f"{day.path}/corrections/{number}/undo", WHY)
    advance_pool(pool.pk)
    assert (day.view(), rated_players(anonymous)) == (before, ratings)
    check_journal("tournament/club")
    check_bundle(day)
