"""Serializers of published rating lists."""

from rest_framework import serializers


class PublishedListSerializer(serializers.Serializer):
    pool = serializers.CharField()
    published_on = serializers.DateField()
    published_at = serializers.DateTimeField()
    run = serializers.IntegerField(help_text="the number of the run that computed the ratings")
    input_digest = serializers.CharField(help_text="of the run")
    players = serializers.IntegerField()
    rules = serializers.DictField(
        child=serializers.CharField(),
        help_text="who is on the list, and what rank and interval mean, in words",
    )
    ratings = serializers.CharField(help_text="the address of the rows; also with .csv, .ndjson")
