"""Lock a round, and what `If-Match` is about: the version of its pairings.

So results do not disturb its publication.
"""

from games.core.errors import Conflict
from games.core.preconditions import Target, line_names, version_of
from tournament.core.locking import lock_tournament, no_round
from tournament.models import Round, Tournament
from tournament.rounds.states import require_round_allows


def lock_round(tournament: Tournament, number: int) -> Round:
    """Return a round's row, locked; raises Conflict if there is none."""
    rounds = Round.objects.select_for_update()
    found = rounds.filter(tournament=tournament, number=number).first()
    if found is None:
        raise Conflict("no_such_round", no_round(tournament))
    found.tournament = tournament
    return found


def lock_current_round(
    tournament: Tournament, number: int, action: str
) -> tuple[Tournament, Round]:
    """Lock a tournament and a round of it; raises Conflict if it does not allow the action."""
    tournament = lock_tournament(tournament)
    this_round = lock_round(tournament, number)
    require_round_allows(this_round, action)
    return tournament, this_round


ROUND_COLUMNS = ("state", "version", "system", "reason", "relaxed", "starts_on", "start_time")


def round_target(this_round: Round) -> Target:
    """Return a round of a tournament with the version of its pairings."""
    tournament, number = this_round.tournament, this_round.number

    def read_version(locked: bool) -> str:
        if locked:
            return version_of(lock_round(lock_tournament(tournament), number), *ROUND_COLUMNS)
        this_round.refresh_from_db(fields=ROUND_COLUMNS)
        return version_of(this_round, *ROUND_COLUMNS)

    return Target(tournament.stream, read_version, line_names("round", number))
