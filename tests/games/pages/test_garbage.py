"""A page lets go of its data at once: the garbage collector would delay another request for it."""

import gc

import pytest
from django.test import Client

from tests.events import make_running
from tests.people import make_person
from tournament.standings.table import StandingsRow

pytestmark = pytest.mark.django_db


def test_no_row_of_a_table_is_left() -> None:
    make_running(make_person("Olga"), 4).play(1)
    client = Client()
    gc.collect()
    gc.disable()
    try:
        response = client.get("/e/spring/standings")
        del response.context  # which the test client has copied
        left = [found for found in gc.get_objects() if type(found) is StandingsRow]
    finally:
        gc.enable()

    assert (response.status_code, left) == (200, [])
