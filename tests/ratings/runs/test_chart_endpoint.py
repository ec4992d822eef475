"""`/players/{id}/rating-history.svg`: the chart of a rating."""

import pytest

from games.core.tables.html import allow_style
from games.models import Game
from ratings.runs.services import advance_pool
from ratings.systems.charts import CHART_STYLE
from tests.people import problem_in
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db


def test_a_chart_has_a_point_for_each_event_that_is_visible(star, everyone):
    ann, bo, cy = make_players(3)
    games = [make_game(ann, bo), make_game(cy, ann, "1/2", swap=False)]
    file_event(star, "cup", day(3), games)
    spring = make_game(ann, bo, event="Spring")
    file_event(star, "spring", day(9), [spring])
    advance_pool(star.pk)
    path = f"players/{ann.pk}/rating-history.svg?pool=star"
    charts = {name: person.get(path).content.decode() for name, person in everyone.items()}
    assert {chart.count("<circle") for chart in charts.values()} == {2}
    assert "2026-03-03: 1555.731</title>" in charts["anonymous"]  # provisional: no interval
    assert "Player A: *Star" in charts["anonymous"]
    policy = everyone["anonymous"].get(path)["Content-Security-Policy"]
    assert f"style-src {allow_style(CHART_STYLE)};" in policy

    Game.objects.filter(pk=spring.pk).update(public=False)
    assert everyone["anonymous"].get(path).content.decode().count("<circle") == 1
    for game in games:
        Game.objects.filter(pk=game.pk).update(public=False)
    problem_in(everyone["anonymous"].get(path), 404)
    problem_in(everyone["anonymous"].get(path.replace("star", "moon")), 422, "invalid_parameter")
    problem_in(everyone["anonymous"].get(path.replace("?pool=star", "")), 422, "invalid_parameter")
