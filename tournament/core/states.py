"""What the state of an event allows, and why not the rest.

The services refuse an action by the same conflicts that `allowed_actions` lists as its reason.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from games.core.actions import Actions, action_as_json
from games.core.errors import ApiError, Conflict
from games.rules.text import Moment, Text, either
from tournament.core.engine import is_over
from tournament.core.queries import FINISHED_ROUND_STATES, adjourned_boards, local_day, was_opened
from tournament.core.systems import check_field, system_of
from tournament.models import Entry, Round, Tournament

BEFORE_START = (Tournament.State.DRAFT, Tournament.State.REGISTRATION)


def wrong_state(
    name: str, state: str, *states: Tournament.State | Round.State | Entry.State
) -> Conflict:
    """Return the refusal of an action that needs other states."""
    return Conflict(
        "wrong_state",
        Text(
            "%(name)s has the state %(state)s; this is possible only in the state %(states)s",
            name=name,
            state=type(states[0])(state),
            states=either(list(states)),
        ),
    )


State = Tournament.State
APPLY = "entries.apply"
BEFORE_END = (State.DRAFT, State.REGISTRATION, State.RUNNING)


@dataclass(frozen=True, slots=True)
class EventRule:
    """The states in which an event allows an operation, the permission for it, and what it needs.

    `find_conflicts` is called in these states only. An unsafe action requires a reason. In the
    states of `permissions`, it needs another permission.
    """

    operation: str
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
    rule = EVENT_RULES[action]
    if tournament.state not in rule.states:
        yield wrong_state(tournament.name, tournament.state, *rule.states)
    elif rule.find_conflicts:
        yield from rule.find_conflicts(tournament)


def may_apply(tournament: Tournament, *, has_account: bool) -> bool:
    """Return whether a visitor can apply now; some events want a login, or a link; no query."""
    ways = Tournament.Applications
    is_taken = tournament.applications == ways.EVERYBODY or (
        has_account and tournament.applications == ways.ACCOUNTS
    )
    return is_taken and not any(find_event_conflicts(tournament, "apply"))


def require_event_allows(tournament: Tournament, action: str) -> None:
    """Raise the first conflict of an action."""
    for conflict in find_event_conflicts(tournament, action):
        raise conflict


def event_actions(tournament: Tournament, refusals: Mapping[str, ApiError | None]) -> Actions:
    """Return the level of each action of an event, and why those that are forbidden are.

    `refusals` are the reasons of missing permissions. An account that is no official of the event
    can only apply; the list is empty if that is not permitted either.
    """
    is_official = not all(refusals[permission] for permission in EVENT_PERMISSIONS - {APPLY})
    return {
        name: action_as_json(
            rule.operation,
            refusals[rule.permission_in(tournament.state)]
            or next(find_event_conflicts(tournament, name), None),
            is_unsafe=rule.is_unsafe,
        )
        for name, rule in EVENT_RULES.items()
        if is_official or (rule.permission == APPLY and not refusals[APPLY])
    }


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
            _not_complete(numbers),
            [{"code": "round_open", "round": number} for number in numbers],
        )


def _not_complete(numbers: Sequence[int]) -> Text:
    if len(numbers) == 1:
        return Text("round %(number)s is not complete", number=numbers[0])
    return Text("rounds %(numbers)s are not complete", numbers=numbers)


def _is_rest_unneeded(tournament: Tournament, rounds: Sequence[tuple[int, str]]) -> bool:
    """Return True if all rounds after the complete ones are planned, and nobody plays them."""
    complete = sum(state in FINISHED_ROUND_STATES for _, state in rounds)
    rest = rounds[complete:]
    if not complete or any(state != Round.State.PLANNED for _, state in rest):
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
            "%(system)s: the schedule is fixed; late entries are not possible",
            system=Text(system.name),
        )
        yield Conflict("no_late_entries", detail)
    elif first_unpaired_round(tournament) > tournament.rounds:
        yield Conflict("no_round_left", Text("every round is paired; it is too late to enter"))


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


def _find_dates_conflicts(tournament: Tournament) -> Iterator[Conflict]:
    """Yield why nobody can apply on this day."""
    today = local_day(tournament)
    first, last = tournament.registration_from, tournament.registration_until
    if first and today < first:
        detail = Text("applications begin on %(day)s", day=Moment(first))
        yield Conflict("applications_closed", detail)
    elif last and today > last:
        detail = Text("applications ended on %(day)s", day=Moment(last))
        yield Conflict("applications_closed", detail)


def _find_bye_conflicts(tournament: Tournament) -> Iterator[Conflict]:
    """Yield why no round can have a requested bye."""
    system = system_of(tournament)
    if system.has_schedule:
        yield Conflict(
            "no_byes",
            Text("%(system)s: the schedule has no requested byes", system=Text(system.name)),
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


EVENT_RULES: Final = {
    "edit": EventRule("edit_tournament", (*BEFORE_END, State.REVIEW)),
    "open": EventRule("open_tournament", (State.DRAFT,)),
    "start": EventRule(
        "start_tournament", (State.REGISTRATION,), find_conflicts=_find_field_conflicts
    ),
    "review": EventRule("review_tournament", (State.RUNNING,), find_conflicts=_find_open_rounds),
    "finalise": EventRule(
        "finalise_tournament",
        (State.REVIEW,),
        "tournament.finish",
        find_conflicts=_find_adjourned_games,
    ),
    "archive": EventRule("archive_tournament", (State.FINAL,)),
    "cancel": EventRule("cancel_tournament", BEFORE_END, "tournament.finish", is_unsafe=True),
    "resume": EventRule("resume_tournament", (State.CANCELLED,), "tournament.finish"),
    "delete": EventRule(
        "delete_tournament", tuple(State), "tournament.finish", find_conflicts=_find_audience
    ),
    "reopen": EventRule("reopen_tournament", (State.FINAL,), "tournament.finish", is_unsafe=True),
    "correct": EventRule(
        "commit_correction",
        (State.RUNNING, State.REVIEW, State.FINAL, State.ARCHIVED),
        "corrections.edit",
        is_unsafe=True,
        permissions={State.FINAL: "tournament.finish", State.ARCHIVED: "archive.correct"},
    ),
    "enter": EventRule("enter_player", BEFORE_END, "entries.edit", _find_enter_conflicts),
    "apply": EventRule("apply_to_tournament", (State.REGISTRATION,), APPLY, _find_dates_conflicts),
    "request_bye": EventRule("request_bye", BEFORE_END, "entries.edit", _find_bye_conflicts),
}
"""By the name of the action on pages; the transitions have the names of their addresses."""

EVENT_PERMISSIONS: Final = frozenset(
    permission
    for rule in EVENT_RULES.values()
    for permission in (rule.permission, *rule.permissions.values())
)
