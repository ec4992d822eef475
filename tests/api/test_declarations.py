"""What each write declares, compared with the table that is kept here.

A declaration is one place: a wrong one would change the API, its description and its pages alike,
and no test that is generated from it could tell.
"""

from difflib import unified_diff
from typing import Any

from games.play.states import GAME_RULES, ActionInGame
from tests.api.operations import Operation, operations
from tests.processes import ROOT
from tournament.core.lookup import ActionInEvent
from tournament.core.states import EVENT_RULES
from tournament.entries.lookup import ActionInEntry
from tournament.entries.states import ENTRY_RULES
from tournament.rounds.lookup import ActionInRound
from tournament.rounds.states import ROUND_RULES

WRITES = "tests/api/data/writes.txt"
KINDS = {
    "event": ActionInEvent,
    "round": ActionInRound,
    "entry": ActionInEntry,
    "game": ActionInGame,
}
"""The objects with allowed actions, and the writes to them, which name the rule of theirs."""
RULES: dict[str, Any] = {
    "event": EVENT_RULES,
    "round": ROUND_RULES,
    "entry": ENTRY_RULES,
    "game": GAME_RULES,
}


def declaration(operation: Operation) -> str:
    """Return what an action declares: permission, precondition, cost, allowed action."""
    action = operation.action
    assert action is not None, f"{operation} is not declared as an action"
    rules = {
        kind: RULES[kind][action.rule].operation
        for kind, write in KINDS.items()
        if isinstance(action, write) and action.rule
    }
    parts = [
        f"permission={action.permission}" if action.permission else "",
        "If-Match" if action.has_precondition else "",
        f"cost={action.cost}" if action.cost else "",
        "read-only" if action.is_read_only else "",
        *(f"allowed={kind}:{rule}" for kind, rule in rules.items()),
    ]
    return " ".join([str(operation), *filter(None, parts)])


def test_the_declarations_of_writes_are_those_of_the_table() -> None:
    listed = (ROOT / WRITES).read_text().splitlines()
    writes = [each for each in operations() if not each.is_read and not each.suffix]
    current = sorted(map(declaration, writes))

    changes = [*unified_diff(listed, current, n=0, lineterm="")][2:]
    assert not changes, (
        f"a declaration has changed: if that is meant, remove the lines marked - from {WRITES}, "
        "and add those marked + in their order:\n" + "\n".join(changes)
    )
