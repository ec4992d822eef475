"""Serializers that several subjects of pools share."""

from rest_framework import serializers

from games.core.serializers import validate_text


class DecisionSerializer(serializers.Serializer):
    reason = serializers.CharField(
        max_length=240,
        allow_blank=True,
        default="",
        validators=[validate_text],
        help_text="`refuse` needs one",
    )


class ReasonSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=240, validators=[validate_text])
