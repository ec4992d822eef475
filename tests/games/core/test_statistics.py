"""When the database counts the rows of a table anew."""

import pytest
from django.db import connection

from games.models import Player
from games.models.bulk import update_statistics


@pytest.mark.django_db
def test_the_rows_of_a_table_are_counted_in_the_transaction_that_writes_them() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite plans its queries without statistics")
    Player.objects.bulk_create(Player(name=f"Player {number}") for number in range(20))

    update_statistics(Player)

    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = 'games_player'")
        assert cursor.fetchone() == (20,)
