"""Each value of a closed set carries its label for people."""

import pytest
from django.apps import apps
from django.db.models import Field
from django.utils.functional import Promise
from django.utils.translation import override

from games.play.boards import label_of
from games.rules.game_outcome import RulingTermination
from games.rules.outcome import Termination
from ratings.models import BatchGame
from tournament.models import Bye, Round

FIELDS = [
    field
    for app in ("games", "ratings", "tournament")
    for model in apps.get_app_config(app).get_models()
    for field in model._meta.get_fields()
    if isinstance(field, Field) and field.choices
]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_the_choices_of_a_column_have_labels_that_are_translated(field: Field) -> None:
    unlabelled = [value for value, label in field.flatchoices if not isinstance(label, Promise)]
    assert unlabelled == []


def test_a_label_is_in_the_language_of_the_reader() -> None:
    name = label_of(Round.State, Termination, RulingTermination)
    with override("de"):
        assert [name(value) for value in ("published", "full", "ruled", "else", "")] == [
            "wird gespielt",
            "das Brett ist voll",
            "entschieden",
            "else",
            "",
        ]


def test_players_see_what_a_bye_means_for_them() -> None:
    assert [str(kind.wish) for kind in Bye.Kind] == [
        "half-point bye",
        "not playing, no points",
        "full-point bye",
    ]


def test_each_exclusion_has_a_reason() -> None:
    assert all(exclusion.reason for exclusion in BatchGame.Exclusion)
