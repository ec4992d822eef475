"""What many simulations of an event gave, in whole numbers that add up in any order.

Each simulation has its own random numbers, from the seed and its index. So the tally of simulations
0 to 1999 is the sum of those of any chunks, whatever their sizes and wherever they were computed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Self

from tournament.simulation.event import SimulatedEvent
from tournament.simulation.play import play_on
from tournament.simulation.rating_changes import RatingRule
from tournament.standings.crosstable import PlayerId


@dataclass(frozen=True, slots=True)
class PlayerTally:
    """What the simulations gave a player.

    `places[p]` is how often the player was in place p + 1. `change` is the sum of the changes of
    the rating in milli, and `squares` the sum of their squares.
    """

    places: tuple[int, ...]
    change: int = 0
    squares: int = 0

    def __add__(self, other: "PlayerTally") -> "PlayerTally":
        places = tuple(map(sum, zip(self.places, other.places, strict=True)))
        return PlayerTally(places, self.change + other.change, self.squares + other.squares)


@dataclass(frozen=True, slots=True)
class Tally:
    """What some simulations gave: their number, that of those that ended early, and the players.

    A simulation ends early if a round has no legal pairing, whatever rules give way.
    """

    simulations: int
    ended_early: int
    players: Mapping[PlayerId, PlayerTally]

    def __add__(self, other: "Tally") -> "Tally":
        if not self.simulations:
            return other
        if not other.simulations:
            return self
        return Tally(
            self.simulations + other.simulations,
            self.ended_early + other.ended_early,
            {number: own + other.players[number] for number, own in self.players.items()},
        )

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form, which `parse` reads."""
        return {
            "simulations": self.simulations,
            "ended_early": self.ended_early,
            "players": [
                [number, list(own.places), own.change, own.squares]
                for number, own in self.players.items()
            ],
        }

    @classmethod
    def parse(cls, content: Mapping[str, Any]) -> Self:
        """Read the JSON form."""
        return cls(
            content["simulations"],
            content["ended_early"],
            {
                number: PlayerTally(tuple(places), change, squares)
                for number, places, change, squares in content["players"]
            },
        )


NO_SIMULATIONS = Tally(0, 0, {})


def simulate(
    event: SimulatedEvent, rule: RatingRule | None, *, seed: str, start: int, stop: int
) -> Tally:
    """Return the tally of the simulations from index `start` to before `stop`.

    A player who is not ranked, because their results were struck, has no place. Raises as `play_on`
    does.
    """
    numbers = [player.number for player in event.crosstable.players]
    places = {number: [0] * len(numbers) for number in numbers}
    changes = dict.fromkeys(numbers, 0)
    squares = dict.fromkeys(numbers, 0)
    ended_early = 0
    for index in range(start, stop):
        finished = play_on(event, Random(f"{seed}:{index}"))
        ended_early += finished.rounds_paired < event.crosstable.rounds
        for place, number in enumerate(finished.order):
            places[number][place] += 1
        if rule is not None:
            for number, change in rule.changes(finished.games).items():
                changes[number] += change
                squares[number] += change * change
    return Tally(
        stop - start,
        ended_early,
        {
            number: PlayerTally(tuple(places[number]), changes[number], squares[number])
            for number in numbers
        },
    )
