"""Find the tests that repeat the SQL of others, so that `make test` leaves them out on PostgreSQL.

`python -m pytest -p tests.statements -m "database_bound and not further_case and not long"` records
the statements that each test sends, and writes the names of the tests that add none to
`tests/repeated_statements.txt`.
The remaining tests send every statement of all tests, in the least time: of two tests that send the
same, the faster one remains. A test that is not in the file runs, so a new test needs no entry.

The tests with several cases on PostgreSQL (`every_case`), with real processes, those for another
database, and those in which the database refuses a statement always remain: there the database
differs and not the SQL.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection

REPEATED = Path(__file__).parent / "repeated_statements.txt"
OVERHEAD = 0.03
"""Seconds that each test takes besides its own work, so that few tests are better than many."""

SAME = (
    (r"%s(, %s)+", "%s"),  # the length of a list
    (r"(\([^()]*%s[^()]*\))(, \1)+", r"\1"),  # the number of rows
    (r"( UNION ALL SELECT %s)+", ""),
    (r"SAVEPOINT \S+", "SAVEPOINT"),
    (r"\bLIMIT \d+", "LIMIT"),
)
"""What differs between statements that are the same for a database."""


@dataclass(slots=True)
class Record:
    """What a test sends; seconds of the processor."""

    seconds: float = 0.0
    statements: set[str] = field(default_factory=set)
    remains: bool = False


records: dict[str, Record] = {}
current = Record()


def record_statement(
    execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any
) -> Any:
    """Send a statement, and note it, and whether the database refuses it."""
    current.statements.add(str(sql))
    try:
        return execute(sql, params, many, context)
    except DatabaseError:
        current.remains = True
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Record a test; the cases of a parametrised test are one."""
    global current
    if record_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(record_statement)
    current = records.setdefault(name_of(item), Record())
    current.remains |= any(map(item.get_closest_marker, ("every_case", "processes")))
    began = time.process_time()
    result = yield
    current.seconds += time.process_time() - began
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Let a skipped test remain: it may be one for the other database."""
    if report.skipped:
        records[report.nodeid.partition("[")[0]].remains = True


def pytest_sessionfinish() -> None:
    """Write the names of the tests that add no statement."""
    for record in records.values():
        record.statements = {normalise(sql) for sql in record.statements}
    repeated = records.keys() - choose_tests(records)
    REPEATED.write_text("".join(f"{name}\n" for name in sorted(repeated)), encoding="utf-8")


def name_of(item: pytest.Item) -> str:
    """Return the name of a test without that of its case."""
    return item.nodeid.partition("[")[0]


def read_repeated() -> frozenset[str]:
    """Return the names of the tests that repeat the SQL of others."""
    return frozenset(REPEATED.read_text(encoding="utf-8").split())


def normalise(sql: str) -> str:
    """Return a statement without what differs between statements that are the same."""
    for pattern, replacement in SAME:
        sql = re.sub(pattern, replacement, sql)
    return sql


def choose_tests(records: Mapping[str, Record]) -> set[str]:
    """Return tests that send all statements: those that remain, then the best by their time."""
    chosen = {name for name, record in records.items() if record.remains}
    missing = set[str]().union(*(record.statements for record in records.values()))
    missing -= set[str]().union(*(records[name].statements for name in chosen))
    while missing:
        best = max(sorted(records), key=lambda name: gain(records[name], missing))
        chosen.add(best)
        missing = missing - records[best].statements
    return chosen


def gain(record: Record, missing: set[str]) -> float:
    """Return how many of the missing statements a test sends in a second."""
    return len(record.statements & missing) / (record.seconds + OVERHEAD)
