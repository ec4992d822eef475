"""Load the separations of an event: players who may not meet."""

from tournament.models import Tournament
from tournament.pairing.separations import By, Separation
from tournament.queries.events import numbers_of_players


def load_separations(tournament: Tournament) -> tuple[Separation, ...]:
    """Load the separations of players who have a pairing number; no query if there are none."""
    if not tournament.separations:
        return ()
    numbers = numbers_of_players(tournament)
    return tuple(
        Separation(
            by=By(separation["by"]),
            is_preference=separation["preference"],
            players=frozenset(numbers[pk] for pk in separation["players"] if pk in numbers),
            first_round=separation.get("first_round", 1),
            last_round=separation["last_round"],
        )
        for separation in tournament.separations
    )
