"""Serializers of merges."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers


class MergeRequestSerializer(serializers.Serializer):
    keep_id = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, label=_("Number of the player to keep")
    )
    merge_id = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, label=_("Number of the other player")
    )
