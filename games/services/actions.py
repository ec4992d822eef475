"""What can be done with a game, and why not: the matrix of its actions.

The services refuse an action by the same conflicts that `allowed_actions` lists as its reason. A
report that repeats the last one of its sender is no action, and is not refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.http.actions import action_as_json
from games.http.errors import ApiError, Conflict
from games.models import Game, Report

FINISHED_STATES = (Game.State.CONFIRMED, Game.State.ANNULLED)


@dataclass(frozen=True, slots=True)
class GameAction:
    """The permission for an action; an unsafe one is an arbiter's, and requires a reason.

    An answer needs a report of the other side.
    """

    permission: str
    is_unsafe: bool = False
    is_answer: bool = False


GAME_ACTIONS: Final = {
    "record": GameAction("game.record"),
    "claim": GameAction("game.claim"),
    "confirm": GameAction("game.answer", is_answer=True),
    "dispute": GameAction("game.answer", is_answer=True),
    "rule": GameAction("game.rule", is_unsafe=True),
    "annul": GameAction("game.rule", is_unsafe=True),
}
GAME_PERMISSIONS: Final = frozenset(rule.permission for rule in GAME_ACTIONS.values())


def find_state_conflicts(game: Game, *, by_side: bool) -> Iterator[Conflict]:
    """Yield why the state of a game allows no report, of one of its sides or of an arbiter."""
    if game.void:
        detail = "the pairing of this game was withdrawn; report the game of the current pairing"
        yield Conflict("game_void", detail)
    if game.closed:
        detail = "the event is final or cancelled; its results cannot change"
        yield Conflict("event_final", detail)
    if by_side and game.state in FINISHED_STATES:
        detail = f"game {game.pk} is {game.state}; only an arbiter can change it"
        yield Conflict("game_settled", detail)


def find_report_of_other_side(game: Game, seat: str) -> Report | None:
    """Return the last record or claim of the other side."""
    kinds = [Report.Kind.RECORD, Report.Kind.CLAIM]
    reports = game.reports.filter(kind__in=kinds).exclude(seat__in=[seat, ""])
    return reports.order_by("-version").first()


def nothing_to_answer() -> Conflict:
    """Return the refusal of an answer without a report of the other side."""
    return Conflict("nothing_to_answer", "the other side has reported nothing yet")


def game_actions(
    game: Game, refusals: Mapping[str, ApiError | None], seats: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the level of each action of a game, and why those that are forbidden are.

    `refusals` are the reasons of missing permissions, `seats` those of the caller. The list is
    empty if all permissions are missing.
    """
    if all(refusals[permission] for permission in GAME_PERMISSIONS):
        return []
    has_report = bool(seats) and find_report_of_other_side(game, seats[0]) is not None
    by_side, by_arbiter = (
        next(find_state_conflicts(game, by_side=is_side), None) for is_side in (True, False)
    )
    actions = []
    for name, rule in GAME_ACTIONS.items():
        conflict: ApiError | None = by_arbiter if rule.is_unsafe else by_side
        if rule.is_answer and not has_report:
            conflict = nothing_to_answer()
        refusal = refusals[rule.permission] or conflict
        actions.append(action_as_json(name, refusal, is_unsafe=rule.is_unsafe))
    return actions
