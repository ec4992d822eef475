"""Serializers of the batches of a pool."""

from rest_framework import serializers

from games.core.serializers import MomentField
from ratings.core.serializers import OfficerSerializer, ReasonSerializer
from ratings.models import Batch


class BatchSerializer(serializers.Serializer):
    """A batch; one that is waiting or refused has no place in the order of the pool."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(Batch.Kind.choices)
    tournament = serializers.CharField(allow_null=True, help_text="the slug of the tournament")
    game = serializers.IntegerField(allow_null=True, help_text="the id of the casual game")
    name = serializers.CharField(
        allow_null=True, help_text="of the tournament; null for a casual game"
    )
    organiser = OfficerSerializer(
        allow_null=True, required=False, help_text="only for the officers of the pool"
    )
    state = serializers.ChoiceField(Batch.State.choices)
    approved = serializers.BooleanField(
        help_text="the officers approved the tournament or its organiser; else both players must"
        " agree"
    )
    reason = serializers.CharField(
        allow_null=True,
        help_text="of the last officer who changed the batch; while it waits, for whose decision",
    )
    effective_at = serializers.DateTimeField()
    filed_at = serializers.DateTimeField()
    games = serializers.IntegerField()
    excluded = serializers.DictField(
        child=serializers.IntegerField(), help_text="the number of games that each code excludes"
    )
    run = serializers.IntegerField(
        allow_null=True, help_text="the number of the run that rated it in its present form"
    )


class BackdateSerializer(ReasonSerializer):
    effective_at = MomentField(help_text="not in the future")
