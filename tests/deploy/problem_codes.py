"""The codes of problems in the source: where errors are raised, and in fields."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from rest_framework import exceptions
from rest_framework.serializers import Serializer
from rest_framework.validators import UniqueValidator

from games.core.serializers import ModelSerializer
from games.rules.errors import Code
from tests.processes import ROOT
from tournament.pairing.findings import FindingCode

APPS = ("games", "ratings", "tournament", "deploy")
RAISED: Final = re.compile(
    r"\b(?:ApiError|Unprocessable|Conflict|Forbidden|NotFound|BadRequest|InvalidLines)"
    r'\(\s*"([a-z_]+)"'
)
"""An error raised with its code; those raised otherwise are seen in answers (`tests.people`)."""
LITERAL: Final = re.compile(r'"([a-z][a-z0-9_-]+)"')
FAMILY: Final = "unknown_"
"""What codes begin with that end with the name of a parameter (`unknown_key`)."""

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


def raised_codes() -> set[str]:
    """Return the codes of the errors that the modules of the apps raise by name."""
    return set(RAISED.findall(_source()))


def is_mentioned(code: str) -> bool:
    """Return True if a module of the apps has the code as a text."""
    literals = set(LITERAL.findall(_source()))
    return code in literals or code.removeprefix(FAMILY) in literals


@cache
def _source() -> str:
    files = (path for app in APPS for path in sorted((ROOT / app).rglob("*.py")))
    return "\n".join(path.read_text("utf-8") for path in files)


def field_codes() -> set[str]:
    """Return the codes of the errors of all serializers' fields."""
    for app in APPS[:3]:
        folder = Path(ROOT / app)
        for module in pkgutil.walk_packages([str(folder)], f"{app}."):
            if ".serializers" in module.name:
                importlib.import_module(module.name)
    codes: set[str] = set()
    for serializer in _subclasses(Serializer):
        if serializer.__module__.startswith(APPS) and serializer is not ModelSerializer:
            _add_codes(serializer(), codes)
    return codes - {"make_aware"}  # of a time without an offset, which is refused before


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
