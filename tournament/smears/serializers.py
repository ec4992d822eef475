"""Serializers of reports of names."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.serializers import NamedSerializer, validate_text
from games.core.text import translated
from games.rules.text import Text
from ratings.core.serializers import ReasonSerializer


class NameReportRequestSerializer(serializers.Serializer):
    player = serializers.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    tournament = serializers.SlugField(max_length=80, required=False)
    reason = serializers.CharField(
        max_length=240, validators=[validate_text], label=_("What is wrong with the name")
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require one of the two."""
        if ("player" in attrs) == ("tournament" in attrs):
            detail = Text("send either player or tournament")
            raise serializers.ValidationError({"player": translated(detail)})
        return attrs


class SluggedSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()


class NameReportSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    player = NamedSerializer(allow_null=True)
    tournament = SluggedSerializer(allow_null=True)
    account = NamedSerializer()
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(
        allow_null=True, help_text="when staff has hidden the name or left it"
    )


class HideSerializer(ReasonSerializer):
    """Why a name is hidden, or shown again: for the journal of the site."""


class HiddenEventSerializer(SluggedSerializer):
    hidden = serializers.BooleanField()
