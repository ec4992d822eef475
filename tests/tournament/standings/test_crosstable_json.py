"""The JSON form of a crosstable, and the errors of invalid JSON."""

import json
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
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
SMALL_JSON = {
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


def test_the_json_form_of_a_crosstable() -> None:
    assert crosstable_as_json(SMALL) == SMALL_JSON
    assert parse_crosstable(SMALL_JSON) == SMALL


def with_all_fields(table: Crosstable, random: Random, words: list[str]) -> Crosstable:
    """Set all optional fields of results and players at random."""

    def random_number() -> int | None:
        return random.choice([None, random.randint(-9, 10**6)])

    def with_counts(player: Competitor, result: RoundResult) -> RoundResult:
        score = random_number()
        return replace(
            result,
            short=result.is_played and random.random() < 0.2,
            awarded=random_number(),
            score=None if score is None else (score, random.randint(0, 99)),
            stars=random_number(),
            quarks=random_number(),
            adjourned=(player.number + (result.opponent or 0)) % 7 == 0,  # for both sides
        )

    # A forfeit may have no seats.
    without_seats = random.random() < 0.5
    players = []
    for player in table.players:
        results = tuple(with_counts(player, result) for result in player.results)
        if without_seats:
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
    seat = random.choice([None, *Seat])
    changed = replace(table, players=tuple(players), initial_seat=seat)
    return changed.held_until(random.choice([0, table.rounds]))


@given(st.integers(0, 10**6), st.lists(st.text(max_size=8), min_size=1, max_size=4))
def test_a_crosstable_is_read_from_its_json_form(seed: int, words: list[str]) -> None:
    table = with_all_fields((swiss, round_robin)[seed % 2](seed), Random(seed), words)

    assert parse_crosstable(json.loads(json.dumps(crosstable_as_json(table)))) == table


def changed(*path: Any, value: Any) -> Any:
    """Return the JSON form with the value at a path replaced."""
    copy: Any = deepcopy(SMALL_JSON)
    container = copy
    for step in path[:-1]:
        container = container[step]
    container[path[-1]] = value
    return copy


ERRORS: dict[str, tuple[Any, str]] = {
    "null": (None, "not a crosstable"),
    "a list": ([], "not a crosstable"),
    "another form": (changed("form", value=2), "not a crosstable of form 1"),
    "rounds as text": (changed("rounds", value="4"), "rounds must be a whole number"),
    "too few rounds": (changed("rounds", value=1), "the event has 1 rounds"),
    "a number for round_robin": (
        changed("round_robin", value=0),
        "round_robin must be true or false",
    ),
    "a held round after the last": (changed("held", value=5), "held must be"),
    "a boolean for held": (changed("held", value=True), "held must be"),
    "a third seat": (changed("initial_seat", value="third"), "valid: first, second"),
    "a list as seat": (changed("initial_seat", value=[]), "valid: first, second"),
    "too few points": (changed("points", value=[2, 2]), "10 whole numbers"),
    "a boolean for points": (changed("points", 3, value=False), "10 whole numbers"),
    "contradictory points": (changed("points", 1, value=0), "a win must be worth more"),
    "too many units": (changed("points", 0, value=10**30), "1 to 1000 units"),
    "no list of players": (changed("players", value={}), "players must be a list"),
    "a player of text": (changed("players", 0, value="Ada"), "a player must be a list"),
    "a player without results": (
        changed("players", 0, value=[1, "Ada"]),
        "a player must be a list",
    ),
    "a number as text": (changed("players", 0, 0, value="1"), "whole numbers"),
    "a number twice": (changed("players", 0, 0, value=2), "two players have this number"),
    "null as name": (changed("players", 0, 1, value=None), "must be text"),
    "virtual points as text": (changed("players", 0, 11, value=["2"]), "whole numbers"),
    "results as a list": (changed("players", 0, 12, value=[]), "must be text"),
    "an unknown result": (
        changed("players", 0, 12, value="2f9"),
        "player 1, round 1: '2f9' is not a result",
    ),
    "two spaces": (changed("players", 2, 12, value="U  H"), "player 3, round 2"),
    "a forfeit without an opponent": (changed("players", 2, 12, value="U +"), "needs an opponent"),
    "a bye with an opponent": (
        changed("players", 2, 12, value="1fU"),
        "neither an opponent nor a seat",
    ),
    "a game without a seat": (changed("players", 0, 12, value="2-1"), "needs a seat"),
    "a short bye": (changed("players", 2, 12, value="U!"), "cannot be a short game"),
    "one side only": (changed("players", 0, 12, value="3f1"), "has opponent 3"),
    "a very long number": (changed("players", 2, 12, value="9" * 5000 + "f1"), "round 1"),
    "another digit": (changed("players", 2, 12, value="U ²f1"), "is not a result"),
}


@pytest.mark.parametrize(("value", "message"), ERRORS.values(), ids=ERRORS)
def test_invalid_json_is_rejected(value: Any, message: str) -> None:
    with pytest.raises(StandingsError, match=message):
        parse_crosstable(value)
