"""Answers that a function builds as a dict: the TypedDict that it returns is their description.

A text with which a member is `Annotated` describes it, a dict completes its schema; a `NotRequired`
one may be absent, a docstring describes the object.
"""

from collections.abc import Callable
from functools import cache, partial, reduce
from inspect import cleandoc
from operator import or_
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    NotRequired,
    Required,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import (
    ResolvedComponent,
    build_array_type,
    build_object_type,
    resolve_type_hint,
)
from rest_framework.serializers import BaseSerializer

hints_of = partial(get_type_hints, include_extras=True)
typed_dict: Any = TypedDict
PLAIN: Final[dict[Any, dict[str, Any]]] = {
    Any: {},
    NoneType: {"type": "null"},
    float: {"type": "number"},  # without a format: a client with strict types reads 1, too
}


class TypeSerializer(BaseSerializer[Any]):
    """An answer as it is; `hint` is its type."""

    hint: Any

    def to_representation(self, instance: Any) -> Any:
        return instance


@cache
def described(hint: Any) -> Any:
    """Return what stands for a TypedDict where a serializer is declared; others stay."""
    return type(hint.__name__, (TypeSerializer,), {"hint": hint}) if is_typeddict(hint) else hint


def returned_type(function: Callable[..., Any]) -> Any:
    """Return the TypedDict that a function returns, None if it returns another thing."""
    hint = get_type_hints(function).get("return")
    return hint if is_typeddict(hint) else None


def list_of(row: Any) -> Any:
    """Return what stands for a list of such rows that is always one page."""
    fields = {"next": str | None, "previous": str | None, "results": list[row]}
    return described(typed_dict(f"{row.__name__}List", fields))


def chosen(row: Any) -> Any:
    """Return the type of a row that may lack members, because `fields` chooses them."""
    found = typed_dict(f"Chosen{row.__name__}", hints_of(row), total=False)
    found.__doc__ = row.__doc__
    return found


def with_chosen_rows(table: Any) -> Any:
    """Return what stands for a table with such rows."""
    hints = hints_of(table)
    hints["rows"] = list[chosen(*get_args(hints["rows"]))]  # type: ignore[misc]
    found = typed_dict(f"Chosen{table.__name__}", hints)
    found.__doc__ = table.__doc__
    return described(found)


class TypeExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """The component of a TypedDict, and those of the types that it contains."""

    target_class = TypeSerializer
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: str) -> str:
        """Return the name of the type."""
        name: str = self.target.hint.__name__
        return name

    def get_identity(self, auto_schema: AutoSchema, direction: str) -> Any:
        """Return the name: as one of its own and inside another, a type is one component."""
        return self.get_name(auto_schema, direction)

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        """Return the schema of the type; register those of the types in it."""
        objects = schemas_of(self.target.hint)
        own: dict[str, Any] = objects.pop(self.get_name(auto_schema, direction))
        for name, schema in objects.items():
            kind = ResolvedComponent.SCHEMA
            inner = ResolvedComponent(name, kind, schema, name)  # type: ignore[no-untyped-call]
            auto_schema.registry.register_on_missing(inner)
        return own


def schemas_of(described_type: Any) -> dict[str, Any]:
    """Return the schema of a TypedDict and those of the types that it contains, by name."""
    found: dict[str, Any] = {}
    schema_of(described_type, found)
    return found


def schema_of(hint: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type; add those of the TypedDicts in it to those that are found."""
    origin, args = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        name = hint.__name__
        if name not in found:
            members = {key: schema_of(each, found) for key, each in hints_of(hint).items()}
            text = cleandoc(hint.__doc__ or "")
            found[name] = build_object_type(members, hint.__required_keys__, text)
        return {"$ref": f"#/components/schemas/{name}"}
    if origin is Annotated:
        notes = [{"description": each} if isinstance(each, str) else each for each in args[1:]]
        return reduce(or_, notes, schema_of(args[0], found))
    if origin in (NotRequired, Required):
        return schema_of(args[0], found)
    if origin in (Union, UnionType):
        return one_of([schema_of(each, found) for each in args])
    if origin is list:
        return build_array_type(schema_of(args[0], found))
    if origin is dict:
        values = schema_of(args[1], found)
        return {"type": "object"} | ({"additionalProperties": values} if values else {})
    if hint in PLAIN:
        return {**PLAIN[hint]}
    schema: dict[str, Any] = resolve_type_hint(hint)  # type: ignore[no-untyped-call]
    schema.pop("description", None)
    return schema


def one_of(alternatives: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of a union; null is one of the types where the other one has a type."""
    first, *others = alternatives
    if others != [{"type": "null"}] or "type" not in first:
        return {"oneOf": alternatives}
    values = {"enum": [*first["enum"], None]} if "enum" in first else {}
    return first | {"type": [first["type"], "null"]} | values
