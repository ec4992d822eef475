"""Serializers of applications and of their link."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from rest_framework import serializers

from games.core.serializers import CountryField, validate_text
from games.services.players import HIGHEST_RATING
from games.validators import MAX_NAME_LENGTH
from tournament.entries.serializers import PersonalValuesSerializer
from tournament.models import Entry


class ApplicationSerializer(PersonalValuesSerializer):
    """The details of a person without a player of their own; an account with one needs none."""

    link = serializers.CharField(
        max_length=40,
        required=False,
        allow_blank=True,
        label=_("The event's link for applications, if you have no account"),
        help_text=gettext_noop("the key of the event's link"),
    )
    name = serializers.CharField(
        max_length=MAX_NAME_LENGTH, required=False, validators=[validate_text]
    )
    country = CountryField()
    club = serializers.CharField(
        max_length=MAX_NAME_LENGTH, required=False, allow_blank=True, validators=[validate_text]
    )
    fide = serializers.CharField(
        max_length=11,
        required=False,
        allow_blank=True,
        label=_("FIDE id"),
        validators=[validate_text],
    )
    seed_rating = serializers.IntegerField(
        min_value=0, max_value=HIGHEST_RATING, required=False, allow_null=True, label=_("Rating")
    )


class AppliedSerializer(serializers.Serializer):
    entry = serializers.IntegerField()
    state = serializers.ChoiceField(Entry.State.choices)


class ApplicationLinkSerializer(serializers.Serializer):
    key = serializers.CharField(help_text="empty without a link")
    address = serializers.CharField(help_text="the page that it opens")
