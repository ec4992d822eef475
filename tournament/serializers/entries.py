"""The shapes of entries, byes, and the tokens of those who play."""

from typing import Any

from rest_framework import serializers

from games.serializers.fields import validate_text
from games.services.players import HIGHEST_RATING
from tournament.models import Bye, Entry
from tournament.services.entries import FIRST_BIRTH_YEAR, LAST_BIRTH_YEAR
from tournament.services.setup import MOST_TOURNAMENT_ROUNDS
from tournament.standings.prizes import SEXES

HIGHEST_LOT = 100_000
LONGEST_CATEGORY = 40
NOT_FOR_ALL = "shown to the event's directors and to the player alone"


class PersonalFields(serializers.Serializer):
    """What prizes ask of a player; each may be left out, and emptied."""

    birth_year = serializers.IntegerField(
        min_value=FIRST_BIRTH_YEAR,
        max_value=LAST_BIRTH_YEAR,
        required=False,
        allow_null=True,
        help_text="the year, not after that of the event",
    )
    sex = serializers.ChoiceField(
        SEXES,
        required=False,
        allow_blank=True,
        error_messages={"invalid_choice": "sex is m or w, as FIDE writes it, or empty"},
    )
    category = serializers.CharField(
        max_length=LONGEST_CATEGORY,
        required=False,
        allow_blank=True,
        validators=[validate_text],
        help_text="as prize groups name it",
    )


class EntryRequest(PersonalFields):
    player = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    seed_rating = serializers.IntegerField(
        min_value=0, max_value=HIGHEST_RATING, required=False, allow_null=True, default=None
    )
    lot = serializers.IntegerField(
        min_value=1,
        max_value=HIGHEST_LOT,
        required=False,
        allow_null=True,
        default=None,
        help_text="the number drawn, where a round robin has its numbers by lot",
    )


class EntryChange(PersonalFields):
    """What of an entry can be changed; what is left out stays."""

    lot = serializers.IntegerField(
        min_value=1, max_value=HIGHEST_LOT, required=False, allow_null=True
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse what cannot be changed by its name, so that nobody thinks it was."""
        valid = ", ".join(self.fields)
        frozen = [name for name in self.initial_data if name not in self.fields]
        if frozen:
            detail = f"this of an entry cannot be changed; valid are: {valid}"
            raise serializers.ValidationError({str(frozen[0])[:40]: detail})
        if not attrs:
            raise serializers.ValidationError(f"send what is to change: {valid}")
        return attrs


class EntryPlayer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    country = serializers.CharField()
    club = serializers.CharField()


class EntrySerializer(serializers.Serializer):
    id = serializers.IntegerField()
    player = EntryPlayer()
    state = serializers.ChoiceField(Entry.State.choices)
    seed_rating = serializers.IntegerField()
    pairing_number = serializers.IntegerField(allow_null=True)
    lot = serializers.IntegerField(allow_null=True)
    first_round = serializers.IntegerField()
    birth_year = serializers.IntegerField(required=False, allow_null=True, help_text=NOT_FOR_ALL)
    sex = serializers.CharField(required=False, allow_blank=True, help_text=NOT_FOR_ALL)
    category = serializers.CharField(required=False, allow_blank=True, help_text=NOT_FOR_ALL)


class ByeRequest(serializers.Serializer):
    entry = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    round = serializers.IntegerField(min_value=1, max_value=MOST_TOURNAMENT_ROUNDS)
    kind = serializers.ChoiceField(Bye.Kind.choices)
    reason = serializers.CharField(max_length=240, required=False, allow_blank=True, default="")


class ByeSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    entry = serializers.IntegerField(source="entry_id")
    round = serializers.IntegerField()
    kind = serializers.ChoiceField(Bye.Kind.choices)
    reason = serializers.CharField()


class PersonalToken(serializers.Serializer):
    entry = serializers.IntegerField()
    player = serializers.IntegerField()
    scopes = serializers.ListField(child=serializers.CharField())
    token = serializers.CharField(help_text="the secret, shown this once")
