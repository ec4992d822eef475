"""Each value of a closed set carries its label for people."""

import pytest
from django.apps import apps
from django.db.models import Field
from django.utils.functional import Promise

from ratings.models import BatchGame

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


def test_each_exclusion_has_a_reason() -> None:
    assert all(exclusion.reason for exclusion in BatchGame.Exclusion)
