"""Invented events to simulate, with the strengths of their players."""

from typing import Any

from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.simulation.event import SimulatedEvent, starting_table
from tournament.simulation.strengths import Strengths
from tournament.standings.crosstable import Crosstable

TIEBREAKS = {"knockout": ("STAGE", "LOST"), "groups-knockout": ("STAGE", "LOST", "PTS")}


def invented_event(
    system: str = "dutch",
    players: int = 8,
    rounds: int = 4,
    *,
    games_per_pairing: int = 1,
    draws: float = 0.0,
    table: Crosstable | None = None,
    **changes: Any,
) -> SimulatedEvent:
    """Return an event of players from 2000 points down, 50 points apart, before round 1."""
    ratings = [2000 - 50 * index for index in range(players)]
    needed = PAIRING_SYSTEMS[system].rounds_needed
    options = changes.get("options", {})
    rounds = needed(players, rounds, options) if needed else rounds
    return SimulatedEvent(
        system=system,
        crosstable=table
        or starting_table(
            system, ratings, rounds=rounds, options=options, games_per_pairing=games_per_pairing
        ),
        strengths=Strengths(
            ratings={number: 1000 * rating for number, rating in enumerate(ratings, 1)},
            draws=draws,
        ),
        tiebreaks=TIEBREAKS.get(system, ("PTS", "BH/C1", "SB") if not needed else ("PTS", "SB")),
        **changes,
    )
