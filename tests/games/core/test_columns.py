"""The declaration of the columns of each model, which a system check requires."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.apps import apps
from django.core.checks.registry import registry

from games.models.columns import (
    APPS,
    Columns,
    Dated,
    check_columns,
    columns_of,
    current_row,
    current_value,
)
from tests.events import make_published
from tests.people import Person
from tournament.models import Bye, Entry

BYES = columns_of(Bye)


def test_every_column_of_the_product_is_declared_once():
    assert check_columns() == []
    assert len([model for app in APPS for model in apps.get_app_config(app).get_models()]) > 40


@pytest.mark.parametrize(
    ("declared", "detail"),
    [
        (None, "its body declares no columns"),
        (
            replace(BYES, journalled=("entry", "round", "kind", "reason")),
            "the column requested_at is not declared as journalled, derived or technical",
        ),
        (replace(BYES, derived=("kind",)), "the column kind is declared twice"),
        (replace(BYES, technical=("id", "tournament", "id")), "the column id is declared twice"),
        (replace(BYES, derived=("colour",)), "there is no column colour, which is declared"),
        (replace(BYES, personal=("notes",)), "there is no column notes, which is declared"),
        (replace(BYES, former={"colour": {}}), "there is no column colour, which is declared"),
        (replace(BYES, key=("id",)), "the column id of the key is not journalled"),
    ],
)
def test_a_column_that_is_not_declared_once_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, declared: Columns | None, detail: str
):
    monkeypatch.setattr(Bye, "columns", declared)
    assert check_columns in registry.get_checks()
    (error,) = check_columns()
    assert (error.obj, error.msg) == (Bye, detail)
    assert error.is_serious()


def test_a_journalled_reference_needs_a_row_with_a_key(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Entry, "columns", replace(columns_of(Entry), key=()))
    (error,) = [error for error in check_columns() if error.obj is Bye]
    assert error.msg == "the column entry refers to Entry, whose rows have no key"


@pytest.mark.parametrize(
    ("kind", "former", "current"),
    [
        ("bye", {"kind": "half-bye", "reason": "half-bye"}, {"kind": "half_bye"}),
        ("pairing", {"awarded_for": "forfeit-loss/loss"}, {"awarded_for": "forfeit_loss/loss"}),
        (
            "pairing",
            {"counted": {"standings": {"bye": "zero-bye", "7": {"termination": "double-forfeit"}}}},
            {"counted": {"standings": {"bye": "zero_bye", "7": {"termination": "double_forfeit"}}}},
        ),
        ("round", {"system": "by-hand", "relaxed": ["second-bye"]},
         {"system": "by_hand", "relaxed": ["second_bye"]}),
        ("round", {"system": "round-robin"}, {}),
        ("report", {"outcome": {"termination": "double-forfeit"}},
         {"outcome": {"termination": "double_forfeit"}}),
        ("correction", {"scope": "standings+pairings", "changes": [{"bye": [None, "full-bye"]}]},
         {"scope": "standings_pairings", "changes": [{"bye": [None, "full_bye"]}]}),
        (
            "tournament",
            {"decided_ties": [{"by": "play-off", "reason": "play-off"}],
             "handicap_kinds": ["first move"], "name": "play-off"},
            {"decided_ties": [{"by": "play_off", "reason": "play-off"}],
             "handicap_kinds": ["first_move"]},
        ),
        ("role", {"role": "rating-officer"}, {"role": "rating_officer"}),
    ],
)  # fmt: skip
def test_what_earlier_versions_wrote_is_read_as_it_is_written_today(
    kind: str, former: dict[str, object], current: dict[str, object]
) -> None:
    assert current_row(kind, former) == former | current


def test_the_key_of_a_row_is_read_as_it_is_written_today() -> None:
    assert current_value("role", "", "5/rating-officer") == "5/rating_officer"
    assert current_value("bye", "", "5/2") == "5/2"


WRITES: dict[str, Callable[[Any, str], object]] = {
    "save": lambda row, _: row.save(),
    "some columns": lambda row, name: row.save(update_fields=[name]),
    "update": lambda row, name: (
        type(row).objects.filter(pk=row.pk).update(**{name: getattr(row, name)})
    ),
    "bulk_update": lambda row, name: type(row).objects.bulk_update([row], [name]),
}


@pytest.mark.parametrize("way", WRITES)
def test_each_write_of_a_dated_row_has_its_time(
    organiser: Person, ada: Person, ben: Person, way: str
):
    event = make_published(organiser, ada, ben)
    dated = [model for app in APPS for model in apps.get_app_config(app).get_models()]
    dated = [model for model in dated if issubclass(model, Dated)]
    assert {model.__name__ for model in dated} == {"Player", "Game", "Tournament", "Entry"}
    before = event.tournament.created_at
    for model, name in ((model, columns_of(model).journalled[0]) for model in dated):
        model._base_manager.update(updated_at=before)
        row = model._base_manager.first()
        WRITES[way](row, name)
        row.refresh_from_db()
        assert row.updated_at > before, (model, name)


@pytest.mark.parametrize("way", ["some columns", "update"])
def test_a_technical_column_is_no_change(organiser: Person, ada: Person, ben: Person, way: str):
    (game,) = make_published(organiser, ada, ben).games()
    before = game.updated_at
    WRITES[way](game, "attempts")
    game.refresh_from_db()
    assert game.updated_at == before
