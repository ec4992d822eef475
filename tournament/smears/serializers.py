"""Serializers of reports of names."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.serializers import IdField, ReasonField
from games.core.wrong_values import WrongValue
from games.rules.text import Text
from ratings.core.serializers import ReasonSerializer


class NameReportRequestSerializer(serializers.Serializer):
    player_id = IdField(required=False)
    tournament_slug = serializers.SlugField(max_length=80, required=False)
    reason = ReasonField(label=_("What is wrong with the name"))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("player_id" in attrs) == ("tournament_slug" in attrs):
            detail = Text("send either player_id or tournament_slug")
            raise WrongValue({"player_id": detail})
        return attrs


class HideSerializer(ReasonSerializer):
    """Why a name is hidden, or shown again: for the journal of the site."""
