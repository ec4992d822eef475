"""A Swiss of ten with two games in each pairing, through the API from entries to ratings."""

import csv
import io
from random import Random
from typing import Any

import pytest

from games.models import Game
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.events import approve_organiser, make_players, settle
from tests.people import Person
from tournament.events.verification import verify_tournament

EVENT = "tournaments/pairs"
POINTS = {"win": 2, "draw": 1, "loss": 0, "pairing_bye": 1}
GAME_POINTS = {"1-0": (2, 0), "0-1": (0, 2), "1/2": (1, 1)}
"""The half points of both seats."""

pytestmark = pytest.mark.django_db


def post(person: Person, path: str, body: Any = None, **headers: str) -> Any:
    answer = person.post(path, body, **headers)
    assert answer.status_code < 300, answer.content
    return answer.json()


def play(organiser: Person, number: int, random: Random, scores: dict[str, list[int]]) -> None:
    """Play a round; add the half points of the games and the points of the pairing to `scores`."""
    path = f"{EVENT}/rounds/{number}"
    for action in ("pair", "publish"):
        post(organiser, f"{path}/{action}", {})
    for row in organiser.get(f"{path}/pairings").json()["pairings"]:
        first = row["first"]["player"]["name"]
        if row["second"] is None:
            scores[first][0] += POINTS["pairing_bye"]
            scores[first][1] += 2
            continue
        second = row["second"]["player"]["name"]
        totals = [0, 0]
        for game, sides in ((row["game"], (0, 1)), (row["return_game"]["game"], (1, 0))):
            result = random.choice(list(GAME_POINTS))
            post(organiser, f"games/{game}/rule", {"result": result, "reason": "a slip"})
            for side, half_points in zip(sides, GAME_POINTS[result], strict=True):
                totals[side] += half_points
        for name, own, other in ((first, *totals), (second, *totals[::-1])):
            scores[name][0] += POINTS["win" if own > other else "draw" if own == other else "loss"]
            scores[name][1] += own
    settle()
    post(organiser, f"{path}/complete")


@pytest.mark.parametrize("rounds", [3, pytest.param(8, marks=pytest.mark.long)])
def test_a_swiss_with_two_games_in_each_pairing(
    organiser: Person, anonymous: Person, rounds: int
) -> None:
    approve_organiser(organiser)
    body = {
        "name": "Pairs", "slug": "pairs", "ruleset": "twixt", "board_size": "24", "system": "dutch",
        "starts_on": "2026-05-01", "ends_on": "2026-05-03", "rounds": rounds, "pool": "star",
        "games_per_pairing": 2, "points": POINTS, "tiebreaks": ["PTS", "GPTS", "BH"],
    }  # fmt: skip
    post(organiser, "tournaments", body)
    players = make_players(10)
    entries = [post(organiser, f"{EVENT}/entries", {"player": player.pk}) for player in players]
    for action in ("open", "start"):
        post(organiser, f"{EVENT}/{action}")
    random = Random(7)
    scores = {player.name: [0, 0] for player in players}
    play(organiser, 1, random, scores)
    # The number of players is odd from round 2 on, so that there is a bye.
    post(organiser, f"{EVENT}/entries/{entries[9]['entry']}/withdraw")
    for number in range(2, rounds + 1):
        play(organiser, number, random, scores)
    for action in ("review", "finalise"):
        post(organiser, f"{EVENT}/{action}")

    # Pairings give points, games give game points, and both rank the players.
    table = list(
        csv.DictReader(io.StringIO(anonymous.get(f"{EVENT}/standings.csv").content.decode()))
    )
    found = {row["name"]: [int(row["PTS"]), int(2 * float(row["GPTS"]))] for row in table}
    assert found == scores
    keys = [(float(row["PTS"]), float(row["GPTS"]), float(row["BH"])) for row in table]
    assert keys == sorted(keys, reverse=True)

    # Nobody meets twice, and each game is rated by itself.
    games = Game.objects.filter(stream="tournament/pairs")
    seats = list(games.values_list("first_id", "second_id"))
    assert len(seats) == len(set(seats)) == 2 * (5 + 4 * (rounds - 1))
    advance_pool(Pool.objects.get(code="star").pk)
    rated = anonymous.get("pools/star/ratings?provisional=true").json()["results"]
    assert sum(row["games"] for row in rated) == 2 * len(seats)

    # The file of the event contains both games of each pairing.
    file = anonymous.get(f"{EVENT}/standings.trf").content
    imported = post(
        organiser, "tournaments/import?slug=again&board_size=24&ruleset=twixt", file,
        content_type="text/plain",
    )  # fmt: skip
    assert (imported["ranks"], imported["left_out"]) == ([], [])
    assert [row["agrees"] for row in imported["rounds"]] == [True] * rounds
    again = anonymous.get("tournaments/again/standings.trf").content
    assert again.replace(b"again", b"pairs") == file
    assert verify_tournament("tournament/pairs") == verify_tournament("tournament/again") == []
