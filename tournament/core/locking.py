"""Locks: everything about a tournament changes while its row is locked."""

from games.core.errors import require_found
from games.rules.text import Text
from tournament.core.states import wrong_state
from tournament.models import Tournament


def lock_tournament(tournament: Tournament) -> Tournament:
    """Read the tournament again and lock its row until the transaction ends.

    Raises NotFound if it was deleted meanwhile.
    """
    locked = Tournament.objects.select_for_update().filter(pk=tournament.pk).first()
    detail = Text("the event %(event)s does not exist any more", event=tournament.name)
    return require_found(locked, detail)


def require_state(tournament: Tournament, *states: Tournament.State) -> None:
    """Raise Conflict unless the tournament is in one of the states."""
    if tournament.state not in states:
        raise wrong_state(tournament.name, tournament.state, *states)


def no_round(tournament: Tournament) -> Text:
    """Return what errors say of a round that an event does not have."""
    return Text("the event has rounds 1 to %(last)s", last=tournament.rounds)
