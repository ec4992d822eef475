"""Serializers of webhooks and their deliveries."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Final, Literal, TypedDict, get_args, get_type_hints

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiResponse, OpenApiWebhook, extend_schema
from rest_framework import serializers

from games.core.references import TournamentReference
from games.core.text import translated
from games.core.types import described
from games.rules.text import Text
from tournament.messages.kinds import KINDS
from tournament.models import Webhook
from tournament.models.webhooks import LONGEST_ADDRESS
from tournament.webhooks.signatures import PING, PingData


def kinds_field(**options: Any) -> serializers.ListField:
    """Return a field of kinds of a feed."""
    return serializers.ListField(
        child=serializers.CharField(max_length=48),
        max_length=len(KINDS),
        required=False,
        help_text="of the entries to send; empty: all. " + ", ".join(KINDS),
        **options,
    )


FormatField = partial(serializers.ChoiceField, Webhook.Format.choices)
FEEDS: Final = (("account", _("me, my games and my events")), ("site", _("the whole site")))


class WebhookRequestSerializer(serializers.Serializer):
    tournament_slug = serializers.SlugField(
        max_length=80,
        allow_null=True,
        default=None,
        label=_("Of the event"),
        help_text="either this or `pool`",
        style={"help": gettext_noop("its short name")},
    )
    pool = serializers.SlugField(
        max_length=80,
        allow_null=True,
        default=None,
        label=_("Or of the pool"),
        help_text="its code",
    )
    feed = serializers.ChoiceField(
        FEEDS,
        allow_null=True,
        default=None,
        label=_("About"),
        help_text="instead of `tournament_slug` and `pool`: what concerns you, or, for staff, the"
        " public events and rating lists of the site",
        style={"help": gettext_noop("instead of an event or a pool")},
    )
    receiver_url = serializers.CharField(
        source="url",
        max_length=LONGEST_ADDRESS,
        label=_("Address of the receiver"),
        help_text=gettext_noop("https, of a public address, port 443 or 1024 to 65535"),
    )
    format = FormatField(
        allow_null=True,
        default=None,
        label=_("What is sent"),
        style={
            "help": gettext_noop(
                "left empty, the address decides: that of a channel of Discord or Slack gets"
                " messages, another one data for a program"
            )
        },
    )
    kinds = kinds_field(default=list)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if sum(attrs[name] is not None for name in ("tournament_slug", "pool", "feed")) != 1:
            detail = translated(Text("state one of these: an event, a pool, yourself, the site"))
            raise serializers.ValidationError({"tournament_slug": detail})
        return attrs


class WebhookChangeSerializer(serializers.Serializer):
    receiver_url = serializers.CharField(source="url", max_length=LONGEST_ADDRESS, required=False)
    format = FormatField(
        required=False,
        allow_null=True,
        help_text="by default that of a new `receiver_url`, if certain",
    )
    kinds = kinds_field()
    active = serializers.BooleanField(required=False, help_text="a start sends what it missed")


class MessageFields(TypedDict):
    """What every message has."""

    timestamp: Annotated[datetime, "of the line, not of the attempt"]
    tournament: Annotated[TournamentReference | None, "null for others"]
    pool: Annotated[str | None, "its code; null for others"]
    sequence: Annotated[int | None, "of the journal's line; null for a ping"]


def _describe_messages() -> Iterator[OpenApiWebhook]:
    """Yield a description for each kind: the data has the type that its function returns."""
    kinds: dict[Any, list[str]] = {}
    for name, kind in KINDS.items():
        made = get_type_hints(kind.data)["return"]
        kinds.setdefault(next(iter(get_args(made)), made), []).append(name)
    for data, names in {**kinds, PingData: [PING]}.items():
        members = {
            "type": Literal[*names],
            **get_type_hints(MessageFields, include_extras=True),
            "data": data,
        }
        message: Any = TypedDict(data.__name__.replace("Data", "Message"), members)  # type: ignore[misc]
        message.__doc__ = data.__doc__
        described_message = extend_schema(
            summary=data.__doc__.rstrip("."),
            tags=["webhooks"],
            request=described(message),
            responses={
                "2XX": OpenApiResponse(description="The message has arrived."),
                "4XX": OpenApiResponse(
                    description="The message is sent again later; 410 stops the webhook."
                ),
            },
        )
        yield from (OpenApiWebhook(name, described_message) for name in names)


WEBHOOKS: Final = [*_describe_messages()]
"""The messages by their kinds, for the description of the API."""
