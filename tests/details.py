"""The texts in the source that say what is wrong: what a page must be able to translate.

A text counts if it is given to what the source raises somewhere, or to a function that collects
errors, or is the value of a variable with one of the names of such texts. `{}` is a value.
"""

import ast
import re
from collections.abc import Iterator, Set
from functools import cache
from typing import Final

from tests.processes import ROOT

APPS: Final = ("games", "ratings", "tournament", "deploy")
VARIABLES: Final = frozenset({"cause", "detail", "hint", "limit", "wrong"})
COLLECTORS: Final = frozenset({"_disputed", "_error", "_fail", "add", "block", "inform"})
NOT_TEXTS: Final = frozenset({"from_json", "locate", "next"})
"""What is raised but says nothing itself."""

NOT_ON_PAGES: Final = {
    "*/management/": "commands",
    "deploy/": "what stops a program, and what the web server says",
    "games/accounts/authentication.py": "tokens, which no page sends",
    "games/chain.py": "the check of a journal, for commands",
    "games/compiled_queries.py": "errors of the program",
    "games/compiled_writes.py": "errors of the program",
    "games/http/event_stream.py": "the event stream",
    "games/http/idempotency.py": "keys, which no page sends",
    "games/http/parsers.py": "JSON",
    "games/http/preconditions.py": "headers, which no page sends",
    "games/http/problem_types.py": "files of the project",
    "games/journal.py": "errors of the program",
    "games/rules/__init__.py": "errors of the program",
    "games/rules/boards/": "errors of the program",
    "games/rules/diagram/": "errors of the program",
    "games/rules/game_outcome.py": "stored values",
    "games/rules/records/json_form.py": "JSON",
    "games/tasks.py": "the log",
    "ratings/documents/": "notes of documents, which are translated there",
    "ratings/recompute_pool.py": "a program",
    "ratings/services/run_writing.py": "a race between tasks",
    "ratings/systems/elo.py": "errors of the program",
    "ratings/systems/fide.py": "errors of the program",
    "ratings/systems/file_rows.py": "files of commands",
    "ratings/systems/games_file.py": "files of commands",
    "ratings/systems/seeds_file.py": "files of commands",
    "ratings/systems/shadow.py": "commands",
    "tournament/pairing/certificates.py": "certificates, which programs check",
    "tournament/pairing/matching.py": "errors of the program",
    "tournament/pairing/random_tournament.py": "a command",
    "tournament/pairing/systems/dutch/": "errors of the program",
    "tournament/simulation/event.py": "errors of the program",
    "tournament/simulation/forecast.py": "errors of the program",
    "tournament/simulation/simulator.py": "errors of the program",
    "tournament/simulation/strengths.py": "errors of the program",
    "tournament/snapshots/": "stored values",
    "tournament/standings/crosstable_json.py": "stored values",
    "tournament/tasks.py": "the log",
}  # fmt: skip
"""Files whose texts no page shows, and why."""


def is_shown(file: str) -> bool:
    """Return True if a page may show what a file of the source says."""
    return not any(
        file.startswith(start) if not start.startswith("*") else start[1:] in file
        for start in NOT_ON_PAGES
    )


@cache
def source() -> dict[str, list[ast.AST]]:
    """Return the calls, raises, assignments and texts of the modules, by path."""
    kinds = (ast.Assign, ast.Call, ast.Constant, ast.JoinedStr, ast.Raise)
    return {
        str(file.relative_to(ROOT)): [
            node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, kinds)
        ]
        for app in APPS
        for file in sorted((ROOT / app).rglob("*.py"))
        if "client" not in file.parts
    }


@cache
def details() -> dict[str, str]:
    """Return the texts that say what is wrong, with the file of each."""
    calls = [
        node.exc for nodes in source().values() for node in nodes if isinstance(node, ast.Raise)
    ]
    takers = {_name(call) for call in calls if isinstance(call, ast.Call)} - NOT_TEXTS | COLLECTORS
    return {
        text: path
        for path, nodes in source().items()
        if is_shown(path)
        for node in nodes
        for text in _texts_given(node, takers)
    }


def skeletons() -> Iterator[str]:
    """Yield each text of the source, with {} for each value in it."""
    for path, nodes in source().items():
        if not path.startswith("games/pages/details/"):
            yield from (text for node in nodes if (text := _text(node)) is not None)


def _texts_given(node: ast.AST, takers: Set[str]) -> Iterator[str]:
    """Yield the texts of a call of one of the takers, or of an assignment to a variable."""
    if isinstance(node, ast.Call) and _name(node) in takers:
        for given in (*node.args, *(keyword.value for keyword in node.keywords)):
            yield from _sentences(given)
    elif isinstance(node, ast.Assign) and VARIABLES & {
        target.id for target in node.targets if isinstance(target, ast.Name)
    }:
        yield from _sentences(node.value)


def _sentences(node: ast.AST) -> Iterator[str]:
    """Yield the texts of several words in an expression that are not translated there."""
    text = _text(node)
    if text is not None:
        if " " in text.strip() and re.search("[a-z]{2}", text.replace("{}", "")):
            yield text
    elif not (isinstance(node, ast.Call) and "gettext" in _name(node)):
        for child in ast.iter_child_nodes(node):
            yield from _sentences(child)


def _text(node: ast.AST) -> str | None:
    """Return a text of the source, with {} for each value in it; None for another node."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Call) and _name(node) == "Text" and node.args:
        pattern = getattr(node.args[0], "value", None)
        return re.sub(r"%\(\w+\)s", "{}", pattern) if isinstance(pattern, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    return None


def _name(call: ast.Call) -> str:
    called = call.func
    if isinstance(called, ast.Name):
        return called.id
    return called.attr if isinstance(called, ast.Attribute) else ""
