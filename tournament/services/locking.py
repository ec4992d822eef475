"""Locks: everything about a tournament changes while its row is locked."""

from games.compiled_queries import CompiledQuery
from games.http.errors import Conflict
from games.models import Account
from games.rules.text import Text
from tournament.models import Entry, Round, Tournament
from tournament.services.actions import require_round_action, wrong_state

LOCKED_TOURNAMENT = CompiledQuery(
    lambda key: Tournament.objects.select_for_update().filter(pk=key), int
)
LOCKED_ACCOUNT = CompiledQuery(
    lambda key: Account.objects.select_for_update(no_key=True).filter(pk=key), int
)
LOCKED_ENTRY = CompiledQuery(
    lambda tournament, key: (
        Entry.objects.select_for_update(of=("self",))
        .select_related("player")
        .filter(tournament=tournament, pk=key)
    ),
    int,
    int,
)
LOCKED_ROUND = CompiledQuery(
    lambda tournament, number: Round.objects.select_for_update().filter(
        tournament=tournament, number=number
    ),
    int,
    int,
)


def lock_tournament(tournament: Tournament) -> Tournament:
    """Read the tournament again and lock its row until the transaction ends."""
    locked = LOCKED_TOURNAMENT.first(tournament.pk)
    if locked is None:
        raise Tournament.DoesNotExist
    return locked


def lock_account(account: Account) -> None:
    """Lock the row of an account, to which new rows may refer meanwhile."""
    LOCKED_ACCOUNT.rows(account.pk)


def require_state(tournament: Tournament, *states: Tournament.State) -> None:
    """Raise Conflict unless the tournament is in one of the states."""
    if tournament.state not in states:
        raise wrong_state(tournament.name, tournament.state, *states)


def lock_entry(tournament: Tournament, entry: Entry) -> Entry:
    """Read the entry again, with its player, and lock its row."""
    locked = LOCKED_ENTRY.first(tournament.pk, entry.pk)
    if locked is None:
        raise Entry.DoesNotExist
    locked.tournament = tournament
    return locked


def lock_round(tournament: Tournament, number: int, *states: Round.State) -> Round:
    """Return a round's row, locked; raises Conflict unless it is in one of the states, if any."""
    found = LOCKED_ROUND.first(tournament.pk, number)
    if found is None:
        raise Conflict(
            "no_such_round", Text("the event has rounds 1 to %(last)s", last=tournament.rounds)
        )
    found.tournament = tournament
    if states and found.state not in states:
        raise wrong_state(Text("round %(number)s", number=number), found.state, *states)
    return found


def lock_current_round(
    tournament: Tournament, number: int, action: str
) -> tuple[Tournament, Round]:
    """Lock a tournament and a round of it; raises Conflict if it does not allow the action."""
    tournament = lock_tournament(tournament)
    this_round = lock_round(tournament, number)
    require_round_action(tournament, this_round, action)
    return tournament, this_round
