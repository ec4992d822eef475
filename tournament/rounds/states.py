"""What the state of a round allows, and why not the rest.

The services refuse an action by the same conflicts that `allowed_actions` lists as its reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from games.core.actions import action_as_json
from games.core.errors import ApiError, Conflict
from games.rules.text import Text
from tournament.core.engine import find_pairing_conflicts
from tournament.core.queries import FINISHED_ROUND_STATES, is_league, unsettled_boards
from tournament.core.states import BEFORE_START, wrong_state
from tournament.models import Pairing, Round, Tournament

PLANNED, DRAFTED, PUBLISHED = Round.State.PLANNED, Round.State.DRAFTED, Round.State.PUBLISHED
COMPLETE = Round.State.COMPLETE


@dataclass(frozen=True, slots=True)
class RoundRule:
    """The states of a round, and of its event, that allow an action, and the permission for it.

    Where the action is `unsafe`, it requires a reason, except in the `safe_states`. With
    `is_for_current`, earlier rounds must be complete, with `is_for_last` later rounds unpublished;
    except in a league.
    """

    states: tuple[Round.State, ...]
    events: tuple[Tournament.State, ...] = (Tournament.State.RUNNING,)
    is_unsafe: bool = False
    safe_states: tuple[Round.State, ...] = ()
    is_for_current: bool = True
    is_for_last: bool = False
    permission: str = "rounds.edit"


ROUND_RULES: Final = {
    "edit": RoundRule(
        (PLANNED, DRAFTED, PUBLISHED),
        events=(*BEFORE_START, Tournament.State.RUNNING),
        is_for_current=False,
    ),
    "pair": RoundRule((PLANNED, DRAFTED)),
    "set_pairings": RoundRule((PLANNED, DRAFTED), is_unsafe=True),
    "change_boards": RoundRule((DRAFTED, PUBLISHED), is_unsafe=True),
    "publish": RoundRule((DRAFTED,)),
    "unpair": RoundRule(
        (DRAFTED, PUBLISHED, COMPLETE),
        is_unsafe=True,
        safe_states=(DRAFTED,),
        is_for_current=False,
        is_for_last=True,
    ),
    "restore": RoundRule((PLANNED, DRAFTED, PUBLISHED, COMPLETE), is_unsafe=True, is_for_last=True),
    "enter_results": RoundRule(
        (PUBLISHED, COMPLETE),
        events=(Tournament.State.RUNNING, Tournament.State.REVIEW),
        is_for_current=False,
        permission="game.rule",
    ),
    "complete": RoundRule((PUBLISHED,)),
    "reopen": RoundRule((COMPLETE,), is_unsafe=True, is_for_current=False, is_for_last=True),
}
ROUND_PERMISSIONS: Final = frozenset(rule.permission for rule in ROUND_RULES.values())


def find_round_conflicts(
    this_round: Round,
    action: str,
    *,
    open_rounds: Sequence[Conflict] | None = None,
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
    if action == "complete" and is_allowed:
        boards = unsettled_boards(tournament, number)
        if boards:
            yield Conflict(
                "results_open",
                Text(
                    "round %(number)s has open results; boards: %(boards)s",
                    number=number,
                    boards=", ".join(map(str, boards)),
                ),
                [{"code": "result_open", "round": number, "board": board} for board in boards],
            )


def _find_open_earlier_rounds(tournament: Tournament, number: int) -> Iterator[Conflict]:
    """Yield a conflict for each earlier round that is open; in a league, they may be open."""
    if is_league(tournament):
        return
    earlier = tournament.round_set.filter(number__lt=number).order_by("number")
    for open_round in earlier.exclude(state__in=FINISHED_ROUND_STATES):
        boards = unsettled_boards(tournament, open_round.number)
        listed = (
            Text("; open boards: %(boards)s", boards=", ".join(map(str, boards))) if boards else ""
        )
        yield Conflict(
            "round_open",
            Text(
                "round %(number)s is %(state)s, not complete%(detail)s",
                number=open_round.number,
                state=Round.State(open_round.state),
                detail=listed,
            ),
            [
                {
                    "code": "result_open",
                    "round": open_round.number,
                    "board": board,
                    "detail": Text(
                        "round %(number)s, board %(board)s: the result is open",
                        number=open_round.number,
                        board=board,
                    ),
                }
                for board in boards
            ],
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
                "results of round %(earlier)s by rulings",
                number=published.number,
                state=Round.State(published.state),
                earlier=number,
            ),
            round=published.number,
        )


def round_actions(
    this_round: Round, refusals: Mapping[str, ApiError | None]
) -> list[dict[str, Any]]:
    """Return the level of each action of a round, and why those that are forbidden are.

    `refusals` are the reasons of missing permissions; the list is empty if all are missing.
    """
    if all(refusals[permission] for permission in ROUND_PERMISSIONS):
        return []
    open_rounds = list(_find_open_earlier_rounds(this_round.tournament, this_round.number))
    actions = []
    for name, rule in ROUND_RULES.items():
        found = find_round_conflicts(this_round, name, open_rounds=open_rounds)
        if name == "pair":
            found = chain(found, find_pairing_conflicts(this_round.tournament, this_round.number))
        refusal = refusals[rule.permission] or next(found, None)
        is_unsafe = rule.is_unsafe and this_round.state not in rule.safe_states
        actions.append(action_as_json(name, refusal, is_unsafe=is_unsafe))
    return actions


def require_round_allows(this_round: Round, action: str) -> None:
    """Raise the first conflict of an action."""
    for conflict in find_round_conflicts(this_round, action):
        raise conflict
