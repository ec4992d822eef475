"""Serializers of merges."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.serializers import IdField


class MergeRequestSerializer(serializers.Serializer):
    keep_id = IdField(label=_("Number of the player to keep"))
    merge_id = IdField(label=_("Number of the other player"))
