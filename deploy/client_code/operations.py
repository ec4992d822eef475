"""The functions of the client: one for each operation, in one module for each tag."""

import keyword
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from deploy.client_code.types import expression

METHODS = ("get", "post", "put", "patch", "delete")
PREFIX = "/api/v1"
JSON = "application/json"
DEFAULT_TAG = "service"
"""The module of operations without a tag: the index of the API."""

OPERATIONS_HEADER = '''"""Requests below `{path}`. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Any, Literal

from .. import types
from ..operation import Listing, Operation, path_of

'''
KEY = "Idempotency-Key"
SENT_BY_HTTPX = ("Prefer", "Last-Event-ID")


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a function: its name there and in the request, and its type."""

    name: str
    sent_as: str
    kind: str


def operation_modules(schema: Mapping[str, Any]) -> dict[str, str]:
    """Return the modules of functions by name."""
    functions: dict[str, list[str]] = defaultdict(list)
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                operation = methods[method]
                tag = operation.get("tags", [DEFAULT_TAG])[0].replace("-", "_")
                text = _function(schema, method, path.removeprefix(PREFIX), operation)
                functions[tag].append(text)
    return {
        tag: OPERATIONS_HEADER.format(
            path=f"/{tag.replace('_', '-')}" if tag != DEFAULT_TAG else "/"
        )
        + "\n\n".join(texts)
        for tag, texts in functions.items()
    }


def _function(
    schema: Mapping[str, Any], method: str, path: str, operation: Mapping[str, Any]
) -> str:
    """Return a function that describes a request."""
    by_place: dict[str, list[Argument]] = defaultdict(list)
    for parameter in operation.get("parameters", ()):
        if parameter["name"] not in SENT_BY_HTTPX:
            kind = expression(parameter.get("schema", {}), "types.")
            by_place[parameter["in"]].append(
                Argument(_identifier(parameter["name"]), parameter["name"], kind)
            )
    in_path = by_place["path"]
    in_path.sort(key=lambda item: path.index(f"{{{item.sent_as}}}"))
    body, content_type = _body(operation)
    named = [*by_place["query"], *by_place["header"]]
    returned, row = _returned(schema, operation)
    kind = f"Listing[{returned}, {row}]" if row else f"Operation[{returned}]"
    signature = [f"{item.name}: {item.kind}" for item in in_path]
    signature += [f"body: {body}"] if body else []
    signature += ["*"] if named else []
    signature += [f"{item.name}: {_optional(item.kind)} = None" for item in named]
    values = "".join(f", {item.name}={item.name}" for item in in_path)
    lines = [
        f"def {operation['operationId']}({', '.join(signature)}) -> {kind}:",
        f'    """{_summary(operation)}"""',
        f"    return {kind.partition('[')[0]}(",
        f'        "{method.upper()}",',
        f'        path_of("{path}"{values}),' if values else f'        "{path}",',
    ]
    for place in ("query", "header"):
        if found := by_place[place]:
            pairs = ", ".join(f'"{item.sent_as}": {item.name}' for item in found)
            lines.append(f"        {'query' if place == 'query' else 'headers'}={{{pairs}}},")
    lines += ["        body=body,"] if body else []
    lines += [f"        content_type={content_type},"] if content_type else []
    takes_key = any(item.sent_as == KEY for item in by_place["header"])
    lines += ["        takes_key=True,"] if takes_key else []
    return "\n".join([*lines, "    )", ""])


def _summary(operation: Mapping[str, Any]) -> str:
    """Return the first paragraph of a description, as the text of a docstring."""
    text = " ".join(operation.get("description", operation["operationId"]).split("\n\n")[0].split())
    lines = wrap(text.replace('"', "'").replace("\\", "\\\\"), 90)
    return lines[0] if len(lines) == 1 else "\n    ".join(lines) + "\n    "


def _identifier(name: str) -> str:
    text = name.replace("-", "_").lower()
    return f"{text}_" if keyword.iskeyword(text) or text == "body" else text


def _optional(kind: str) -> str:
    return kind if kind == "Any" else f"{kind} | None"


def _body(operation: Mapping[str, Any]) -> tuple[str, str]:
    """Return the type of the body and the expression of its media type, empty for JSON only."""
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        return "", ""
    text_types = [name for name in content if name != JSON]
    if JSON not in content:
        return "str | bytes", f'"{text_types[0]}"'
    kind = expression(content[JSON]["schema"], "types.")
    if not operation["requestBody"].get("required"):
        kind = f"{kind} | None = None" if not text_types else kind
    if not text_types:
        return kind, ""
    return f"{kind} | str", f'"{text_types[0]}" if isinstance(body, str) else ""'


def _returned(schema: Mapping[str, Any], operation: Mapping[str, Any]) -> tuple[str, str]:
    """Return the type of the body of a success, and that of a row if it is a page of a list."""
    found = []
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            content = response.get("content", {})
            kind = content.get(JSON) or next(iter(content.values()), {"schema": {"type": "null"}})
            found.append(expression(kind["schema"], "types."))
    kinds = list(dict.fromkeys(found))
    page = schema["components"]["schemas"].get(kinds[0].removeprefix("types."), {})
    members = page.get("properties", {})
    is_page = len(kinds) == 1 and {"next", "results"} <= members.keys()
    row = expression(members["results"]["items"], "types.") if is_page else ""
    return " | ".join(kinds), row
