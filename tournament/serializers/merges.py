"""Serializers of merges."""

from rest_framework import serializers

from games.serializers.fields import NamedSerializer


class MergeRequestSerializer(serializers.Serializer):
    keep = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    merge = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class MergeSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    keep = NamedSerializer()
    merged = NamedSerializer()
    entries = serializers.IntegerField(help_text="of the merged player")
    games = serializers.IntegerField(help_text="of the merged player")
    pools = serializers.ListField(child=serializers.CharField(), help_text="rated anew")
    created_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)
