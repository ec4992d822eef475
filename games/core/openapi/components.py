"""The components that the descriptions of all operations share: problems and header fields."""

import tomllib
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final, NotRequired, TypedDict


class ChangedLine(TypedDict):
    sequence: int
    kind: str
    actor: str
    name: Annotated[str | None, "of the account"]
    at: datetime


class FileReading(TypedDict):
    encoding: str
    names: list[str]


POINTER: Final = (
    "JSON pointer (RFC 6901); empty for the whole body. In a CSV file the line and the name of"
    " its column here, as `/3/seed_rating`; in the text of a record, the member that it has as JSON"
)


class Candidate(TypedDict):
    """A registered player whom a line may mean."""

    id: int
    name: str
    country: str
    club: str
    birth_year: Annotated[int | None, "null if unknown, or not for the caller"]


class ProblemError(TypedDict):
    code: str
    detail: str
    pointer: NotRequired[Annotated[str, POINTER]]
    parameter: NotRequired[Annotated[str, "in the query, or a header field"]]
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
    line: NotRequired[Annotated[int, "of a file or a text, or a row of JSON, 1 for the first"]]
    column: NotRequired[Annotated[int, "its place in the line, 1 for the first"]]
    numbers: NotRequired[Annotated[list[int], "pairing numbers"]]
    candidates: NotRequired[list[Candidate]]
    same_as_line: NotRequired[Annotated[int, "an earlier line that means the same person"]]


def reference(name: str) -> dict[str, str]:
    """Return a reference to a schema, such as that of a serializer or of another app."""
    return {"$ref": f"#/components/schemas/{name}"}


OF_EDITED: Final = "of an edited tournament: after the last complete round"


class Extensions(TypedDict, total=False):
    """The members that problems of some codes have besides."""

    parameter: Annotated[str, "the first one that is wrong"]
    valid: list[str]
    min: Annotated[float, "of the parameter"]
    max: Annotated[float, "of the parameter"]
    nearest: Annotated[str, "the known address nearest to an unknown one"]
    allowed_actions: Annotated[
        list[Annotated[Any, reference("AllowedAction")]],
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
        list[Annotated[Any, reference("StatedFinding")]],
        "of `no_legal_pairing`: the rules that would be broken",
    ]
    rank_changes: Annotated[list[Annotated[Any, reference("RankChange")]], OF_EDITED]
    prize_changes: Annotated[list[Annotated[Any, reference("PrizeChange")]], OF_EDITED]
    due_rounds: Annotated[
        list[Annotated[Any, reference("DueRound")]],
        "of an edited tournament: they would be paired differently",
    ]
    url: Annotated[
        str, "of `tie_undecided`: the address of the ties of the bracket", {"format": "uri"}
    ]
    numbers: Annotated[list[int], "the pairing numbers of those who cannot be paired"]
    tournaments: Annotated[list[str], "the slugs of those in the way"]
    games: Annotated[list[int], "the ids of those that stand in the way"]
    player_id: Annotated[int, "the player in question"]
    round: Annotated[int, "the round in question"]
    board: Annotated[int, "the board in question"]
    bye_id: Annotated[int, "the bye in question"]
    number: Annotated[int, "the number of the turn in question"]
    turn: Annotated[str, "the turn that stands under the number"]
    deadline: Annotated[datetime, "until when the other side has time"]
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


PARTS: Final = tomllib.loads(Path(__file__).with_name("parts.toml").read_text("utf-8"))
PROBLEMS: Final = {int(status): problem for status, problem in PARTS["problems"].items()}


def fields(*names: str) -> dict[str, Any]:
    """Return references to header fields."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


FIELD_REFERENCES = fields("RateLimit-Policy", "RateLimit")
"""The header fields of every response."""

NOT_MODIFIED = {"NotModified": ("ETag",), "NotModifiedWithLinks": ("ETag", "Link")}
"""The fields of the responses 304, by the names of their components."""


def problem_references(statuses: Iterable[int]) -> dict[str, dict[str, str]]:
    """Return references to the responses with a problem, by their statuses."""
    return {
        str(status): {"$ref": f"#/components/responses/{PROBLEMS[status][0]}"}
        for status in sorted(statuses)
    }


def operations_of(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all operations of the description."""
    return [operation for path in result["paths"].values() for operation in path.values()]


COMPONENTS: dict[str, dict[str, Any]] = {
    "headers": PARTS["headers"],
    "responses": {
        name: {
            "description": text,
            "headers": FIELD_REFERENCES | fields(*names),
            "content": {"application/problem+json": {"schema": reference("Problem")}},
        }
        for name, text, *names in PROBLEMS.values()
    }
    | {
        name: {
            "description": "The caller has the current representation (`If-None-Match`).",
            "headers": FIELD_REFERENCES | fields(*names),
        }
        for name, names in NOT_MODIFIED.items()
    },
}
