"""A league of four cycles through the API: Hex at the Computer Olympiad 2010, from its records.

Four programs met four times each. The published records prove 21 games; three have no end, and
the director rules them.
"""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from games.models import Game
from games.rules.records.record import Record
from tests.events import settle
from tests.people import Person, make_player, player_of
from tournament.events.verification import verify_tournament

RECORDS = sorted((Path(__file__).parents[1] / "data" / "olympiad-2010").glob("*.rec"))
RULED = {"mim-moh-1": "0-1", "mim-moh-2": "0-1", "wol-mim-2": "1-0"}
"""What the director rules about the games without an end: the winner was not published."""
EVENT = "tournaments/olympiad"

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.long]


def schedule(anyone: Person) -> dict[tuple[str, str], list[int]]:
    """Return the games of the league by the names of the seats, in order of rounds."""
    games: dict[tuple[str, str], list[int]] = {}
    for number in range(1, 13):
        for row in anyone.get(f"{EVENT}/rounds/{number}/pairings").json()["rows"]:
            games.setdefault(
                (row["first"]["player"]["name"], row["second"]["player"]["name"]), []
            ).append(row["game_id"])
    return games


def post(person: Person, path: str, body: Any = None, **headers: str) -> Any:
    answer = person.post(path, body, **headers)
    assert answer.status_code < 300, answer.content
    return answer.json()


def test_the_olympiad_of_2010_is_a_league_of_four_cycles(
    organiser: Person, anonymous: Person
) -> None:
    programs = {name: make_player(name) for name in ("MIMHex", "MoHex", "Wolve", "Yopt")}
    post(
        organiser,
        "tournaments",
        {
            "name": "Computer Olympiad 2010 Hex", "slug": "olympiad", "ruleset": "hex",
            "board_size": "11", "starts_on": "2010-09-24", "ends_on": "2010-10-01",
            "system": "round-robin", "rounds": 12, "swap": True,
            "system_options": {"cycles": 4, "schedule": "league"},
        },
    )  # fmt: skip
    for program in programs.values():
        post(organiser, f"{EVENT}/entries", {"player_id": player_of(program).pk})
    for action in ("open", "start"):
        post(organiser, f"{EVENT}/{action}")

    # All rounds are open at once: each ordered pair of programs has two games.
    games = schedule(anonymous)
    assert {pair: len(found) for pair, found in games.items()} == {
        (first, second): 2 for first in programs for second in programs if first != second
    }

    # The results come in the order of the records, not of the rounds.
    for path in RECORDS:
        text = path.read_text()
        tags = Record.parse(text).tags
        game = games[tags["First"], tags["Second"]].pop(0)
        code = path.stem.removeprefix("olympiad-2010-")
        if code in RULED:
            body = {"result": RULED[code], "reason": "the record has no end; ruled by the director"}
            post(organiser, f"games/{game}/rule", body)
            continue
        for seat in ("First", "Second"):
            post(programs[tags[seat]], f"games/{game}/reports", text, content_type="text/plain")
    settle()

    bases = list(Game.objects.values_list("basis", flat=True))
    assert (bases.count("proof"), bases.count("ruling")) == (21, 3)
    standings = anonymous.get(f"{EVENT}/standings").json()
    assert (standings["provisional"], standings["round"]) == (True, 12)
    for number in reversed(range(1, 13)):
        post(organiser, f"{EVENT}/rounds/{number}/complete")
    for action in ("review", "finalise"):
        post(organiser, f"{EVENT}/{action}")
    table = csv.DictReader(io.StringIO(anonymous.get(f"{EVENT}/standings.csv").content.decode()))
    assert [(row["rank"], row["name"], row["PTS"]) for row in table] == [
        ("1", "MoHex", "10"),
        ("2", "Wolve", "8"),
        ("3", "MIMHex", "5"),
        ("4", "Yopt", "1"),
    ]
    assert verify_tournament("tournament/olympiad") == []
