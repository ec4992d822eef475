"""Answers that a function builds as a dict: the TypedDict that it returns is their description.

The schema of a type is the one that msgspec makes: an `Annotated` member has its description in
`Meta`, a `NotRequired` one may be absent, a docstring describes the object.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache, partial
from typing import Annotated, Any, TypedDict, get_args, get_type_hints, is_typeddict

import msgspec
from django.db.models import Choices
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, build_choice_field
from rest_framework.serializers import BaseSerializer, ChoiceField

hints_of = partial(get_type_hints, include_extras=True)
typed_dict: Any = TypedDict
Time = Annotated[datetime, msgspec.Meta(tz=True)]
"""A time with an offset, which has a format in the description."""
REFERENCE = "#/components/schemas/{name}"


class TypeSerializer(BaseSerializer[Any]):
    """An answer as it is; `hint` is its type."""

    hint: Any

    def to_representation(self, instance: Any) -> Any:
        return instance


@cache
def described(hint: Any) -> Any:
    """Return what stands for a TypedDict where a serializer is declared; others stay."""
    return type(hint.__name__, (TypeSerializer,), {"hint": hint}) if is_typeddict(hint) else hint


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
    _, found = msgspec.json.schema_components([described_type], ref_template=REFERENCE)
    known = {tuple(sorted(each.values)): each for each in choices_in(described_type)}
    enums = {
        REFERENCE.format(name=name): choice_schema(each["enum"], known)
        for name, each in found.items()
        if "enum" in each
    }
    return {name: in_form(each, enums) for name, each in found.items() if "enum" not in each}


def choices_in(hint: Any) -> Iterator[type[Choices]]:
    """Yield the choices with labels that a type contains."""
    if is_typeddict(hint):
        for member in get_type_hints(hint).values():
            yield from choices_in(member)
    elif isinstance(hint, type) and issubclass(hint, Choices):
        yield hint
    for inner in get_args(hint):
        yield from choices_in(inner)


def choice_schema(values: list[str], known: Mapping[tuple[str, ...], type[Choices]]) -> Any:
    """Return the schema of a choice, that of a field with these choices if they have labels."""
    labelled = known.get(tuple(values))
    found = build_choice_field(ChoiceField(labelled.choices if labelled else values))
    found.pop("description", None)
    return found


def in_form(schema: Any, enums: Mapping[str, Any]) -> Any:
    """Return a schema in the form of those of serializers.

    It has no title, null is one of the types, and a choice stands where it is used: a later step
    gives it the name that it has everywhere.
    """
    if isinstance(schema, list):
        return [in_form(each, enums) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        name: each
        for name, each in schema.items()
        if each != [] and not (name == "title" and isinstance(each, str))
    }
    found = {name: in_form(each, enums) for name, each in kept.items()}
    if choice := enums.get(found.get("$ref", "")):
        del found["$ref"]
        return found | choice
    if "enum" in found:
        return {"type": "string", **found}
    alternatives = found.get("anyOf", [])
    if alternatives[1:] == [{"type": "null"}] and "type" in alternatives[0]:
        del found["anyOf"]
        found |= {**alternatives[0], "type": [alternatives[0]["type"], "null"]}
        if "enum" in found:
            found["enum"] = [*found["enum"], None]
    elif alternatives:
        found["oneOf"] = found.pop("anyOf")
    return found
