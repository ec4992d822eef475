"""Find the entry that an address names, if the caller may see or change it."""

from collections.abc import Mapping
from typing import NamedTuple

from games.core.actions import Action, Actions, Call
from games.core.errors import ApiError, Forbidden, NotFound, require_found
from games.core.permissions import Caller, can_see_drafts, current_account, find_refusals
from games.core.preconditions import Target
from games.models import Account
from games.rules.text import Text
from tournament.core.lookup import own_account, tournament_seen_by
from tournament.core.queries import LISTED_STATES
from tournament.entries.states import AGREE, CONSENT, ENTRY_PERMISSIONS, ENTRY_RULES, entry_actions
from tournament.entries.targets import entry_target
from tournament.models import Entry, Tournament
from tournament.players.custody import is_custodian


class EntryIn(NamedTuple):
    """An entry of an event."""

    tournament: Tournament
    entry: Entry


class ActionInEntry(Action):
    """A write to an entry; `rule` is the action that its state must allow, with its permission.

    `prepare` and `perform` get the EntryIn. `If-Match` is about the entry.
    """

    rules = ENTRY_RULES
    tag_of = "tournaments/{slug}/entries/{entry_id}"

    def find(self, call: Call) -> EntryIn:
        tournament = tournament_seen_by(call, call.address["slug"])
        return EntryIn(tournament, entry_of(tournament, call.address["entry_id"]))

    def check(self, call: Call, found: EntryIn) -> None:
        """Require the permission, which the player of the entry may have."""
        if refusal := entry_refusals(call, *found)[self.permission]:
            raise refusal

    def allowed_actions(self, call: Call, found: EntryIn) -> Actions:
        tournament, entry = found
        tournament.refresh_from_db()
        return allowed_entry_actions(call, tournament, entry_of(tournament, entry.pk))

    def target(self, call: Call, found: EntryIn) -> Target:
        return entry_target(*found)


def allowed_entry_actions(caller: Caller, tournament: Tournament, entry: Entry) -> Actions:
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
        keeps = is_custodian(user, entry.player.current)
        refusals |= find_refusals(user, token, [AGREE], stream=stream, keeps=keeps)
    if token is not None and token.issued_by_other:
        detail = Text("a director issued this token; log in yourself to agree to something")
        for permission in (CONSENT, AGREE):
            if refusals[permission] is None:
                refusals[permission] = Forbidden("token_given_out", detail)
    return refusals


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
