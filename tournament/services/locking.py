"""Locks: everything about a tournament changes while its row is locked."""

from games.http.errors import Conflict
from tournament import queries
from tournament.models import Entry, Round, Tournament


def lock_tournament(tournament: Tournament) -> Tournament:
    """Read the tournament again and lock its row until the transaction ends."""
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def require_state(tournament: Tournament, *states: Tournament.State) -> None:
    """Raise Conflict unless the tournament is in one of the states."""
    if tournament.state not in states:
        raise Conflict(
            "wrong_state",
            f"{tournament.name} is {tournament.state}; this needs {' or '.join(states)}",
        )


def lock_entry(tournament: Tournament, entry: Entry) -> Entry:
    """Read the entry again, with its player, and lock its row."""
    entries = tournament.entries.select_for_update(of=("self",)).select_related("player")
    return entries.get(pk=entry.pk)


def lock_round(tournament: Tournament, number: int, *states: Round.State) -> Round:
    """Read a round and lock its row; raises Conflict unless it is in one of the states."""
    this_round = tournament.round_set.select_for_update().filter(number=number).first()
    if this_round is None:
        raise Conflict("no_such_round", f"the event has rounds 1 to {tournament.rounds}")
    if states and this_round.state not in states:
        raise Conflict(
            "wrong_state", f"round {number} is {this_round.state}; this needs {' or '.join(states)}"
        )
    return this_round


def lock_current_round(
    tournament: Tournament, number: int, *states: Round.State
) -> tuple[Tournament, Round]:
    """Lock a running tournament and a round; raises Conflict while an earlier round is open."""
    tournament = lock_tournament(tournament)
    require_state(tournament, Tournament.State.RUNNING)
    this_round = lock_round(tournament, number, *states)
    earlier = tournament.round_set.filter(number__lt=number).exclude(state__in=queries.DONE)
    open_round = earlier.order_by("number").first()
    if open_round is None:
        return tournament, this_round
    boards = queries.unsettled_boards(tournament, open_round.number)
    listed = f"; open boards: {', '.join(map(str, boards))}" if boards else ""
    raise Conflict(
        "round_open",
        f"round {open_round.number} is {open_round.state}, not complete{listed}",
        [
            {
                "code": "result_open",
                "round": open_round.number,
                "board": board,
                "detail": f"round {open_round.number}, board {board}: the result is open",
            }
            for board in boards
        ],
    )
