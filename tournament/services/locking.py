"""The tournament's row as the lock under which everything about it changes."""

from games.http.errors import Conflict
from tournament import queries
from tournament.models import Round, Tournament


def lock_tournament(tournament: Tournament) -> Tournament:
    """The tournament's row, locked until the transaction ends and read afresh."""
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def require_state(tournament: Tournament, *states: Tournament.State) -> None:
    """Raise Conflict unless the tournament is in one of the states."""
    if tournament.state not in states:
        raise Conflict(
            "wrong_state",
            f"{tournament.name} is {tournament.state}; this needs {' or '.join(states)}",
        )


def lock_round(tournament: Tournament, number: int, *states: Round.State) -> Round:
    """One round's row, locked; raises Conflict unless it is in one of the states."""
    found = tournament.round_set.select_for_update().filter(number=number).first()
    if found is None:
        raise Conflict("no_such_round", f"the event has rounds 1 to {tournament.rounds}")
    if states and found.state not in states:
        raise Conflict(
            "wrong_state", f"round {number} is {found.state}; this needs {' or '.join(states)}"
        )
    return found


def lock_current_round(
    tournament: Tournament, number: int, *states: Round.State
) -> tuple[Tournament, Round]:
    """Lock the event and a round of it that may be paired now; refuse while results are open."""
    tournament = lock_tournament(tournament)
    require_state(tournament, Tournament.State.RUNNING)
    this_round = lock_round(tournament, number, *states)
    unfinished = (
        tournament.round_set.filter(number__lt=number)
        .exclude(state__in=queries.DONE)
        .order_by("number")
        .first()
    )
    if unfinished is not None:
        boards = queries.unsettled_boards(tournament, unfinished.number)
        listed = f"; open boards: {', '.join(map(str, boards))}" if boards else ""
        raise Conflict(
            "round_open",
            f"round {unfinished.number} is {unfinished.state}, not complete{listed}",
            [
                {"code": "result_open", "round": unfinished.number, "board": board,
                 "detail": f"round {unfinished.number}, board {board}: the result is open"}
                for board in boards
            ],
        )  # fmt: skip
    return tournament, this_round
