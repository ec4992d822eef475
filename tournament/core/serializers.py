"""Serializers that several subjects of an event share."""

from datetime import date

from django.utils.translation import gettext_noop

from games.core.wrong_values import WrongValue
from games.rules.text import Text

FIRST_YEAR, LAST_YEAR = 1900, 2199
PUBLIC_REASON = gettext_noop("Everybody can read this.")


def validate_date(day: date) -> None:
    """Reject a date that TRF files cannot contain, such as one in the year 1."""
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise WrongValue(
            Text("the year must be from %(first)s to %(last)s", first=FIRST_YEAR, last=LAST_YEAR)
        )
