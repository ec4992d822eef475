"""The components of bodies and answers: those of serializers, and those of types."""

from copy import deepcopy
from functools import reduce
from inspect import cleandoc
from operator import or_
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    is_typeddict,
)

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import (
    ComponentRegistry,
    ResolvedComponent,
    build_array_type,
    build_object_type,
    resolve_type_hint,
)
from rest_framework.serializers import Serializer

from games.core.types import TRIED, TypeSerializer, WrittenSerializer, hints_of

PLAIN: Final[dict[Any, dict[str, Any]]] = {
    Any: {},
    NoneType: {"type": "null"},
    float: {"type": "number"},  # without a format: a client with strict types reads 1, too
}


class ObjectExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """A body has no other members than those that are described, and an answer has all of them.

    `Meta.may_be_absent` names what an answer may lack.
    """

    target_class: Any = Serializer
    match_subclasses = True
    priority = -2  # after that of alternatives

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        """Return the schema of a body, or of an answer."""
        self.target_class = self.target
        schema: dict[str, Any] = super().map_serializer(auto_schema, direction)
        if direction == "request":
            if type(self.target)().partial:
                schema.pop("required", None)
            return {"additionalProperties": False} | schema
        absent = getattr(getattr(self.target, "Meta", None), "may_be_absent", ())
        return schema | {"required": sorted(schema["properties"].keys() - {*absent})}


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

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        """Return the schema of the type; register those of the types in it."""
        objects = schemas_of(self.target.hint)
        own: dict[str, Any] = objects.pop(self.get_name(auto_schema, direction))
        for name, schema in objects.items():
            kind = ResolvedComponent.SCHEMA
            inner = ResolvedComponent(name, kind, schema, name)  # type: ignore[no-untyped-call]
            auto_schema.registry.register_on_missing(inner)
        return own


class WrittenExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """The component of the answer of a write: that of its object, and `dry_run`."""

    target_class = WrittenSerializer
    match_subclasses = True
    priority = 1

    def get_name(self, auto_schema: AutoSchema, direction: str) -> str:
        """Return the name of the object as it is written, or as it is made."""
        name: str = self.target.hint.__name__
        return f"{name.removesuffix('Serializer')}{'Made' if self.target.made else 'Written'}"

    def get_identity(self, auto_schema: AutoSchema, direction: str) -> Any:
        """Return the name: the same object of two writes is one component."""
        return self.get_name(auto_schema, direction)

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        """Return the schema of the object, where what only the write makes is optional."""
        inner = OpenApiSerializerExtension.get_match(self.target.hint())
        assert inner is not None
        schema = inner.map_serializer(auto_schema, direction)
        schema["properties"]["dry_run"] = {"type": "boolean", "description": TRIED}
        for path in self.target.made:
            make_optional(auto_schema.registry, schema, path)
        return schema


def make_optional(registry: ComponentRegistry, schema: dict[str, Any], path: str) -> None:
    """Let the member at a path be absent, in a variant of the component that it is in."""
    name, _, rest = path.partition(".")
    if not rest:
        schema["required"] = [each for each in schema["required"] if each != name]
        return
    place = schema["properties"][name]
    place = place.get("items", place)
    variant = deepcopy(registry[place["$ref"].rpartition("/")[2], ResolvedComponent.SCHEMA])
    variant.name = variant.object = f"{variant.name}Made"
    make_optional(registry, variant.schema, rest)
    registry.register_on_missing(variant)
    place["$ref"] = variant.ref["$ref"]


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
