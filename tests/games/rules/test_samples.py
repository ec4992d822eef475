"""The sample games that the pages of the rules show."""

from collections.abc import Iterable, Iterator
from itertools import chain

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


# --- the score of *Star, counted by its rules in words -----------------------------------------

SECTORS = "*STAR"


def edges(rings: int) -> Iterator[tuple[str, str]]:
    """Yield the pairs of neighbouring cells; `C` is the bridge or the cell in its place."""

    def name(sector: int, ring: int, offset: int) -> str:
        turn, offset = divmod(offset, ring)
        return f"{SECTORS[(sector + turn) % 5]}{ring % 10}{offset}"

    for sector in range(5):
        yield "C", name(sector, 1, 0)
        for ring in range(1, rings + 1):
            for offset in range(ring):
                cell = name(sector, ring, offset)
                yield cell, name(sector, ring, offset + 1)
                outside = range(0 if offset else -1, 2) if ring < rings else ()
                yield from ((cell, name(sector, ring + 1, offset + step)) for step in outside)


def parts(cells: Iterable[str], beside: dict[str, set[str]]) -> Iterator[set[str]]:
    """Yield the sets of cells that are connected."""
    rest = set(cells)
    while rest:
        part = {rest.pop()}
        while found := rest & set(chain.from_iterable(beside[cell] for cell in part)):
            part |= found
            rest -= found
        yield part


@pytest.mark.parametrize("code", ["star-star", "nobridge-star-star", "double-star-star"])
def test_the_rules_in_words_give_the_score_of_the_sample(code):
    sample = find_sample(code)
    rings = int(sample.conditions.board)
    beside: dict[str, set[str]] = {}
    for cell, other in edges(rings):
        beside.setdefault(cell, set()).add(other)
        beside.setdefault(other, set()).add(cell)
    edge = {cell for cell in beside if cell[1:2] == f"{rings % 10}"}
    stones: list[set[str]] = [set(), set()]
    for ply, turn in enumerate(sample.moves):
        if turn == "swap":
            stones.reverse()
        else:
            stones[ply % 2].update(turn.split(","))
    bridge = set() if code == "nobridge-star-star" else {"C"}
    # Two or more edge cells make a star, and the bridge is for both.
    stars = [
        [part for part in parts(own | bridge, beside) if len(part & edge) > 1] for own in stones
    ]
    scores = []
    for own, other in (stars, stars[::-1]):
        peries = set().union(*own) & edge
        for star in own:
            for part in parts(beside.keys() - star | bridge, beside):
                if len(part & edge) < 3 and not any(part & them & edge for them in other):
                    peries |= part & edge
        corners = {cell for cell in peries if cell[2] == "0"}
        scores.append(len(peries) + (len(corners) >= 3) + 2 * (len(other) - len(own)))

    assert tuple(scores) == sample.replay().outcome.score
