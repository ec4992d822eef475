"""Locks: everything about a tournament changes while its row is locked."""

from collections.abc import Iterator

from games.http.errors import Conflict
from tournament import queries
from tournament.models import Entry, Round, Tournament


def lock_tournament(tournament: Tournament) -> Tournament:
    """Read the tournament again and lock its row until the transaction ends."""
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def require_state(tournament: Tournament, *states: Tournament.State) -> None:
    """Raise Conflict unless the tournament is in one of the states."""
    if tournament.state not in states:
        raise _wrong_state(tournament.name, tournament.state, *states)


def lock_entry(tournament: Tournament, entry: Entry) -> Entry:
    """Read the entry again, with its player, and lock its row."""
    entries = tournament.entries.select_for_update(of=("self",)).select_related("player")
    return entries.get(pk=entry.pk)


def lock_round(tournament: Tournament, number: int, *states: Round.State) -> Round:
    """Return a round's row, locked; raises Conflict unless it is in one of the states, if any."""
    found = tournament.round_set.select_for_update().filter(number=number).first()
    if found is None:
        raise Conflict("no_such_round", f"the event has rounds 1 to {tournament.rounds}")
    if states and found.state not in states:
        raise _wrong_state(f"round {number}", found.state, *states)
    return found


def lock_current_round(
    tournament: Tournament, number: int, *states: Round.State
) -> tuple[Tournament, Round]:
    """Lock a tournament and a round of it; raises the first of `find_round_conflicts`."""
    tournament = lock_tournament(tournament)
    this_round = lock_round(tournament, number)
    for conflict in find_round_conflicts(tournament, this_round, *states):
        raise conflict
    return tournament, this_round


def find_round_conflicts(
    tournament: Tournament, this_round: Round, *states: Round.State
) -> Iterator[Conflict]:
    """Yield why a round cannot be changed now: the states, and earlier rounds that are open.

    In a league, the earlier rounds may be open.
    """
    if tournament.state != Tournament.State.RUNNING:
        yield _wrong_state(tournament.name, tournament.state, Tournament.State.RUNNING)
    number = this_round.number
    if this_round.state not in states:
        yield _wrong_state(f"round {number}", this_round.state, *states)
    if queries.is_league(tournament):
        return
    earlier = tournament.round_set.filter(number__lt=number).exclude(state__in=queries.DONE)
    for open_round in earlier.order_by("number"):
        boards = queries.unsettled_boards(tournament, open_round.number)
        listed = f"; open boards: {', '.join(map(str, boards))}" if boards else ""
        yield Conflict(
            "round_open",
            f"round {open_round.number} is {open_round.state}, not complete{listed}",
            [
                {"code": "result_open", "round": open_round.number, "board": board,
                 "detail": f"round {open_round.number}, board {board}: the result is open"}
                for board in boards
            ],
            round=open_round.number,
        )  # fmt: skip


def _wrong_state(name: str, state: str, *states: str) -> Conflict:
    return Conflict("wrong_state", f"{name} is {state}; this needs {' or '.join(states)}")
