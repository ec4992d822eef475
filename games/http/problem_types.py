"""The types of problems (RFC 9457): what each code means, and what to do about it.

They are data, in TOML files beside the apps whose code raises them: a table for each code, with
its statuses, its cause and its remedy. A code without a status is found in `errors[]` only, as the
code of a single value. `problem_types` joins the files, and
the API shows them as a table.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from games.core.tables.table import Column, ColumnKind, Heading, TableDocument

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


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A code, the statuses of the problems that have it, its cause and its remedy."""

    code: str
    statuses: tuple[int, ...]
    cause: str
    remedy: str

    def as_json(self) -> dict[str, Any]:
        """Return the type as the API shows it."""
        return {
            "code": self.code,
            "statuses": list(self.statuses),
            "cause": self.cause,
            "remedy": self.remedy,
        }


def read_problem_types(path: Path) -> Iterator[ProblemType]:
    """Yield the types of a TOML file; raises ValueError for a broken one."""
    for code, table in tomllib.loads(path.read_text("utf-8")).items():
        if table.keys() != {"status", "cause", "remedy"}:
            raise ValueError(f"{path.name}: [{code}] needs status, cause and remedy")
        yield ProblemType(code, tuple(table["status"]), table["cause"], table["remedy"])


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
