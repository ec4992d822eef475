"""Rows that are read with less work are those of Django."""

from typing import Any

import pytest
from django.db.models import QuerySet

from games.models import Player
from games.queries import GAME_FIELDS, visible_games
from games.rows import read_first_rows, read_rows
from tests.events import make_event, make_players
from tests.people import make_person
from tournament.models import Entry, Tournament
from tournament.queries import listed_entries

pytestmark = pytest.mark.django_db


def queries() -> dict[str, "QuerySet[Any, Any]"]:
    """Return queries with flags, days, times, JSON, annotations, joins and no rows."""
    event = Tournament.objects.get(slug="spring")
    columns = [field.attname for field in Tournament._meta.concrete_fields]
    return {
        "games": visible_games(None).order_by("-id").values(*GAME_FIELDS),
        "events": Tournament.objects.order_by("id").values(*columns),
        "entries": listed_entries(event).order_by("id").values("id", "shown_state", "player__name"),
        "players": Player.objects.order_by("id").values("external_ids", "name", "birth_year"),
        "a part": Player.objects.order_by("id").values("name")[1:3],
        "no row": Player.objects.filter(name="Nobody").values("name"),
        "nothing": Player.objects.none().values("name"),
        "objects": Entry.objects.order_by("id"),
    }


@pytest.mark.further_case
def test_the_rows_are_those_of_django() -> None:
    event = make_event(make_person("Olga"))
    event.enter(*make_players(4))
    event.step("open", "start").publish()
    Player.objects.filter(name__contains="1").update(external_ids={"fide": "17"}, birth_year=1990)

    for name, rows in queries().items():
        assert (name, read_rows(rows.all())) == (name, list(rows.all()))
    assert len(read_rows(queries()["games"])) == 2


def test_the_first_rows_of_a_shared_query_are_read_each_time() -> None:
    players = Player.objects.order_by("id").values("name", "external_ids")
    for most, count in ((1, 1), (3, 3), (9, 4)):
        Player.objects.all().delete()
        make_players(4)

        assert read_first_rows(players, most) == list(players.all()[:count])
        assert read_first_rows(players, most) == list(players.all()[:count])
