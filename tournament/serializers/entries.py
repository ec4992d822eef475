"""The shapes of entries, byes, and the tokens of those who play."""

from rest_framework import serializers

from games.services.players import HIGHEST_RATING
from tournament.models import Bye, Entry
from tournament.services.setup import MOST_ROUNDS

HIGHEST_LOT = 100_000


class EntryRequest(serializers.Serializer):
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


class LotRequest(serializers.Serializer):
    lot = serializers.IntegerField(min_value=1, max_value=HIGHEST_LOT, allow_null=True)


class EntryPlayer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    country = serializers.CharField()
    club = serializers.CharField()


class EntryShape(serializers.Serializer):
    id = serializers.IntegerField()
    player = EntryPlayer()
    state = serializers.ChoiceField(Entry.State.choices)
    seed_rating = serializers.IntegerField()
    pairing_number = serializers.IntegerField(allow_null=True)
    lot = serializers.IntegerField(allow_null=True)
    first_round = serializers.IntegerField()


class ByeRequest(serializers.Serializer):
    entry = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    round = serializers.IntegerField(min_value=1, max_value=MOST_ROUNDS)
    kind = serializers.ChoiceField(Bye.Kind.choices)
    reason = serializers.CharField(max_length=240, required=False, allow_blank=True, default="")


class ByeShape(serializers.Serializer):
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
