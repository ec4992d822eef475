"""Serializers that several subjects of an event share."""

from datetime import date
from typing import Any

from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.core.serializers import NamedSerializer, OptionalText
from games.core.text import translated
from games.rules.text import Text
from tournament.pairing.findings import FindingCode
from tournament.pairing.separations import By

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


class NumbersSerializer(serializers.Serializer):
    """A board, or a tie, by pairing numbers."""

    numbers = serializers.ListField(
        child=serializers.IntegerField(), help_text="pairing numbers; a bye has one"
    )


class EntryReferenceSerializer(serializers.Serializer):
    """An entry where others name it."""

    entry = serializers.IntegerField(help_text="its id")
    number = serializers.IntegerField(allow_null=True, help_text="the pairing number")
    player = NamedSerializer()


class EntryOfRowSerializer(EntryReferenceSerializer):
    """The reference of a row of the database."""

    entry = serializers.IntegerField(source="pk", help_text="its id")
    number = serializers.IntegerField(
        source="pairing_number", allow_null=True, help_text="the pairing number"
    )


class SeedRatingField(serializers.IntegerField):
    """The rating of an entry, null for a player who is unrated; 0 is stored for that."""

    def __init__(self) -> None:
        super().__init__(read_only=True, allow_null=True, help_text="null: unrated")

    def to_representation(self, value: int) -> Any:
        """Return the rating, None for 0."""
        return value or None


class PlayerSummarySerializer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    country = OptionalText(read_only=True)
    club = OptionalText(read_only=True)


class ListedEntrySerializer(serializers.Serializer):
    entry = serializers.IntegerField(help_text="its id")
    number = serializers.IntegerField(help_text="the pairing number")
    player = PlayerSummarySerializer()


OPTION_VALUE = {"type": ["integer", "string", "boolean", "null"]}
MOST_SYSTEM_PLAYERS = 200


@extend_schema_field({"type": "object", "additionalProperties": OPTION_VALUE})
class SystemOptionsField(serializers.DictField):
    """Values by option; the services validate them with the whole set-up."""

    child = serializers.JSONField(allow_null=True)


class SeparationSerializer(serializers.Serializer):
    by = serializers.ChoiceField([by.value for by in By])
    preference = serializers.BooleanField(
        default=False, help_text="followed if possible; otherwise a rule that is never broken"
    )
    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        max_length=MOST_SYSTEM_PLAYERS,
        default=list,
        help_text="ids of players who are kept apart from each other; not public while it runs",
    )
    first_round = serializers.IntegerField(min_value=1, max_value=99, default=1)
    last_round = serializers.IntegerField(
        min_value=0, max_value=99, default=0, help_text="0 means the last round"
    )

    def validate_players(self, players: list[int]) -> list[int]:
        """Require at least two different players, or none."""
        if len(players) == 1 or len(set(players)) < len(players):
            raise serializers.ValidationError(
                translated(Text("name at least two players, each once"))
            )
        return players
