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
from drf_spectacular.utils import OpenApiParameter

PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "A problem (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong, and what would be correct."},
        "code": {
            "type": "string",
            "description": (
                "A stable code, for programs. The web server itself uses `unreadable` (400),"
                " `request_timeout` (408), `headers_too_large` (431), `busy` (503)."
            ),
        },
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "pointer": {"type": "string", "description": "JSON pointer (RFC 6901)"},
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                    "nearest": {
                        "type": "string",
                        "description": "the known name nearest to an unknown one",
                    },
                    "ply": {"type": "integer"},
                    "move": {"type": "string"},
                    "cell": {"type": "string"},
                    "line": {"type": "integer"},
                    "column": {"type": "integer"},
                },
            },
        },
        "valid": {"type": "array", "items": {"type": "string"}},
        "request_id": {"type": "string"},
    },
}
"""The schema of every response that is not a success."""

REJECTED = {
    "description": "The request was rejected; `code` gives the reason.",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
TOO_LARGE = REJECTED | {
    "description": "The body is larger than the limit: 1 MiB, unless another one is documented."
}
BUSY = REJECTED | {
    "description": "The service (`busy`), the database or the PDF renderer is busy.",
    "headers": {
        "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}},
    },
}
FULL = REJECTED | {
    "description": "A disk is full, and `detail` says which one; nothing was changed (`disk_full`)."
}

RATE_LIMIT_FIELDS: dict[str, Any] = {
    "RateLimit-Policy": {
        "description": (
            "The limit of the caller (`anonymous`, `token` or `login`), as in"
            " draft-ietf-httpapi-ratelimit-headers: `q` units in `w` seconds. Most requests cost"
            " one unit; a PDF, an import, an explanation, a pairing and the referee cost more."
        ),
        "schema": {"type": "string"},
        "example": '"token";q=6000;w=60',
    },
    "RateLimit": {
        "description": "The units that remain (`r`), and the seconds until all are back (`t`).",
        "schema": {"type": "string"},
        "example": '"token";r=5990;t=42',
    },
}
"""The header fields of every response, by name."""

FIELD_REFERENCES = {name: {"$ref": f"#/components/headers/{name}"} for name in RATE_LIMIT_FIELDS}

THROTTLED = REJECTED | {
    "description": "The caller has used up the limit of their type; nothing was changed.",
    "headers": BUSY["headers"],
}


DRY_RUN = OpenApiParameter(
    "dry_run",
    bool,
    description=(
        "`1` validates the request and shows its effect, but changes nothing: no row, no journal"
        " line, no task. The ids, addresses and tokens in the response are null or not valid."
    ),
)
"""The parameter of every operation that writes."""

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255},
    OpenApiParameter.HEADER,
    description=(
        "With the same key, address, body and token, a request that succeeded acts once and gets"
        " the same response again for 24 hours (`Idempotent-Replayed: true`); with another"
        " address, body or token, 422 `idempotency_key_reused`; while the first request is not"
        " finished, 409 `idempotency_key_in_use`. `Prefer: wait` has no effect."
    ),
)
"""The parameter of every POST that writes."""


IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="the `ETag` of an earlier response; 304 without a body if it is still current",
)
"""The parameter of every read."""

IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description=(
        "The `ETag` of the object (the tournament, round, pairings, entry or game) that the caller"
        " has read. 412 `stale` if it has changed, with the journal lines since in `changed`; 428"
        " `precondition_required` without it, unless the token has `preconditions: optional`. `*`"
        " overwrites, and is journalled. The response has the next `ETag`."
    ),
)
"""The parameter of directors' writes."""

NOT_MODIFIED = {"description": "The caller has the current representation (`If-None-Match`)."}


class ApiSchema(AutoSchema):
    """The description of DRF views, including the problems that each may return."""

    def get_operation_id(self) -> str:
        """Return an id that code generators accept: a suffix contains a dot."""
        return super().get_operation_id().replace(".", "_")

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
        if operation is not None:
            large = {"413": TOO_LARGE} if "requestBody" in operation else {}
            unchanged = {"304": NOT_MODIFIED} if self.method == "GET" else {}
            problems = {
                **unchanged,
                **large,
                "429": THROTTLED,
                "4XX": REJECTED,
                "503": BUSY,
                "507": FULL,
            }
            operation["responses"] = {
                status: response | {"headers": response.get("headers", {}) | FIELD_REFERENCES}
                for status, response in (operation["responses"] | problems).items()
            }
        return operation


def add_shared_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the schema of a problem, and the fields of every response, to the components."""
    result["components"].setdefault("schemas", {})["Problem"] = PROBLEM
    result["components"]["headers"] = RATE_LIMIT_FIELDS
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
