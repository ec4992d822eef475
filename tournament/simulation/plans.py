"""The plan of an event that has not been played: who would play, and the formats to compare.

In each simulation, the true strength of every player is drawn anew: the rating plus a normal error.
So the seeds are only an estimate, as in reality, and a format is good if its final order follows
the true strengths. All formats of a plan meet the same strengths and the same random numbers in the
simulation of a number, which makes their differences more certain than each figure is: a format
with more rounds begins with the rounds of the shorter one. An unrated player is drawn around
the mean rating of the others.

Simulation n of a format depends on the seed of the plan, on n and on the format alone. So the sums
are the same however the simulations are divided.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final

from ratings.systems.elo import MILLI
from tournament.pairing.options import OptionValue
from tournament.simulation.event import SimulatedEvent, starting_table
from tournament.simulation.figures import Totals
from tournament.simulation.measures import Measures, measure
from tournament.simulation.play import play_on
from tournament.simulation.strengths import Strengths
from tournament.standings.crosstable import Crosstable

USUAL_RATING: Final = 1500
"""The strength around which all players are drawn if none is rated."""


@dataclass(frozen=True, slots=True)
class PlannedPlayer:
    """A player by rating (0 is unrated) and the standard deviation of its error, in points."""

    rating: int
    error: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A way to hold the event: its pairing system, rounds, options and tie-breaks."""

    system: str
    rounds: int
    tiebreaks: tuple[str, ...]
    options: Mapping[str, OptionValue]

    def as_json(self) -> dict[str, Any]:
        """Return the format as JSON, which `parse` reads."""
        return {
            "system": self.system,
            "rounds": self.rounds,
            "tiebreaks": list(self.tiebreaks),
            "options": dict(self.options),
        }

    @classmethod
    def parse(cls, value: Mapping[str, Any]) -> "Format":
        """Return the format that `as_json` has written."""
        return cls(
            system=value["system"],
            rounds=value["rounds"],
            tiebreaks=tuple(value["tiebreaks"]),
            options=value["options"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlan:
    """An event to plan; the players are sorted by rating, the best first.

    `draws` is the draw rate of equal players, from 0 to 1; `first_seat` is what moving first is
    worth, in points of rating; `top` is the number of best players whose places count.
    """

    players: tuple[PlannedPlayer, ...]
    formats: tuple[Format, ...]
    simulations: int
    seed: int
    draws: float = 0.0
    first_seat: int = 0
    top: int = 3

    @property
    def work(self) -> int:
        """Return the results to draw and to pair: players x rounds x simulations."""
        rounds = sum(format.rounds for format in self.formats)
        return len(self.players) * rounds * self.simulations

    def as_json(self) -> dict[str, Any]:
        """Return the plan as JSON, which `parse` reads."""
        return {
            "players": [[player.rating, player.error] for player in self.players],
            "formats": [format.as_json() for format in self.formats],
            "simulations": self.simulations,
            "seed": self.seed,
            "draws": self.draws,
            "first_seat": self.first_seat,
            "top": self.top,
        }

    @classmethod
    def parse(cls, value: Mapping[str, Any]) -> "EventPlan":
        """Return the plan that `as_json` has written."""
        players = (PlannedPlayer(rating, error) for rating, error in value["players"])
        formats = map(Format.parse, value["formats"])
        return cls(**{**value, "players": tuple(players), "formats": tuple(formats)})


@dataclass(frozen=True, slots=True)
class PlanTotals:
    """The totals of each format of a plan."""

    formats: tuple[Totals, ...]

    @property
    def simulations(self) -> int:
        """Return the number of simulations of each format."""
        return self.formats[0].simulations

    def __add__(self, other: "PlanTotals") -> "PlanTotals":
        pairs = zip(self.formats, other.formats, strict=True)
        return PlanTotals(tuple(own + others for own, others in pairs))


@dataclass(frozen=True, slots=True)
class PlanTask:
    """The simulations of a plan, by index from 0, for `simulator.simulate_in_chunks`."""

    plan: EventPlan

    def run(self, start: int, stop: int) -> dict[str, Any]:
        """Return the totals of the simulations from `start` to before `stop` as JSON."""
        numbers = range(start + 1, stop + 1)
        formats = (simulate(self.plan, one, numbers) for one in self.plan.formats)
        return {"formats": [totals.as_json() for totals in formats]}

    def parse(self, content: dict[str, Any]) -> PlanTotals:
        """Return the totals that `run` has written."""
        return PlanTotals(tuple(map(Totals.parse, content["formats"])))


def sort_players(players: Iterable[PlannedPlayer]) -> tuple[PlannedPlayer, ...]:
    """Return the players by rating, the best first, which is the order of the seeds."""
    return tuple(sorted(players, key=lambda player: (-player.rating, player.error)))


def simulate(plan: EventPlan, format: Format, numbers: Iterable[int]) -> Totals:
    """Return the totals of the simulations of these numbers, from 1, in one format."""
    return Totals.of(simulate_once(plan, format, number) for number in numbers)


def simulate_once(plan: EventPlan, format: Format, number: int) -> Measures:
    """Return the measures of one simulation."""
    strengths = draw_strengths(plan, number)
    table = _first_table(
        format.system,
        tuple(player.rating for player in plan.players),
        format.rounds,
        tuple(sorted(format.options.items())),
    )
    random = Random(f"{plan.seed}/{number}/games")
    event = SimulatedEvent(
        system=format.system,
        crosstable=table,
        strengths=Strengths(
            ratings=strengths, draws=plan.draws, first_seat=plan.first_seat * MILLI
        ),
        tiebreaks=format.tiebreaks,
        options=format.options,
    )
    finished = play_on(event, random)
    ranks = {player: rank for rank, player in enumerate(finished.order, start=1)}
    return measure(
        finished.crosstable,
        ranks,
        strengths,
        top=plan.top,
        is_blocked=finished.rounds_paired < format.rounds,
    )


def draw_strengths(plan: EventPlan, number: int) -> dict[int, int]:
    """Return the true strengths in a simulation by pairing number, in thousandths of a point."""
    random = Random(f"{plan.seed}/{number}")
    rated = [player.rating for player in plan.players if player.rating]
    mean = sum(rated) / len(rated) if rated else USUAL_RATING
    return {
        number: round(MILLI * ((player.rating or mean) + random.gauss(0, 1) * player.error))
        for number, player in enumerate(plan.players, start=1)
    }


@lru_cache(maxsize=32)
def _first_table(
    system: str, ratings: tuple[int, ...], rounds: int, options: tuple[tuple[str, OptionValue], ...]
) -> Crosstable:
    """Return the table before round 1; cached, because all simulations need the same."""
    return starting_table(system, ratings, rounds=rounds, options=dict(options))
