"""Serializers of webhooks and their deliveries."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, get_args, get_type_hints

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from drf_spectacular.plumbing import resolve_type_hint
from drf_spectacular.utils import (
    OpenApiResponse,
    OpenApiWebhook,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers

from games.core.serializers import NamedSerializer, PoolField, TournamentField
from games.core.text import translated
from games.rules.text import Text
from tournament.messages.kinds import KINDS
from tournament.models import Webhook, WebhookDelivery
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
SHOWN_FEEDS: Final = ("tournament", "pool", "account", "site")
FEEDS: Final = (("account", _("me, my games and my events")), ("site", _("the whole site")))


class WebhookRequestSerializer(serializers.Serializer):
    tournament = serializers.SlugField(
        max_length=80,
        required=False,
        allow_null=True,
        default=None,
        label=_("Of the event"),
        help_text="its slug; either this or `pool`",
        style={"help": gettext_noop("its short name")},
    )
    pool = serializers.SlugField(
        max_length=80,
        required=False,
        allow_null=True,
        default=None,
        label=_("Or of the pool"),
        help_text="its code",
    )
    feed = serializers.ChoiceField(
        FEEDS,
        required=False,
        allow_null=True,
        default=None,
        label=_("About"),
        help_text="instead of `tournament` and `pool`: what concerns you, or, for staff, the public"
        " events and rating lists of the site",
        style={"help": gettext_noop("instead of an event or a pool")},
    )
    url = serializers.CharField(
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
        """Require one of a tournament, a pool and a feed."""
        if sum(attrs[name] is not None for name in ("tournament", "pool", "feed")) != 1:
            detail = translated(Text("state one of these: an event, a pool, yourself, the site"))
            raise serializers.ValidationError({"tournament": detail})
        return attrs


class WebhookChangeSerializer(serializers.Serializer):
    url = serializers.CharField(max_length=LONGEST_ADDRESS, required=False)
    format = FormatField(
        required=False, allow_null=True, help_text="by default that of a new `url`, if certain"
    )
    kinds = kinds_field()
    active = serializers.BooleanField(
        required=False, help_text="a webhook that is started again gets what it missed, in order"
    )


class WebhookSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    owner = NamedSerializer(help_text="the account; nothing is sent once it loses its role")
    feed = serializers.ChoiceField(SHOWN_FEEDS)
    tournament = TournamentField()
    pool = PoolField()
    url = serializers.CharField()
    format = FormatField()
    kinds = serializers.ListField(child=serializers.CharField())
    active = serializers.BooleanField()
    stopped = serializers.ChoiceField(
        Webhook.Stop.choices, allow_null=True, help_text="why it is not active"
    )
    entitled = serializers.BooleanField(help_text="whether the owner may still have it")
    failures = serializers.IntegerField(help_text="failed attempts since the last success")
    failing_since = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class NewWebhookSerializer(WebhookSerializer):
    secret = serializers.CharField(help_text="which signs the messages; it is shown only here")


class NewSecretSerializer(serializers.Serializer):
    secret = serializers.CharField(help_text="it is shown only here")
    previous_until = serializers.DateTimeField(
        help_text="until then the previous secret signs as well"
    )


class WebhookDeliverySerializer(serializers.Serializer):
    id = serializers.IntegerField()
    sequence = serializers.IntegerField(
        allow_null=True,
        help_text="of the line in the journal; of an account and the site, a number that grows over"
        " all journals; null for a ping",
    )
    kind = serializers.CharField()
    state = serializers.ChoiceField(WebhookDelivery.State.choices)
    attempts = serializers.IntegerField()
    next_attempt_at = serializers.DateTimeField(allow_null=True)
    attempted_at = serializers.DateTimeField(allow_null=True)
    status = serializers.IntegerField(
        allow_null=True, help_text="of the last response; null if there was none"
    )
    problem = serializers.CharField(allow_null=True, help_text="why the last attempt failed")
    excerpt = serializers.CharField(allow_null=True, help_text="of the last response")
    created_at = serializers.DateTimeField()


class MessageSerializer(serializers.Serializer):
    timestamp = serializers.DateTimeField(help_text="of the line, not of the attempt")
    tournament = serializers.CharField(allow_null=True, help_text="its slug; null for others")
    pool = serializers.CharField(allow_null=True, help_text="its code; null for others")
    sequence = serializers.IntegerField(
        allow_null=True, help_text="of the line in the journal; null for a ping"
    )


def _describe_messages() -> Iterator[OpenApiWebhook]:
    """Yield a description for each kind: the data has the type that its function returns."""
    kinds: dict[Any, list[str]] = {}
    for name, kind in KINDS.items():
        made = get_type_hints(kind.data)["return"]
        kinds.setdefault(next(iter(get_args(made)), made), []).append(name)
    for data, names in {**kinds, PingData: [PING]}.items():
        schema = resolve_type_hint(data)  # type: ignore[no-untyped-call]  # drf-spectacular's own
        members = {
            "type": _described({"type": "string", "enum": names}),
            "data": _described(_simplified(schema)),
        }
        serializer = type(data.__name__.replace("Data", "Message"), (MessageSerializer,), members)
        described = extend_schema(
            summary=data.__doc__.rstrip("."),
            tags=["webhooks"],
            request=serializer,
            responses={
                "2XX": OpenApiResponse(description="The message has arrived."),
                "4XX": OpenApiResponse(
                    description="The message is sent again later; 410 stops the webhook."
                ),
            },
        )
        yield from (OpenApiWebhook(name, described) for name in names)


def _described(schema: dict[str, Any]) -> Any:
    return extend_schema_field(schema)(type("Described", (serializers.JSONField,), {}))()


def _simplified(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without docstrings, and with the type null for the older `nullable`."""
    found = {name: value for name, value in schema.items() if name != "description"}
    if "items" in found:
        found["items"] = _simplified(found["items"])
    if "properties" in found:
        members = found["properties"].items()
        found["properties"] = {name: _simplified(member) for name, member in members}
    if found.pop("nullable", False):
        found["type"] = [found["type"], "null"]
    return found


WEBHOOKS: Final = [*_describe_messages()]
"""The messages by their kinds, for the description of the API."""
