"""A batch rated by a real worker."""

import pytest

from ratings.batches.queries import batch_progress
from tests.processes import eventually
from tests.ratings.factories import day, file_event, make_game, make_players, ratings_of


@pytest.mark.usefixtures("worker")
def test_the_worker_rates_a_filed_event(star):
    batch = file_event(star, "cup", day(1), [make_game(*make_players(2))])
    eventually(lambda: batch_progress(batch.pk)["state"] == "done")
    assert ratings_of(star) == {"A": (1550_000, 1), "B": (1450_000, 1)}
