"""Serializers of the addresses about a player's ratings."""

from rest_framework import serializers

from games.players.serializers import PlayerDetailsSerializer


class PoolLinksSerializer(serializers.Serializer):
    pool = serializers.CharField(help_text="the code of a pool in which the player has a rating")
    place = serializers.CharField(help_text="the player on the rating list")
    list = serializers.CharField()
    lists = serializers.CharField(help_text="the published lists")
    history = serializers.CharField()
    second_opinion = serializers.CharField(help_text="what other rating systems say")
    chart = serializers.CharField()


class PlayerLinksSerializer(serializers.Serializer):
    ratings = serializers.CharField(help_text="the rating in each pool")
    history = serializers.CharField(help_text="the changes of the ratings, each explained")
    head_to_head = serializers.CharField(help_text="a template")
    what_if = serializers.CharField(help_text="a template")
    pools = PoolLinksSerializer(many=True)


class LinkedPlayerSerializer(PlayerDetailsSerializer):
    """A player with the addresses of what the API shows about their ratings."""

    links = PlayerLinksSerializer(read_only=True)

    class Meta(PlayerDetailsSerializer.Meta):
        fields = [*PlayerDetailsSerializer.Meta.fields, "links"]
