"""What can be done with an event, its rounds, its entries and byes, and why not.

The services refuse an action by the same conflicts that `allowed_actions` lists as its reason.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

from games.core.actions import action_as_json
from games.core.errors import ApiError, Conflict
from games.models import Report
from games.rules.text import Text, either
from tournament.core.engine import find_pairing_conflicts, is_over
from tournament.core.queries import (
    FINISHED_ROUND_STATES,
    adjourned_boards,
    is_league,
    unsettled_boards,
    was_opened,
)
from tournament.core.systems import check_field, system_of
from tournament.models import Bye, Entry, Pairing, Round, Tournament

PLANNED, DRAFTED, PUBLISHED = Round.State.PLANNED, Round.State.DRAFTED, Round.State.PUBLISHED
COMPLETE = Round.State.COMPLETE
BEFORE_START = (Tournament.State.DRAFT, Tournament.State.REGISTRATION)


@dataclass(frozen=True, slots=True)
class RoundAction:
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


ROUND_ACTIONS: Final = {
    "edit": RoundAction(
        (PLANNED, DRAFTED, PUBLISHED),
        events=(*BEFORE_START, Tournament.State.RUNNING),
        is_for_current=False,
    ),
    "pair": RoundAction((PLANNED, DRAFTED)),
    "set_pairings": RoundAction((PLANNED, DRAFTED), is_unsafe=True),
    "change_boards": RoundAction((DRAFTED, PUBLISHED), is_unsafe=True),
    "publish": RoundAction((DRAFTED,)),
    "unpair": RoundAction(
        (DRAFTED, PUBLISHED, COMPLETE),
        is_unsafe=True,
        safe_states=(DRAFTED,),
        is_for_current=False,
        is_for_last=True,
    ),
    "restore": RoundAction(
        (PLANNED, DRAFTED, PUBLISHED, COMPLETE), is_unsafe=True, is_for_last=True
    ),
    "enter_results": RoundAction(
        (PUBLISHED, COMPLETE),
        events=(Tournament.State.RUNNING, Tournament.State.REVIEW),
        is_for_current=False,
        permission="game.rule",
    ),
    "complete": RoundAction((PUBLISHED,)),
    "reopen": RoundAction((COMPLETE,), is_unsafe=True, is_for_current=False, is_for_last=True),
}
ROUND_PERMISSIONS: Final = frozenset(rule.permission for rule in ROUND_ACTIONS.values())


def wrong_state(
    name: str, state: str, *states: Tournament.State | Round.State | Entry.State
) -> Conflict:
    """Return the refusal of an action that needs other states."""
    return Conflict(
        "wrong_state",
        Text(
            "%(name)s is %(state)s; this is possible only while it is %(states)s",
            name=name,
            state=type(states[0])(state),
            states=either(list(states)),
        ),
    )


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
    rule, number = ROUND_ACTIONS[action], this_round.number
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
    for name, rule in ROUND_ACTIONS.items():
        found = find_round_conflicts(this_round, name, open_rounds=open_rounds)
        if name == "pair":
            found = chain(found, find_pairing_conflicts(this_round.tournament, this_round.number))
        refusal = refusals[rule.permission] or next(found, None)
        is_unsafe = rule.is_unsafe and this_round.state not in rule.safe_states
        actions.append(action_as_json(name, refusal, is_unsafe=is_unsafe))
    return actions


def require_round_action(this_round: Round, action: str) -> None:
    """Raise the first conflict of an action."""
    for conflict in find_round_conflicts(this_round, action):
        raise conflict


State = Tournament.State
APPLY = "entries.apply"
BEFORE_END = (State.DRAFT, State.REGISTRATION, State.RUNNING)


@dataclass(frozen=True, slots=True)
class EventAction:
    """The states in which an event allows an action, the permission for it, and what else it needs.

    `find_conflicts` is called in these states only. An unsafe action requires a reason. In the
    states of `permissions`, it needs another permission.
    """

    states: tuple[Tournament.State, ...]
    permission: str = "tournament.edit"
    find_conflicts: Callable[[Tournament], Iterator[Conflict]] | None = None
    is_unsafe: bool = False
    permissions: Mapping[Tournament.State, str] = field(default_factory=dict)

    def permission_in(self, state: str) -> str:
        """Return the permission that the action needs in a state of the event."""
        return self.permissions.get(Tournament.State(state), self.permission)


def find_event_conflicts(tournament: Tournament, action: str) -> Iterator[Conflict]:
    """Yield why an event does not allow an action: its state, its entries, its rounds."""
    rule = EVENT_ACTIONS[action]
    if tournament.state not in rule.states:
        yield wrong_state(tournament.name, tournament.state, *rule.states)
    elif rule.find_conflicts:
        yield from rule.find_conflicts(tournament)


def require_event_action(tournament: Tournament, action: str) -> None:
    """Raise the first conflict of an action."""
    for conflict in find_event_conflicts(tournament, action):
        raise conflict


def event_actions(
    tournament: Tournament, refusals: Mapping[str, ApiError | None]
) -> list[dict[str, Any]]:
    """Return the level of each action of an event, and why those that are forbidden are.

    `refusals` are the reasons of missing permissions. An account that is no official of the event
    can only apply; the list is empty if that is not permitted either.
    """
    is_official = not all(refusals[permission] for permission in EVENT_PERMISSIONS - {APPLY})
    return [
        action_as_json(
            name,
            refusals[rule.permission_in(tournament.state)]
            or next(find_event_conflicts(tournament, name), None),
            is_unsafe=rule.is_unsafe,
        )
        for name, rule in EVENT_ACTIONS.items()
        if is_official or (rule.permission == APPLY and not refusals[APPLY])
    ]


def first_unpaired_round(tournament: Tournament) -> int:
    """Return the number of the first round that is not paired, or one more than the last round."""
    return _first_round_in(tournament, Round.State.PLANNED)


def next_round(tournament: Tournament) -> int:
    """Return the number of the first round that is not published, or one more than the last."""
    return _first_round_in(tournament, Round.State.PLANNED, Round.State.DRAFTED)


def _first_round_in(tournament: Tournament, *states: Round.State) -> int:
    """Return the number after that of the last round that has none of the states."""
    rounds = tournament.round_set.values_list("number", "state")
    return max((number for number, state in rounds if state not in states), default=0) + 1


def _find_field_conflicts(tournament: Tournament) -> Iterator[Conflict]:
    """Yield why an event cannot start with its entries."""
    accepted = tournament.entries.filter(state=Entry.State.ACCEPTED).count()
    if accepted < 2:
        detail = Text(
            "an event needs at least two accepted entries; it has %(count)s", count=accepted
        )
        yield Conflict("too_few_entries", detail)
        return
    try:
        check_field(tournament, accepted)
    except Conflict as conflict:
        yield conflict


def _find_open_rounds(tournament: Tournament) -> Iterator[Conflict]:
    """Yield a conflict if a round is not complete, unless nobody is left to play it."""
    rounds = list(tournament.round_set.order_by("number").values_list("number", "state"))
    numbers = [number for number, state in rounds if state not in FINISHED_ROUND_STATES]
    if numbers and not _is_rest_unneeded(tournament, rounds):
        yield Conflict(
            "rounds_open",
            Text("rounds %(numbers)s are not complete", numbers=", ".join(map(str, numbers))),
            [{"code": "round_open", "round": number} for number in numbers],
        )


def _is_rest_unneeded(tournament: Tournament, rounds: Sequence[tuple[int, str]]) -> bool:
    """Return True if all rounds after the complete ones are planned, and nobody plays them."""
    complete = sum(state in FINISHED_ROUND_STATES for _, state in rounds)
    rest = rounds[complete:]
    if not complete or any(state != PLANNED for _, state in rest):
        return False
    return is_over(tournament, rest[0][0])


def _find_adjourned_games(tournament: Tournament) -> Iterator[Conflict]:
    """Yield a conflict if a game is adjourned: its result is still to come."""
    boards = adjourned_boards(tournament)
    if boards:
        listed = ", ".join(f"round {number} board {board}" for number, board in boards)
        yield Conflict(
            "games_adjourned",
            Text("adjourned games have no result yet: %(games)s", games=listed),
            [
                {"code": "game_adjourned", "round": number, "board": board}
                for number, board in boards
            ],
        )


def find_late_entry_conflicts(tournament: Tournament) -> Iterator[Conflict]:
    """Yield why no round can pair a new entry."""
    if tournament.state != State.RUNNING:
        return
    system = system_of(tournament)
    if system.has_schedule:
        detail = Text(
            "%(system)s: the schedule is fixed; late entries are not possible", system=system.name
        )
        yield Conflict("no_late_entries", detail)
    elif first_unpaired_round(tournament) > tournament.rounds:
        yield Conflict("no_round_left", Text("every round is paired; it is too late to enter"))


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


def find_place_conflicts(tournament: Tournament, new: int = 1) -> Iterator[Conflict]:
    """Yield why an event has no place for new accepted entries."""
    if tournament.places is None:
        return
    places = tournament.places
    accepted = tournament.entries.filter(state=Entry.State.ACCEPTED).count()
    if accepted >= places:
        detail = Text(
            "all %(places)s places are taken; to accept more players, raise the number of places "
            "in the settings",
            places=places,
        )
        yield Conflict("no_place_left", detail, places=places, accepted=accepted)
    elif accepted + new > places:
        detail = Text(
            "there are %(new)s new players; free places: %(free)s of %(places)s; leave some out, "
            "put some on the waiting list, or raise the number of places in the settings",
            new=new,
            free=places - accepted,
            places=places,
        )
        yield Conflict("no_place_left", detail, places=places, accepted=accepted)


def _find_enter_conflicts(tournament: Tournament) -> Iterator[Conflict]:
    yield from find_late_entry_conflicts(tournament)
    yield from find_place_conflicts(tournament)


def _find_bye_conflicts(tournament: Tournament) -> Iterator[Conflict]:
    """Yield why no round can have a requested bye."""
    system = system_of(tournament)
    if system.has_schedule:
        yield Conflict(
            "no_byes", Text("%(system)s: the schedule has no requested byes", system=system.name)
        )
    elif first_unpaired_round(tournament) > tournament.rounds:
        yield Conflict("round_paired", Text("every round is paired; it is too late for a bye"))


def _find_audience(tournament: Tournament) -> Iterator[Conflict]:
    """Yield a conflict if others than the officials of an event may know it."""
    may_be_unknown = tournament.state in (State.DRAFT, State.CANCELLED)
    if not may_be_unknown or was_opened(tournament):
        detail = Text(
            "%(event)s was open for entries, and others may refer to it; an event is deleted only "
            "while it is in preparation, later it is cancelled",
            event=tournament.name,
        )
        yield Conflict("was_public", detail)


EVENT_ACTIONS: Final = {
    "edit": EventAction((*BEFORE_END, State.REVIEW)),
    "open": EventAction((State.DRAFT,)),
    "start": EventAction((State.REGISTRATION,), find_conflicts=_find_field_conflicts),
    "review": EventAction((State.RUNNING,), find_conflicts=_find_open_rounds),
    "finalise": EventAction(
        (State.REVIEW,), "tournament.finish", find_conflicts=_find_adjourned_games
    ),
    "archive": EventAction((State.FINAL,)),
    "cancel": EventAction(BEFORE_END, "tournament.finish", is_unsafe=True),
    "resume": EventAction((State.CANCELLED,), "tournament.finish"),
    "delete": EventAction(tuple(State), "tournament.finish", find_conflicts=_find_audience),
    "reopen": EventAction((State.FINAL,), "tournament.finish", is_unsafe=True),
    "correct": EventAction(
        (State.RUNNING, State.REVIEW, State.FINAL, State.ARCHIVED),
        "corrections.edit",
        is_unsafe=True,
        permissions={State.FINAL: "tournament.finish", State.ARCHIVED: "archive.correct"},
    ),
    "enter": EventAction(BEFORE_END, "entries.edit", _find_enter_conflicts),
    "apply": EventAction((State.REGISTRATION,), APPLY),
    "request_bye": EventAction(BEFORE_END, "entries.edit", _find_bye_conflicts),
}
"""By the name of the action; the transitions have the names of their addresses."""

EVENT_PERMISSIONS: Final = frozenset(
    permission
    for rule in EVENT_ACTIONS.values()
    for permission in (rule.permission, *rule.permissions.values())
)


CONSENT, AVAILABILITY, AGREE = "entry.consent", "entry.availability", "entry.agree"
REJECTED_STATES = (Entry.State.REFUSED, Entry.State.WAITING)
CHECK_IN_STATES = (State.REGISTRATION, State.RUNNING)


@dataclass(frozen=True, slots=True)
class EntryAction:
    """The state that an action gives an entry, if any; the states of the event; the permission.

    An action that `needs_reason` is unsafe after the start, and requires a reason then.
    """

    target: Entry.State | None = None
    event_states: tuple[Tournament.State, ...] = BEFORE_END
    permission: str = "entries.edit"
    needs_reason: bool = False


ENTRY_ACTIONS: Final = {
    "edit": EntryAction(event_states=(*BEFORE_END, State.REVIEW), needs_reason=True),
    "accept": EntryAction(Entry.State.ACCEPTED),
    "refuse": EntryAction(Entry.State.REFUSED),
    "wait": EntryAction(Entry.State.WAITING),
    "withdraw": EntryAction(Entry.State.WITHDRAWN, permission=AVAILABILITY),
    "return": EntryAction(Entry.State.ACCEPTED),
    "consent": EntryAction(permission=CONSENT),
    "agree": EntryAction(event_states=tuple(State), permission=AGREE),
    "decline": EntryAction(event_states=tuple(State), permission=AGREE),
    "availability": EntryAction(permission=AVAILABILITY),
    "check-in": EntryAction(event_states=CHECK_IN_STATES, permission=AVAILABILITY),
    "check-out": EntryAction(event_states=CHECK_IN_STATES, permission=AVAILABILITY),
}
ENTRY_CHANGES: Final = {name: rule.target for name, rule in ENTRY_ACTIONS.items() if rule.target}
ENTRY_PERMISSIONS: Final = frozenset(rule.permission for rule in ENTRY_ACTIONS.values())


def is_late_entry(tournament: Tournament, entry: Entry, state: Entry.State) -> bool:
    """Return True if the entry would get its pairing number after the start."""
    is_accepted = state == Entry.State.ACCEPTED
    return is_accepted and tournament.state == State.RUNNING and entry.pairing_number is None


def find_entry_conflicts(tournament: Tournament, entry: Entry, action: str) -> Iterator[Conflict]:
    """Yield why an entry does not allow an action: the event, its state, its pairing number."""
    rule = ENTRY_ACTIONS[action]
    if rule.target is not None:
        yield from find_change_conflicts(tournament, entry, rule.target)
    elif tournament.state not in rule.event_states:
        yield wrong_state(tournament.name, tournament.state, *rule.event_states)
    elif action == "availability":
        yield from find_event_conflicts(tournament, "request_bye")
    elif action in ("agree", "decline"):
        yield from _find_answer_conflicts(tournament, entry, action)
    elif action in ("check-in", "check-out"):
        yield from _find_check_in_conflicts(tournament, entry)


def find_change_conflicts(
    tournament: Tournament, entry: Entry, state: Entry.State
) -> Iterator[Conflict]:
    """Yield why an entry cannot get a state."""
    if tournament.state not in BEFORE_END:
        yield wrong_state(tournament.name, tournament.state, *BEFORE_END)
    is_leaving = entry.last_round is not None and state == Entry.State.ACCEPTED
    if entry.state == state and not is_leaving:
        yield Conflict(
            "nothing_to_do",
            Text("%(name)s is already %(state)s", name=entry.player.name, state=Entry.State(state)),
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
    if action == "agree" and agreement == Entry.Agreement.AGREED:
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
    own = Report.objects.filter(by=account, device=Report.Device.PLAYER)
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


def require_entry_action(tournament: Tournament, entry: Entry, action: str) -> None:
    """Raise the first conflict of an action."""
    for conflict in find_entry_conflicts(tournament, entry, action):
        raise conflict


def entry_actions(
    tournament: Tournament, entry: Entry, refusals: Mapping[str, ApiError | None]
) -> list[dict[str, Any]]:
    """Return the level of each action of an entry, and why those that are forbidden are.

    `refusals` are the reasons of missing permissions; the list is empty if all are missing.
    """
    if all(refusals[permission] for permission in ENTRY_PERMISSIONS):
        return []
    actions = []
    for name, rule in ENTRY_ACTIONS.items():
        conflicts = find_entry_conflicts(tournament, entry, name)
        refusal = refusals[rule.permission] or next(conflicts, None)
        is_unsafe = rule.needs_reason and tournament.state not in BEFORE_START
        actions.append(action_as_json(name, refusal, is_unsafe=is_unsafe))
    return actions


def find_bye_conflicts(tournament: Tournament, bye: Bye) -> Iterator[Conflict]:
    """Yield why a requested bye cannot be cancelled."""
    if tournament.state not in BEFORE_END:
        yield wrong_state(tournament.name, tournament.state, *BEFORE_END)
    if bye.round < first_unpaired_round(tournament):
        yield round_paired(bye.round)


def round_paired(number: int) -> Conflict:
    """Return the refusal to change the byes of a paired round."""
    return Conflict("round_paired", Text("round %(number)s is already paired", number=number))


def bye_actions(tournament: Tournament, bye: Bye) -> list[dict[str, Any]]:
    """Return whether a bye can be cancelled, and if not, why."""
    return [action_as_json("cancel", next(find_bye_conflicts(tournament, bye), None))]
