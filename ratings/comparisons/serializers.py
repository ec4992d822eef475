"""The body of supposed results."""

from rest_framework import serializers

from games.core.serializers import IdField
from ratings.systems.lists import SCORES

MOST_RESULTS = 50


class ResultSerializer(serializers.Serializer):
    opponent_id = IdField()
    score = serializers.ChoiceField([*SCORES], help_text="of the player")


class WhatIfSerializer(serializers.Serializer):
    pool = serializers.CharField(max_length=40, help_text="the code of a pool")
    results = serializers.ListField(child=ResultSerializer(), min_length=1, max_length=MOST_RESULTS)
