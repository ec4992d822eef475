"""Find the objects of an event that an address names, if the caller may see or change them."""

from typing import Any, Final

from rest_framework.request import Request

from games.core.actions import Action, Actions, Call
from games.core.errors import NotFound, Unprocessable, invalid_parameter
from games.core.permissions import (
    Caller,
    SecondFactorNeeded,
    can_see_drafts,
    current_account,
    find_refusals,
    require_account,
    viewer,
)
from games.core.preconditions import Target
from games.models import Account
from games.rules.text import Text
from tournament.core.queries import find_visible_tournament
from tournament.core.states import APPLY, EVENT_PERMISSIONS, EVENT_RULES, event_actions
from tournament.core.targets import tournament_target
from tournament.models import Round, Tournament


def tournament_seen_by(caller: Caller, slug: str) -> Tournament:
    """Return the tournament if the caller may see it; raise NotFound.

    Raises SecondFactorNeeded (403) if they may as soon as their account has one.
    """
    account, stream = viewer(caller, "tournament.see")
    tournament = find_visible_tournament(slug, account, stream)
    if tournament is None:
        name = f"tournament/{slug}"
        if account and stream in ("", name) and account.roles.filter(stream=name).exists():
            raise SecondFactorNeeded
        raise NotFound(
            "not_found", Text("there is no tournament %(slug)s that you may see", slug=slug)
        )
    return tournament


def named_tournament(call: Call, slug: str) -> Tournament:
    """Return the tournament that a body names; raise Unprocessable if the account sees none."""
    found = find_visible_tournament(slug, call.account, call.auth.stream if call.auth else "")
    if found is None:
        detail = Text("there is no tournament %(slug)s that you may see", slug=slug)
        raise Unprocessable("unknown_tournament", detail, at="/tournament_slug")
    return found


def check_tournament(request: Request, name: str, slug: str) -> None:
    """Raise the error of a filter by a tournament that the caller does not see, by its name."""
    try:
        tournament_seen_by(request, slug)
    except NotFound as error:
        raise invalid_parameter(name, error.detail) from None


def own_account(caller: Caller, tournament: Tournament) -> int | None:
    """Return the caller's account if its token is valid in this event, else None."""
    account, stream = viewer(caller, "tournament.see")
    return account.pk if account and stream in ("", tournament.stream) else None


def require_tournament(caller: Caller, slug: str, permission: str) -> Tournament:
    """Return the tournament if the caller has a permission in it; raise NotFound, 401 or 403."""
    tournament = tournament_seen_by(caller, slug)
    require_account(caller, permission, stream=tournament.stream)
    return tournament


class ActionInEvent(Action):
    """A write to an event; `rule` is the action that its state must allow, with its permission.

    `prepare` and `perform` get the tournament, unless `find` returns something else. `If-Match` is
    about the event.
    """

    rules = EVENT_RULES
    tag_of = "tournaments/{slug}"

    def find(self, call: Call) -> Any:
        return tournament_seen_by(call, call.address["slug"])

    def check(self, call: Call, found: Any) -> None:
        """Require the permission, which may depend on the state of the event."""
        permission = self.permission
        if self.rule:
            permission = EVENT_RULES[self.rule].permission_in(found.state)
        require_account(call, permission, stream=found.stream)

    def allowed_actions(self, call: Call, found: Any) -> Actions:
        found.refresh_from_db()
        return allowed_event_actions(call, found)

    def target(self, call: Call, found: Any) -> Target:
        return tournament_target(found)


def allowed_event_actions(
    caller: Caller, tournament: Tournament, *, has_link: bool = False
) -> Actions:
    """Return the level of each action of an event for the caller."""
    user, token = current_account(caller)
    refusals = dict(find_refusals(user, token, EVENT_PERMISSIONS, stream=tournament.stream))
    if has_link and not isinstance(user, Account):
        refusals[APPLY] = None
    return event_actions(tournament, refusals)


def can_see_forecast(caller: Caller, tournament: Tournament) -> bool:
    """Return True if the organiser lets the caller see forecasts of the event."""
    shown = tournament.forecast
    is_official = shown == Tournament.Forecasts.OFFICIALS
    return shown == Tournament.Forecasts.PUBLIC or (
        is_official and can_see_drafts(caller, tournament.stream)
    )


MOST_PLAYERS: Final = 256
"""A forecast of a larger event would take a worker many minutes after each result."""
MOST_PLACES: Final = 4_000
"""Players times rounds to come: more would also take too long."""


def fits_forecast(players: int, rounds: int) -> bool:
    """Return True if a forecast of so many players and rounds to come can be computed."""
    return players <= MOST_PLAYERS and players * rounds <= MOST_PLACES


UNPUBLISHED = (Round.State.PLANNED, Round.State.DRAFTED)


def hide_draft(this_round: Round) -> Round:
    """Clear what an unpublished round says about its pairings."""
    if this_round.state in UNPUBLISHED:
        this_round.system, this_round.reason = "", ""
        this_round.notes, this_round.relaxed = [], []
    return this_round
