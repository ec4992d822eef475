"""Every game for two players can be a tournament, from set-up to proof; a solitaire cannot."""

from typing import Any

import pytest

from games.rules.game import GameRules
from games.rules.registry import GAMES
from tests.events import SET_UP, make_event
from tests.people import Person, player_of, problem_in

pytestmark = pytest.mark.django_db

FOR_TWO = [rules for rules in GAMES.values() if rules.players == 2]


def create_tournament(organiser: Person, rules: GameRules, **fields: Any) -> Any:
    body = (
        SET_UP | {"slug": "spring", "ruleset": rules.code, "board_size": rules.boards[0]} | fields
    )
    return organiser.post("tournaments", body)


def test_a_solitaire_is_rejected(organiser: Person) -> None:
    solitaire = next(rules for rules in GAMES.values() if rules.players == 1)
    problem = problem_in(create_tournament(organiser, solitaire, swap=False), 422, "solitaire")

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
