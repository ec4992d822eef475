"""Rule the games of players who are absent from a round."""

from collections.abc import Sequence

from games.models import Account
from tournament.core.queries import absent_numbers
from tournament.entries.services import rule_open_games
from tournament.models import Pairing, Tournament


def rule_forfeits(
    tournament: Tournament, number: int, pairings: Sequence[Pairing], *, by: Account
) -> None:
    """Rule the games of the absent players of a round as forfeits."""
    absent = absent_numbers(tournament, number)
    for pairing in pairings:
        if pairing.second is None:
            continue
        first, second = (
            entry.pairing_number in absent for entry in (pairing.first, pairing.second)
        )
        if first or second:
            result = "0-0" if first and second else "0-1" if first else "1-0"
            rule_open_games(pairing, result, by=by)
