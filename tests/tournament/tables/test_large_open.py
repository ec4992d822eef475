"""An open of 200 players and nine rounds with everything that can happen, through the API."""

from random import Random

import pytest

from games.models import Game
from ratings.models import Pool
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from tests.events import FIRST_WINS, SECOND_WINS, approve_organiser, settle
from tests.people import Person, player_of, problem_in
from tests.tournament.days.day import WHY, Day
from tests.tournament.days.invariants import (
    check_bundle,
    check_games_of_players,
    check_journal,
    check_standings,
)

SET_UP = {
    "name": "Large Open", "slug": "large", "starts_on": "2026-05-01", "ends_on": "2026-05-03",
    "ruleset": "star-star", "board_size": "4", "system": "dutch", "half_byes": 2, "pool": "star",
    "tiebreaks": ["PTS", "BH/C1", "BH", "SB"], "missed_rounds": "half",
    "prizes": [{"name": "Open", "amounts": [500, 300, 100]}],
}  # fmt: skip
RESULTS = ["11-10", "10-11", "1-0", "0-1", "13-8", "8-13"]

pytestmark = pytest.mark.django_db


def create(day: Day, players: int, rounds: int, others: list[Person]) -> None:
    """Create the event with players of four clubs; those with a login have the highest ratings."""
    day.ask("POST", "tournaments", SET_UP | {"rounds": rounds})
    lines = ["name,country,club,seed_rating,birth_year,sex"]
    for n in range(1, players - len(others) + 1):
        lines.append(f"Player {n},POR,Club {n % 4},{2000 - 5 * n},{1950 + n % 60},{'mw'[n % 2]}")
    body = "\n".join(lines).encode()
    day.ask("POST", f"{day.path}/entries/import", body, content_type="text/csv")
    for person in others:
        day.ask("POST", f"{day.path}/entries", {"player": player_of(person).pk})
    for action in ("open", "start"):
        day.ask("POST", f"{day.path}/{action}")


def report_own_game(day: Day, number: int, person: Person) -> str:
    """Report the person's game by its record; the other side confirms it. Return the basis."""
    name = player_of(person).name
    rows = [row for row in day.pairings(number) if row["second"]]
    row = next(
        (r for r in rows if name in (r["first"]["player"]["name"], r["second"]["player"]["name"])),
        None,
    )
    if row is None or row["result"] is not None:
        return ""
    own, other = (
        ("first", "second") if row["first"]["player"]["name"] == name else ("second", "first")
    )
    record = FIRST_WINS if own == "first" else SECOND_WINS
    path = f"games/{row['game']}"
    assert person.post(f"{path}/reports", {"record": record}).status_code == 202
    secret = day.ask("POST", f"{day.path}/entries/{row[other]['entry']}/token")["token"]
    assert Person("other", secret=secret).post(f"{path}/confirm").status_code == 202
    settle()
    return str(Game.objects.get(pk=row["game"]).basis)


def dispute(day: Day, number: int, board: int) -> None:
    """Let the sides of a board claim different results; the director rules."""
    row = day.pairings(number)[board - 1]
    path = f"games/{row['game']}"
    for seat, result in (("first", "11-10"), ("second", "10-11")):
        secret = day.ask("POST", f"{day.path}/entries/{row[seat]['entry']}/token")["token"]
        body = {"claim": {"result": result}}
        assert Person(seat, secret=secret).post(f"{path}/reports", body).status_code == 202
    settle()
    assert day.ask("GET", path)["state"] == "disputed"
    day.ask("POST", f"{path}/rule", WHY | {"result": "10-11"})
    settle()


def publish(day: Day, number: int) -> None:
    assert day.post(f"/rounds/{number}/pair", {}), day.refusal
    assert day.post(f"/rounds/{number}/publish", {}, accept=True), day.refusal


def exchange_seats(day: Day, number: int, board: int) -> None:
    """Exchange the seats of a published board, whatever rule of seats it breaks."""
    row = day.pairings(number)[board - 1]
    first, second = row["second"]["entry"], row["first"]["entry"]
    content = {**WHY, "boards": [{"board": board, "first": first, "second": second}]}
    path = f"{day.path}/rounds/{number}/pairings"
    response = day.organiser.patch(path, content)
    if response.status_code == 409:
        content["accept"] = problem_in(response, 409, "acceptance_needed")["accept"]
        response = day.organiser.patch(path, content)
    assert response.status_code == 200, response.content


def open_boards(day: Day, number: int) -> list[int]:
    """Return the boards without a result."""
    rows = day.ask("GET", f"{day.path}/rounds/{number}/results?missing=1")["results"]
    return [row["board"] for row in rows]


def adjourn(day: Day, number: int, board: int) -> None:
    game = day.pairings(number)[board - 1]["game"]
    day.ask("POST", f"games/{game}/adjourn", WHY)
    settle()


def enter_missing(day: Day, number: int, random: Random, without: int = 0) -> None:
    """Enter the missing results from the slips, one of them a forfeit."""
    path = f"{day.path}/rounds/{number}/results"
    boards = [board for board in open_boards(day, number) if board != without]
    rows = [{"board": board, "result": random.choice(RESULTS)} for board in boards]
    if without:
        rows[0]["result"] = "1-0f"
    day.ask("POST", path, {"results": rows, "basis": "slip"})


def come_and_go(day: Day, number: int, random: Random, gone: list[int]) -> None:
    """Withdraw a player and return an earlier one; grant a bye; enter a late player."""
    entries = day.entries("?state=accepted&limit=500")
    for entry in gone:
        day.ask("POST", f"{day.path}/entries/{entry}/return")
    gone[:] = random.sample(entries[5:], 1)
    day.ask("POST", f"{day.path}/entries/{gone[0]}/withdraw", WHY)
    bye = {"entry": entries[number % 5], "round": number, "kind": "half-bye"}
    day.organiser.post(f"{day.path}/byes", bye)
    if number <= 3:
        day.ask("POST", f"{day.path}/entries", {"player": day.register_player()})


def unpair_and_restore(day: Day, number: int) -> None:
    path = f"{day.path}/rounds/{number}"
    version, before = day.ask("GET", path)["version"], day.view()
    day.ask("POST", f"{path}/unpair", WHY)
    assert day.post(f"/rounds/{number}/pair", {})
    day.ask("POST", f"{path}/restore", WHY | {"version": version})
    assert day.view() == before


@pytest.mark.long
def test_a_large_open(organiser: Person, ada: Person, ben: Person, anonymous: Person) -> None:
    players, rounds = 200, 9
    approve_organiser(organiser)
    day = Day(organiser, ada, anonymous, path="tournaments/large")
    random = Random(players)
    create(day, players, rounds, [ada, ben])
    bases: list[str] = []
    gone: list[int] = []
    for number in range(1, rounds + 1):
        if number > 1:
            come_and_go(day, number, random, gone)
        publish(day, number)
        if number > 1:
            enter_missing(day, number - 1, random)  # the adjourned game
        if number % 2 == 0:
            exchange_seats(day, number, 3)
        bases += [report_own_game(day, number, person) for person in (ada, ben)]
        *_, disputed, adjourned = open_boards(day, number)
        dispute(day, number, disputed)
        adjourn(day, number, adjourned)
        enter_missing(day, number, random, without=adjourned)
        if number == 2:
            unpair_and_restore(day, number)
        day.ask("POST", f"{day.path}/rounds/{number}/complete")
        check_standings(day)
        if number % 2:
            day.ask("GET", f"{day.path}/rounds/{number}/pairings?explain=1")
            day.ask("GET", f"{day.path}/certificates/{number}")
    assert "proof" in bases
    enter_missing(day, rounds, random)
    check_games_of_players("tournament/large", 1)
    for action in ("review", "finalise"):
        day.ask("POST", f"{day.path}/{action}")
    for paper in ("standings.pdf", "crosstable.html", "prizes.csv", "clubs.csv", "standings.trf26"):
        assert len(anonymous.get(f"{day.path}/{paper}").content) > 80

    pool = Pool.objects.get(code="star")
    advance_pool(pool.pk)
    assert verify_pool(pool) == []
    assert anonymous.get("pools/star/ratings?provisional=true").json()["results"]
    check_journal("tournament/large")
    check_bundle(day)
