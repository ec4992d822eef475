"""Serializers of rounds and of the versions of their pairings."""

from datetime import datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from rest_framework import serializers

from games.core.serializers import AllowedActionSerializer
from games.core.text import translated
from games.rules.text import Text
from tournament.core.serializers import validate_date
from tournament.models import Round
from tournament.queries.versions import VERSION_ACTIONS
from tournament.rounds.serializers import AcceptField, RoundNoteSerializer

MOST_VERSIONS = 32_767


class RoundSerializer(serializers.ModelSerializer[Round]):
    class Meta:
        model = Round
        fields = [
            "number", "state", "version", "system", "reason", "relaxed", "starts_on",
            "starts_at", "published_at", "completed_at",
        ]  # fmt: skip


class RoundDetailSerializer(RoundSerializer):
    allowed_actions = AllowedActionSerializer(
        many=True, read_only=True, help_text="for its directors; else empty"
    )

    class Meta(RoundSerializer.Meta):
        fields = [*RoundSerializer.Meta.fields, "allowed_actions"]


class LocalTimeField(serializers.DateTimeField):
    """A date and time; without an offset, it is in the time zone `zone` of the context."""

    def default_timezone(self) -> tzinfo:
        """Return the time zone of values without an offset."""
        return ZoneInfo(self.context.get("zone", "UTC"))

    def to_internal_value(self, value: Any) -> datetime:
        """Return the time in that zone; reject years that TRF files cannot contain."""
        if isinstance(value, str) and len(value) <= len("2026-05-01"):
            self.fail("invalid", format="2026-05-01T10:00")
        time: datetime = super().to_internal_value(value)
        validate_date(time.date())
        return time


class RoundRequestSerializer(serializers.Serializer):
    """The start of a round: a date, or a date and time."""

    starts_on = serializers.DateField(
        allow_null=True,
        required=False,
        label=_("Day"),
        validators=[validate_date],
        help_text=gettext_noop("without a time"),
    )
    starts_at = LocalTimeField(
        allow_null=True,
        required=False,
        label=_("Start"),
        help_text=gettext_noop(
            "without an offset, such as 2026-05-01T10:00, in the time zone of the event"
        ),
    )

    def validate(self, content: dict[str, Any]) -> dict[str, Any]:
        """Return a date, or a date and time; neither, as null, has no start."""
        given = {name: value for name, value in content.items() if value is not None}
        if not content or len(given) > 1:
            raise serializers.ValidationError(
                translated(Text("send either starts_on or starts_at"))
            )
        return given or {"starts_on": None}


class PublishRequestSerializer(serializers.Serializer):
    reason = serializers.CharField(
        max_length=240, required=False, allow_blank=True, default="", help_text="not used"
    )
    accept = AcceptField()


class RoundActionSerializer(serializers.Serializer):
    reason = serializers.CharField(
        max_length=240,
        required=False,
        allow_blank=True,
        default="",
        help_text=gettext_noop("required to reopen a round, and to unpair one that is published"),
    )


class RestoreRequestSerializer(serializers.Serializer):
    version = serializers.IntegerField(min_value=1, max_value=MOST_VERSIONS)
    reason = serializers.CharField(max_length=240)


class VersionEventSerializer(serializers.Serializer):
    action = serializers.CharField(help_text=", ".join((*VERSION_ACTIONS, "imported")))
    by = serializers.CharField(help_text="as the journal names it: account/17, system")
    at = serializers.DateTimeField()
    reason = serializers.CharField(allow_blank=True)


class RoundVersionSerializer(serializers.Serializer):
    version = serializers.IntegerField()
    state = serializers.ChoiceField(
        Round.State.choices, help_text="of the round while this version was current"
    )
    is_current = serializers.BooleanField()
    boards = serializers.IntegerField()
    system = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    notes = RoundNoteSerializer(many=True)
    relaxed = serializers.ListField(child=serializers.CharField())
    history = VersionEventSerializer(many=True, help_text="oldest first")
