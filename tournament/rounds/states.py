"""What the state of a round allows, and why not the rest.

The services refuse an action by the same conflicts that `allowed_actions` lists as its reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from django.db.models import QuerySet

from games.core.actions import Actions, action_as_json
from games.core.errors import ApiError, Conflict
from games.rules.text import Text
from tournament.core.engine import find_pairing_conflicts
from tournament.core.queries import FINISHED_ROUND_STATES, is_league, unsettled_pairings
from tournament.core.states import BEFORE_START, wrong_state
from tournament.models import Entry, Pairing, Round, Tournament

MOST_NAMED = 6
PLANNED, DRAFTED, PUBLISHED = Round.State.PLANNED, Round.State.DRAFTED, Round.State.PUBLISHED
COMPLETE = Round.State.COMPLETE


@dataclass(frozen=True, slots=True)
class RoundRule:
    """The states of a round, and of its event, that allow an operation, and the permission for it.

    Where the action is `unsafe`, it requires a reason, except in the `safe_states`. With
    `is_for_current`, earlier rounds must be complete, with `is_for_last` later rounds unpublished;
    except in a league.
    """

    operation: str
    states: tuple[Round.State, ...]
    events: tuple[Tournament.State, ...] = (Tournament.State.RUNNING,)
    is_unsafe: bool = False
    safe_states: tuple[Round.State, ...] = ()
    is_for_current: bool = True
    is_for_last: bool = False
    permission: str = "rounds.edit"


ROUND_RULES: Final = {
    "edit": RoundRule(
        "edit_round",
        (PLANNED, DRAFTED, PUBLISHED),
        events=(*BEFORE_START, Tournament.State.RUNNING),
        is_for_current=False,
    ),
    "pair": RoundRule("pair_round", (PLANNED, DRAFTED)),
    "set_pairings": RoundRule("set_pairings", (PLANNED, DRAFTED), is_unsafe=True),
    "change_boards": RoundRule("change_boards", (DRAFTED, PUBLISHED), is_unsafe=True),
    "publish": RoundRule("publish_round", (DRAFTED,)),
    "unpair": RoundRule(
        "unpair_round",
        (DRAFTED, PUBLISHED, COMPLETE),
        is_unsafe=True,
        safe_states=(DRAFTED,),
        is_for_current=False,
        is_for_last=True,
    ),
    "restore": RoundRule(
        "restore_version", (PLANNED, DRAFTED, PUBLISHED, COMPLETE), is_unsafe=True, is_for_last=True
    ),
    "enter_results": RoundRule(
        "enter_results",
        (PUBLISHED, COMPLETE),
        events=(Tournament.State.RUNNING, Tournament.State.REVIEW),
        is_for_current=False,
        permission="game.rule",
    ),
    "complete": RoundRule("complete_round", (PUBLISHED,)),
    "reopen": RoundRule(
        "reopen_round", (COMPLETE,), is_unsafe=True, is_for_current=False, is_for_last=True
    ),
}
ROUND_PERMISSIONS: Final = frozenset(rule.permission for rule in ROUND_RULES.values())


def find_round_conflicts(
    this_round: Round, action: str, *, open_rounds: Sequence[Conflict] | None = None
) -> Iterator[Conflict]:
    """Yield why a round does not allow an action: states, earlier rounds, and open results.

    `open_rounds` are the conflicts of the earlier rounds, if they are known.
    """
    tournament = this_round.tournament
    rule, number = ROUND_RULES[action], this_round.number
    if tournament.state not in rule.events:
        yield wrong_state(tournament.name, tournament.state, *rule.events)
    is_allowed = this_round.state in rule.states
    if not is_allowed:
        yield wrong_state(Text("round %(number)s", number=number), this_round.state, *rule.states)
    if rule.is_for_current:
        found = (
            _find_open_earlier_rounds(tournament, number) if open_rounds is None else open_rounds
        )
        yield from found
    if rule.is_for_last:
        yield from _find_later_rounds(tournament, number)
    if action == "restore" and is_allowed:
        others = Pairing.objects.filter(round=this_round).exclude(version=this_round.version)
        if not others.exists():
            yield Conflict(
                "no_such_version", Text("round %(number)s has no other version", number=number)
            )
    if action == "complete" and is_allowed and (rows := list(_open_pairings(tournament, number))):
        yield Conflict(
            "results_open",
            Text(
                "round %(number)s has open results; boards: %(boards)s",
                number=number,
                boards=_listed(rows),
            ),
            [_open_result(row, number) for row in rows],
        )


def _open_pairings(tournament: Tournament, number: int) -> "QuerySet[Pairing]":
    """Return the boards of a round without a result, with their players."""
    found = unsettled_pairings(tournament, number)
    return found.select_related("first__player", "second__player")


def _open_result(row: Pairing, number: int) -> dict[str, Any]:
    """Return the error of an open result; who has withdrawn may not report any more."""
    detail = Text(
        "round %(number)s, board %(board)s: the result is open",
        number=number,
        board=row.board_number,
    )
    left = _withdrawn(row)
    if len(left) == 2:
        detail = Text(
            "%(detail)s; %(first)s and %(second)s have withdrawn: if they did not play, enter that "
            "neither appeared",
            detail=detail,
            first=left[0],
            second=left[1],
        )
    elif left:
        detail = Text(
            "%(detail)s; %(player)s has withdrawn: if they did not play, enter that they did not "
            "appear",
            detail=detail,
            player=left[0],
        )
    return {
        "code": "result_open",
        "round": number,
        "board": row.board_number,
        "numbers": [entry.pairing_number for entry in (row.first, row.second) if entry],
        "detail": detail,
    }


def _withdrawn(row: Pairing) -> list[str]:
    entries = [entry for entry in (row.first, row.second) if entry]
    return [entry.player.name for entry in entries if entry.state == Entry.State.WITHDRAWN]


def _listed(rows: Sequence[Pairing]) -> str:
    """Return the numbers of boards, with the names of players who have withdrawn."""
    numbers = ", ".join(str(row.board_number) for row in rows)
    left = [name for row in rows for name in _withdrawn(row)]
    if not left:
        return numbers
    return Text(
        "%(numbers)s (withdrawn: %(players)s)",
        numbers=numbers,
        players=left[:MOST_NAMED] + ["…"] * (len(left) > MOST_NAMED),
    )


def _find_open_earlier_rounds(tournament: Tournament, number: int) -> Iterator[Conflict]:
    """Yield a conflict for each earlier round that is open; in a league, they may be open."""
    if is_league(tournament):
        return
    earlier = tournament.round_set.filter(number__lt=number).order_by("number")
    for open_round in earlier.exclude(state__in=FINISHED_ROUND_STATES):
        found = list(_open_pairings(tournament, open_round.number))
        listed = Text("; open boards: %(boards)s", boards=_listed(found)) if found else ""
        yield Conflict(
            "round_open",
            Text(
                "round %(number)s is %(state)s, not complete%(detail)s",
                number=open_round.number,
                state=Round.State(open_round.state),
                detail=listed,
            ),
            [_open_result(row, open_round.number) for row in found],
            round=open_round.number,
        )


def _find_later_rounds(tournament: Tournament, number: int) -> Iterator[Conflict]:
    """Yield a conflict for the next round if it is published: its pairings need this one."""
    if is_league(tournament):
        return
    later = tournament.round_set.filter(number__gt=number, published_at__isnull=False)
    for published in later.order_by("number")[:1]:
        yield Conflict(
            "later_round_published",
            Text(
                "round %(number)s is %(state)s; unpair it first, or correct the "
                "results of round %(earlier)s",
                number=published.number,
                state=Round.State(published.state),
                earlier=number,
            ),
            round=published.number,
        )


def round_actions(this_round: Round, refusals: Mapping[str, ApiError | None]) -> Actions:
    """Return the level of each action of a round, and why those that are forbidden are.

    `refusals` are the reasons of missing permissions; the list is empty if all are missing.
    """
    if all(refusals[permission] for permission in ROUND_PERMISSIONS):
        return {}
    open_rounds = list(_find_open_earlier_rounds(this_round.tournament, this_round.number))
    actions = {}
    for name, rule in ROUND_RULES.items():
        found = find_round_conflicts(this_round, name, open_rounds=open_rounds)
        if name == "pair":
            found = chain(found, find_pairing_conflicts(this_round.tournament, this_round.number))
        refusal = refusals[rule.permission] or next(found, None)
        is_unsafe = rule.is_unsafe and this_round.state not in rule.safe_states
        actions[name] = action_as_json(rule.operation, refusal, is_unsafe=is_unsafe)
    return actions


def require_round_allows(this_round: Round, action: str) -> None:
    """Raise the first conflict of an action."""
    for conflict in find_round_conflicts(this_round, action):
        raise conflict
