"""Statements that are sent often mean the same as sent by Django's cursor, and fail as there."""

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models.signals import post_init
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from games.compiled_queries import CompiledQuery
from games.models import Player
from games.sql import ALL_ROWS, Sql

PERCENT = Sql("SELECT '%%s', '%%', 'a' || %s")
MISSING = Sql("SELECT 1 FROM no_such_table WHERE id = %s")


def test_it_returns_what_djangos_cursor_returns(db: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        watched = PERCENT.execute(connection, ["b"], ALL_ROWS)

    assert len(queries) == 1
    for _ in range(2):
        assert PERCENT.execute(connection, ["b"], ALL_ROWS) == watched == [("%s", "%", "ab")]


def test_it_raises_the_errors_of_django(db: None) -> None:
    with pytest.raises(DatabaseError, match="no_such_table"), transaction.atomic():
        MISSING.execute(connection, [1], ALL_ROWS)
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(TransactionManagementError):
            PERCENT.execute(connection, ["b"], ALL_ROWS)


def test_a_model_whose_objects_are_listened_to(db: None) -> None:
    created: list[Any] = []

    def note(instance: Player, **_: object) -> None:
        created.append(instance)

    player = Player.objects.create(name="Ada")
    post_init.connect(note, sender=Player)
    try:
        found = CompiledQuery(lambda key: Player.objects.filter(pk=key), int).rows(player.pk)
    finally:
        post_init.disconnect(note, sender=Player)
    assert created == found == [player]
