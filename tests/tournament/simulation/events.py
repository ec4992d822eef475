"""Invented events to simulate, with the strengths of their players."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tournament.pairing.options import OptionValue
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.baku import accelerate
from tournament.simulation.event import SimulatedEvent
from tournament.simulation.strengths import Strengths
from tournament.standings.crosstable import Competitor, Crosstable

TIEBREAKS = {"knockout": ("STAGE", "LOST"), "groups-knockout": ("STAGE", "LOST", "PTS")}


def starting_table(
    system: str,
    ratings: Sequence[int],
    *,
    rounds: int,
    options: Mapping[str, OptionValue] | None = None,
    games_per_pairing: int = 1,
) -> Crosstable:
    """Return the crosstable of an event before round 1, with what its system awards at the start.

    `ratings` are those of the players by number, in points; 0 is unrated.
    """
    page = PAIRING_SYSTEMS[system]
    table = Crosstable(
        players=tuple(
            Competitor(number=number, name=f"Player {number}", rating=rating)
            for number, rating in enumerate(ratings, start=1)
        ),
        rounds=rounds,
        round_robin=page.is_round_robin,
        games_per_pairing=games_per_pairing,
    )
    if page.is_accelerated:
        return accelerate(table)
    if page.starting_scores is None:
        return table
    scores = page.starting_scores(table, options or {})
    players = (replace(player, start=scores[player.number]) for player in table.players)
    return replace(table, players=tuple(players))


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
