"""When the database counts the rows of a table anew."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Player
from games.models.bulk import update_statistics


@pytest.mark.django_db(transaction=True)
def test_a_table_is_counted_again_when_a_tenth_of_its_rows_is_new():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite plans its queries without statistics")
    counted = []
    for new in (20, 1, 2):
        Player.objects.bulk_create(Player(name=f"Player {number}") for number in range(new))
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_force_next_flush()")  # else within a second
        with CaptureQueriesContext(connection) as queries:
            update_statistics(Player)
        counted.append([query["sql"] for query in queries][1:])
    assert counted == [["ANALYZE (SKIP_LOCKED) games_player"], [], counted[0]]
