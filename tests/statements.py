"""Find the tests that repeat the SQL of others, so that `make test` leaves them out on PostgreSQL.

`python -m pytest -p tests.statements -m "database_bound and not further_case and not long"` records
the statements that each test sends, and writes the names of the tests that add none to
`tests/repeated_statements.txt`.
The remaining tests send all that differs between the statements of all tests, in the least time: of
two tests that send the same, the faster one remains. A plain statement has no functions and no
inner queries, and is not distinct, grouped or locking. All that a database can refuse in it are its
parts: its tables, the columns that it changes, what is compared with what, and how rows are
ordered. So the parts of plain statements are sent, and each other statement as a whole. A test that
is not in the file runs, so a new test needs no entry.

The tests with several cases on PostgreSQL (`every_case`), with real processes, those for another
database, and those in which the database refuses a statement always remain: there the database
differs and not the SQL. So do those of `OWN_CODE` that are not in the file already.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection

REPEATED = Path(__file__).parent / "repeated_statements.txt"
OWN_CODE = (
    "tests/games/test_bulk.py", "tests/games/test_compiled_queries.py", "tests/games/test_rows.py",
    "tests/ratings/test_checkpoints.py", "tests/ratings/test_rebuilds.py",
    "tests/ratings/test_runs.py",
)  # fmt: skip
"""Tests of modules with other statements for PostgreSQL, which a record on SQLite does not see."""

OVERHEAD = 0.03
"""Seconds that each test takes besides its own work, so that few tests are better than many."""

LOCKING = re.compile(r" FOR (NO KEY )?UPDATE.*$")
"""What SQLite has not, at the end of a statement; it is recorded and not sent."""

SAME = (
    (r"%s(, %s)+", "%s"),  # the length of a list
    (r"(\([^()]*%s[^()]*\))(, \1)+", r"\1"),  # the number of rows
    (r"( UNION ALL SELECT %s)+", ""),
    (r"SAVEPOINT \S+", "SAVEPOINT"),
    (r"\bLIMIT \d+", "LIMIT"),
    (r" IN \(%s\)", " = %s"),
    (r"( WHEN \([^()]*%s\) THEN %s)+", " WHEN %s THEN %s"),
)
"""What differs between statements that are the same for a database."""

PLAIN = frozenset({
    "AND", "AS", "ASC", "BY", "COUNT", "DELETE", "DESC", "FROM", "IN", "INNER", "IS", "JOIN",
    "LEFT", "LIMIT", "NOT", "NULL", "OFFSET", "ON", "OR", "ORDER", "OUTER", "SELECT", "SET",
    "UPDATE", "WHERE",
})  # fmt: skip
"""The words of a plain statement, besides names."""

NAME = r'"[^"]+"(?:\."[^"]+")?'
COMPARISON = re.compile(rf"{NAME} (?:=|<>|[<>]=?|IS NOT NULL|IS NULL)(?: {NAME})?")
JOIN = re.compile(r'(?:INNER|LEFT OUTER) JOIN "[^"]+" ON \([^)]*\)')
INSERT = re.compile(r'(INSERT INTO "[^"]+") \(([^)]*)\) (.*)')
OF_TESTS = ("CREATE ", "DROP ", "PRAGMA ")
"""How statements begin that create and empty the test database."""


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
    if connection.vendor == "sqlite":
        sql = LOCKING.sub("", str(sql))
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
        for feature in ("update", "update_of", "no_key_update", "update_nowait"):
            setattr(connection.features, f"has_select_for_{feature}", True)
    current = records.setdefault(name_of(item), Record())
    current.remains |= any(map(item.get_closest_marker, ("every_case", "processes")))
    began = time.process_time()
    result = yield
    current.seconds += time.process_time() - began
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Let a skipped test remain, which may be one for the other database, and a failed one.

    The requests of other threads fail here, because they send the locking statements to SQLite.
    """
    if not report.passed:
        records[report.nodeid.partition("[")[0]].remains = True


def pytest_sessionfinish() -> None:
    """Write the names of the tests that add no statement."""
    for record in records.values():
        record.statements = {part for sql in record.statements for part in parts_of(sql)}
    before = read_repeated()
    for name, record in records.items():
        record.remains |= name.startswith(OWN_CODE) and name not in before
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


@cache
def parts_of(sql: str) -> frozenset[str]:
    """Return the parts of a plain statement, or another one as a whole."""
    sql = normalise(sql)
    if sql.startswith(OF_TESTS) or sql.endswith(";"):
        return frozenset()
    if insert := INSERT.fullmatch(sql):
        start, columns, values = insert.groups()
        return frozenset({values, *(f"{start} {column}" for column in columns.split(", "))})
    for table, alias in re.findall(r'JOIN ("[^"]+") (T\d+)', sql):
        sql = re.sub(rf"\b{alias}\.", f"{table}.", sql).replace(f"{table} {alias} ", f"{table} ")
    bare = re.sub(r'"[^"]*"|%s|\d+|COUNT\(\*\)', "", sql)
    words = re.findall(r"\w+", bare)
    is_one = words.count("SELECT") + words.count("DELETE") + words.count("UPDATE") == 1
    tables = re.findall(r'(?:FROM|UPDATE) ("[^"]+")', sql)
    if not (is_one and tables and set(words) <= PLAIN) or re.search(r"[^\w\s(),.=<>]", bare):
        return frozenset({sql})
    table = tables[0]
    head, _, order = sql.partition(" ORDER BY ")
    result, _, conditions = head.partition(" WHERE " if words[0] == "UPDATE" else " FROM ")
    if words[0] == "DELETE" and "WHERE" not in words:
        return frozenset()  # only tests empty a table
    changed = re.findall(NAME, result) if words[0] == "UPDATE" else ()
    return frozenset({
        f"{words[0]} {table}",
        f"{table} ORDER BY {order.partition(' LIMIT')[0]}",
        *(f"UPDATE {table} {name}" for name in changed),
        *JOIN.findall(conditions),
        *COMPARISON.findall(conditions),
    })  # fmt: skip


def choose_tests(records: Mapping[str, Record]) -> set[str]:
    """Return tests that send all statements: those that remain, then the best by their time.

    What the first of them send, the later ones may send too: at the end, each is replaced by others
    if these take less time.
    """
    wanted = set[str]().union(*(record.statements for record in records.values()))
    remaining = {name for name, record in records.items() if record.remains}
    chosen = add_tests(records, remaining, wanted)
    for name in sorted(chosen - remaining, key=lambda name: (-cost(records[name]), name)):
        others = {other: record for other, record in records.items() if other != name}
        if wanted <= set[str]().union(*(record.statements for record in others.values())):
            replaced = add_tests(others, chosen - {name}, wanted)
            chosen = min(chosen, replaced, key=lambda names: sum(cost(records[i]) for i in names))
    return chosen


def add_tests(records: Mapping[str, Record], chosen: set[str], wanted: set[str]) -> set[str]:
    """Return the chosen tests, and the best of the others that send what is still missing."""
    missing = wanted.difference(*(records[name].statements for name in chosen))
    useful = {name: record for name, record in records.items() if record.statements & missing}
    while missing:
        best = max(sorted(useful), key=lambda name: gain(useful[name], missing))
        chosen = chosen | {best}
        missing = missing - useful[best].statements
    return chosen


def gain(record: Record, missing: set[str]) -> float:
    """Return how many of the missing statements a test sends in a second."""
    return len(record.statements & missing) / cost(record)


def cost(record: Record) -> float:
    """Return the seconds that a test takes with all that is around it."""
    return record.seconds + OVERHEAD
