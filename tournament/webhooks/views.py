"""Webhooks of the account, and of the events and pools that it directs; their deliveries."""

from typing import Any

import django_filters
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Action, Answer, Call
from games.core.errors import require_found
from games.core.pagination import NewestFirst
from games.core.permissions import Caller, current_account, require_account
from games.core.views import ApiView, ValuesListView, endpoint
from games.models import Account
from games.models.streams import POOL_STREAM, TOURNAMENT_STREAM
from games.rules.text import Text
from ratings.core.pools import find_pool, pool_choices
from tournament.core.lookup import check_tournament
from tournament.core.queries import find_visible_tournament
from tournament.models import Webhook, WebhookDelivery
from tournament.webhooks.feed import FEED_KINDS
from tournament.webhooks.queries import (
    delivery_as_json,
    find_delivery,
    find_webhook,
    visible_webhooks,
    webhook_as_json,
)
from tournament.webhooks.serializers import (
    NewSecretSerializer,
    NewWebhookSerializer,
    WebhookChangeSerializer,
    WebhookDeliverySerializer,
    WebhookRequestSerializer,
    WebhookSerializer,
)
from tournament.webhooks.services import (
    create_webhook,
    delete_webhook,
    edit_webhook,
    request_ping,
    request_replay,
    rotate_secret,
)


def webhook_account(caller: Caller) -> tuple[Account, str]:
    """Return the account, and the one stream that its token is valid for; raises 401 or 403."""
    _, token = current_account(caller)
    stream = token.stream if token else ""
    return require_account(caller, "webhooks.see", stream=stream), stream


def webhook_seen_by(caller: Caller, webhook_id: str | int) -> Webhook:
    """Return a webhook that the caller may see and change; raises NotFound, 401 or 403.

    These are their own ones, and those of the events and pools that they direct.
    """
    account, stream = webhook_account(caller)
    return find_webhook(account, int(webhook_id), stream)


class CreateWebhook(Action):
    """Create a webhook, for a director of the event or an officer of the pool.

    It gets the entries of the feed from now on: each at least once, in the order of the journal,
    signed after the Standard Webhooks specification. An address in the service's own network is
    refused (`address_refused`), also if its name leads there later.
    """

    name = "create_webhook"
    permission = "webhooks.edit"
    body = WebhookRequestSerializer
    example = {
        "tournament": "spring-open",
        "url": "https://hooks.example.org/perihelion",
        "kinds": ["round.published"],
    }
    response = NewWebhookSerializer
    status = 201
    made = ("id", "secret")
    problems = (404,)
    is_shown = True

    def check(self, call: Call, found: Any) -> None:
        """Require the account; the stream is in the body."""
        webhook_account(call)

    def prepare(self, call: Call, found: Any) -> str:
        """Require the role in the stream, which the caller must see; return the stream."""
        _, limit = webhook_account(call)
        slug, code = call.body.pop("tournament"), call.body.pop("pool")
        if code is not None:
            stream = find_pool(code).stream
        else:
            detail = Text("there is no tournament %(slug)s that you may see", slug=f"{slug!r}")
            stream = require_found(
                find_visible_tournament(slug, call.account, limit), detail
            ).stream
        require_account(call, self.permission, stream=stream)
        return stream

    def perform(self, call: Call, stream: str) -> Answer:
        webhook = create_webhook(stream, **call.body, by=call.account)
        body = webhook_as_json(find_webhook(call.account, webhook.pk))
        location = f"/api/v1/webhooks/{webhook.pk}"
        return Answer(body | {"secret": webhook.secret}, headers={"Location": location})


class WebhookAction(Action):
    """A write to a webhook: one's own, or one of an event or a pool that one directs."""

    permission = "webhooks.edit"

    def find(self, call: Call) -> Webhook:
        return webhook_seen_by(call, call.address["webhook_id"])

    def check(self, call: Call, found: Webhook) -> None:
        """Require nothing more: who sees a webhook may change it."""


class EditWebhook(WebhookAction):
    """Change the address or the kinds of a webhook, stop it, or start it again.

    Started again, it gets what it has missed, in order.
    """

    name = "edit_webhook"
    body = WebhookChangeSerializer
    example = {"kinds": ["round.published", "game.confirmed"]}
    response = WebhookSerializer
    done = gettext_noop("The webhook is changed.")

    def perform(self, call: Call, webhook: Webhook) -> dict[str, Any]:
        edit_webhook(webhook, call.body, by=call.account)
        return webhook_as_json(find_webhook(call.account, webhook.pk))


class DeleteWebhook(WebhookAction):
    """Delete a webhook and the log of its deliveries."""

    name = "delete_webhook"
    status = 204
    done = gettext_noop("The webhook is deleted.")

    def perform(self, call: Call, webhook: Webhook) -> None:
        delete_webhook(webhook, by=call.account)


class PingWebhook(WebhookAction):
    """Send a `webhook.ping`, also if the webhook is stopped; it has one attempt."""

    name = "ping_webhook"
    response = WebhookDeliverySerializer
    status = 201
    made = ("id",)
    done = gettext_noop("A ping will be sent within seconds.")

    def perform(self, call: Call, webhook: Webhook) -> dict[str, Any]:
        return delivery_as_json(request_ping(webhook))


class RotateSecret(WebhookAction):
    """Replace the secret; for a day the messages are signed by both."""

    name = "rotate_webhook_secret"
    response = NewSecretSerializer
    made = ("secret",)
    is_shown = True

    def perform(self, call: Call, webhook: Webhook) -> dict[str, Any]:
        rotated = rotate_secret(webhook, by=call.account)
        return {"secret": rotated.secret, "previous_until": rotated.previous_until}


class ReplayDelivery(WebhookAction):
    """Send a finished delivery once more, with the same `webhook-id`; it has one attempt."""

    name = "replay_webhook_delivery"
    response = WebhookDeliverySerializer
    done = gettext_noop("It will be sent again within seconds.")

    def perform(self, call: Call, webhook: Webhook) -> dict[str, Any]:
        delivery = find_delivery(webhook, int(call.address["delivery_id"]))
        return delivery_as_json(request_replay(webhook, delivery))


class WebhookFilter(django_filters.FilterSet):
    tournament = django_filters.CharFilter(method="filter_tournament", label="the slug")
    pool = django_filters.ChoiceFilter(method="filter_pool", choices=pool_choices, label="the code")

    class Meta:
        model = Webhook
        fields: list[str] = []

    def filter_tournament(self, webhooks: Any, _name: str, slug: str) -> Any:
        """Return the webhooks of a tournament; raises Unprocessable for one that is not found."""
        check_tournament(self.request, slug)
        return webhooks.filter(stream=f"{TOURNAMENT_STREAM}{slug}")

    def filter_pool(self, webhooks: Any, _name: str, value: str) -> Any:
        """Return the webhooks of a pool."""
        return webhooks.filter(stream=f"{POOL_STREAM}{value}")


@extend_schema_view(get=extend_schema(operation_id="webhooks"))
class WebhookList(ValuesListView):
    """List your webhooks, and those of the events and pools that you direct, oldest first.

    Their secrets are not shown.
    """

    queryset = Webhook.objects.none()
    serializer_class = WebhookSerializer
    filterset_class = WebhookFilter
    permission = "webhooks.see"
    post = endpoint(CreateWebhook)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        rows = self.filter_queryset(visible_webhooks(*webhook_account(request)))
        return self.page_response(rows, webhook_as_json)


class WebhookView(ApiView):
    permission = "webhooks.see"
    patch = endpoint(EditWebhook)
    delete = endpoint(DeleteWebhook)

    @extend_schema(operation_id="webhook", responses=WebhookSerializer)
    def get(self, request: Request, webhook_id: str) -> Response:
        """Return a webhook without its secret."""
        return Response(webhook_as_json(webhook_seen_by(request, webhook_id)))


class DeliveryFilter(django_filters.FilterSet):
    kind = django_filters.ChoiceFilter(choices=[(kind, kind) for kind in sorted(FEED_KINDS)])

    class Meta:
        model = WebhookDelivery
        fields = ["state"]


@extend_schema_view(get=extend_schema(operation_id="webhook_deliveries"))
class DeliveryList(ValuesListView):
    """List the deliveries of a webhook, newest first: what was sent, when, and the response.

    The log has the finished deliveries of 30 days.
    """

    queryset = WebhookDelivery.objects.none()
    serializer_class = WebhookDeliverySerializer
    filterset_class = DeliveryFilter
    pagination_class = NewestFirst
    permission = "webhooks.see"

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        webhook = webhook_seen_by(request, kwargs["webhook_id"])
        rows = WebhookDelivery.objects.filter(webhook=webhook)
        return self.page_response(self.filter_queryset(rows), delivery_as_json)
