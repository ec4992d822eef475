"""Serializers of personal links and of the sessions that they open."""

from rest_framework import serializers

from games.core.serializers import NamedSerializer
from tournament.entries.serializers import PersonalTokenSerializer

MOST_LINKS = 10_000


class PersonalLinkSerializer(serializers.Serializer):
    entry = serializers.IntegerField()
    pairing_number = serializers.IntegerField(allow_null=True)
    player = NamedSerializer()
    address = serializers.CharField(help_text="the player's page, with the secret after the `#`")
    issued_at = serializers.DateTimeField()


class LinksRequestSerializer(serializers.Serializer):
    entries = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        required=False,
        default=list,
        max_length=MOST_LINKS,
        help_text="accepted entries whose link is replaced by a new one",
    )


class CreatedLinksSerializer(serializers.Serializer):
    created = serializers.ListField(
        child=serializers.IntegerField(), help_text="the entries whose link is new"
    )
    results = PersonalLinkSerializer(many=True)


class SessionRequestSerializer(serializers.Serializer):
    link = serializers.CharField(max_length=200, help_text="what follows the `#` in the address")


class SessionSerializer(PersonalTokenSerializer):
    """A token that ends after half a day."""
