"""One name stands for one thing: no two classes, and no two constants of different values."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRODUCT = ("deploy", "games", "ratings", "tournament")
# Generated, with the names of the API, or used by Django by their names.
NOT_CHECKED = ("migrations", "client")
USED_BY_DJANGO = {"Command", "SECRET_KEY"}


def assigned(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names of a statement with their values."""
    match statement:
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            for target, value in zip(names, values, strict=True):
                if isinstance(target, ast.Name):
                    yield target.id, value


def named_things(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the meaning of each class and each constant of a module."""
    for statement in ast.parse(path.read_bytes()).body:
        if isinstance(statement, ast.ClassDef):
            yield statement.name, f"class of {path.relative_to(ROOT)}"
        for name, value in assigned(statement):
            is_type = isinstance(value, ast.Call) and ast.unparse(value.func).endswith("Var")
            if name.isupper() and not is_type:
                yield name, ast.unparse(value)


def test_a_name_stands_for_one_thing() -> None:
    meanings = defaultdict(set)
    for folder in PRODUCT:
        for path in (ROOT / folder).rglob("*.py"):
            if not set(NOT_CHECKED) & set(path.relative_to(ROOT).parts):
                for name, meaning in named_things(path):
                    meanings[name].add(meaning)

    assert len(meanings) > 2000
    several = {name: sorted(found) for name, found in meanings.items() if len(found) > 1}
    assert several.keys() <= USED_BY_DJANGO, several
