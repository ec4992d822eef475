"""Serializers that several subjects of an event share."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Any

from django.utils.translation import gettext_noop
from rest_framework import serializers

from games.core.serializers import RatingField
from games.core.wrong_values import WrongValue
from games.rules.text import Text
from tournament.models.settings import MOST_TOURNAMENT_ROUNDS

FIRST_YEAR, LAST_YEAR = 1900, 2199
PUBLIC_REASON = gettext_noop("Everybody can read this.")


def validate_date(day: date) -> None:
    """Reject a date that TRF files cannot contain, such as one in the year 1."""
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise WrongValue(
            Text("the year must be from %(first)s to %(last)s", first=FIRST_YEAR, last=LAST_YEAR)
        )


RoundField = partial(serializers.IntegerField, min_value=1, max_value=MOST_TOURNAMENT_ROUNDS)
"""The number of a round."""
PairingNumberField = partial(serializers.IntegerField, min_value=1, max_value=100_000)


class SeedRatingField(RatingField):
    """The rating of an entry, which is stored as 0 for none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, allow_null=True, **options)

    def run_validation(self, *data: Any) -> int:
        return super().run_validation(*data) or 0


class AcceptField(serializers.ListField):
    """The codes of what the caller accepts."""

    def __init__(self, codes: Sequence[str], help_text: str, **options: Any) -> None:
        child = serializers.ChoiceField(codes)
        super().__init__(
            child=child, default=list, max_length=len(codes), help_text=help_text, **options
        )
