"""Serializers of accounts and their tokens, of sign-up and passwords."""

from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.permissions import SCOPES
from games.core.serializers import MomentField, NameField, OptionalText, validate_text
from games.models import Token
from games.models.addresses import normal_address

LONGEST_NAME: Final = 120


class AddressField(serializers.EmailField):
    """An address for email, in its normal form (games/models/addresses.py)."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        try:
            return normal_address(text)
        except ValidationError as error:
            raise serializers.ValidationError(error.messages) from error


class EmailSerializer(serializers.Serializer):
    email = AddressField(max_length=254)


class AccountChangeSerializer(serializers.Serializer):
    name = NameField(max_length=LONGEST_NAME)


class ChangedAccountSerializer(AccountChangeSerializer):
    email = AddressField(max_length=254, label=_("Email"))


class TokenRequestSerializer(serializers.Serializer):
    name = OptionalText(
        max_length=80,
        default="",
        label=_("What it is for"),
        validators=[validate_text],
    )
    scopes = serializers.ListField(
        child=serializers.CharField(max_length=40), allow_empty=False, max_length=len(SCOPES)
    )
    tournament_slug = serializers.SlugField(
        max_length=80,
        allow_blank=True,
        default="",
        label=_("Only for the event with this short name"),
    )
    preconditions = serializers.ChoiceField(
        Token.Preconditions.choices,
        default=Token.Preconditions.REQUIRED,
        help_text="whether directors' writes need `If-Match`; `optional` is for simple scripts",
    )
    expires_at = MomentField(
        allow_null=True,
        default=None,
        label=_("Valid until"),
        help_text="90 days from now by default, at most 366, unless the installation differs",
    )
