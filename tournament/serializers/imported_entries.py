"""Serializers of the import of entries."""

from rest_framework import serializers

from games.players.serializers import RECOGNISED_COLUMNS
from tournament.entries.serializers import OutdatedPapersSerializer


class ImportedEntrySerializer(serializers.Serializer):
    line = serializers.IntegerField()
    name = serializers.CharField()
    action = serializers.CharField(
        help_text="created: a new player; known: registered before; entered: already in the event"
    )
    player = serializers.IntegerField(allow_null=True)


class ImportedEntriesSerializer(serializers.Serializer):
    dry_run = serializers.BooleanField()
    columns = serializers.DictField(child=serializers.CharField(), help_text=RECOGNISED_COLUMNS)
    lines = ImportedEntrySerializer(many=True)
    outdated = OutdatedPapersSerializer(help_text="after the import")
