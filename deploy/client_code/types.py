"""The types of the client: one TypedDict or alias for each schema of the API's description."""

import keyword
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

TYPES_HEADER = '''"""The JSON of requests and responses. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
'''
PYTHON_TYPES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}


def types_module(schemas: Mapping[str, Schema]) -> str:
    """Return the module with all types; an alias may name a type that comes later."""
    names = sorted(schemas)
    aliases = [_alias(name, schemas[name]) for name in names if not _is_object(schemas[name])]
    classes = [_typed_dict(name, schemas[name]) for name in names if _is_object(schemas[name])]
    return "\n".join([TYPES_HEADER, *aliases, "", *classes])


def expression(schema: Schema, prefix: str = "") -> str:
    """Return the type of a value; `prefix` stands before the names of other types."""
    if "$ref" in schema:
        return prefix + str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return f"Literal[{', '.join(repr(value) for value in values)}]"
    for word in ("allOf", "oneOf", "anyOf"):
        if word in schema:
            return _union([expression(item, prefix) for item in schema[word]])
    kinds = schema.get("type", "any")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return _union([_of_kind(kind, schema, prefix) for kind in kinds])


def _of_kind(kind: str, schema: Schema, prefix: str) -> str:
    if kind == "array":
        return f"list[{expression(schema.get('items', {}), prefix)}]"
    if kind == "object":
        values = schema.get("additionalProperties")
        inner = expression(values, prefix) if isinstance(values, dict) else "Any"
        return f"dict[str, {inner}]"
    if kind == "string" and schema.get("format") == "binary":
        return "bytes"
    return PYTHON_TYPES.get(kind, "Any")


def _union(types: list[str]) -> str:
    found = list(dict.fromkeys(types))
    return "Any" if "Any" in found else " | ".join(found)


def _is_object(schema: Schema) -> bool:
    return "properties" in schema


def _alias(name: str, schema: Schema) -> str:
    """Return an alias; one that names types is text, because they may come later."""
    kind = expression(schema)
    is_literal = kind.startswith("Literal[") and "]" not in kind[:-1]
    return f"{name}: TypeAlias = {kind if is_literal else repr(kind)}"


def _typed_dict(name: str, schema: Schema) -> str:
    required = set(schema.get("required", ()))
    members = {
        member: expression(value) if member in required else f"NotRequired[{expression(value)}]"
        for member, value in schema["properties"].items()
    }
    if all(member.isidentifier() and not keyword.iskeyword(member) for member in members):
        lines = [f"    {member}: {kind}" for member, kind in members.items()]
        return "\n".join([f"class {name}(TypedDict):", *lines, "", ""])
    lines = [f'    "{member}": "{kind}",' for member, kind in members.items()]
    return "\n".join([f'{name} = TypedDict("{name}", {{', *lines, "})", ""])
