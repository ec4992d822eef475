"""The labels of fields that the forms of an event share, for readers."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

ENTRY_LABELS: Final[Mapping[str, str | Promise]] = {
    "name": _("Name"),
    "country": _("Country"),
    "club": _("Club"),
    "birth_year": _("Year of birth"),
    "category": _("Category"),
    "first_round": _("First round"),
    "from_round": _("From round"),
    "handicap_table": _("Table of handicaps"),
    "lot": _("Number drawn by lot"),
    "seed_rating": _("Rating"),
    "sex": _("Sex"),
    "starts_at": _("Start"),
    "starts_on": _("Day"),
    "termination": _("How it ended"),
    "title": _("Title"),
}


def field_labels() -> dict[str, str]:
    """Return the labels by field, in the language of the reader."""
    return {name: str(label) for name, label in ENTRY_LABELS.items()}
