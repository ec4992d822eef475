"""Serializers of the journal."""

from rest_framework import serializers


class JournalLineSerializer(serializers.Serializer):
    stream = serializers.CharField()
    sequence = serializers.IntegerField()
    previous = serializers.CharField()
    digest = serializers.CharField()
    actor = serializers.CharField()
    at = serializers.CharField()
    kind = serializers.CharField()
    payload_digest = serializers.CharField()
    rows_digest = serializers.CharField(
        allow_blank=True, help_text="of the changed columns, which only the bundle contains"
    )
    payload = serializers.DictField(allow_null=True, help_text="only for directors, else null")


class JournalSerializer(serializers.Serializer):
    stream = serializers.CharField()
    head = serializers.CharField(help_text="the digest of the journal's last line")
    sequence = serializers.IntegerField(help_text="the number of the journal's last line")
    next = serializers.URLField(allow_null=True, help_text="the next page")
    results = JournalLineSerializer(many=True)
