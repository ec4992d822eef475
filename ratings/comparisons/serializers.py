"""Serializers of comparisons: head to head, supposed results."""

from rest_framework import serializers

from games.core.serializers import (
    ExpectedScoreField,
    NamedSerializer,
    RatingNumberField,
)
from ratings.core.serializers import SHARE_OF_CHANGE
from ratings.models import BatchGame


class SupposedChangeSerializer(serializers.Serializer):
    opponent = NamedSerializer()
    score = serializers.ChoiceField(["1", "0.5", "0"])
    opponent_before = RatingNumberField(allow_null=True, help_text="null: unrated")
    expected = ExpectedScoreField()
    k = RatingNumberField()
    explanation = serializers.CharField(help_text="why K is what it is, in words")
    change = RatingNumberField(help_text=SHARE_OF_CHANGE)
    exclusion = serializers.ChoiceField(
        BatchGame.Exclusion.choices,
        allow_null=True,
        help_text="the code of why the pool would not rate the game, which then changes nothing",
    )
    reason = serializers.CharField(allow_null=True, help_text="the same in words; else null")


class WhatIfSerializer(serializers.Serializer):
    pool = serializers.CharField()
    player = NamedSerializer()
    before = RatingNumberField(
        allow_null=True, help_text="the rating now; null: unrated, in FIDE's system"
    )
    after = RatingNumberField(
        allow_null=True, help_text="the rating after the results; null: unrated"
    )
    change = RatingNumberField(allow_null=True, help_text="null if either is null")
    results = SupposedChangeSerializer(many=True)
