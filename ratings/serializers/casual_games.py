"""Serializers of casual games."""

from rest_framework import serializers

from games.rules.seat import Seat


class ProposalSerializer(serializers.Serializer):
    opponent = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, help_text="the id of a player with an account"
    )
    seat = serializers.ChoiceField([*Seat], help_text="of the proposer")
    game = serializers.CharField(max_length=32)
    board = serializers.CharField(max_length=12)
    options = serializers.ListField(
        child=serializers.CharField(max_length=40), required=False, default=list, max_length=10
    )
    swap = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="null: as usual in the game"
    )
    handicap = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=40, help_text="`second 3 stones`"
    )
    rated = serializers.BooleanField(required=False, default=False)
    pool = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=40,
        help_text="its officers rule on a dispute; a rated game needs one that rates its game",
    )
