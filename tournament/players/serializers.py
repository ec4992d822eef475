"""Serializers of merges."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.serializers import NamedSerializer


class MergeRequestSerializer(serializers.Serializer):
    keep = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, label=_("Number of the player to keep")
    )
    merge = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, label=_("Number of the other player")
    )


class MergeSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    keep = NamedSerializer()
    merged = NamedSerializer()
    created_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)


class MergeEffectSerializer(MergeSerializer):
    """A merge with what belongs to the merged player."""

    entries = serializers.IntegerField()
    games = serializers.IntegerField()
    pools = serializers.ListField(child=serializers.CharField(), help_text="rated anew")
