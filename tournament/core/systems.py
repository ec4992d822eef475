"""The pairing system of an event, and the rounds that it needs."""

from games.core.errors import Conflict
from games.rules.text import Text
from tournament.models import Tournament
from tournament.pairing.errors import OptionError
from tournament.pairing.systems import PAIRING_SYSTEMS, PairingSystem


def system_of(tournament: Tournament) -> PairingSystem:
    """Return the tournament's pairing system."""
    return PAIRING_SYSTEMS[tournament.system]


def rounds_needed(tournament: Tournament, players: int) -> int:
    """Return the number of rounds, where the system derives it from the number of players.

    Raises OptionError if that number does not fit the options.
    """
    needed = system_of(tournament).rounds_needed
    if needed is None:
        return tournament.rounds
    return needed(players, tournament.rounds, tournament.system_options)


def check_field(tournament: Tournament, players: int) -> None:
    """Raise Conflict unless the number of rounds fits the number of players."""
    system = system_of(tournament)
    try:
        needed = rounds_needed(tournament, players)
    except OptionError as error:
        raise Conflict("field_does_not_fit", error.detail) from error
    if needed != tournament.rounds:
        raise Conflict(
            "rounds_do_not_fit",
            Text(
                "%(system)s: %(players)s players need %(needed)s rounds with these "
                "options; the tournament has %(rounds)s",
                system=Text(system.name),
                players=players,
                needed=needed,
                rounds=tournament.rounds,
            ),
            at="/rounds",
            needed=needed,
        )
