"""What holds in every state of an event."""

from collections import Counter
from fractions import Fraction
from typing import Any

from django.db import transaction

from games.models import Game
from tests.tournament.days.day import DONE, UNPUBLISHED, Day
from tests.tournament.imports import empty_tables
from tournament.events.verification import verify_stream
from tournament.exchange.bundle import import_bundle
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Tournament

BYES = {"pairing_bye": 2, "full_bye": 2, "half_bye": 1}


def check_games_of_players(stream: str, games_per_pairing: int) -> None:
    """Assert that no player has more games in a round than a pairing has."""
    seats: Counter[tuple[str, int]] = Counter()
    games = Game.objects.filter(stream=stream, void=False)
    for number, *players in games.values_list("round", "first_id", "second_id"):
        seats.update((number, player) for player in players)
    assert set(seats.values()) <= {games_per_pairing}, seats


def check_journal(stream: str) -> None:
    """Assert that the replay of the journal gives the rows of the tables."""
    assert verify_stream(stream) == []


def check_standings(day: Day) -> None:
    """Assert that the points are those of the public files of the rounds."""
    event = day.event()
    is_league = event["system_options"].get("schedule") == "league"
    counted = [
        row["number"]
        for row in day.rounds()
        if row["state"] in DONE or (is_league and row["state"] not in UNPUBLISHED)
    ]
    entries = day.ask("GET", f"{day.path}/entries?limit=500")["results"]
    numbers = {row["id"]: str(row["number"]) for row in entries}
    first_rounds = {row["id"]: row["first_round"] for row in entries}
    byes = day.anonymous.get(f"{day.path}/byes").json()["results"]
    pairings = {number: day.csv(f"rounds/{number}/pairings.csv") for number in counted}
    struck: set[str] = set()
    if event["system"] == "round-robin":
        struck = find_struck(entries, [row for rows in pairings.values() for row in rows])
    points: Counter[str] = Counter()
    for number, rows in pairings.items():
        for row in rows:
            if struck.isdisjoint((row["first_number"], row["second_number"])):
                add_points(points, row)
        for bye in byes:  # of late entries, who are in no pairing of an earlier round
            if bye["round"] == number < first_rounds[bye["entry"]["id"]]:
                points[numbers[bye["entry"]["id"]]] += BYES.get(bye["kind"], 0)
    scale = 1 if event["games_per_pairing"] == 2 else 2
    standings = day.csv("standings.csv") if counted else []
    assert struck.isdisjoint(row["number"] for row in standings)
    for row in standings:
        assert scale * Fraction(row["PTS"]) == points[row["number"]], (row, points)


def find_struck(entries: list[dict[str, Any]], rows: list[dict[str, str]]) -> set[str]:
    """The withdrawn players of a round robin with less than half of their games (C.05 6.6)."""
    players = {str(row["number"]) for row in entries if row["number"]}
    withdrawn = {str(row["number"]) for row in entries if row["state"] == "withdrawn"} & players
    played = Counter(
        row[seat]
        for row in rows
        if row["kind"] == "game" and row["state"] == "confirmed" and row["result"][-1:] != "f"
        for seat in ("first_number", "second_number")
    )
    struck = {number for number in withdrawn if 2 * played[number] < len(players) - 1}
    return struck if struck < players else set()


def add_points(points: "Counter[str]", row: dict[str, str]) -> None:
    """Add the points of a pairing: two for a win, because a Counter has whole numbers."""
    first, second = row["first_number"], row["second_number"]
    if row["kind"] != "game":
        points[first] += BYES.get(row["kind"], 0)
        return
    result = row.get("points", row["result"])
    if not result or row["state"] != "confirmed":
        return
    scores = (
        [1, 1]
        if result == "1/2"
        else [float(score) for score in result.removesuffix("f").split("-")]
    )
    if scores == [0, 0]:
        return
    points[first] += 1 + (scores[0] > scores[1]) - (scores[0] < scores[1])
    points[second] += 1 + (scores[1] > scores[0]) - (scores[1] < scores[0])


def check_bundle(day: Day) -> None:
    """Assert that an import of the exported event gives the same event."""
    with transaction.atomic():
        exported = write_bundle(Tournament.objects.get())
        empty_tables()
        imported = import_bundle(exported, by=day.organiser.account)
        assert write_bundle(imported) == exported
        transaction.set_rollback(True)
