"""Locks: everything about a tournament changes while its row is locked."""

from games.core.errors import Conflict, require_found
from games.models import Account
from games.rules.text import Text
from tournament.core.actions import require_round_action, wrong_state
from tournament.models import Entry, Round, Tournament


def lock_tournament(tournament: Tournament) -> Tournament:
    """Read the tournament again and lock its row until the transaction ends.

    Raises NotFound if it was deleted meanwhile.
    """
    locked = Tournament.objects.select_for_update().filter(pk=tournament.pk).first()
    detail = Text("the event %(event)s does not exist any more", event=tournament.name)
    return require_found(locked, detail)


def lock_account(account: Account) -> None:
    """Lock the row of an account, to which new rows may refer meanwhile."""
    Account.objects.select_for_update(no_key=True).get(pk=account.pk)


def require_state(tournament: Tournament, *states: Tournament.State) -> None:
    """Raise Conflict unless the tournament is in one of the states."""
    if tournament.state not in states:
        raise wrong_state(tournament.name, tournament.state, *states)


def lock_entry(tournament: Tournament, entry: Entry) -> Entry:
    """Read the entry again, with its player, and lock its row."""
    entries = Entry.objects.select_for_update(of=("self",)).select_related("player")
    locked = entries.get(tournament=tournament, pk=entry.pk)
    locked.tournament = tournament
    return locked


def no_round(tournament: Tournament) -> Text:
    """Return what errors say of a round that an event does not have."""
    return Text("the event has rounds 1 to %(last)s", last=tournament.rounds)


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
    require_round_action(this_round, action)
    return tournament, this_round
