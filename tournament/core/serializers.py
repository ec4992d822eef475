"""Serializers that several subjects of an event share."""

from datetime import date

from django.utils.translation import gettext_noop
from rest_framework import serializers

from games.core.text import translated
from games.core.types import described
from games.rules.text import Text
from tournament.core.references import EntryReference
from tournament.pairing.findings import FindingCode

FIRST_YEAR, LAST_YEAR = 1900, 2199
PUBLIC_REASON = gettext_noop("Everybody can read this.")


def validate_date(day: date) -> None:
    """Reject a date that TRF files cannot contain, such as one in the year 1."""
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise serializers.ValidationError(
            translated(
                Text(
                    "the year must be from %(first)s to %(last)s", first=FIRST_YEAR, last=LAST_YEAR
                )
            )
        )


FINDING_CODE_NAMES = [code.value for code in FindingCode]


class FindingSerializer(serializers.Serializer):
    code = serializers.ChoiceField(FINDING_CODE_NAMES)
    numbers = serializers.ListField(child=serializers.IntegerField(), help_text="pairing numbers")
    values = serializers.DictField(help_text="the values in the sentence")
    sentence = serializers.CharField(
        help_text="with the players by name in explanations, elsewhere by pairing number"
    )


EntryReferenceSerializer = described(EntryReference)
