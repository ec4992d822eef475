"""What is known of a game stands in its module: its code and its module are named nowhere else."""

import ast
import re
from collections.abc import Iterator

import pytest

from games.rules.registry import GAMES
from tests.processes import ROOT

APPS = ("deploy", "games", "ratings", "tournament")
REGISTRY = "games/rules/registry.py"
NO_GAMES = {"errors", "game", "text"}
"""What the registry imports beside the games."""

CODES = set(GAMES) - {"y", "ring", "star"}
"""The codes that are no other word of the product: `star` is a chain, `ring` a part of a board."""

ALLOWED = {
    "games/core/openapi/components.py": "an example in the description of the API",
    "games/play/referee.py": "an example in the description of the API",
    "ratings/handicaps/views.py": "an example in the description of the API",
    "ratings/pools/views.py": "an example in the description of the API",
    "tournament/events/views.py": "an example in the description of the API",
    "games/core/serializers.py": "an example in the description of the API",
    "tournament/results/views.py": "an example in the description of the API",
    "ratings/pools/serializers.py": "an example in the description of the API",
    "ratings/casual/views.py": "an example in the description of the API",
    "ratings/runs/verification.py": "the pool that every installation starts with",
}
"""The files that may name a game, with the reason."""
PLAYED = (
    "ratings/migrations/",
    "deploy/demo.py",
    "deploy/samples/",
    "deploy/docs/",
    "deploy/client/",
)
"""The migrations do not change; the demo, the samples and the pages of documentation play games."""


def imported(text: str) -> set[str]:
    """Return the modules of `games.rules` that a module imports, other than packages."""
    return set(re.findall(r"^\s*from games\.rules\.(\w+) import", text, re.MULTILINE))


MODULES = imported((ROOT / REGISTRY).read_text()) - NO_GAMES


def product_modules() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each module that may not name a game."""
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            is_own = path.parent == ROOT / "games/rules" and path.stem in MODULES
            if not is_own and name not in {REGISTRY, *ALLOWED} and not name.startswith(PLAYED):
                yield name, path.read_text()


def codes_in(text: str) -> set[str]:
    """Return the codes that the strings of a module name, docstrings aside."""
    tree = ast.parse(text)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    )
    return {word for found in strings for word in re.findall(r"[a-z][a-z-]*", found)} & CODES


def test_the_modules_of_games_are_found() -> None:
    assert {"star_star", "double_star_star", "y", "jumping_solitaires"} < MODULES
    assert MODULES.isdisjoint({"position", "registry", "seat"})


def test_no_other_module_names_a_game() -> None:
    found = {name: codes_in(text) for name, text in product_modules()}
    assert {name: codes for name, codes in found.items() if codes} == {}


def test_no_other_module_imports_a_game() -> None:
    found = {name: imported(text) & MODULES for name, text in product_modules()}
    assert {name: modules for name, modules in found.items() if modules} == {}


def test_no_template_decides_by_a_game() -> None:
    pattern = re.compile(rf"""["']({"|".join(GAMES)})["']""")
    found = [
        path.relative_to(ROOT).as_posix()
        for app in APPS
        for path in (ROOT / app).glob("templates/**/*.html")
        if any(pattern.search(tag) for tag in re.findall(r"{%.*?%}", path.read_text()))
    ]
    assert found == []


@pytest.mark.parametrize("name", ALLOWED)
def test_each_exception_is_needed(name: str) -> None:
    assert codes_in((ROOT / name).read_text())
