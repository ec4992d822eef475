"""The pool that an installation starts with: the migrations give a new one the defaults."""

from importlib import import_module

import pytest
from django.apps import apps

from games.models import Game, JournalHead
from ratings.models import Pool
from ratings.runs.verification import verify_pool_rows
from tests.events import make_players
from tests.people import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def star() -> Pool:
    return Pool.objects.get(code="star")


def migrate() -> None:
    import_module("ratings.migrations.0003_first_pool").name_games(apps, None)
    import_module("ratings.migrations.0005_preset_of_first_pool").use_default(apps, None)


def test_a_new_pool_has_the_default(star: Pool) -> None:
    migrate()
    star.refresh_from_db()
    assert star.preset == Pool().preset == "floor"
    assert verify_pool_rows(star.stream) == []


@pytest.mark.parametrize("used", ["account", "game", "journal"])
def test_a_pool_in_use_keeps_its_preset(star: Pool, used: str) -> None:
    if used == "account":
        make_person("ada")
    elif used == "game":
        first, second = make_players(2)
        Game.objects.create(game="star-star", board="10", first=first, second=second)
    else:
        JournalHead.objects.create(stream=star.stream)
    migrate()
    star.refresh_from_db()
    assert star.preset == "decay"
    assert verify_pool_rows(star.stream) == []
