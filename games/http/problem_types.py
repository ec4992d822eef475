"""The types of problems (RFC 9457): what each code means, and what to do about it.

They are data, in TOML files beside the apps whose code raises them: a table for each code, with
its statuses, its cause and its remedy. A code without a status is found in `errors[]` only, as the
code of a single value. `deploy.problem_types` joins the files.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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
