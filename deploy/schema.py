"""What the API's description (OpenAPI) cannot read off the views by itself.

How one logs in, that a record is text or an object, and that every call may answer with a problem.
The settings name `Description`, so this module, and its extensions with it, is always loaded first.
"""

from typing import Any

from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerFieldExtension,
)
from drf_spectacular.openapi import AutoSchema

PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "A problem (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what is wrong, and what would be right"},
        "code": {"type": "string", "description": "stable; for programs"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "pointer": {"type": "string", "description": "JSON pointer (RFC 6901)"},
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
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
"""The shape of every answer that is not a success."""

REFUSED = {
    "description": "The request was refused; `code` says why.",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}


TOO_LARGE = REFUSED | {
    "description": "The body is larger than is taken here: 1 MiB, if nothing else is said."
}
BUSY = REFUSED | {
    "description": "The database, or the press of the sheets, is busy: nothing was changed.",
    "headers": {
        "Retry-After": {"description": "seconds", "schema": {"type": "integer"}},
    },
}


class Description(AutoSchema):
    """DRF's views as OpenAPI, with the refusals that each of them can answer."""

    def get_operation_id(self) -> str:
        """A name that programs can be generated with: no dot of a suffix in it."""
        return super().get_operation_id().replace(".", "_")

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """One operation, None for what is not described."""
        operation = super().get_operation(*args, **kwargs)
        if operation is not None:
            large = {"413": TOO_LARGE} if "requestBody" in operation else {}
            operation["responses"] |= {**large, "4XX": REFUSED, "503": BUSY}
        return operation


def add_problem(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Put the shape of a problem among the components, after the views were read."""
    result["components"].setdefault("schemas", {})["Problem"] = PROBLEM
    return result


class Bearer(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Our tokens."""

    target_class = "games.accounts.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """How the header is written."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "peri_..."}


class Password(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """E-mail and password, to make a token with."""

    target_class = "games.accounts.authentication.PasswordAuthentication"
    name = "password"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """How the header is written."""
        return {"type": "http", "scheme": "basic"}


class RecordAsSent(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """A record of a game: its text, or the JSON form."""

    target_class = "games.serializers.games.RecordField"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        """Either form."""
        return {"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": True}]}
