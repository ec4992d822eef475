"""The sample games that the pages of the rules show."""

import pytest

from games.rules.outcome import Termination
from games.rules.records.record import Record
from games.rules.records.verdict import State
from games.rules.registry import GAMES
from games.rules.samples import find_sample


@pytest.mark.parametrize("code", GAMES)
def test_every_game_has_a_legal_sample_that_ends(code):
    sample = find_sample(code)
    verdict = sample.replay()

    assert sample.conditions.game == code
    assert verdict.state is State.FINISHED
    assert verdict.plies >= 10
    assert Record.parse(str(sample)) == sample


def test_the_sample_solitaires_are_solved_as_far_as_known():
    found = {code: find_sample(code).replay().outcome for code in ("queens", "supply-line", "mini")}

    assert {code: (outcome.termination, outcome.detail) for code, outcome in found.items()} == {
        "queens": (Termination.SOLVED, {"stones": 17}),
        "supply-line": (Termination.SOLVED, {"stones": 1}),
        "mini": (Termination.SOLVED, {"stones": 1}),
    }
    assert find_sample("ring").replay().outcome.termination is Termination.BLOCKED
