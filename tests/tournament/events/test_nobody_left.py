"""Rounds that nobody is left to play: they are not paired, and the event ends without them."""

from collections.abc import Iterable
from typing import Any

import pytest

from tests.events import Event, make_running, settle
from tests.people import Person, problem_in
from tournament.events.verification import verify_tournament

pytestmark = pytest.mark.django_db

DOUBLE = "0-0f"


def play(event: Event, number: int, results: Iterable[str]) -> None:
    """Publish a round and rule its games by board."""
    for game, result in zip(event.publish(number), results, strict=True):
        body = {"result": result.removesuffix("f"), "reason": "seen"}
        if result == DOUBLE:
            body["termination"] = "forfeit"
        assert event.owner.post(f"games/{game.pk}/rule", body).status_code == 202
    settle()
    assert event.owner.post(f"{event.path}/rounds/{number}/complete").status_code == 200


def refusal(organiser: Person, event: Event, number: int) -> str:
    """Return why a round has nobody to pair: in the check, the round, and both ways to pair it."""
    found = organiser.post(f"{event.path}/rounds/{number}/check").json()
    blocking = [item for item in found["items"] if item["blocks"]]
    assert ([item["code"] for item in blocking], found["ready"]) == (["nobody_to_pair"], False)
    listed = organiser.get(f"{event.path}/rounds/{number}?actions=1").json()["allowed_actions"]
    pair = {"operation": "pair_round", "level": "forbidden", "code": "nobody_to_pair"}
    assert pair | {"reason": blocking[0]["detail"]} in listed
    for address in ("pair", "pair?dry_run=1"):
        response = organiser.post(f"{event.path}/rounds/{number}/{address}")
        problem = problem_in(response, 409, "nobody_to_pair")
        assert problem["detail"] == blocking[0]["detail"]
        assert problem["allowed_actions"] == listed
    return blocking[0]["detail"]


def finish(organiser: Person, event: Event) -> dict[str, Any]:
    """Review and finalise the event; return its standings."""
    for action in ("review", "finalise"):
        response = organiser.post(f"{event.path}/{action}")
        assert response.status_code == 200, response.content
    assert verify_tournament(event.stream) == []
    return organiser.get(f"{event.path}/standings").json()


def ranks(standings: dict[str, Any]) -> list[tuple[int, int]]:
    return [(row["rank"], row["number"]) for row in standings["rows"]]


def test_a_knockout_in_which_all_were_absent(organiser: Person) -> None:
    event = make_running(organiser, 4, system="knockout", rounds=2)
    play(event, 1, [DOUBLE, DOUBLE])

    assert refusal(organiser, event, 2) == (
        "no game is left for round 2: nobody is left in the bracket, and nobody has won; "
        "review the event"
    )
    standings = finish(organiser, event)
    assert ranks(standings) == [(3, 1), (3, 2), (3, 3), (3, 4)]
    assert (standings["round"], standings["provisional"]) == (1, False)
    assert organiser.get(event.path).json()["rounds"] == 1


def test_a_knockout_in_which_one_player_is_left(organiser: Person) -> None:
    event = make_running(organiser, 8, system="knockout", rounds=3)
    play(event, 1, [DOUBLE, "1-0", DOUBLE, DOUBLE])
    (winner,) = [
        row["number"]
        for row in organiser.get(f"{event.path}/standings").json()["rows"]
        if row["values"]["STAGE"] == "1"
    ]
    detail = refusal(organiser, event, 2)
    assert detail == (
        f"no game is left for round 2: {winner} is the only player left in the bracket, and has "
        "won; review the event"
    )
    assert ranks(finish(organiser, event))[0] == (1, winner)


def test_the_last_game_of_a_decided_final_is_not_played(organiser: Person) -> None:
    event = make_running(organiser, 2, system="knockout", rounds=3, system_options={"best_of": 3})
    play(event, 1, ["1-0"])
    problem_in(organiser.post(f"{event.path}/review"), 409, "rounds_open")
    play(event, 2, ["0-1"])
    assert refusal(organiser, event, 3) == (
        "no game is left for round 3: the last pairing of the bracket is decided; review the event"
    )
    assert ranks(finish(organiser, event)) == [(1, 1), (2, 2)]


def test_groups_whose_bracket_has_one_player_left(organiser: Person) -> None:
    event = make_running(
        organiser, 8, system="groups-knockout", rounds=3,
        system_options={"groups": 4, "advance": 1},
        tiebreaks=["STAGE", "LOST", "PTS", "SB"],
    )  # fmt: skip
    play(event, 1, ["1-0"] * 4)
    play(event, 2, ["1-0", DOUBLE])
    assert "is the only player left" in refusal(organiser, event, 3)
    standings = finish(organiser, event)
    assert [rank for rank, _ in ranks(standings)] == [1, 2, 3, 3, 5, 5, 5, 5]


def withdraw(event: Event, *numbers: int) -> None:
    for entry in event.tournament.entries.filter(pairing_number__in=numbers):
        response = event.owner.post(
            f"{event.path}/entries/{entry.pk}/withdraw", {"reason": "gone home"}
        )
        assert response.status_code == 200, response.content


@pytest.mark.parametrize(("system", "rounds"), [("dutch", 5), ("round-robin", 6)])
def test_an_event_that_all_have_left_ends(organiser: Person, system: str, rounds: int) -> None:
    event = make_running(organiser, 4, system=system, rounds=rounds)
    problem_in(organiser.post(f"{event.path}/review"), 409, "rounds_open")
    play(event, 1, ["1-0", "1-0"])
    winners = {row["number"] for row in organiser.get(f"{event.path}/standings").json()["rows"][:2]}
    withdraw(event, 1, 2, 3, 4)

    assert refusal(organiser, event, 2) == "no player plays in round 2"
    standings = finish(organiser, event)

    assert {number for rank, number in ranks(standings)[:2] if rank == 1} <= winners
    assert len(standings["rows"]) == 4
    assert all(row["withdrawn"] for row in standings["rows"])
    assert (standings["round"], standings["provisional"]) == (1, False)
    assert organiser.get(event.path).json()["rounds"] == 1


def test_an_event_with_one_player_left_ends(organiser: Person) -> None:
    event = make_running(organiser, 4, system="dutch", rounds=3)
    play(event, 1, ["1-0", "1-0"])
    withdraw(event, 2, 3, 4)
    standings = finish(organiser, event)
    assert standings["round"] == 1


def test_an_event_without_a_complete_round_is_not_reviewed(organiser: Person) -> None:
    event = make_running(organiser, 4)
    withdraw(event, 1, 2, 3, 4)
    problem_in(organiser.post(f"{event.path}/review"), 409, "rounds_open")


CHECKS = {"knockout": (9, 4, 1, [1, 2, 3, 4, 5, 6, 7]), "round-robin": (5, 5, 1, [1])}


@pytest.mark.parametrize("system", list(CHECKS))
def test_a_schedule_names_its_byes_and_not_an_odd_number(organiser: Person, system: str) -> None:
    players, rounds, number, byes = CHECKS[system]
    event = make_running(organiser, players, system=system, rounds=rounds)
    event.draft(number)
    (item,) = organiser.post(f"{event.path}/rounds/{number}/check").json()["items"]
    assert (item["code"], item["blocks"], item["numbers"]) == ("byes", False, byes)
