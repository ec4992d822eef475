"""Find the objects of an event that an address names, if the caller may see or change them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from rest_framework.request import Request

from games.core.actions import Action, Call
from games.core.errors import (
    ApiError,
    Forbidden,
    NotFound,
    Unprocessable,
    invalid_parameter,
    require_found,
)
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
from games.models import Account, Player
from games.players.queries import no_player
from games.rules.text import Text
from tournament.core.actions import (
    AGREE,
    APPLY,
    CONSENT,
    ENTRY_ACTIONS,
    ENTRY_PERMISSIONS,
    EVENT_ACTIONS,
    EVENT_PERMISSIONS,
    ROUND_ACTIONS,
    ROUND_PERMISSIONS,
    entry_actions,
    event_actions,
    round_actions,
)
from tournament.core.custody import is_custodian
from tournament.core.queries import LISTED_STATES, find_visible_tournament
from tournament.core.targets import entry_target, round_target, tournament_target
from tournament.models import Entry, Round, Tournament


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
        raise Unprocessable("unknown_tournament", detail, at="/tournament")
    return found


def check_tournament(request: Request, slug: str) -> None:
    """Raise the error of a filter by a tournament that the caller does not see."""
    try:
        tournament_seen_by(request, slug)
    except NotFound as error:
        raise invalid_parameter("tournament", error.detail) from None


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
    """A write to an event; `event_action` is one of its actions, which has the permission.

    `prepare` and `perform` get the tournament, unless `find` returns something else. `If-Match` is
    about the event.
    """

    event_action = ""
    tag_of = "tournaments/{slug}"

    def __init__(self) -> None:
        """Take the permission from the action of the event."""
        if self.event_action:
            self.permission = EVENT_ACTIONS[self.event_action].permission

    def find(self, call: Call) -> Any:
        """Return the tournament if the caller may see it; raise NotFound."""
        return tournament_seen_by(call, call.address["slug"])

    def check(self, call: Call, found: Any) -> None:
        """Require the permission, which may depend on the state of the event."""
        permission = self.permission
        if self.event_action:
            permission = EVENT_ACTIONS[self.event_action].permission_in(found.state)
        require_account(call, permission, stream=found.stream)

    def allowed_actions(self, call: Call, found: Any) -> list[dict[str, Any]]:
        """Return the allowed actions of the event."""
        found.refresh_from_db()
        return allowed_event_actions(call, found)

    def target(self, call: Call, found: Any) -> Target:
        """Return the tournament."""
        return tournament_target(found)


def allowed_event_actions(
    caller: Caller, tournament: Tournament, *, has_link: bool = False
) -> list[dict[str, Any]]:
    """Return the level of each action of an event for the caller."""
    user, token = current_account(caller)
    refusals = dict(find_refusals(user, token, EVENT_PERMISSIONS, stream=tournament.stream))
    if has_link and not isinstance(user, Account):
        refusals[APPLY] = None
    return event_actions(tournament, refusals)


class ActionInRound(Action):
    """A write to a round; `round_action` is one of its actions, which has the permission.

    `prepare` and `perform` get the round. `If-Match` is about it.
    """

    round_action = ""
    tag_of = "tournaments/{slug}/rounds/{number}"

    def __init__(self) -> None:
        """Take the permission from the action of the round."""
        self.permission = ROUND_ACTIONS[self.round_action].permission

    def find(self, call: Call) -> Round:
        """Return the round if the caller may see its event; raise NotFound."""
        return round_of(tournament_seen_by(call, call.address["slug"]), call.address["number"])

    def check(self, call: Call, found: Round) -> None:
        """Require the permission in the event."""
        require_account(call, self.permission, stream=found.tournament.stream)

    def allowed_actions(self, call: Call, found: Round) -> list[dict[str, Any]]:
        """Return the allowed actions of the round, if there is one."""
        tournament = found.tournament
        tournament.refresh_from_db()
        return [
            action
            for this_round in tournament.round_set.filter(number=found.number)
            for action in allowed_round_actions(call, this_round)
        ]

    def target(self, call: Call, found: Round) -> Target:
        """Return the round."""
        return round_target(found)


def allowed_round_actions(caller: Caller, this_round: Round) -> list[dict[str, Any]]:
    """Return the level of each action of a round for the caller."""
    user, token = current_account(caller)
    stream = this_round.tournament.stream
    refusals = find_refusals(user, token, ROUND_PERMISSIONS, stream=stream)
    return round_actions(this_round, refusals)


class EntryIn(NamedTuple):
    """An entry of an event."""

    tournament: Tournament
    entry: Entry


class ActionInEntry(Action):
    """A write to an entry; `entry_action` is one of its actions, which has the permission.

    `prepare` and `perform` get the EntryIn. `If-Match` is about the entry.
    """

    entry_action = ""
    tag_of = "tournaments/{slug}/entries/{entry_id}"

    def __init__(self) -> None:
        """Take the permission from the action of the entry."""
        self.permission = ENTRY_ACTIONS[self.entry_action].permission

    def find(self, call: Call) -> EntryIn:
        """Return the tournament if the caller may see it, and its entry; raise NotFound."""
        tournament = tournament_seen_by(call, call.address["slug"])
        return EntryIn(tournament, entry_of(tournament, call.address["entry_id"]))

    def check(self, call: Call, found: EntryIn) -> None:
        """Require the permission, which the player of the entry may have."""
        if refusal := entry_refusals(call, *found)[self.permission]:
            raise refusal

    def allowed_actions(self, call: Call, found: EntryIn) -> list[dict[str, Any]]:
        """Return the allowed actions of the entry."""
        tournament, entry = found
        tournament.refresh_from_db()
        return allowed_entry_actions(call, tournament, entry_of(tournament, entry.pk))

    def target(self, call: Call, found: EntryIn) -> Target:
        """Return the entry."""
        return entry_target(*found)


def allowed_entry_actions(
    caller: Caller, tournament: Tournament, entry: Entry
) -> list[dict[str, Any]]:
    """Return the level of each action of an entry for the caller."""
    return entry_actions(tournament, entry, entry_refusals(caller, tournament, entry))


def entry_refusals(
    caller: Caller, tournament: Tournament, entry: Entry
) -> Mapping[str, ApiError | None]:
    """Return why the caller may not act on an entry, by permission."""
    user, token = current_account(caller)
    holder = entry.player.current.account_id
    own = ["own entry"] * (holder is not None and holder == user.pk)
    stream = tournament.stream
    refusals = dict(find_refusals(user, token, ENTRY_PERMISSIONS, stream=stream, seats=own))
    if refusals[AGREE] is not None and isinstance(user, Account) and not own:
        kept = ["kept player"] * is_custodian(user, entry.player.current)
        refusals |= find_refusals(user, token, [AGREE], stream=stream, seats=kept)
    if token is not None and token.issued_by_other:
        detail = Text("a director issued this token; log in yourself to agree to something")
        for permission in (CONSENT, AGREE):
            if refusals[permission] is None:
                refusals[permission] = Forbidden("token_given_out", detail)
    return refusals


def player_seen(player_id: int) -> Player:
    """Return a player, or the one they were merged into; raise NotFound."""
    players = Player.objects.select_related("merged_into", "account")
    return require_found(players.filter(pk=player_id).first(), no_player(player_id)).current


def entry_of(tournament: Tournament, entry_id: int) -> Entry:
    """Return an entry; raise NotFound."""
    entries = tournament.entries.select_related("player")
    return require_found(entries.filter(pk=entry_id).first(), _no_entry(tournament, entry_id))


def entry_seen_by(caller: Caller, tournament: Tournament, entry_id: int) -> tuple[Entry, bool]:
    """Return an entry, and whether the caller is an official or the player; raise NotFound.

    Only they see an application that is not accepted.
    """
    entry = entry_of(tournament, entry_id)
    account = own_account(caller, tournament)
    is_own = entry.player.current.account_id == account is not None
    sees_all = is_own or can_see_drafts(caller, tournament.stream)
    if not sees_all and entry.state not in LISTED_STATES:
        raise NotFound("not_found", _no_entry(tournament, entry_id))
    return entry, sees_all


def _no_entry(tournament: Tournament, number: int) -> Text:
    return Text("there is no entry %(number)s in %(event)s", number=number, event=tournament.name)


def round_of(tournament: Tournament, number: int) -> Round:
    """Return a round of the tournament; raise NotFound."""
    this_round = tournament.round_set.filter(number=number).first()
    if this_round is None:
        planned = Text("its rounds are planned when it starts")
        rounds = (
            Text("it has rounds 1 to %(last)s", last=tournament.rounds)
            if tournament.round_set.exists()
            else ""
        )
        raise NotFound(
            "not_found",
            Text(
                "there is no round %(number)s in %(event)s; %(detail)s",
                number=number,
                event=tournament.name,
                detail=rounds or planned,
            ),
        )
    this_round.tournament = tournament
    return this_round


def can_see_forecast(request: Request, tournament: Tournament) -> bool:
    """Return True if the organiser lets the caller see forecasts of the event."""
    shown = tournament.forecast
    is_official = shown == Tournament.Forecasts.OFFICIALS
    return shown == Tournament.Forecasts.PUBLIC or (
        is_official and can_see_drafts(request, tournament.stream)
    )


UNPUBLISHED = (Round.State.PLANNED, Round.State.DRAFTED)


def visible_round(caller: Caller, tournament: Tournament, number: int) -> Round:
    """Return a round whose pairings the caller may see; raises NotFound."""
    this_round = round_of(tournament, number)
    if this_round.state in UNPUBLISHED and not can_see_drafts(caller, tournament.stream):
        raise NotFound(
            "not_published", Text("round %(number)s is not published yet", number=number)
        )
    return this_round


def round_seen_by(caller: Caller, slug: str, number: int) -> Round:
    """Return a round of an event whose pairings the caller may see; raises NotFound."""
    return visible_round(caller, tournament_seen_by(caller, slug), number)


def hide_draft(this_round: Round) -> Round:
    """Clear what an unpublished round says about its pairings."""
    if this_round.state in UNPUBLISHED:
        this_round.system, this_round.reason = "", ""
        this_round.notes, this_round.relaxed = [], []
    return this_round
