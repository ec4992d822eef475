"""Serializers of the import of records."""

from rest_framework import serializers


class ImportedRecordSerializer(serializers.Serializer):
    line = serializers.IntegerField()
    game = serializers.IntegerField()
    round = serializers.IntegerField()
    board = serializers.IntegerField()
    digest = serializers.CharField()


class ImportedRecordsSerializer(serializers.Serializer):
    dry_run = serializers.BooleanField()
    records = ImportedRecordSerializer(many=True)
