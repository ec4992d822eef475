"""How many rounds an event needs, how many it can have, and how long they take."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from tournament.events.settings_form import sent_options
from tournament.models.settings import MOST_TOURNAMENT_ROUNDS
from tournament.pairing.errors import OptionError
from tournament.pairing.options import OptionValue
from tournament.pairing.systems import PAIRING_SYSTEMS, PairingSystem
from tournament.pairing.systems.berger import rounds_in_cycle
from tournament.pairing.systems.ties import count_stages

USUAL_PLAYERS: Final = (8, 16, 32, 64)
"""The numbers of players that are shown while that of the event is not known."""

MORE_THAN_KNOCKOUT: Final = 2
"""About as many rounds more than a knockout a Swiss system needs to separate a winner."""


@dataclass(frozen=True, slots=True)
class RoundNumbers:
    """The rounds that separate a winner of some players, and the most that can be paired.

    `system` is the name of the pairing system. `minutes` is the longest time that the former take,
    without breaks; None if no time is set.
    """

    system: str
    players: int
    separating: int
    most: int
    minutes: int | None

    @property
    def hours(self) -> str:
        """Return the time as hours and minutes, `7:30`; nothing if no time is set."""
        return "" if self.minutes is None else f"{self.minutes // 60}:{self.minutes % 60:02}"


def find_round_numbers(values: Mapping[str, Any], players: int = 0) -> list[RoundNumbers]:
    """Return the numbers for so many players, else for the places of the event, else usual ones.

    Numbers of players that the system or its options do not allow are left out. `values` has texts
    or values, by the names of the form or of the API.
    """
    system = PAIRING_SYSTEMS.get(str(values.get("system")))
    if system is None:
        return []
    options, minutes = sent_options(values), _minutes_of_round(values)
    known = players or _number(values.get("places"))
    found = []
    for count in (known,) if known > 1 else USUAL_PLAYERS:
        with suppress(OptionError):
            separating, most = _count_rounds(system, count, options)
            if separating <= MOST_TOURNAMENT_ROUNDS:
                time = None if minutes is None else separating * minutes
                found.append(RoundNumbers(system.name, count, separating, most, time))
    return found


def _count_rounds(
    system: PairingSystem, players: int, options: Mapping[str, OptionValue]
) -> tuple[int, int]:
    """Return the rounds that separate a winner, and the most; raises OptionError."""
    if system.rounds_needed:
        least = system.rounds_needed(players, 1, options)
        return least, max(least, system.rounds_needed(players, MOST_TOURNAMENT_ROUNDS, options))
    most = min(rounds_in_cycle(players), MOST_TOURNAMENT_ROUNDS)
    return min(count_stages(players) + MORE_THAN_KNOCKOUT, most), most


def _minutes_of_round(values: Mapping[str, Any]) -> int | None:
    """Return the minutes of a round in which both players use their time, for 60 moves."""
    if not str(values.get("main_minutes") or ""):
        return None
    # 60 increments of a second are a minute.
    own = _number(values["main_minutes"]) + _number(values.get("increment_seconds"))
    return 2 * own * max(1, _number(values.get("games_per_pairing")))


def _number(value: Any) -> int:
    """Return a whole number that is sent as such or as text; 0 for anything else."""
    text = str(value)
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 5 else 0
