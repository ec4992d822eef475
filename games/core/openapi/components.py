"""The components that the descriptions of all operations share: problems and header fields."""

from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict


class ChangedLine(TypedDict):
    sequence: int
    kind: str
    actor: str
    name: Annotated[str | None, "of the account"]
    at: datetime


class FileReading(TypedDict):
    encoding: str
    names: list[str]


class ProblemError(TypedDict):
    code: str
    detail: str
    pointer: NotRequired[Annotated[str, "JSON pointer (RFC 6901); empty for the whole body"]]
    parameter: NotRequired[Annotated[str, "in the query"]]
    valid: NotRequired[list[str]]
    min: NotRequired[Annotated[float, "the least number or length"]]
    max: NotRequired[Annotated[float, "the greatest number or length"]]
    nearest: NotRequired[Annotated[str, "the known name nearest to this one"]]
    number: NotRequired[Annotated[int, "a pairing number"]]
    board: NotRequired[Annotated[int, "the number of a board"]]
    round: NotRequired[Annotated[int, "the number of a round"]]
    ply: NotRequired[int]
    move: NotRequired[str]
    cell: NotRequired[str]
    line: NotRequired[int]
    column: NotRequired[int]


def other(name: str) -> dict[str, str]:
    """Return a reference to the component of a serializer or of another app."""
    return {"$ref": f"#/components/schemas/{name}"}


class Extensions(TypedDict, total=False):
    """The members that problems of some codes have besides."""

    parameter: Annotated[str, "the first one that is wrong"]
    valid: list[str]
    min: Annotated[float, "of the parameter"]
    max: Annotated[float, "of the parameter"]
    nearest: Annotated[str, "the known address nearest to an unknown one"]
    allowed_actions: Annotated[
        list[Annotated[Any, other("AllowedAction")]],
        "of a conflict: what the caller can do with the object",
    ]
    changed: Annotated[list[ChangedLine], "of `stale`: the journal lines since the tag was read"]
    readings: Annotated[
        list[FileReading], "of `encoding_needed`: cells of the file as each encoding reads them"
    ]
    current: Annotated[str, "of `stale`: the tag of the object as it is"]
    wanted: Annotated[
        str,
        "of 412 and 428: the address of the object whose tag the operation wants",
        {"format": "uri"},
    ]
    accept: Annotated[list[str], "of a conflict: the codes that the operation needs in `accept`"]
    relaxations: Annotated[
        list[Annotated[Any, other("StatedFinding")]],
        "of `no_legal_pairing`: the rules that would be broken",
    ]
    numbers: Annotated[list[int], "the pairing numbers of those who cannot be paired"]
    tournaments: Annotated[list[str], "the slugs of those in the way"]
    games: Annotated[list[int], "the ids of those that stand in the way"]
    player_id: Annotated[int, "the player in question"]
    round: Annotated[int, "the round in question"]
    board: Annotated[int, "the board in question"]
    bye_id: Annotated[int, "the bye in question"]
    needed: Annotated[int, "how many rounds the system needs"]
    places: Annotated[int, "the places of a tournament that is full"]
    accepted: Annotated[int, "the entries of a tournament that is full"]
    scheme: Annotated[str, "the kind of an id that two players have"]
    quota: Annotated[str, "the limit of the account that is reached"]
    limit: Annotated[int, "of a limit: how many there may be"]
    setting: Annotated[str, "of a limit: the setting of the installation"]


class Problem(Extensions):
    """A problem (RFC 9457)."""

    type: Annotated[
        str, "The address that describes the code (`problems/{code}`).", {"format": "uri"}
    ]
    title: str
    status: int
    detail: Annotated[str, "What is wrong, and what would be correct."]
    code: Annotated[
        str,
        "A stable code, for programs. Any request may get `request_timeout` (408) or `busy` (503).",
    ]
    errors: Annotated[
        list[ProblemError], "Each wrong value of a 422; often none for another status."
    ]
    request_id: str


def header(description: str, kind: str = "string", example: str = "", **more: Any) -> Any:
    """Return the description of a header field."""
    described = {"description": description, "schema": {"type": kind, **more}}
    return described | ({"example": example} if example else {})


RATE_LIMIT_FIELDS: dict[str, Any] = {
    "RateLimit-Policy": header(
        "The limits of the caller (`anonymous`, or `token` and `account`; `dear`), as in"
        " draft-ietf-httpapi-ratelimit-headers: `q` requests in `w` seconds. A PDF, an import,"
        " an export, an explanation, a pairing and the referee count as `dear`, too.",
        example='"token";q=3000;w=60, "account";q=6000;w=60',
    ),
    "RateLimit": header(
        "The requests that remain (`r`), and the seconds until all are back (`t`).",
        example='"token";r=2990;t=42, "account";r=5950;t=40',
    ),
}
"""The header fields of every response, by name."""

FIELDS: dict[str, Any] = {
    "ETag": header(
        "The tag of the object as it is, for `If-None-Match` and `If-Match`. PDF files have"
        " none: they contain the time at which they were made.",
        example='"3f1a-9"',
    ),
    "Location": header(
        "The address of the new object, or of the task that does the work.", format="uri-reference"
    ),
    "Link": header(
        "The addresses of the next and the previous page, or of the JSON with the notes of a"
        " table (`describedby`; RFC 8288)."
    ),
    "Idempotent-Replayed": header(
        "`true`: this is the response to an earlier request with the same key.", enum=["true"]
    ),
    "Retry-After": header("Seconds to wait.", "integer"),
    "Preference-Applied": header("`wait=10`: the response has waited for the task (`Prefer`)."),
    "WWW-Authenticate": {"schema": {"type": "string"}},
}
"""The header fields of some responses, by name."""


def fields(*names: str) -> dict[str, Any]:
    """Return references to header fields."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


FIELD_REFERENCES = fields(*RATE_LIMIT_FIELDS)

PARTS_OF_PATHS: dict[str, str] = {
    "account_id": "the id of an account",
    "correction": "the number of the correction in the tournament",
    "rulesets/code": "the code of the ruleset, as `star-star`",
    "number": "the number of the round, from 1",
    "opponent_id": "the id of the other player",
    "pools/code": "the code of the pool, as `star`",
    "problems/code": "the code of the problem, as `stale`",
    "published_on": "the day of the list",
    "runs/number": "the number of the run in the pool",
    "slug": "the slug of the tournament, as `spring-open`",
    "systems/code": "the code of the pairing system, as `dutch`",
    "task_id": "the id of the task, as `report-17`",
    "version": "the version of the pairings, from 1",
}
"""What a part of a path is that is not an id, by its name, with the word before it if needed."""

PROBLEMS: dict[int, tuple[str, str]] = {
    400: ("Unreadable", "The request or its body cannot be read."),
    401: ("LoginNeeded", "There is no token where one is needed, or it is unknown or expired."),
    403: ("Forbidden", "The account or its token may not do this."),
    404: ("NotFound", "The object does not exist, or the caller may not see it."),
    406: (
        "NotAcceptable",
        "The operation has none of the types in `Accept`; `valid` lists those that it has.",
    ),
    409: (
        "Conflict",
        "The state of the objects does not allow this (`allowed_actions`, if present, lists"
        " what is possible), or a request with the same `Idempotency-Key` is not finished.",
    ),
    411: ("LengthNeeded", "A body in chunks, without `Content-Length`."),
    412: ("Stale", "The object has changed since it was read; `changed` says how."),
    413: ("TooLarge", "The body is larger than the limit: 1 MiB, unless another is documented."),
    415: ("UnsupportedMediaType", "The `Content-Type` is none of those listed."),
    422: (
        "Refused",
        "The request is readable and breaks a rule; `errors` lists the wrong values.",
    ),
    428: ("PreconditionNeeded", "The request needs `If-Match`."),
    429: ("Throttled", "The caller has used up the limit of their type; nothing was changed."),
    503: ("Busy", "The service (`busy`), the database or the PDF renderer is busy."),
    507: (
        "DiskFull",
        "A disk is full, and `detail` says which; nothing was changed (`disk_full`).",
    ),
}
"""The responses with a problem, by status: the name of the component, and its description."""

PROBLEM_FIELDS: dict[int, dict[str, Any]] = {
    401: fields("WWW-Authenticate"),
    403: fields("WWW-Authenticate"),
    429: fields("Retry-After"),
    503: fields("Retry-After"),
}
"""The header fields of some of them, besides those of every response."""

TRIED = "with `?dry_run=1`: the effect, without what only the write makes"
"""The description of a dry run, and of its member `dry_run`."""

DRY_RUN_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "The dry run of a write that answers without a body.",
    "required": ["dry_run"],
    "properties": {"dry_run": {"type": "boolean", "description": "true"}},
}

NOT_MODIFIED = {"NotModified": ("ETag",), "NotModifiedWithLinks": ("ETag", "Link")}
"""The fields of the responses 304, by the names of their components."""


COMPONENTS: dict[str, dict[str, Any]] = {
    "schemas": {"EmptyDryRun": DRY_RUN_SCHEMA},
    "headers": RATE_LIMIT_FIELDS | FIELDS,
    "responses": {
        name: {
            "description": description,
            "headers": PROBLEM_FIELDS.get(status, {}) | FIELD_REFERENCES,
            "content": {
                "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
            },
        }
        for status, (name, description) in PROBLEMS.items()
    }
    | {
        name: {
            "description": "The caller has the current representation (`If-None-Match`).",
            "headers": FIELD_REFERENCES | fields(*names),
        }
        for name, names in NOT_MODIFIED.items()
    }
    | {
        "EmptyDryRun": {
            "description": TRIED,
            "headers": FIELD_REFERENCES,
            "content": {
                "application/json": {
                    "schema": {"$ref": "#/components/schemas/EmptyDryRun"},
                    "example": {"dry_run": True},
                }
            },
        }
    },
}
