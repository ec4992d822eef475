"""The request of each action that `allowed_actions` lists, compared with its level by dry runs."""

from collections.abc import Iterator
from typing import Any

from games.core.accounts.tokens import issue_personal_token
from games.models import Game, Role
from games.play.services import rule_game
from games.play.states import GAME_RULES
from tests.events import FIRST_WINS, SECOND_WINS, Event, make_players, settle
from tests.people import Person, make_person, player_of, problem_in
from tournament.core.states import EVENT_RULES
from tournament.entries.states import ENTRY_RULES
from tournament.events.transitions import TRANSITIONS
from tournament.models import Entry, Round
from tournament.rounds.states import ROUND_RULES

Address = tuple[str, str]
"""The method, and what follows the address of the object."""

ADDRESSES: dict[str, dict[str, Address]] = {
    "event": {
        **{action: ("POST", f"/{action}") for action in TRANSITIONS},
        "edit": ("PATCH", ""),
        "delete": ("DELETE", ""),
        "enter": ("POST", "/entries"),
        "apply": ("POST", "/entries/apply"),
        "request_bye": ("POST", "/byes"),
        "correct": ("POST", "/corrections"),
    },
    "round": {
        "edit": ("PATCH", ""),
        "pair": ("POST", "/pair"),
        "set_pairings": ("PUT", "/pairings"),
        "change_boards": ("PATCH", "/pairings"),
        "publish": ("POST", "/publish"),
        "unpair": ("POST", "/unpair"),
        "restore": ("POST", "/restore"),
        "enter_results": ("POST", "/results"),
        "complete": ("POST", "/complete"),
        "reopen": ("POST", "/reopen"),
    },
    "entry": {
        "edit": ("PATCH", ""),
        "approve": ("POST", "/approve"),
        "refuse": ("POST", "/refuse"),
        "wait": ("POST", "/wait"),
        "withdraw": ("POST", "/withdraw"),
        "return": ("POST", "/return"),
        "consent": ("POST", "/consent"),
        "accept": ("POST", "/accept"),
        "decline": ("POST", "/decline"),
        "availability": ("PUT", "/availability"),
        "check_in": ("POST", "/check-in"),
        "check_out": ("POST", "/check-out"),
    },
    "game": {
        "report": ("POST", "/reports"),
        "confirm": ("POST", "/confirm"),
        "dispute": ("POST", "/dispute"),
        "rule": ("POST", "/rule"),
        "annul": ("POST", "/annul"),
        "adjourn": ("POST", "/adjourn"),
        "resume": ("POST", "/resume"),
    },
}

NAMES: dict[str, str] = {
    rule.operation: name
    for rules in (EVENT_RULES, ROUND_RULES, ENTRY_RULES, GAME_RULES)
    for name, rule in rules.items()
} | {"report_game": "report"}
"""The names of the actions here, by the ids of their operations."""

Call = tuple[str, str, dict[str, Any]]
"""The method, what follows the address of the object, and the body."""

Calls = dict[str, Call]
WHY = {"reason": "as agreed"}
PERMISSION_CODES = ("role_missing", "scope_missing", "token_given_out")
"""The codes of 403."""


def numbered(*pairs: tuple[int, ...]) -> list[dict[str, Any]]:
    """Return boards by the pairing numbers of their players, as the API has them."""
    return [{"numbers": list(pair)} for pair in pairs]


def with_officials(stream: str, others: dict[str, Person]) -> dict[str, Person]:
    """The owner, a new director and a new scorer of a stream, then the others, by role."""
    people = {"owner": others["owner"]}
    for role in ("director", "scorer"):
        people[role] = make_person(role.capitalize())
        Role.objects.create(stream=stream, account=people[role].account, role=role)
    return people | others


def calls_with(kind: str, bodies: dict[str, dict[str, Any]]) -> Calls:
    """Return the call of each action of a kind of object; actions without a body send `{}`."""
    return {
        action: (*address, bodies.get(action, {})) for action, address in ADDRESSES[kind].items()
    }


def event_calls(event: Event) -> Calls:
    """Return the call of each action of an event."""
    planned = event.tournament.round_set.filter(state=Round.State.PLANNED).order_by("number")
    number = next(iter(planned.values_list("number", flat=True)), 1)
    entry = event.tournament.entries.order_by("pk")[0].pk
    (player,) = make_players(1)
    bye = {"entry_id": entry, "round": number, "kind": "zero_bye"}
    correction = {"entry_id": entry, "category": "u18"}
    bodies = {action: WHY for action in TRANSITIONS if EVENT_RULES[action].is_unsafe} | {
        "edit": {"place": "Lisbon"},
        "enter": {"player_id": player.pk},
        "apply": {"name": "Eva"},
        "request_bye": bye,
    }
    preview = ("POST", "/corrections", WHY | {"changes": [correction]})
    return calls_with("event", bodies) | {"correct": preview}


def round_calls(event: Event) -> Calls:
    """Return the call of each action of a round of an event with four entries."""
    entries = event.tournament.entries.order_by("pk").values_list("pk", flat=True)[:4]
    a, b, c, d = entries
    games = [{"first_id": a, "second_id": b}, {"first_id": c, "second_id": d}]
    boards = [game | {"board": number} for number, game in enumerate(games, 1)]
    accept = ["rematch", "game_reported"]
    results = {
        "results": [{"board": 1, "result": "1-0"}],
        "basis": "slip",
        "accept": ["report_differs"],
    }
    bodies = {
        "edit": {"starts_on": "2026-05-01"},
        "set_pairings": WHY | {"pairings": games},
        "change_boards": WHY | {"boards": boards, "accept": accept},
        "unpair": WHY,
        "restore": WHY | {"version": 1},
        "enter_results": results,
        "reopen": WHY,
    }
    return calls_with("round", bodies)


ENTRY_CALLS = calls_with("entry", {"edit": WHY | {"birth_year": 1990}})
GAME_CALLS = calls_with(
    "game",
    {
        "report": {"record": FIRST_WINS},
        "dispute": WHY,
        "rule": WHY | {"result": "1-0"},
        "annul": WHY,
        "adjourn": WHY,
        "resume": WHY,
    },
)


def objects_of(event: Event, entry: Entry, game: Game | None) -> dict[str, tuple[str, Calls]]:
    """Return the address and the calls of the event, its rounds, an entry and a game, by name."""
    objects = {
        "event": (event.path, event_calls(event)),
        "entry": (f"{event.path}/entries/{entry.pk}", ENTRY_CALLS),
    }
    for number in event.tournament.round_set.order_by("number").values_list("number", flat=True):
        objects[f"round {number}"] = (f"{event.path}/rounds/{number}", round_calls(event))
    if game is not None:
        objects["game"] = (f"games/{game.pk}", GAME_CALLS)
    return objects


def compare_actions(
    person: Person, path: str, calls: Calls, tried: set[str] | None = None
) -> list[dict[str, Any]]:
    """Compare the levels of an object's actions with dry runs; return the actions.

    An action whose level and reason are in `tried` is not tried again: what the person has no
    permission for by the same person, and what the state decides by anybody. Who is no official of
    an event can only apply.
    """
    response = person.get(f"{path}?actions=1")
    actions: list[dict[str, Any]] = response.json().get("allowed_actions", [])
    assert {NAMES[action["operation"]] for action in actions} in (set(), {"apply"}, calls.keys())
    for action in actions:
        who = person.name if action.get("code") in PERMISSION_CODES else ""
        if tried is None or f"{who} {action}" not in tried:
            method, suffix, body = calls[NAMES[action["operation"]]]
            _compare(person, method, f"{path}{suffix}?dry_run=1", body, action, actions)
        if tried is not None:
            tried.add(f"{who} {action}")
    return actions


def _compare(
    person: Person,
    method: str,
    path: str,
    body: dict[str, Any],
    action: dict[str, Any],
    actions: list[dict[str, Any]],
) -> None:
    """Compare the level of an action with the response to its request."""
    response = person.send(method, path, body)
    if action["level"] == "forbidden":
        status = 403 if action["code"] in PERMISSION_CODES else 409
        problem = problem_in(response, status, action["code"])
        assert (problem["detail"], problem["allowed_actions"]) == (action["reason"], actions)
        return
    assert response.status_code < 300, (action, response.content)
    if action["level"] == "unsafe":
        without_reason = {name: value for name, value in body.items() if name != "reason"}
        problem = problem_in(person.send(method, path, without_reason), 422)
        assert problem["errors"][0]["pointer"] == "/reason"


def list_allowed(actions: list[dict[str, Any]]) -> str:
    """Return the names of the actions that are allowed, unsafe ones with an exclamation mark."""
    marks = {"safe": "", "unsafe": "!"}
    return " ".join(
        NAMES[action["operation"]] + marks[action["level"]]
        for action in actions
        if action["level"] != "forbidden"
    )


def states_of(event: Event, ada: Person) -> Iterator[tuple[str, Game | None]]:
    """Yield each state of a day of four players and two rounds, with the game of Ada."""
    organiser = event.owner
    yield "draft", None
    event.step("open")
    yield "one entry", None
    event.enter(*make_players(3))
    yield "registration", None
    event.step("start")
    yield "running", None
    event.draft(1)
    yield "round 1 drafted", None
    organiser.post(f"{event.path}/rounds/1/publish")
    (game,) = (game for game in event.games() if player_of(ada) in (game.first, game.second))
    yield "round 1 published", game
    other = game.second if game.first == player_of(ada) else game.first
    _, secret = issue_personal_token(other, event.stream, by=organiser.account)
    Person("other", secret=secret).post(f"games/{game.pk}/reports", {"record": SECOND_WINS})
    settle()
    yield "one side has reported", game
    for board in event.games():
        rule_game(board, by=organiser.account, reason="seen", result="1-0")
    settle()
    yield "results of round 1", game
    organiser.post(f"{event.path}/rounds/1/complete")
    yield "round 1 complete", game
    organiser.post(f"{event.path}/rounds/1/unpair", WHY)
    yield "round 1 unpaired", game
    organiser.post(f"{event.path}/rounds/1/restore", WHY | {"version": 1})
    organiser.post(f"{event.path}/rounds/1/complete")
    event.publish(2)
    yield "round 2 published", game
    event.finish(2)
    entry = event.tournament.entries.get(player=player_of(ada))
    organiser.post(f"{event.path}/entries/{entry.pk}/withdraw")
    yield "round 2 complete, Ada withdrawn", game
    event.step("review")
    yield "review", game
    event.step("finalise")
    yield "final", game
    event.step("archive")
    yield "archived", game
