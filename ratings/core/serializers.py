"""Serializers that several subjects of pools share."""

from rest_framework import serializers

from games.core.serializers import OptionalReasonField, ReasonField


class DecisionSerializer(serializers.Serializer):
    reason = OptionalReasonField(help_text="`refuse` needs one")


class ReasonSerializer(serializers.Serializer):
    reason = ReasonField()
