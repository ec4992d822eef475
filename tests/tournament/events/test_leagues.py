"""Round robins as leagues: all rounds are open at once; free players; struck players."""

from typing import Any

import pytest

from games.models import Game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, problem_in
from tests.tournament.imports import import_trf
from tests.tournament.trf.files import trf_of
from tournament.events.verification import verify_tournament
from tournament.models import Pairing
from tournament.trf import read_trf

pytestmark = pytest.mark.django_db
LEAGUE = {"schedule": "league"}
STRIKE = {"withdrawn": "strike_under_half"}


def start(organiser: Person, players: int, **options: Any) -> Event:
    rounds = players - 1 + players % 2
    event = make_event(
        organiser, game="twixt", board="24", system="round-robin", rounds=rounds,
        system_options=options,
    )  # fmt: skip
    event.enter(*make_players(players))
    return event.step("open", "start")


def withdraw(event: Event, number: int) -> None:
    entry = event.tournament.entries.get(pairing_number=number)
    answer = event.owner.post(f"{event.path}/entries/{entry.pk}/withdraw")
    assert answer.status_code == 200


def rule(event: Event, number: int, results: dict[tuple[int, int], str]) -> None:
    """Rule games of a round by the pairing numbers of the seats."""
    rows = event.owner.get(f"{event.path}/rounds/{number}/pairings").json()["rows"]
    games = {
        (row["first"]["number"], row["second"]["number"]): row["game_id"]
        for row in rows
        if row["second"]
    }
    for seats, result in results.items():
        body = {"result": result, "reason": "a slip"}
        assert event.owner.post(f"games/{games[seats]}/rule", body).status_code == 202
    settle()


def standings(event: Event, query: str = "") -> list[str]:
    address = f"{event.path}/standings.csv?tiebreaks=PTS,SB{query}"
    lines = event.owner.get(address).content.decode().splitlines()[1:]
    return [line.rsplit(",", 2)[0] for line in lines]  # without SB and the corrections


def game_of_struck_player(event: Event) -> Game:
    return Game.objects.get(stream=event.stream, round="1", second__name="Player 4")


def test_the_start_of_a_league_opens_all_rounds(organiser: Person) -> None:
    event = start(organiser, 4, **LEAGUE)
    states = event.tournament.round_set.values_list("state", flat=True)
    assert list(states) == ["published"] * 3
    assert verify_tournament(event.stream) == []


def test_results_count_at_once_and_in_any_order(organiser: Person) -> None:
    event = start(organiser, 4, **LEAGUE)
    rule(event, 3, {(2, 4): "1-0"})
    assert standings(event) == [
        "1,2,Player 2,1,0",
        "2,1,Player 1,0,0",
        "2,3,Player 3,0,0",
        "2,4,Player 4,0,0",
    ]
    assert event.owner.get(f"{event.path}/standings").json()["provisional"] is True


def test_rounds_of_a_league_are_completed_in_any_order(organiser: Person) -> None:
    event = start(organiser, 4, **LEAGUE)
    rule(event, 3, {(2, 4): "1-0"})
    problem_in(organiser.post(f"{event.path}/rounds/3/complete"), 409, "results_open")
    rule(event, 3, {(3, 1): "1-0"})
    assert organiser.post(f"{event.path}/rounds/3/complete").status_code == 200
    assert verify_tournament(event.stream) == []


def test_a_player_without_an_opponent_is_free(organiser: Person, anonymous: Person) -> None:
    event = start(organiser, 3)
    event.publish(1)
    path = f"{event.path}/rounds/1/pairings"
    kinds = [row["kind"] for row in anonymous.get(path).json()["rows"]]
    assert kinds == ["game", "free"]
    assert Pairing.objects.get(kind="free").second is None
    assert anonymous.get(f"{path}.csv").content.decode().split("\n")[2].split(",")[2] == "free"


def test_a_player_who_withdraws_from_a_league_loses_the_open_games(organiser: Person) -> None:
    event = start(organiser, 4, **LEAGUE | {"withdrawn": "keep"})
    rule(event, 1, {(1, 4): "0-1"})
    withdraw(event, 4)
    assert standings(event) == [
        "1,2,Player 2,1,1",
        "1,3,Player 3,1,1",
        "3,4,Player 4,1,0",
        "4,1,Player 1,0,0",
    ]
    assert verify_tournament(event.stream) == []


@pytest.mark.parametrize("schedule", ["league", "by_round"])
def test_a_player_with_less_than_half_of_the_games_is_struck(
    organiser: Person, anonymous: Person, schedule: str
) -> None:
    event = start(organiser, 4, schedule=schedule, **STRIKE)
    if schedule == "by_round":
        event.publish(1)
    rule(event, 1, {(1, 4): "0-1", (2, 3): "1-0"})
    withdraw(event, 4)
    if schedule == "by_round":
        event.owner.post(f"{event.path}/rounds/1/complete")
        event.publish(2)
    rule(event, 2, {(1, 2): "1/2"})
    assert organiser.post(f"{event.path}/rounds/2/complete").status_code == 200

    assert standings(event) == [
        "1,2,Player 2,1.5,0.25",
        "2,1,Player 1,0.5,0.75",
        "3,3,Player 3,0,0",
    ]
    assert standings(event, "&round=2") == standings(event)
    lines = anonymous.get(f"{event.path}/crosstable?order=number&shape=rounds").json()["rows"]
    assert [line["cells"][0] for line in lines] == ["Z", "3f1", "2s0"]
    trf = read_trf(trf_of(event.tournament, through=2))
    assert [player.number for player in trf.crosstable.players] == [1, 2, 3, 4]
    assert trf.ranks == {1: 2, 2: 1, 3: 3}
    assert game_of_struck_player(event).rated
    assert verify_tournament(event.stream) == []


def test_a_struck_player_leaves_no_half_point_byes(organiser: Person) -> None:
    """Where games of absent players are cancelled, nobody has points for those against them."""
    event = start(organiser, 4, schedule="by_round", absence="bye", **STRIKE)
    event.publish(1)
    rule(event, 1, {(1, 4): "0-1", (2, 3): "1-0"})
    withdraw(event, 4)
    event.owner.post(f"{event.path}/rounds/1/complete")
    event.publish(2)
    rows = organiser.get(f"{event.path}/rounds/2/pairings").json()["rows"]
    assert [row["first"]["number"] for row in rows if row["kind"] == "half_bye"] == [3]
    rule(event, 2, {(1, 2): "1/2"})
    assert organiser.post(f"{event.path}/rounds/2/complete").status_code == 200

    assert standings(event) == [
        "1,2,Player 2,1.5,0.25",
        "2,1,Player 1,0.5,0.75",
        "3,3,Player 3,0,0",
    ]
    assert verify_tournament(event.stream) == []


def test_a_player_with_half_of_the_games_is_kept(organiser: Person) -> None:
    event = start(organiser, 4, **LEAGUE, **STRIKE)
    rule(event, 1, {(1, 4): "0-1"})
    rule(event, 2, {(4, 3): "1-0"})
    withdraw(event, 4)
    assert standings(event)[0] == "1,4,Player 4,2,0"


def test_a_league_cannot_cancel_the_games_of_absent_players(organiser: Person) -> None:
    body = {"system_options": {"schedule": "league", "absence": "bye"}}
    event = make_event(organiser, system="round-robin")
    problem = problem_in(organiser.patch(event.path, body), 422, "system_option")
    assert problem["errors"][0]["pointer"] == "/system_options/absence"


def test_the_limits_of_an_option(organiser: Person) -> None:
    event = make_event(organiser, system="knockout")
    body = {"system_options": {"best_of": 0}}
    (error,) = problem_in(organiser.patch(event.path, body), 422, "system_option")["errors"]
    assert (error["pointer"], error["min"], error["max"]) == ("/system_options/best_of", 1, 99)


def test_a_league_can_have_two_games_in_each_pairing(organiser: Person) -> None:
    event = make_event(
        organiser, system="round-robin", rounds=3, system_options=LEAGUE, games_per_pairing=2
    )
    event.enter(*make_players(3))
    event.step("open", "start")
    entry = event.tournament.entries.get(pairing_number=3)
    withdraw(event, 3)
    found = [
        (row["first"]["id"] == entry.pk, row["result"], row["return_game"]["result"])
        for number in (1, 2, 3)
        for row in organiser.get(f"{event.path}/rounds/{number}/pairings").json()["rows"]
        if row["second"] and entry.pk in (row["first"]["id"], row["second"]["id"])
    ]
    assert {(True, "0-1f", "1-0f"), (False, "1-0f", "0-1f")} >= set(found)
    assert len(found) == 2
    assert verify_tournament(event.stream) == []


@pytest.mark.parametrize("played", [{}, {(2, 4): "1-0"}], ids=["nothing", "a game"])
def test_the_open_games_of_a_league_come_back_from_its_file(
    organiser: Person, played: dict[tuple[int, int], str]
) -> None:
    event = start(organiser, 4, **LEAGUE)
    rule(event, 3, played)
    withdraw(event, 1)
    written = trf_of(event.tournament, through=3)

    found = import_trf(written, by=organiser.account, slug="again")

    assert trf_of(found.tournament, through=3) == written
    assert found.tournament.state == "running"
    assert [compared["agrees"] for compared in found.rounds] == [True] * 3
    assert read_trf(written).own.players[1].withdrawn
    rule(Event(found.tournament, organiser), 2, {(4, 3): "1-0"})
