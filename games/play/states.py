"""What the state of a game allows, and why not the rest.

The services refuse an action by the same conflicts that `allowed_actions` lists as its reason. A
report that repeats the last one of its sender is no action, and is not refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Max
from django.utils import timezone

from games.core.actions import Action, Actions, Call, action_as_json
from games.core.errors import ApiError, Conflict, Forbidden
from games.core.journal.lines import game_stream
from games.core.permissions import Caller, current_account, find_refusals, may, require_account
from games.core.preconditions import Target
from games.models import Account, Game, Report
from games.play.queries import answer_deadline, get_visible_game, lock_game
from games.play.settlement import FINISHED_STATES, find_agreed_report, load_reports
from games.rules.text import Text

State = Game.State
UNPLAYED_STATES = (State.PROPOSED, State.DECLINED, State.CANCELLED, State.EXPIRED)
"""The states of a proposal that is not accepted."""


@dataclass(frozen=True, slots=True)
class GameRule:
    """The permission for an operation; an unsafe one is an arbiter's, and requires a reason.

    An answer needs a report of the other side. An action on the proposal of a casual game is for
    one of its players: `is_of_proposer` says which; None for other actions.
    """

    operation: str
    permission: str
    is_unsafe: bool = False
    is_answer: bool = False
    is_of_proposer: bool | None = None


GAME_RULES: Final = {
    "accept": GameRule("accept_game", "game.proposal", is_of_proposer=False),
    "decline": GameRule("decline_game", "game.proposal", is_of_proposer=False),
    "cancel": GameRule("cancel_game", "game.proposal", is_of_proposer=True),
    "record": GameRule("report_game", "game.record"),
    "claim": GameRule("report_game", "game.claim"),
    "confirm": GameRule("confirm_game", "game.answer", is_answer=True),
    "dispute": GameRule("dispute_game", "game.answer", is_answer=True),
    "rule": GameRule("rule_game", "game.rule", is_unsafe=True),
    "annul": GameRule("annul_game", "game.rule", is_unsafe=True),
    "adjourn": GameRule("adjourn_game", "game.rule", is_unsafe=True),
    "resume": GameRule("resume_game", "game.rule", is_unsafe=True),
}
OVERRULE: Final = "game.overrule"
"""The permission to decide a game otherwise than both of its sides have reported it."""
GAME_PERMISSIONS: Final = frozenset({OVERRULE, *(rule.permission for rule in GAME_RULES.values())})


def find_state_conflicts(
    game: Game,
    *,
    by_side: bool,
    adjourns: bool = False,
    resumes: bool = False,
    keeps: bool = False,
) -> Iterator[Conflict]:
    """Yield why the state of a game allows no report, of one of its sides or of an arbiter.

    An arbiter overrides a result until the round is complete, but adjourns only a game of an event
    that has none, and resumes only one that is adjourned. A report that `keeps` the result that
    stands is no other decision.
    """
    if game.state in UNPLAYED_STATES:
        yield Conflict(
            "game_not_accepted",
            Text(
                "game %(number)s is %(state)s; it is not played",
                number=game.pk,
                state=Game.State(game.state),
            ),
        )
    if game.void:
        detail = Text(
            "the pairing of this game was withdrawn; report the game of the current pairing"
        )
        yield Conflict("game_void", detail)
    if game.closed:
        detail = Text("the event is final or cancelled; its results cannot change")
        yield Conflict("tournament_final", detail)
    if (by_side or adjourns) and game.state in FINISHED_STATES:
        detail = Text(
            "this game is %(state)s already; if that is not right, tell the arbiter",
            state=Game.State(game.state),
        )
        yield Conflict("game_settled", detail)
    elif game.round_complete and game.state in FINISHED_STATES and not (keeps or resumes):
        yield correction_needed()
    if adjourns and not game.stream:
        yield Conflict("casual_game", Text("only a game of an event can be adjourned"))
    if adjourns and game.adjourned:
        yield Conflict(
            "nothing_to_do", Text("game %(number)s is adjourned already", number=game.pk)
        )
    if resumes and not game.adjourned:
        yield Conflict("nothing_to_do", Text("game %(number)s is not adjourned", number=game.pk))


def other_way(game: Game) -> Conflict:
    """Return the refusal of what is for games that are played in the other way."""
    detail = (
        Text("game %(number)s is played here, each side its own turns", number=game.pk)
        if game.play == Game.Play.BY_TURNS
        else Text("game %(number)s is not played here; its record can be kept", number=game.pk)
    )
    return Conflict("other_way", detail)


def correction_needed() -> Conflict:
    """Return the refusal of another decision of a game whose round is complete."""
    detail = Text(
        "the round is complete: this result changes only by a correction, which a director makes"
    )
    return Conflict("correction_needed", detail)


def find_proposal_refusal(game: Game, action: str, seats: Sequence[str]) -> ApiError | None:
    """Return why the holder of these seats may not accept, decline or cancel a proposal."""
    if game.state != State.PROPOSED:
        return Conflict(
            "not_proposed",
            Text(
                "game %(number)s is %(state)s, not proposed",
                number=game.pk,
                state=Game.State(game.state),
            ),
        )
    if (game.proposed_by in seats) != GAME_RULES[action].is_of_proposer:
        is_own = game.proposed_by in seats
        detail = (
            Text("the other player decides; you can cancel")
            if is_own
            else Text("decline it instead")
        )
        return Forbidden("own_proposal" if is_own else "not_your_proposal", detail)
    if answer_deadline(game.created_at) <= timezone.now():
        return Conflict(
            "proposal_expired", Text("the proposal of game %(number)s has expired", number=game.pk)
        )
    return None


def find_report_of_other_side(game: Game, seat: str) -> Report | None:
    """Return the last record or claim of the other side, unless the game was adjourned since."""
    kinds = [Report.Kind.RECORD, Report.Kind.CLAIM, Report.Kind.ADJOURNMENT]
    others = game.reports.filter(kind__in=kinds).exclude(seat=seat)
    last = others.order_by("-version").first()
    if last is None or last.kind == Report.Kind.ADJOURNMENT:
        return None
    last.game = game
    return last


def nothing_to_answer() -> Conflict:
    """Return the refusal of an answer without a report of the other side."""
    return Conflict("nothing_to_answer", Text("the other side has reported nothing yet"))


def game_actions(
    game: Game, refusals: Mapping[str, ApiError | None], seats: Sequence[str]
) -> Actions:
    """Return the level of each action of a game, and why those that are forbidden are.

    `refusals` are the reasons of missing permissions, `seats` those of the caller. The list is
    empty if all permissions are missing. Only a casual game can be proposed.
    """
    if all(refusals[permission] for permission in GAME_PERMISSIONS):
        return {}
    has_report = bool(seats) and find_report_of_other_side(game, seats[0]) is not None
    by_side, by_arbiter = (
        next(find_state_conflicts(game, by_side=is_side), None) for is_side in (True, False)
    )
    actions = {}
    for name, rule in GAME_RULES.items():
        conflict: ApiError | None = by_arbiter if rule.is_unsafe else by_side
        if rule.is_of_proposer is not None:
            if game.stream:
                continue
            conflict = find_proposal_refusal(game, name, seats)
        elif rule.is_answer and not has_report:
            conflict = conflict or nothing_to_answer()
        elif name in ("record", "claim") and game.play == Game.Play.BY_TURNS:
            conflict = conflict or other_way(game)
        elif name in ("adjourn", "resume"):
            adjourns, resumes = name == "adjourn", name == "resume"
            found = find_state_conflicts(game, by_side=False, adjourns=adjourns, resumes=resumes)
            conflict = next(found, None)
        refusal = refusals[rule.permission] or conflict
        if name == "annul" and refusal is None and refusals[OVERRULE]:
            agreed = find_agreed_report(load_reports([game])[game.pk])
            refusal = refusals[OVERRULE] if agreed else None
        actions[name] = action_as_json(rule.operation, refusal, is_unsafe=rule.is_unsafe)
    return actions


def game_target(game: Game) -> Target:
    """Return a game with the version of its last report: a ruling overrides what was reported."""

    def read_version(locked: bool) -> str:
        if locked:
            lock_game(game.pk)
        return str(game.reports.aggregate(last=Max("version"))["last"] or 0)

    return Target(
        game_stream(game), read_version, lambda _, payload: payload.get("game") == game.pk
    )


def require_in_game(caller: Caller, game: Game, permission: str) -> Account:
    """Return the account if it has a permission in this game; raises 401 or 403."""
    user, _ = current_account(caller)
    return require_account(caller, permission, stream=game.role_stream, seats=game.seats_of(user))


def may_in_game(caller: Caller, game: Game, permission: str) -> bool:
    """Return True if `require_in_game` would return the account."""
    user, token = current_account(caller)
    return may(user, token, permission, stream=game.role_stream, seats=game.seats_of(user))


class ActionInGame(Action):
    """A write to a game; `rule` is the action that its state must allow, with its permission.

    `prepare` and `perform` get the game. `If-Match` is about its last report.
    """

    rules = GAME_RULES
    tag_of = "games/{game_id}"

    def find(self, call: Call) -> Game:
        return get_visible_game(call, call.address["game_id"])

    def check(self, call: Call, found: Game) -> None:
        """Require the permission, which the players of the game may have."""
        require_in_game(call, found, self.permission)

    def allowed_actions(self, call: Call, found: Game) -> Actions:
        return allowed_game_actions(call, found)

    def target(self, call: Call, found: Game) -> Target:
        return game_target(found)


def allowed_game_actions(caller: Caller, game: Game) -> Actions:
    """Return the level of each action of a game for the caller, as it is now."""
    user, token = current_account(caller)
    seats = game.seats_of(user)
    refusals = find_refusals(user, token, GAME_PERMISSIONS, stream=game.role_stream, seats=seats)
    game.refresh_from_db(fields=["state", "adjourned", "closed", "void", "round_complete"])
    return game_actions(game, refusals, seats)
