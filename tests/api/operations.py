"""Every operation of the API, from the URL configuration: its method and its address.

An address is relative to `/api/v1/`, with parameters in braces, as in `tournaments/{slug}/byes`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver
from django.views import View

from games.core.actions import Action
from games.core.views import action_of
from tests.processes import ROOT

METHODS = ("get", "post", "put", "patch", "delete")
BRACES = re.compile(r"\{[^}]*\}")
SUFFIX = re.compile(r"<drf_format_suffix\w*:format>$|\\\.\(\?P<format>.*$")
"""The end of the pattern of an address with a suffix."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of an address, which may end with a suffix, and the view that responds."""

    method: str
    base: str
    suffix: str
    view: type[View]

    def __str__(self) -> str:
        """Return the name of the operation, which is the same with every suffix."""
        return f"{self.method} {self.base}"

    @property
    def address(self) -> str:
        return self.base + self.suffix

    @property
    def is_read(self) -> bool:
        return self.method == "GET"

    @property
    def is_pdf(self) -> bool:
        formats = [each.format for each in self.view.renderer_classes]
        return (self.suffix or f".{formats[0]}") == ".pdf"

    @property
    def action(self) -> Action | None:
        """The action that carries a write out; None for a read."""
        return action_of(self.view, self.method)


@cache
def operations() -> tuple[Operation, ...]:
    """Return the operations by address; an address with suffixes is there with each of them."""
    found = [
        Operation(method.upper(), base, suffix, view)
        for base, suffix, view in _addresses(get_resolver().url_patterns)
        for method in METHODS
        if hasattr(view, method) and not (suffix and method != "get")
    ]
    return tuple(sorted(found, key=lambda operation: (operation.address, operation.method)))


@cache
def _names() -> dict[tuple[str, str], str]:
    """Return the names of the operations in the contract, by method and address."""
    lines = (ROOT / "tests/api/data/operations.txt").read_text().splitlines()
    rows = (line.split() for line in lines)
    return {
        (method, BRACES.sub("{}", path.removeprefix("/api/v1").lstrip("/"))): name
        for method, path, name in rows
    }


def name_of(method: str, route: str) -> str:
    """Return the name of the operation of a request, by the pattern of its address."""
    base = _with_parameters(SUFFIX.sub("", route.removeprefix("api/v1").lstrip("/")))
    return _names()[method, BRACES.sub("{}", base)]


def _addresses(
    patterns: list[URLPattern | URLResolver], prefix: str = ""
) -> Iterator[tuple[str, str, type[View]]]:
    """Yield the addresses of the API and their suffixes, with their views."""
    for pattern in patterns:
        text = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _addresses(pattern.url_patterns, text)
        elif text.startswith("api/v1/") and pattern.callback.cls.schema is not None:
            view = pattern.callback.cls
            base = _with_parameters(SUFFIX.sub("", text.removeprefix("api/v1/")))
            formats = [f".{each.format}" for each in view.renderer_classes]
            for suffix in formats if SUFFIX.search(text) else [""]:
                yield base, suffix, view


def _with_parameters(pattern: str) -> str:
    """Return a URL pattern with parameters in braces."""
    text = pattern.removeprefix("^").removesuffix("$").replace(r"\.", ".")
    return re.sub(r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>", r"{\1\2}", text)
