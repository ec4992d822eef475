"""`/players/{id}/ratings.svg`: the chart of a rating."""

import pytest

from games.core.tables.html import allow_style
from games.models import Game
from ratings.runs.services import advance_pool
from ratings.systems.charts import CHART_STYLE
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_a_chart_has_a_point_for_each_event_that_is_visible(star, client):
    ann, bo, cy = make_players(3)
    games = [make_game(ann, bo), make_game(cy, ann, "1/2", swap=False)]
    file_event(star, "cup", day(3), games)
    spring = make_game(ann, bo, event="Spring")
    file_event(star, "spring", day(9), [spring])
    advance_pool(star.pk)
    path = f"/players/{ann.pk}/ratings.svg?pool=star"
    answer = client.get(path)
    chart = answer.content.decode()
    assert chart.count("<circle") == 2
    assert "3 Mar 2026: 1555.731</title>" in chart  # provisional: no interval
    assert f"style-src {allow_style(CHART_STYLE)};" in answer["Content-Security-Policy"]

    Game.objects.filter(pk=spring.pk).update(public=False)
    assert client.get(path).content.decode().count("<circle") == 1
    for game in games:
        Game.objects.filter(pk=game.pk).update(public=False)
    assert client.get(path).status_code == 404
