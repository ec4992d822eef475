"""The codes of problems in the source: where an error is raised, in tables of codes, in fields.

The code of an error is a string literal at the place where it is raised, or it is passed on from
another error. So reading the source finds every code.
"""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rest_framework import exceptions
from rest_framework.serializers import Serializer
from rest_framework.validators import UniqueValidator

from games.rules.errors import Code
from tests.processes import ROOT
from tournament.pairing.findings import FindingCode

APPS = ("games", "ratings", "tournament", "deploy")
PURE = ("games/rules/", "ratings/systems/", "tournament/pairing/", "tournament/standings/",
        "tournament/trf/", "deploy/demo/", "deploy/client/")  # fmt: skip
"""Folders whose code raises no problems."""

ERRORS = ("ApiError", "Unprocessable", "Conflict", "Forbidden", "NotFound", "BadRequest")
RAISERS = dict.fromkeys(ERRORS, 0) | {
    "Busy": 0, "InvalidLines": 0, "refuse_change": 0, "MatchProblem": 0, "_unreadable": 0,
    "_error": 0, "_wrong_parameter": 0,
    "problem_response": 1, "problem_body": 1, "_fail": 1, "problem_for": 2, "bundle_error": 2,
    "add": 3,
}  # fmt: skip
"""What is called with the code of a problem, and the place of the code among the arguments."""

FAMILIES = {
    "unknown_key": (0, "unknown_"),
}
"""What is called with a name that the code ends with: the place of the name, and the beginning."""

MENTIONED = re.compile(
    rf"\b({'|'.join([*RAISERS, *FAMILIES])}|AuthenticationFailed|(default_)?code|[45]\d\d)\b"
)
"""What a module that raises a problem contains; the others are not read."""

NODES = (ast.Assign, ast.Call, ast.ClassDef, ast.Dict, ast.FunctionDef, ast.Tuple)
"""What of a module can contain a code."""

FRAMEWORK = (
    exceptions.AuthenticationFailed,
    exceptions.MethodNotAllowed,
    exceptions.NotFound,
    exceptions.ParseError,
    exceptions.Throttled,
    exceptions.UnsupportedMediaType,
)
BROKEN_RULES = (
    FindingCode.UNKNOWN_PLAYER, FindingCode.PLAYER_TWICE, FindingCode.NO_BYE,
    FindingCode.NO_SUCH_ROUND, FindingCode.PLAYER_MISSING, FindingCode.PLAYER_ABSENT,
    FindingCode.SEVERAL_BYES, FindingCode.REMATCH, FindingCode.SECOND_BYE, FindingCode.SAME_SEATS,
    FindingCode.FORBIDDEN_PAIRS,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RaisedCodes:
    """The codes of the source with a place of each, and the places that pass a code on."""

    codes: dict[str, str]
    passed_on: set[str]


@cache
def read_sources() -> RaisedCodes:
    """Return what the modules of the apps raise."""
    found = RaisedCodes({}, set())
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            place = str(path.relative_to(ROOT))
            if not place.startswith(PURE) and MENTIONED.search(text := path.read_text("utf-8")):
                _read_module(ast.parse(text), place, found)
    return found


def _read_module(tree: ast.Module, place: str, found: RaisedCodes) -> None:
    constants, examples = _constants(tree), set(_parts_of_examples(tree))
    for node in filter(lambda node: isinstance(node, NODES), ast.walk(tree)):
        if node in examples:
            continue
        for codes in _codes_at(node, constants):
            if codes is None:
                found.passed_on.add(place)
            else:
                found.codes.update(dict.fromkeys(codes, f"{place}:{getattr(node, 'lineno', 0)}"))


def _parts_of_examples(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the parts of the examples of bodies, whose member `code` is not one of a problem."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "example":
            yield from ast.walk(node.value)


def _constants(tree: ast.Module) -> dict[str, str]:
    """Return the texts of a module's constants by name."""
    named: dict[str, str] = {}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        value = getattr(node, "value", None)
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            named |= {target.id: value.value for target in targets if isinstance(target, ast.Name)}
    return named


def _codes_at(node: ast.AST, constants: dict[str, str]) -> Iterator[list[str] | None]:
    """Yield the codes at a node of the source; None where the code of another error is passed."""
    match node:
        case ast.Call():
            yield from _codes_of_call(node, constants)
        case ast.ClassDef():
            yield from _codes_of_class(node, constants)
        case ast.FunctionDef(name=name) if name in RAISERS:
            defaults = [*node.args.defaults, *node.args.kw_defaults]
            texts = [_texts(value, constants) for value in defaults if value is not None]
            yield [text for found in texts for text in found or [] if text]
        case ast.Dict():
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "code":
                    yield _texts(value, constants) or []
        case ast.Tuple(elts=[ast.Constant(value=int(status)), ast.Constant(value=str(code)), *_]):
            yield [code] if 400 <= status < 600 and "/" not in code else []
        case ast.Assign(targets=[ast.Name(id="code")]):
            yield _texts(node.value, constants) or []


def _codes_of_call(node: ast.Call, constants: dict[str, str]) -> Iterator[list[str] | None]:
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    keyword = next((given.value for given in node.keywords if given.arg == "code"), None)
    if name in FAMILIES:
        place, start = FAMILIES[name]
        texts = _texts(node.args[place], constants)
        yield None if texts is None else [start + text for text in texts]
    elif name in RAISERS:
        place = RAISERS[name]
        given = node.args[place] if len(node.args) > place else keyword
        if given is not None and not any(isinstance(arg, ast.Starred) for arg in node.args):
            yield _texts(given, constants)
    elif name in ("AuthenticationFailed", "ValidationError") and keyword is not None:
        yield _texts(keyword, constants)


def _codes_of_class(node: ast.ClassDef, constants: dict[str, str]) -> Iterator[list[str] | None]:
    """Yield the code that a class of errors passes to its base class, and its default."""
    is_error = {ast.unparse(base) for base in node.bases} & set(ERRORS)
    for inner in ast.walk(node):
        match inner:
            case ast.Assign(targets=[ast.Name(id="default_code"), *_]):
                yield _texts(inner.value, constants)
            case ast.Call(func=ast.Attribute(value=ast.Call(), attr="__init__")) if is_error:
                yield _texts(inner.args[0], constants)


def _texts(node: ast.expr, constants: dict[str, str]) -> list[str] | None:
    """Return the texts that an expression can be; None if that is not known from the module."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=first, orelse=second):
            texts = [_texts(first, constants), _texts(second, constants)]
            return None if None in texts else [text for found in texts for text in found or []]
        case ast.Name(id=name) if name in constants:
            return [constants[name]]
        case _:
            return None


def field_codes() -> set[str]:
    """Return the codes of the errors of all serializers' fields."""
    for app in APPS[:3]:
        folder = Path(ROOT / app)
        for module in pkgutil.walk_packages([str(folder)], f"{app}."):
            if ".serializers" in module.name:
                importlib.import_module(module.name)
    codes: set[str] = set()
    for serializer in _subclasses(Serializer):
        if serializer.__module__.startswith(APPS):
            _add_codes(serializer(), codes)
    return codes


def _subclasses(base: type[Any]) -> Iterator[type[Any]]:
    for found in base.__subclasses__():
        yield found
        yield from _subclasses(found)


def _add_codes(field: Any, codes: set[str]) -> None:
    """Add the codes of a field that is written, and of what is in it."""
    codes.update(field.error_messages)
    codes.update(found.code for found in field.validators if hasattr(found, "code"))
    codes.update("unique" for found in field.validators if isinstance(found, UniqueValidator))
    if getattr(field, "child", None) is not None:
        _add_codes(field.child, codes)
    for inner in getattr(field, "fields", {}).values():
        if not inner.read_only:
            _add_codes(inner, codes)


def other_codes() -> set[str]:
    """Return the codes of records and of pairings set by hand, and those of the framework."""
    return (
        {code.value for code in Code}
        | {code.value for code in BROKEN_RULES}
        | {error.default_code for error in FRAMEWORK}
    )
