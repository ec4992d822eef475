"""Forfeits of players who are absent although a schedule pairs them."""

from collections.abc import Sequence

from django.db.models import Q

from games.models import Account, Game
from games.rules.game_outcome import RulingTermination
from games.services.rulings import rule_game
from tournament import queries
from tournament.models import Entry, Pairing, Round, Tournament

ABSENCE_REASON = "absent: the scheduled game is lost by forfeit"


def rule_forfeits(
    tournament: Tournament, number: int, pairings: Sequence[Pairing], *, by: Account
) -> None:
    """Rule the games of the absent players of a round as forfeits."""
    absent = queries.absent_numbers(tournament, number)
    for pairing in pairings:
        if pairing.second is None:
            continue
        first, second = (
            entry.pairing_number in absent for entry in (pairing.first, pairing.second)
        )
        if first or second:
            result = "0-0" if first and second else "0-1" if first else "1-0"
            _rule_games(pairing, result, by=by)


def forfeit_open_games(tournament: Tournament, entry: Entry, *, by: Account) -> None:
    """Rule the games of an entry that nobody has reported yet as lost by forfeit."""
    pairings = queries.current_pairings(tournament).filter(
        Q(first=entry) | Q(second=entry), round__state=Round.State.PUBLISHED
    )
    for pairing in pairings.select_related("game", "return_game").order_by("round__number"):
        _rule_games(pairing, "0-1" if pairing.first_id == entry.pk else "1-0", by=by)


def _rule_games(pairing: Pairing, result: str, *, by: Account) -> None:
    """Rule the open games of a pairing; the result is by the seats of the pairing."""
    games = ((pairing.game, result), (pairing.return_game, result[::-1]))
    for game, result_of_game in games:
        if game is not None and game.state == Game.State.OPEN:
            rule_game(
                game,
                by=by,
                reason=ABSENCE_REASON,
                result=result_of_game,
                termination=RulingTermination.FORFEIT,
            )
