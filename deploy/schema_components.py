"""Parameters, headers and responses that many operations of the API share."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter

PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "A problem (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code", "request_id"],
    "properties": {
        "type": {
            "type": "string",
            "format": "uri",
            "description": "The address that describes the code (`problems/{code}`).",
        },
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong, and what would be correct."},
        "code": {
            "type": "string",
            "description": (
                "A stable code, for programs. Any request may get `request_timeout` (408) or `busy`"
                " (503). A request that is not HTTP gets 400 with a line of text."
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

PROBLEM_CONTENT = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
WAIT = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}


def _response(description: str, **headers: Any) -> dict[str, Any]:
    """Return the response with a problem, and the fields of every response."""
    fields = headers | FIELD_REFERENCES
    return {"description": description, "headers": fields, "content": PROBLEM_CONTENT}


PROBLEMS: dict[int, tuple[str, dict[str, Any]]] = {
    400: ("Unreadable", _response("The request or its body cannot be read.")),
    401: (
        "LoginNeeded",
        _response(
            "There is no token where one is needed, or it is unknown or expired.",
            **{"WWW-Authenticate": {"schema": {"type": "string"}}},
        ),
    ),
    403: ("Forbidden", _response("The account or its token may not do this.")),
    404: ("NotFound", _response("The object does not exist, or the caller may not see it.")),
    409: (
        "Conflict",
        _response(
            "The state of the objects does not allow this (`allowed_actions`, if present, lists"
            " what is possible), or a request with the same `Idempotency-Key` is not finished."
        ),
    ),
    411: ("LengthNeeded", _response("A body in chunks, without `Content-Length`.")),
    412: ("Stale", _response("The object has changed since it was read; `changed` says how.")),
    413: (
        "TooLarge",
        _response("The body is larger than the limit: 1 MiB, unless another is documented."),
    ),
    415: (
        "UnsupportedMediaType",
        _response("The `Content-Type` is none of those listed."),
    ),
    422: (
        "Refused",
        _response("The request is readable and breaks a rule; `errors` lists the wrong values."),
    ),
    428: ("PreconditionNeeded", _response("The request needs `If-Match`.")),
    429: (
        "Throttled",
        _response("The caller has used up the limit of their type; nothing was changed.", **WAIT),
    ),
    503: (
        "Busy",
        _response("The service (`busy`), the database or the PDF renderer is busy.", **WAIT),
    ),
    507: (
        "DiskFull",
        _response("A disk is full, and `detail` says which; nothing was changed (`disk_full`)."),
    ),
}
"""The responses with a problem: the name of the component, and its content."""


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

NOT_MODIFIED = {
    "description": "The caller has the current representation (`If-None-Match`).",
    "headers": FIELD_REFERENCES,
}
