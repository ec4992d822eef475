"""A crosstable as JSON: read back as it was written, and refused where it is none."""

import json
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.seat import Seat
from tests.tournament.standings.events import round_robin, swiss
from tournament.standings.crosstable import FORFEITS, Competitor, Crosstable, Kind, RoundResult
from tournament.standings.crosstable_json import crosstable_as_json, parse_crosstable
from tournament.standings.errors import StandingsError
from tournament.standings.points import PointSystem

SMALL = Crosstable(
    players=(
        Competitor(
            number=1,
            name='Łukasz, the "elder"',
            rating=2100,
            federation="POL",
            birth="1990",
            virtual=(2, 1),
            results=(
                RoundResult(Kind.WIN, 2, Seat.FIRST, score=(11, 10), stars=3, quarks=0),
                RoundResult(Kind.HALF_BYE),
            ),
        ),
        Competitor(
            number=2,
            name="Ana",
            start=4,
            results=(
                RoundResult(Kind.LOSS, 1, Seat.SECOND, score=(10, 11), stars=2, quarks=5),
                RoundResult(Kind.FORFEIT_LOSS, 3),
            ),
        ),
        Competitor(
            number=3,
            results=(RoundResult(Kind.PAIRING_BYE), RoundResult(Kind.FORFEIT_WIN, 2, awarded=1)),
        ),
    ),
    rounds=4,
    points=PointSystem.from_points(win=3, draw=1),
    initial_seat=Seat.SECOND,
)
WRITTEN = {
    "form": 1,
    "rounds": 4,
    "round_robin": False,
    "initial_seat": "second",
    "points": [2, 6, 2, 0, 6, 0, 6, 6, 2, 0],
    "players": [
        [1, "Łukasz, the \"elder\"", 2100, "", "POL", "", "1990", "", "", "", 0, [2, 1],
         "2f1:11:10*3~0 H"],
        [2, "Ana", 0, "", "", "", "", "", "", "", 4, [], "1s0:10:11*2~5 3--"],
        [3, "", 0, "", "", "", "", "", "", "", 0, [], "U 2-+@1"],
    ],
}  # fmt: skip


def test_a_table_as_it_is_written() -> None:
    assert crosstable_as_json(SMALL) == WRITTEN
    assert parse_crosstable(WRITTEN) == SMALL


def odd(table: Crosstable, random: Random, words: list[str]) -> Crosstable:
    """The table with everything that a result or a player can have besides."""

    def whole() -> int | None:
        return random.choice([None, random.randint(-9, 10**6)])

    def result(one: RoundResult) -> RoundResult:
        score = whole()
        return replace(
            one,
            short=one.is_played and random.random() < 0.2,
            awarded=whole(),
            score=None if score is None else (score, random.randint(0, 99)),
            stars=whole(),
            quarks=whole(),
        )

    # Where nobody came, nobody need have had a seat.
    seatless = random.random() < 0.5
    players = []
    for player in table.players:
        results = tuple(map(result, player.results))
        if seatless:
            results = tuple(replace(r, seat=None) if r.kind in FORFEITS else r for r in results)
        name, club, birth = (random.choice(words) for _ in range(3))
        virtual = tuple(random.randint(0, 6) for _ in range(random.randint(0, 3)))
        start = random.randint(-3, 9)
        players.append(
            replace(
                player,
                results=results,
                name=name,
                club=club,
                birth=birth,
                virtual=virtual,
                start=start,
                title=club,
                sex=name,
                fide_id=birth,
                category=club,
                federation=name,
            )
        )
    return replace(
        table,
        players=tuple(players),
        initial_seat=random.choice([None, *Seat]),
        held=random.choice([0, table.rounds]),
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.text(max_size=8), min_size=1, max_size=4))
def test_it_is_read_back_from_json_as_it_was(seed: int, words: list[str]) -> None:
    table = odd((swiss, round_robin)[seed % 2](seed), Random(seed), words)

    assert parse_crosstable(json.loads(json.dumps(crosstable_as_json(table)))) == table


def changed(*path: Any, value: Any) -> Any:
    """The written table with one place in it set to something else."""
    whole: Any = deepcopy(WRITTEN)
    found = whole
    for step in path[:-1]:
        found = found[step]
    found[path[-1]] = value
    return whole


FAULTS: dict[str, tuple[Any, str]] = {
    "nothing": (None, "no crosstable"),
    "a list": ([], "no crosstable"),
    "another form": (changed("form", value=2), "no crosstable of form 1"),
    "rounds of text": (changed("rounds", value="4"), "whole number of rounds"),
    "a round too many": (changed("rounds", value=1), "the event has 1 rounds"),
    "neither robin nor not": (changed("round_robin", value=0), "round robin or not"),
    "a round held too many": (changed("held", value=5), "last round held"),
    "a round held of truth": (changed("held", value=True), "last round held"),
    "a third seat": (changed("initial_seat", value="third"), "valid: first, second"),
    "a seat of a list": (changed("initial_seat", value=[]), "valid: first, second"),
    "points that lack": (changed("points", value=[2, 2]), "10 whole numbers"),
    "points of truth": (changed("points", 3, value=False), "10 whole numbers"),
    "senseless points": (changed("points", 1, value=0), "a win is worth more"),
    "endless points": (changed("points", 0, value=10**30), "1 to 1000 units"),
    "no list of players": (changed("players", value={}), "players are a list"),
    "a player of text": (changed("players", 0, value="Ada"), "a player is a list"),
    "a player cut short": (changed("players", 0, value=[1, "Ada"]), "a player is a list"),
    "a number of text": (changed("players", 0, 0, value="1"), "whole numbers"),
    "a number twice": (changed("players", 0, 0, value=2), "the number is given twice"),
    "a name of nothing": (changed("players", 0, 1, value=None), "are text"),
    "virtual text": (changed("players", 0, 11, value=["2"]), "whole numbers"),
    "results of a list": (changed("players", 0, 12, value=[]), "are text"),
    "no result": (changed("players", 0, 12, value="2f9"), "player 1, round 1: '2f9' is no result"),
    "two spaces": (changed("players", 2, 12, value="U  H"), "player 3, round 2"),
    "a game of nobody": (changed("players", 2, 12, value="U +"), "needs an opponent"),
    "a bye with somebody": (changed("players", 2, 12, value="1fU"), "neither opponent nor seat"),
    "a game without a seat": (changed("players", 0, 12, value="2-1"), "needs a seat"),
    "a short bye": (changed("players", 2, 12, value="U!"), "cannot be a short game"),
    "one side alone": (changed("players", 0, 12, value="3f1"), "met player 3"),
    "an endless number": (changed("players", 2, 12, value="9" * 5000 + "f1"), "round 1"),
    "another digit": (changed("players", 2, 12, value="U ²f1"), "is no result"),
}


@pytest.mark.parametrize(("value", "told"), FAULTS.values(), ids=FAULTS)
def test_what_is_no_crosstable_is_refused(value: Any, told: str) -> None:
    with pytest.raises(StandingsError, match=told):
        parse_crosstable(value)
