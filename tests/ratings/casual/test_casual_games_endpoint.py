"""`POST /games`: which games pools rate that players propose, and who rules on them."""

from typing import Any

import pytest

from games.models import Game, JournalLine
from ratings.batches.queries import batches_as_json
from ratings.models import BatchGame, Pool
from ratings.tasks import sweep_pools
from tests.events import FIRST_WINS, FIRST_WINS_OTHERWISE, settle
from tests.people import Person, make_person, player_of, problem_in, statuses
from tournament.events.verification import verify_stream


@pytest.fixture
def game(ada: Person, ben: Person) -> int:
    """A game that Ada has proposed to Ben."""
    response = ada.post("games", proposal(ben))
    assert response.status_code == 201, response.content
    return response.json()["id"]


def proposal(opponent: Person, **changes: Any) -> dict[str, Any]:
    """A proposal of a rated game in which the opponent moves second."""
    number = player_of(opponent).pk
    body = {"opponent_id": number, "seat": "first", "ruleset": "star-star", "board_size": "4"}
    return body | {"rated": True, "pool": "star"} | changes


def test_an_accepted_game_is_reported_settled_and_rated(
    ada: Person, ben: Person, game: int
) -> None:
    Pool.objects.update(policy="open")
    accepted = ben.post(f"games/{game}/accept").json()
    assert (accepted["state"], accepted["answer_by"]) == ("open", None)
    for person in (ada, ben):
        person.post(f"games/{game}/reports", {"record": FIRST_WINS})
    settle()

    sweep_pools.run()

    filed = BatchGame.objects.get(game=game)
    assert (filed.pool.code, filed.exclusion, filed.batch.kind) == ("star", "", "game")
    (batch,) = batches_as_json(filed.pool, [filed.batch])
    assert (batch["tournament"], batch["game_id"]) == (None, game)
    assert ada.get(f"games/{game}").json()["basis"] == "proof"
    (rating,) = ada.get(f"games/{game}/rating-changes").json()["results"]
    assert (rating["pool"], rating["state"], len(rating["changes"])) == ("star", "rated", 2)
    kinds = JournalLine.objects.filter(stream=f"game/{game}").values_list("kind", flat=True)
    assert list(kinds) == [
        "game.proposed", "game.accepted", "report.record", "report.record", "game.confirmed",
    ]  # fmt: skip
    assert verify_stream(f"game/{game}") == []


def test_all_that_a_pool_does_not_rate_is_said_at_once(ada: Person, ben: Person) -> None:
    Pool.objects.update(time_classes=["rapid"])
    other = {"ruleset": "hex", "board_size": "11"}
    problem = problem_in(ada.post("games", proposal(ben, **other)), 422, "ruleset_not_rated")
    assert [error["pointer"] for error in problem["errors"]] == ["/pool", "/main_minutes"]
    Pool.objects.update(time_classes=[], rated_games={"star-star": ["6"]})
    problem_in(ada.post("games", proposal(ben)), 422, "board_size_not_rated")
    assert ada.post("games", proposal(ben, rated=False)).status_code == 201


def test_another_game_is_refused_with_the_pools_that_rate_it(ada: Person, ben: Person) -> None:
    Pool.objects.update(casual_games=["star-star", "hex"])  # which it does not rate any more
    hex_game = proposal(ben, ruleset="hex", board_size="11")
    for names, pools in (
        ([], []),
        (["hex"], ["hex"]),
        (["hex", "poly-y"], ["hex"]),
        (["poly-y"], []),
    ):
        Pool.objects.exclude(code="star").delete()
        Pool.objects.create(code="closed", casual_games=names, policy="closed")
        Pool.objects.create(code="hex", casual_games=names, rated_games={"hex": []})
        problem = problem_in(ada.post("games", hex_game), 422, "ruleset_not_rated")
        assert (problem.get("valid", []), problem["errors"][0]["pointer"]) == (pools, "/pool")
        assert ("no other pool" in problem["detail"]) == (not pools)
        unnamed = problem_in(ada.post("games", hex_game | {"pool": ""}), 422, "pool_needed")
        assert unnamed.get("valid", []) == pools


def test_a_rated_game_has_a_time_class_of_the_pool(ada: Person, ben: Person) -> None:
    Pool.objects.update(time_classes=["rapid"])
    for times in ({}, {"main_minutes": 3}, {"main_minutes": 50, "increment_seconds": 10}):
        problem = problem_in(ada.post("games", proposal(ben, **times)), 422, "time_class_not_rated")
        assert problem["valid"] == ["rapid"]
    rapid = {"main_minutes": 15, "increment_seconds": 10}
    assert ada.post("games", proposal(ben, **rapid)).json()["time_class"] == "rapid"


def test_a_closed_pool_takes_no_proposal(ada: Person, ben: Person) -> None:
    Pool.objects.update(policy=Pool.Policy.CLOSED)

    problem_in(ada.post("games", proposal(ben)), 409, "pool_closed")
    assert ada.post("games", proposal(ben, rated=False)).status_code == 201


def test_officers_of_the_pool_rule_on_a_dispute(
    everyone: dict[str, Person], ada: Person, ben: Person, officer: Person, game: int
) -> None:
    Pool.objects.update(policy="open")
    ben.post(f"games/{game}/accept")
    ada.post(f"games/{game}/reports", {"record": FIRST_WINS})
    ben.post(f"games/{game}/reports", {"record": FIRST_WINS_OTHERWISE})
    settle()
    ruling = {"result": "11-10", "reason": "both scores agree"}

    people = everyone | {"officer": officer, "staff": make_person("Site", is_staff=True)}
    assert statuses(people, "POST", f"games/{game}/rule?dry_run=1", ruling) == {
        "organiser": 403, "player": 403, "stranger": 403, "anonymous": 401, "officer": 200,
        "staff": 200,
    }  # fmt: skip
    assert officer.get(f"games/{game}").json()["dispute"] is not None
    assert everyone["stranger"].get(f"games/{game}").json()["dispute"] is None
    assert len(officer.get(f"games/{game}/reports").json()["results"]) == 2

    assert officer.post(f"games/{game}/rule", ruling).status_code == 202
    settle()
    sweep_pools.run()
    assert BatchGame.objects.get(game=game).exclusion == ""


def test_an_unrated_game_is_not_filed(ada: Person, ben: Person) -> None:
    number = ada.post("games", proposal(ben, rated=False, pool="")).json()["id"]
    ben.post(f"games/{number}/accept")
    for person in (ada, ben):
        person.post(f"games/{number}/reports", {"claim": {"result": "11-10"}})
    settle()
    sweep_pools.run()

    assert Game.objects.get(pk=number).state == "confirmed"
    assert not BatchGame.objects.exists()
