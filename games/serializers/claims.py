"""Serializers of claims."""

from rest_framework import serializers

from games.core.serializers import NamedSerializer, validate_text
from games.models import Claim


class ClaimRequestSerializer(serializers.Serializer):
    player = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class ClaimDecisionSerializer(serializers.Serializer):
    reason = serializers.CharField(
        max_length=240, required=False, allow_blank=True, default="", validators=[validate_text]
    )


class ClaimSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    player = NamedSerializer()
    account = NamedSerializer()
    state = serializers.ChoiceField(Claim.State.choices)
    reason = serializers.CharField(help_text="of the decision")
    created_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)
