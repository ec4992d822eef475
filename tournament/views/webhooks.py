"""Webhooks of the account, and of the events and pools that it directs; their deliveries."""

from typing import Any

import django_filters
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.errors import NotFound
from games.http.generics import ValuesListView
from games.http.members import require_no_members
from games.http.pagination import NewestFirst
from games.http.request import current_account, maybe_dry_run, require_account, validated_body
from games.http.views import ApiView
from games.models import Account
from games.models.games import POOL_STREAM
from games.rules.text import Text
from ratings.queries.pools import find_pool
from tournament import queries
from tournament.models import Webhook, WebhookDelivery
from tournament.queries.feed import TOURNAMENT_STREAM
from tournament.queries.webhooks import (
    delivery_as_json,
    find_delivery,
    find_webhook,
    visible_webhooks,
    webhook_as_json,
)
from tournament.serializers.webhooks import (
    NewSecretSerializer,
    NewWebhookSerializer,
    WebhookChangeSerializer,
    WebhookDeliverySerializer,
    WebhookRequestSerializer,
    WebhookSerializer,
)
from tournament.services.webhooks import endpoints


def webhook_account(request: Request) -> tuple[Account, str]:
    """Return the account, and the one stream that its token is valid for; raises 401 or 403."""
    _, token = current_account(request)
    stream = token.stream if token else ""
    return require_account(request, "webhooks.see", stream=stream), stream


def require_webhook(request: Request, webhook_id: str | int) -> tuple[Webhook, Account]:
    """Return a webhook that the account may see and change, and the account.

    These are its own ones, and those of the events and pools that it directs. Raises NotFound.
    """
    account, stream = webhook_account(request)
    return find_webhook(account, int(webhook_id), stream), account


def require_stream(request: Request, stream: str) -> Account:
    """Return the account if it may create webhooks for a stream.

    Raises NotFound for one that it may not see, Forbidden without a role in it.
    """
    account, limit = webhook_account(request)
    if stream.startswith(POOL_STREAM):
        find_pool(stream.removeprefix(POOL_STREAM))
    else:
        slug = stream.removeprefix(TOURNAMENT_STREAM)
        if queries.find_visible_tournament(slug, account, limit) is None:
            raise NotFound(
                "not_found",
                Text("there is no tournament %(slug)s that you may see", slug=f"{slug!r}"),
            )
    return require_account(request, "webhooks.edit", stream=stream)


class WebhookFilter(django_filters.FilterSet):
    class Meta:
        model = Webhook
        fields = ["stream"]


@extend_schema_view(get=extend_schema(operation_id="webhooks"))
class WebhookList(ValuesListView):
    """List your webhooks, and those of the events and pools that you direct, oldest first.

    Their secrets are not shown.
    """

    queryset = Webhook.objects.none()
    serializer_class = WebhookSerializer
    filterset_class = WebhookFilter
    is_public = False
    problems = {"POST": (404,)}

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        rows = self.filter_queryset(visible_webhooks(*webhook_account(request)))
        return self.page_response(rows, webhook_as_json)

    @extend_schema(
        operation_id="create_webhook",
        request=WebhookRequestSerializer,
        responses={201: NewWebhookSerializer},
    )
    def post(self, request: Request) -> Response:
        """Create a webhook, for a director of the event or an officer of the pool.

        It gets the entries of the feed from now on: each at least once, in the order of the
        journal, signed after the Standard Webhooks specification. An address in the service's own
        network is refused (`address_refused`), also if its name leads there later.
        """
        account, _ = webhook_account(request)
        content = validated_body(WebhookRequestSerializer, request)
        require_stream(request, content["stream"])
        with maybe_dry_run(request):
            webhook = endpoints.create_webhook(**content, by=account)
            body = webhook_as_json(find_webhook(account, webhook.pk))
        headers = {"Location": f"/api/v1/webhooks/{webhook.pk}"}
        return Response(body | {"secret": webhook.secret}, status=201, headers=headers)


class WebhookView(ApiView):
    is_public = False

    @extend_schema(operation_id="webhook", responses=WebhookSerializer)
    def get(self, request: Request, webhook_id: str) -> Response:
        """Return a webhook without its secret."""
        webhook, _ = require_webhook(request, webhook_id)
        return Response(webhook_as_json(webhook))

    @extend_schema(
        operation_id="edit_webhook", request=WebhookChangeSerializer, responses=WebhookSerializer
    )
    def patch(self, request: Request, webhook_id: str) -> Response:
        """Change the address or the kinds of a webhook, stop it, or start it again.

        Started again, it gets what it has missed, in order.
        """
        webhook, account = require_webhook(request, webhook_id)
        changes = validated_body(WebhookChangeSerializer, request)
        with maybe_dry_run(request):
            endpoints.edit_webhook(webhook, changes, by=account)
            body = webhook_as_json(find_webhook(account, webhook.pk))
        return Response(body)

    @extend_schema(operation_id="delete_webhook", responses={204: None})
    def delete(self, request: Request, webhook_id: str) -> Response:
        """Delete a webhook and the log of its deliveries."""
        webhook, account = require_webhook(request, webhook_id)
        with maybe_dry_run(request):
            endpoints.delete_webhook(webhook, by=account)
        return Response(status=204)


class WebhookPing(ApiView):
    @extend_schema(
        operation_id="ping_webhook", request=None, responses={201: WebhookDeliverySerializer}
    )
    def post(self, request: Request, webhook_id: str) -> Response:
        """Send a `webhook.ping`, also if the webhook is stopped; it has one attempt."""
        webhook, _ = require_webhook(request, webhook_id)
        require_no_members(request.data)
        with maybe_dry_run(request):
            delivery = endpoints.request_ping(webhook)
        return Response(delivery_as_json(delivery), status=201)


class WebhookSecret(ApiView):
    @extend_schema(
        operation_id="rotate_webhook_secret", request=None, responses=NewSecretSerializer
    )
    def post(self, request: Request, webhook_id: str) -> Response:
        """Replace the secret; for a day the messages are signed by both."""
        webhook, account = require_webhook(request, webhook_id)
        require_no_members(request.data)
        with maybe_dry_run(request):
            rotated = endpoints.rotate_secret(webhook, by=account)
        return Response({"secret": rotated.secret, "previous_until": rotated.previous_until})


class DeliveryFilter(django_filters.FilterSet):
    class Meta:
        model = WebhookDelivery
        fields = ["state", "kind"]


@extend_schema_view(get=extend_schema(operation_id="webhook_deliveries"))
class DeliveryList(ValuesListView):
    """List the deliveries of a webhook, newest first: what was sent, when, and the response.

    The log has the finished deliveries of 30 days.
    """

    queryset = WebhookDelivery.objects.none()
    serializer_class = WebhookDeliverySerializer
    filterset_class = DeliveryFilter
    pagination_class = NewestFirst
    is_public = False

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        webhook, _ = require_webhook(request, kwargs["webhook_id"])
        rows = WebhookDelivery.objects.filter(webhook=webhook)
        return self.page_response(self.filter_queryset(rows), delivery_as_json)


class DeliveryReplay(ApiView):
    @extend_schema(
        operation_id="replay_webhook_delivery",
        request=None,
        responses=WebhookDeliverySerializer,
    )
    def post(self, request: Request, webhook_id: str, delivery_id: str) -> Response:
        """Send a finished delivery once more, with the same `webhook-id`; it has one attempt."""
        webhook, _ = require_webhook(request, webhook_id)
        require_no_members(request.data)
        delivery = find_delivery(webhook, int(delivery_id))
        with maybe_dry_run(request):
            delivery = endpoints.request_replay(webhook, delivery)
        return Response(delivery_as_json(delivery))
