"""The shapes of players, accounts and tokens."""

from rest_framework import serializers

from games.accounts.permissions import SCOPES
from games.models import Player
from games.services.players import HIGHEST_RATING
from games.validators import COUNTRY_CODE, check_text


def validate_text(text: str) -> None:
    """Reject text that does not fit on one line, or that is invisible."""
    try:
        check_text(text)
    except ValueError as error:
        raise serializers.ValidationError(str(error)) from error


class CountryField(serializers.RegexField):
    """A three-letter code, or empty."""

    default_error_messages = {"invalid": "a country is a three-letter code, or empty"}

    def __init__(self) -> None:
        super().__init__(rf"\A{COUNTRY_CODE.pattern}\Z", required=False, allow_blank=True)


class PlayerSerializer(serializers.ModelSerializer[Player]):
    seed_rating = serializers.IntegerField(
        min_value=0, max_value=HIGHEST_RATING, allow_null=True, required=False
    )
    country = CountryField()

    class Meta:
        model = Player
        fields = ["id", "name", "country", "club", "seed_rating"]
        extra_kwargs = {name: {"validators": [validate_text]} for name in ("name", "club")}


class ImportedLine(serializers.Serializer):
    line = serializers.IntegerField()
    name = serializers.CharField()
    action = serializers.ChoiceField(["created", "known"])
    player = serializers.IntegerField(allow_null=True)


class ImportSerializer(serializers.Serializer):
    dry_run = serializers.BooleanField()
    lines = ImportedLine(many=True)


class TokenRequest(serializers.Serializer):
    name = serializers.CharField(
        max_length=80, required=False, default="", validators=[validate_text]
    )
    scopes = serializers.ListField(
        child=serializers.CharField(max_length=40), allow_empty=False, max_length=len(SCOPES)
    )
    tournament = serializers.SlugField(max_length=80, required=False, default="")
    expires_at = serializers.DateTimeField(required=False, allow_null=True, default=None)


class TokenSerializer(serializers.Serializer):
    id = serializers.CharField(source="token_key")
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField())
    stream = serializers.CharField()
    created_at = serializers.DateTimeField(source="created")
    expires_at = serializers.DateTimeField(source="expiry", allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class NewTokenSerializer(TokenSerializer):
    token = serializers.CharField(help_text="the secret, shown this once")


class MyPlayer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()


class MyRole(serializers.Serializer):
    stream = serializers.CharField()
    role = serializers.CharField()


class MeSerializer(serializers.Serializer):
    account = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.EmailField(allow_null=True, help_text="null to a token of one event")
    staff = serializers.BooleanField()
    player = MyPlayer(allow_null=True)
    roles = MyRole(many=True)
    scopes = serializers.ListField(child=serializers.CharField())
    stream = serializers.CharField(help_text="the one stream the token is good for, if any")
