"""Who is kept apart in an event, by pairing number."""

from tournament.models import Tournament
from tournament.pairing.separations import By, Separation
from tournament.queries.events import numbers_of_players


def load_separations(tournament: Tournament) -> tuple[Separation, ...]:
    """The event's list, of those who have a number; no query where nobody is kept apart."""
    if not tournament.separations:
        return ()
    numbers = numbers_of_players(tournament)
    return tuple(
        Separation(
            by=By(one["by"]),
            is_preference=one["preference"],
            players=frozenset(numbers[pk] for pk in one["players"] if pk in numbers),
            first_round=one.get("first_round", 1),
            last_round=one["last_round"],
        )
        for one in tournament.separations
    )
