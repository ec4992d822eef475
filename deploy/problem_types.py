"""The table of all problem codes, and its documents; `type` of a problem is an address in it."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from django.conf import settings

from games.documents.document import Column, ColumnKind, Heading, TableDocument
from games.http.problem_types import ProblemType, read_problem_types

PROBLEM_FILES: Final = (
    "games/problems/*.toml",
    "ratings/problems.toml",
    "tournament/problems/*.toml",
)
EXPLANATION: Final = (
    "Every response that is not a success is a problem (RFC 9457) with one of these codes."
    " Codes without a status are those of single values, in errors[] of a problem."
)
PROBLEM_COLUMNS: Final = (
    Column("code", "Code", ColumnKind.TEXT),
    Column("statuses", "Status", ColumnKind.TEXT),
    Column("cause", "Cause", ColumnKind.TEXT),
    Column("remedy", "Remedy", ColumnKind.TEXT),
)


def problem_address(code: str) -> str:
    """Return the address of a code, which is the `type` of its problems."""
    return f"{settings.PUBLIC_URL}/api/v1/problems/{code}"


@cache
def problem_types() -> dict[str, ProblemType]:
    """Return all types by code, in alphabetical order; raises ValueError for a repeated code."""
    types: dict[str, ProblemType] = {}
    for pattern in PROBLEM_FILES:
        for path in sorted(settings.BASE_DIR.glob(pattern)):
            for found in read_problem_types(path):
                if found.code in types:
                    raise ValueError(f"{path.name}: [{found.code}] is in another file too")
                types[found.code] = found
    return dict(sorted(types.items()))


def problems_document(types: Sequence[ProblemType], *, title: str, body: Any) -> TableDocument:
    """Return the table of some types; `body` is its JSON."""
    return TableDocument(
        heading=Heading(title=title, subtitle="", file_stem="problems"),
        columns=PROBLEM_COLUMNS,
        records=[found.as_json() for found in types],
        cells=lambda row: (
            row["code"],
            ", ".join(map(str, row["statuses"])),
            row["cause"],
            row["remedy"],
        ),
        explanation=EXPLANATION,
        body=body,
    )
