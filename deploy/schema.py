"""OpenAPI: what cannot be derived from the views.

This is how a client authenticates, that a record is text or an object, and which problems every
operation may return, each under its own status. The setting DEFAULT_SCHEMA_CLASS names `ApiSchema`,
so this module and its extensions are always loaded first.

An address with an optional suffix, such as `tournaments/{slug}/standings`, is described without it,
where `Accept` selects the format, and once with each suffix, where the response has one format. A
code generator that knows only one media type per response then has an operation for each format.
"""

import re
from collections.abc import Callable
from typing import Any

from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerFieldExtension,
)
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework.mixins import ListModelMixin

from games.http.etags import TYPES_WITHOUT_ETAG

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

Endpoint = tuple[str, str, str, Callable[..., Any]]
"""A path, its pattern, a method and the view function, as drf-spectacular lists them."""

SUFFIXES = re.compile(r"\(\?:\\\.\(\?P<(?:form|format)>(?P<forms>[^)]*)\)\)\?")
"""The optional suffix in the pattern of an address."""

SUFFIX = re.compile(r"\.([a-z]+[0-9]*)$")
UTF_8 = "; charset=utf-8"
TEXT_MEDIA_TYPE = f"text/plain{UTF_8}"
MEDIA_TYPES = {
    "csv": f"text/csv{UTF_8}",
    "html": f"text/html{UTF_8}",
    "ics": f"text/calendar{UTF_8}",
    "json": "application/json",
    "ndjson": "application/x-ndjson",
    "pdf": "application/pdf",
    "rec": TEXT_MEDIA_TYPE,
    "svg": "image/svg+xml",
    "trf": TEXT_MEDIA_TYPE,
    "trf16": TEXT_MEDIA_TYPE,
    "trf26": TEXT_MEDIA_TYPE,
    "txt": TEXT_MEDIA_TYPE,
    "zip": "application/zip",
}
"""The media types of the responses, by the suffix of the address."""


def add_paths_with_suffix(endpoints: list[Endpoint], **_: Any) -> list[Endpoint]:
    """Return the endpoints, and after each with an optional suffix one for each suffix."""
    found = []
    for path, pattern, method, view in endpoints:
        found.append((path, pattern, method, view))
        if suffixes := SUFFIXES.search(pattern):
            for form in suffixes["forms"].split("|"):
                found.append((f"{path}.{form}", pattern, method, view))
    return found


def suffix_of(path: str) -> str:
    """Return the suffix of a path without its dot, empty if there is none."""
    found = SUFFIX.search(path)
    return found[1] if found else ""


def select_format(path: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return the media types of a response at a path: with a suffix, only its own."""
    content = {_with_charset(name): body for name, body in content.items()}
    only = MEDIA_TYPES.get(suffix_of(path))
    return {only: content[only]} if only in content else content


def _with_charset(media_type: str) -> str:
    """Return the media type with the charset that the service sends with texts."""
    has_charset = media_type.startswith("text/") and media_type != "text/event-stream"
    return f"{media_type}{UTF_8}" if has_charset else media_type


def name_files(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Name the operations of files after the operation at the address without their suffix."""
    paths = result["paths"]
    for path, methods in paths.items():
        form, base = suffix_of(path), paths.get(SUFFIX.sub("", path), {}).get("get")
        if form and base:
            file, name = methods["get"], base["operationId"]
            if file["operationId"] == name or file["operationId"].endswith("_retrieve"):
                file["operationId"] = f"{name}_{form}"
    return result


ALWAYS = (400, 429, 503, 507)
"""Any request may have an unreadable host or query, come too often, or meet a full disk."""


def problem_statuses(view: Any, method: str, path: str, operation: dict[str, Any]) -> set[int]:
    """Return the statuses of the problems that an operation may return.

    Most follow from the operation: a body can be too large, a path can name nothing, a write can be
    forbidden. A view names in `problems` what only its service raises.
    """
    parameters = operation.get("parameters", ())
    queries = {parameter["name"] for parameter in parameters if parameter["in"] == "query"}
    is_public = {} in operation.get("security", [{}])
    statuses = {*ALWAYS, *getattr(view, "problems", {}).get(method, ())}
    if view.authentication_classes:
        statuses.add(401)
    if not is_public:
        statuses.add(403)
    if "{" in path or "cursor" in queries:
        statuses.add(404)
    if method != "GET" or queries:
        statuses.add(422)
    if "requestBody" in operation:
        statuses |= {411, 413, 415}
    has_precondition = getattr(view, "has_precondition", False)
    if method != "GET" and not getattr(view, "is_read_only", False) and not is_public:
        statuses |= {409} if method == "POST" or has_precondition else set()
    if has_precondition and method not in ("GET", "DELETE"):
        statuses |= {412, 428}
    return statuses


def problem_references(statuses: set[int]) -> dict[str, dict[str, str]]:
    """Return references to the responses of the statuses, by status."""
    return {
        str(status): {"$ref": f"#/components/responses/{PROBLEMS[status][0]}"}
        for status in sorted(statuses)
    }


def problem_components() -> dict[str, dict[str, Any]]:
    """Return the responses that the references mean, by name."""
    return dict(PROBLEMS.values())


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
        if self.method == "GET" and isinstance(self.view, ListModelMixin):
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
