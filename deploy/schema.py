"""OpenAPI: what cannot be derived from the views.

This is how a client authenticates, that a record is text or an object, and that every operation
may return a problem. The setting DEFAULT_SCHEMA_CLASS names `ApiSchema`, so this module and its
extensions are always loaded first.
"""

from typing import Any

from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerFieldExtension,
)
from drf_spectacular.openapi import AutoSchema

from deploy.schema_components import (
    DRY_RUN,
    FIELD_REFERENCES,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    IF_NONE_MATCH,
    NOT_MODIFIED,
    PROBLEM_SCHEMA,
    RATE_LIMIT_FIELDS,
)
from deploy.schema_formats import select_format
from deploy.schema_problems import problem_components, problem_references, problem_statuses
from games.http.etags import TYPES_WITHOUT_ETAG


class ApiSchema(AutoSchema):
    """The description of DRF views, including the problems that each may return."""

    def get_operation_id(self) -> str:
        """Return the name of an operation that has none, as `open_tournament` and `games`.

        An action is a word after the object that it changes; a list has the name of its rows.
        """
        words = [word for word in self.path.replace("-", "_").split("/") if word]
        names = [word for word in words if "{" not in word]
        if self.method == "POST" and len(words) > 1 and "{" in words[-2]:
            return f"{words[-1]}_{singular(names[-2])}"
        if self.method == "GET" and self._is_list_view():
            return names[-1]
        return super().get_operation_id().replace(".", "_")

    def get_tags(self) -> list[str]:
        """Return the first word of the address, without a suffix."""
        return [tag.partition(".")[0] for tag in super().get_tags()]

    def get_auth(self) -> list[dict[str, Any]]:
        """Return how a caller may authenticate; the empty object marks what is public."""
        required: list[dict[str, Any]] = super().get_auth()
        is_public = getattr(self.view, "is_public", self.method == "GET")
        return [{}, *required] if is_public else required

    def get_override_parameters(self) -> list[Any]:
        """Return the parameters that every operation of this kind has."""
        writes = self.method != "GET" and not getattr(self.view, "is_read_only", False)
        if self.method == "GET":
            return [*super().get_override_parameters(), IF_NONE_MATCH]
        of_writes = [DRY_RUN, *([IDEMPOTENCY_KEY] if self.method == "POST" else [])]
        if self.method != "DELETE" and getattr(self.view, "has_precondition", False):
            of_writes.append(IF_MATCH)
        return [*super().get_override_parameters(), *(of_writes if writes else [])]

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """Return an operation, None for one that is not described."""
        operation = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        responses = {
            status: response | {"headers": response.get("headers", {}) | FIELD_REFERENCES}
            for status, response in operation["responses"].items()
        }
        for response in responses.values():
            if "content" in response:
                response["content"] = select_format(self.path, response["content"])
        if self.method == "GET" and has_tag(self.view, responses):
            responses["304"] = NOT_MODIFIED
        elif self.method == "GET":
            others = [each for each in operation["parameters"] if each["name"] != "If-None-Match"]
            operation["parameters"] = others
        if body := operation.get("requestBody"):
            body["required"] = body.get("required", False) or is_file(body["content"])
        problems = problem_statuses(self.view, self.method, self.path, operation)
        operation["responses"] = problem_references(problems) | responses
        return operation


def has_tag(view: Any, responses: dict[str, Any]) -> bool:
    """Return True if a read is answered with a tag, in one of its formats."""
    content = responses["200"].get("content", {})
    is_streamed = getattr(view, "is_streamed", False)
    return not is_streamed and any(not name.startswith(TYPES_WITHOUT_ETAG) for name in content)


def is_file(content: dict[str, Any]) -> bool:
    """Return True if every form of a body is a file, which a request cannot omit."""
    return all(form["schema"].get("format") == "binary" for form in content.values())


def singular(collection: str) -> str:
    """Return the name of one row of a collection: `entry` of `entries`."""
    endings = {"ies": "y", "ches": "ch", "s": ""}
    ending = next(ending for ending in endings if collection.endswith(ending))
    return collection.removesuffix(ending) + endings[ending]


def add_shared_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the problem, the fields of every response and the problem responses to the components."""
    components = result["components"]
    components.setdefault("schemas", {})["Problem"] = PROBLEM_SCHEMA
    components["headers"] = RATE_LIMIT_FIELDS
    components["responses"] = problem_components()
    return result


def close_request_objects(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add `additionalProperties: false` to the objects of request bodies: others are refused."""
    schemas = result["components"]["schemas"]
    operations = [item for path in result["paths"].values() for item in path.values()]
    found = [item["requestBody"] for item in operations if "requestBody" in item]
    names: set[str] = set()
    while found:
        value = found.pop()
        if isinstance(value, list):
            found += value
        elif isinstance(value, dict):
            name = str(value.get("$ref", "")).rpartition("/")[2]
            found += value.values()
            if name in schemas and name not in names:
                names.add(name)
                found.append(schemas[name])
                if "properties" in schemas[name]:
                    schemas[name].setdefault("additionalProperties", False)
    return result


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Authentication with a token."""

    target_class = "games.accounts.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return the security scheme."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "peri_..."}


class PasswordScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Authentication with email and password, to create a token."""

    target_class = "games.accounts.authentication.PasswordAuthentication"
    name = "password"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return the security scheme."""
        return {"type": "http", "scheme": "basic"}


class RecordFieldSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """The record of a game, as text or as JSON."""

    target_class = "games.serializers.fields.RecordField"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        """Return the schema of both forms."""
        return {"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": True}]}
