"""Every game for two players can be a tournament, from set-up to proof; a solitaire cannot."""

import random
from typing import Any

import pytest

from games.rules.game import GameRules
from games.rules.records.record import Record
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES
from tests.events import SET_UP, make_event, settle
from tests.people import Person, player_of, problem_in

pytestmark = pytest.mark.django_db

FOR_TWO = [rules for rules in GAMES.values() if rules.players == 2]
FIRST_WITH_OPTIONS = next(rules for rules in FOR_TWO if rules.options)
SOLITAIRES = [rules for rules in GAMES.values() if rules.players == 1]


def create_tournament(organiser: Person, rules: GameRules, **fields: Any) -> Any:
    body = (
        SET_UP | {"slug": "spring", "ruleset": rules.code, "board_size": rules.boards[0]} | fields
    )
    return organiser.post("tournaments", body)


def random_record(game: dict[str, Any]) -> Record:
    """Return four random turns under a game's conditions; then the first seat resigns."""
    swap = "yes" if game["swap"] else "no"
    tags = {
        "Game": game["ruleset"],
        "Board": game["board_size"],
        "Options": " ".join(game["options"]),
    }
    terms = read_conditions(tags | {"Swap": swap})
    position, chance, turns = GAMES[game["ruleset"]].start(terms), random.Random(4), []
    for _ in range(4):
        legal = [turn for turn in position.legal_moves() if turn != "pass"]
        turns.append("swap" if "swap" in legal else chance.choice(legal))
        position = position.play(turns[-1])
    return Record(conditions=terms, moves=(*turns, "resign"), tags={"Event": "Spring Open"})


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        pytest.param(
            rules,
            options,
            id=" ".join([rules.code, *options]),
            marks=[pytest.mark.long] if options and rules is not FIRST_WITH_OPTIONS else [],
        )
        for rules in FOR_TWO
        for options in ([], [*rules.options])[: 1 + bool(rules.options)]
    ],
)
def test_a_tournament_from_set_up_to_proof(
    organiser: Person, ada: Person, ben: Person, rules: GameRules, options: list[str]
) -> None:
    response = create_tournament(organiser, rules, rounds=1, options=options)
    assert response.status_code == 201, response.content
    tournament = response.json()
    assert (tournament["ruleset"], tournament["board_size"]) == (rules.code, rules.boards[0])
    assert (tournament["options"], tournament["swap"]) == (options, rules.swaps)

    for person in (ada, ben):
        entered = organiser.post("tournaments/spring/entries", {"player": player_of(person).pk})
        assert entered.status_code == 201, entered.content
    steps = ("open", "start", "rounds/1/pair", "rounds/1/publish")
    for step in steps:
        assert organiser.post(f"tournaments/spring/{step}").status_code == 200, step

    (game,) = organiser.get("tournaments/spring/rounds/1/pairings").json()["pairings"]
    played = organiser.get(f"games/{game['game']}").json()
    record = random_record(played)
    path = f"games/{played['id']}/reports"
    assert ada.post(path, {"record": str(record)}).status_code == 202
    assert ben.post(path, {"record": record.as_json()}).status_code == 202
    settle()

    proved = organiser.get(f"games/{played['id']}").json()
    values = {key: proved[key] for key in ("state", "basis", "termination", "winner", "record")}
    assert values == {
        "state": "confirmed",
        "basis": "proof",
        "termination": "resigned",
        "winner": "second",
        "record": record.replay().digest,
    }


@pytest.mark.parametrize("rules", SOLITAIRES, ids=lambda rules: rules.code)
def test_a_solitaire_is_rejected(organiser: Person, rules: GameRules) -> None:
    problem = problem_in(create_tournament(organiser, rules, swap=False), 422, "solitaire")

    assert problem["errors"][0]["pointer"] == "/ruleset"
    assert problem["valid"] == [rules.code for rules in FOR_TWO]


def test_a_record_with_another_set_up_is_rejected(
    organiser: Person, ada: Person, ben: Person
) -> None:
    event = make_event(organiser, game="penta-line", board="10")
    event.enter(player_of(ada), player_of(ben))
    (game,) = event.step("open", "start").publish()
    first = "S90 S91 S92 S93 T05 A05 R05 *05 S05 T50"
    second = "A50 A61 A72 R61 R72 *61 *72 T61 T72 T83"
    set_up = f'[Game "penta-line"]\n[Board "10"]\n[Setup "first: {first}; second: {second}"]\n\n'

    response = ada.post(f"games/{game.pk}/reports", {"record": set_up + "T05-T04 resign"})

    problem = problem_in(response, 422, "conditions_differ")
    assert [error["pointer"] for error in problem["errors"]] == ["/record/setup"]
