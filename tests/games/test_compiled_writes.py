"""Rows that are saved by prepared SQL are those that Django saves, with the same statements."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import pytest
from django.db import DatabaseError, DataError, IntegrityError, connection, transaction
from django.db.models import F, Model
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.compiled_writes import CompiledUpdate, insert_row, update_row, update_rows
from games.models import JournalHead, JournalLine, JournalPayload, Player

pytestmark = pytest.mark.django_db

AT = timezone.now()
PLAYER: Final[dict[str, Any]] = {
    "name": "Óscar %s",
    "external_ids": {"a'b": [1, None]},
    "birth_year": None,
    "created_at": AT,
}


def undone(save: Callable[[Any], Any], row: Model) -> tuple[list[str], dict[str, Any]]:
    """Return the SQL that saves a row, and what is stored then; the row is removed again."""
    with transaction.atomic():
        with CaptureQueriesContext(connection) as queries:
            save(row)
        assert (row._state.adding, row._state.db) == (False, "default")
        stored = type(row).objects.filter(pk=row.pk).values().get()
        transaction.set_rollback(True)
    key = str(row.pk)
    return [query["sql"] for query in queries], stored | {"key": key, row._meta.pk.attname: None}


ROWS: list[Callable[[], Model]] = [
    lambda: Player(**PLAYER),
    lambda: JournalHead(stream="game/1"),
    lambda: JournalLine(stream="game/1", sequence=2**40, at=AT, kind="a 'kind'", actor="%s"),
]


@pytest.mark.every_case
@pytest.mark.parametrize("build", ROWS)
def test_a_new_row(build: Callable[[], Model]) -> None:
    expected = undone(lambda row: row.save(force_insert=True), build())
    found = undone(insert_row, build())

    assert found[0] == expected[0]
    assert found[1] | {"key": ""} == expected[1] | {"key": ""}


def test_it_refers_to_a_row_that_was_inserted_before() -> None:
    line = JournalLine(stream="game/1", sequence=1, at=AT)
    insert_row(line)
    insert_row(JournalPayload(line=line, body={"é": None}))

    assert JournalPayload.objects.get(line__stream="game/1").body == {"é": None}


def test_some_fields_of_a_stored_row() -> None:
    player = Player.objects.create(**PLAYER)
    player.name, player.birth_year, player.country = "Édith", 1990, "FRA"
    names = ("birth_year", "folded_name", "name", "account_id")

    expected = undone(lambda row: row.save(update_fields=names), player)
    found = undone(lambda row: update_row(row, *names), player)

    assert found == expected
    assert (found[1]["folded_name"], found[1]["country"]) == ("edith", "")


def test_a_row_that_does_not_exist() -> None:
    with pytest.raises(DatabaseError, match=r"games\.JournalHead game/1 does not exist"):
        update_row(JournalHead(stream="game/1"), "sequence")


def test_a_field_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="not all of the fields digest, secuence"):
        update_row(JournalHead(stream="game/1"), "digest", "secuence")


def test_an_error_breaks_the_transaction() -> None:
    insert_row(JournalHead(stream="game/1"))

    with transaction.atomic():
        with pytest.raises(IntegrityError):
            insert_row(JournalHead(stream="game/1"))
        assert connection.needs_rollback
        transaction.set_rollback(True)
    assert JournalHead.objects.count() == 1


def test_fields_of_several_rows() -> None:
    rows = Player.objects.bulk_create(Player(name=name, club="X") for name in "ABC")
    other = Player.objects.create(name="D", birth_year=1990)
    for year, row in enumerate(rows, start=1990):
        row.name, row.birth_year, row.merged_into, row.club = f"%s {year}", year, other, "lost"
    rows[0].birth_year = rows[0].merged_into = None

    with CaptureQueriesContext(connection) as queries:
        update_rows(rows, "name", "folded_name", "birth_year", "merged_into")
        update_rows([], "name")

    assert len(queries) == 1
    columns = ("name", "folded_name", "birth_year", "merged_into", "club")
    assert list(Player.objects.order_by("pk").values_list(*columns)) == [
        ("%s 1990", "%s 1990", None, None, "X"),
        ("%s 1991", "%s 1991", 1991, other.pk, "X"),
        ("%s 1992", "%s 1992", 1992, other.pk, "X"),
        ("D", "d", 1990, None, ""),
    ]


def test_a_value_of_several_rows_that_does_not_fit() -> None:
    rows = Player.objects.bulk_create(Player(name=name) for name in "AB")
    rows[1].club, rows[1].birth_year = "X" * 300, -1

    with pytest.raises(DatabaseError), transaction.atomic():
        update_rows(rows, "birth_year")
    with suppress(DataError), transaction.atomic():
        update_rows(rows, "club")
    columns = ("name", "birth_year", "club")
    stored = list(Player.objects.order_by("pk").values_list(*columns))
    assert stored in ([("A", None, ""), ("B", None, club)] for club in ("", "X" * 300))


def test_an_update_is_that_of_django() -> None:
    rows = Player.objects.bulk_create(Player(name=name, birth_year=1990) for name in "AB")

    def born_in(year: int, name: str, at: datetime) -> Any:
        found = Player.objects.filter(birth_year=year).exclude(name=name).order_by("name")
        return found, {"birth_year": F("birth_year") + 1, "created_at": at}

    update = CompiledUpdate(born_in, int, str, datetime)
    for year, name, at in ((1990, "A", AT), (1991, "%s", AT + timedelta(days=1)), (1, "", AT)):
        found, changes = born_in(year, name, at)
        expected = undone_update(partial(found.update, **changes))
        assert undone_update(partial(update.execute, year, name, at)) == expected
        update.execute(year, name, at)
    assert [row.birth_year for row in Player.objects.filter(pk=rows[1].pk)] == [1992]


def undone_update(save: Callable[[], int]) -> tuple[list[str], int, list[dict[str, Any]]]:
    """Return the SQL of an update, its result, and what is stored then; it is undone."""
    with transaction.atomic():
        with CaptureQueriesContext(connection) as queries:
            count = save()
        stored = list(Player.objects.order_by("pk").values())
        transaction.set_rollback(True)
    return [query["sql"] for query in queries], count, stored
