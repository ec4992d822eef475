"""What the state of an entry allows, and of its byes, and why not the rest.

The services refuse an action by the same conflicts that `allowed_actions` lists as its reason.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from games.core.actions import Actions, action_as_json
from games.core.errors import ApiError, Conflict
from games.models import Report
from games.rules.text import Text
from tournament.core.queries import ENDED_APPLICATIONS, LISTED_STATES
from tournament.core.states import (
    BEFORE_END,
    BEFORE_START,
    State,
    find_event_conflicts,
    find_late_entry_conflicts,
    find_place_conflicts,
    first_unpaired_round,
    wrong_state,
)
from tournament.models import Bye, Entry, Tournament


def free_places(tournament: Tournament) -> int | None:
    """Return how many more players an event can accept; None without a limit."""
    if tournament.places is None:
        return None
    accepted = tournament.entries.filter(state=Entry.State.ACCEPTED).count()
    return max(0, tournament.places - accepted)


def require_entering(tournament: Tournament, *, may_wait: bool) -> None:
    """Raise Conflict if nobody can be entered; a missing place is none for who may wait."""
    for conflict in find_event_conflicts(tournament, "enter"):
        if not may_wait or conflict.code != "no_place_left":
            raise conflict


CONSENT, AVAILABILITY, AGREE = "entry.consent", "entry.availability", "entry.agree"
REJECTED_STATES = (Entry.State.REFUSED, Entry.State.WAITING)
CHECK_IN_STATES = (State.REGISTRATION, State.RUNNING)


@dataclass(frozen=True, slots=True)
class EntryRule:
    """The state that an operation gives an entry, if any; the states of the event; the permission.

    An action that `needs_reason` is unsafe after the start, and requires a reason then.
    """

    operation: str
    target: Entry.State | None = None
    event_states: tuple[Tournament.State, ...] = BEFORE_END
    permission: str = "entries.edit"
    needs_reason: bool = False


ENTRY_RULES: Final = {
    "edit": EntryRule("edit_entry", event_states=(*BEFORE_END, State.REVIEW), needs_reason=True),
    "approve": EntryRule("approve_entry", Entry.State.ACCEPTED),
    "refuse": EntryRule("refuse_entry", Entry.State.REFUSED),
    "wait": EntryRule("wait_entry", Entry.State.WAITING),
    "withdraw": EntryRule("withdraw_entry", Entry.State.WITHDRAWN, permission=AVAILABILITY),
    "return": EntryRule("return_entry", Entry.State.ACCEPTED),
    "consent": EntryRule("consent_to_rating", permission=CONSENT),
    "accept": EntryRule("accept_entry", event_states=tuple(State), permission=AGREE),
    "decline": EntryRule("decline_entry", event_states=tuple(State), permission=AGREE),
    "availability": EntryRule("set_availability", permission=AVAILABILITY),
    "check_in": EntryRule("check_in_entry", event_states=CHECK_IN_STATES, permission=AVAILABILITY),
    "check_out": EntryRule(
        "check_out_entry", event_states=CHECK_IN_STATES, permission=AVAILABILITY
    ),
}
ENTRY_CHANGES: Final = {name: rule.target for name, rule in ENTRY_RULES.items() if rule.target}
ENTRY_PERMISSIONS: Final = frozenset(rule.permission for rule in ENTRY_RULES.values())


def is_late_entry(tournament: Tournament, entry: Entry, state: Entry.State) -> bool:
    """Return True if the entry would get its pairing number after the start."""
    is_accepted = state == Entry.State.ACCEPTED
    return is_accepted and tournament.state == State.RUNNING and entry.pairing_number is None


def find_entry_conflicts(tournament: Tournament, entry: Entry, action: str) -> Iterator[Conflict]:
    """Yield why an entry does not allow an action: the event, its state, its pairing number."""
    rule = ENTRY_RULES[action]
    if rule.target is not None:
        yield from find_change_conflicts(tournament, entry, rule.target)
    elif tournament.state not in rule.event_states:
        yield wrong_state(tournament.name, tournament.state, *rule.event_states)
    elif action == "availability":
        yield from find_event_conflicts(tournament, "request_bye")
    elif action in ("accept", "decline"):
        yield from _find_answer_conflicts(tournament, entry, action)
    elif action in ("check_in", "check_out"):
        yield from _find_check_in_conflicts(tournament, entry)


def state_after(entry: Entry, state: Entry.State) -> Entry.State:
    """Return the state that a change gives an entry: who has no place withdraws an application."""
    is_application = state == Entry.State.WITHDRAWN and entry.state not in LISTED_STATES
    return Entry.State.RETRACTED if is_application else state


def find_change_conflicts(
    tournament: Tournament, entry: Entry, state: Entry.State
) -> Iterator[Conflict]:
    """Yield why an entry cannot get a state."""
    state = state_after(entry, state)
    if tournament.state not in BEFORE_END:
        yield wrong_state(tournament.name, tournament.state, *BEFORE_END)
    is_leaving = entry.last_round is not None and state == Entry.State.ACCEPTED
    has_ended = state == Entry.State.RETRACTED and entry.state in ENDED_APPLICATIONS
    if has_ended or (entry.state == state and not is_leaving):
        own = Entry.State(entry.state)
        detail = Text("%(name)s is already %(state)s", name=entry.player.name, state=own)
        yield Conflict("nothing_to_do", detail)
    if entry.state == Entry.State.RETRACTED and state != entry.state:
        detail = Text(
            "%(name)s has withdrawn the application; only they can apply again",
            name=entry.player.name,
        )
        yield Conflict("application_withdrawn", detail)
    if state == Entry.State.ACCEPTED and entry.expelled:
        yield Conflict(
            "expelled",
            Text(
                "%(name)s is expelled (%(reason)s); take that back first, by editing the entry",
                name=entry.player.name,
                reason=entry.expelled,
            ),
        )
    if state in REJECTED_STATES and entry.pairing_number is not None:
        yield Conflict(
            "playing",
            Text("%(name)s has a pairing number; withdraw instead", name=entry.player.name),
        )
    if is_late_entry(tournament, entry, state):
        yield from find_late_entry_conflicts(tournament)
    if state == Entry.State.ACCEPTED and entry.state != state and entry.pairing_number is None:
        yield from find_place_conflicts(tournament)
    has_declined = entry.agreement == Entry.Agreement.DECLINED
    if has_declined and state in (Entry.State.ACCEPTED, Entry.State.WAITING):
        detail = Text(
            "%(name)s has declined to be entered; only they can agree, on their own page",
            name=entry.player.name,
        )
        yield Conflict("declined_by_player", detail)


def _find_answer_conflicts(tournament: Tournament, entry: Entry, action: str) -> Iterator[Conflict]:
    """Yield why a player can neither agree to an entry nor decline it."""
    agreement = Entry.Agreement(entry.agreement)
    if action == "accept" and agreement == Entry.Agreement.AGREED:
        yield Conflict("nothing_to_do", Text("the player has agreed to the entry already"))
    elif action == "decline" and agreement == Entry.Agreement.DECLINED:
        yield Conflict("nothing_to_do", Text("the player has declined the entry already"))
    elif action == "decline" and agreement == Entry.Agreement.AGREED:
        detail = Text("the player has agreed to the entry; withdraw from the event instead")
        yield Conflict("agreed_already", detail)
    elif action == "decline" and _has_reported(tournament, entry):
        detail = Text("the player has reported a game of the event; withdraw from it instead")
        yield Conflict("agreed_already", detail)


def _has_reported(tournament: Tournament, entry: Entry) -> bool:
    """Return True if the player has reported a game of the event with their own login."""
    account = entry.player.current.account
    if account is None or account.email is None:
        return False
    devices = (Report.Device.PLAYER, Report.Device.HERE)
    own = Report.objects.filter(by=account, device__in=devices)
    return own.filter(game__stream=tournament.stream).exists()


def _find_check_in_conflicts(tournament: Tournament, entry: Entry) -> Iterator[Conflict]:
    """Yield why an entry can neither check in nor out."""
    if tournament.check_in == Tournament.CheckIn.NONE:
        yield Conflict(
            "no_check_in", Text("%(event)s has no check-in; set `check_in`", event=tournament.name)
        )
    if entry.state != Entry.State.ACCEPTED:
        yield Conflict(
            "not_accepted",
            Text(
                "the entry of %(name)s is %(state)s",
                name=entry.player.name,
                state=Entry.State(entry.state),
            ),
        )


def require_entry_allows(tournament: Tournament, entry: Entry, action: str) -> None:
    """Raise the first conflict of an action."""
    for conflict in find_entry_conflicts(tournament, entry, action):
        raise conflict


def entry_actions(
    tournament: Tournament, entry: Entry, refusals: Mapping[str, ApiError | None]
) -> Actions:
    """Return the level of each action of an entry, and why those that are forbidden are.

    `refusals` are the reasons of missing permissions; the list is empty if all are missing.
    """
    if all(refusals[permission] for permission in ENTRY_PERMISSIONS):
        return {}
    actions = {}
    for name, rule in ENTRY_RULES.items():
        conflicts = find_entry_conflicts(tournament, entry, name)
        refusal = refusals[rule.permission] or next(conflicts, None)
        is_unsafe = rule.needs_reason and tournament.state not in BEFORE_START
        actions[name] = action_as_json(rule.operation, refusal, is_unsafe=is_unsafe)
    return actions


def find_bye_conflicts(tournament: Tournament, bye: Bye) -> Iterator[Conflict]:
    """Yield why a requested bye cannot be cancelled."""
    if tournament.state not in BEFORE_END:
        yield wrong_state(tournament.name, tournament.state, *BEFORE_END)
    if bye.round < first_unpaired_round(tournament):
        yield round_paired(bye.round)


def round_paired(number: int, *, at: str = "") -> Conflict:
    """Return the refusal to change the byes of a paired round."""
    detail = Text("round %(number)s is already paired", number=number)
    return Conflict("round_paired", detail, at=at)


def bye_actions(tournament: Tournament, bye: Bye) -> Actions:
    """Return whether a bye can be cancelled, and if not, why."""
    refusal = next(find_bye_conflicts(tournament, bye), None)
    return {"cancel": action_as_json("cancel_bye", refusal)}
