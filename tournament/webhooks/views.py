"""Webhooks of the account, and of the events and pools that it directs; their deliveries."""

from datetime import datetime
from functools import partial
from typing import Any, cast

import django_filters
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Action, Call
from games.core.errors import NotFound, Unprocessable, check_all
from games.core.pagination import NewestFirst
from games.core.permissions import Caller, current_account, require_account
from games.core.preconditions import content_tag
from games.core.types import described
from games.core.views import ApiView, ValuesListView, endpoint
from games.models import Account
from games.models.streams import ACCOUNT_FEED, POOL_STREAM, SITE_FEED, TOURNAMENT_STREAM
from ratings.core.pools import find_pool, pool_choices, pool_codes
from tournament.core.lookup import check_tournament, named_tournament
from tournament.messages.kinds import KINDS
from tournament.models import Webhook, WebhookDelivery
from tournament.webhooks.queries import (
    Delivery,
    NewSecret,
    NewWebhook,
    ShownWebhook,
    delivery_as_json,
    find_delivery,
    find_webhook,
    visible_webhooks,
    webhook_as_json,
)
from tournament.webhooks.serializers import WebhookChangeSerializer, WebhookRequestSerializer
from tournament.webhooks.services import (
    check_http,
    check_webhook,
    create_webhook,
    delete_webhook,
    edit_webhook,
    request_ping,
    request_replay,
    rotate_secret,
)
from tournament.webhooks.signatures import PING

FEED_PERMISSIONS = {"account": "webhooks.see", "site": "webhooks.site"}


def webhook_account(caller: Caller) -> tuple[Account, str]:
    """Return the account, and the one stream that its token is valid for; raises 401 or 403."""
    _, token = current_account(caller)
    stream = token.stream if token else ""
    return require_account(caller, "webhooks.see", stream=stream), stream


def webhook_seen_by(caller: Caller, webhook_id: int) -> Webhook:
    """Return a webhook that the caller may see and change; raises NotFound, 401 or 403.

    These are their own ones, and those of the events and pools that they direct.
    """
    account, stream = webhook_account(caller)
    return find_webhook(account, webhook_id, stream)


class CreateWebhook(Action):
    """Create a webhook of a tournament or a pool that one directs, of oneself, or of the site.

    With the `feed` `account` it tells what concerns the account: its games, its ratings, and the
    events in which it plays or has a role. With `site`, which is for staff, it tells the public
    events and the rating lists. It gets the entries from now on, each at least once, in the order
    of the journal of each event or pool, signed after the Standard Webhooks specification. An
    address in the service's own network is refused (`address_refused`), also if its name leads
    there later.
    """

    name = "create_webhook"
    permission = "webhooks.edit"
    body = WebhookRequestSerializer
    example = {
        "tournament_slug": "spring-open",
        "receiver_url": "https://hooks.example.org/perihelion",
        "kinds": ["round.published"],
    }
    status = 201
    made = ("id", "url", "secret")
    location = "webhooks/{id}"
    is_shown = True

    def check(self, call: Call, found: Any) -> None:
        """Require the account; the stream is in the body."""
        webhook_account(call)

    def prepare(self, call: Call, found: Any) -> str:
        """Require the role in the stream, which the caller must see; return the stream."""
        slug, code, feed = (call.body.pop(name) for name in ("tournament_slug", "pool", "feed"))
        if feed is None:
            of = TOURNAMENT_STREAM if code is None else POOL_STREAM
            stream, _ = check_all(
                partial(_find_stream, call, slug, code), partial(check_webhook, of, call.body)
            )
            require_account(call, self.permission, stream=stream)
        else:
            account = require_account(call, FEED_PERMISSIONS[feed])
            stream = SITE_FEED if feed == "site" else f"{ACCOUNT_FEED}{account.pk}"
            check_webhook(stream, call.body)
        check_http(call.body["url"])
        return stream

    def perform(self, call: Call, stream: str) -> NewWebhook:
        webhook = create_webhook(stream, **call.body, by=call.account)
        body = webhook_as_json(find_webhook(call.account, webhook.pk))
        return {**body, "secret": webhook.secret}

    def made_tag(self, call: Call, content: Any) -> str:
        return content_tag({name: content[name] for name in content if name != "secret"})


def _find_stream(call: Call, slug: str | None, code: str | None) -> str:
    """Return the stream of the tournament or of the pool; raises Unprocessable."""
    if code is None:
        return named_tournament(call, slug or "").stream
    try:
        return find_pool(code).stream
    except NotFound as error:
        valid = pool_codes()
        raise Unprocessable("unknown_pool", error.detail, at="/pool", valid=valid) from None


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
    done = gettext_noop("The webhook is changed.")

    def prepare(self, call: Call, found: Webhook) -> Webhook:
        """Check an address that is not encrypted, which takes time."""
        webhook: Webhook = super().prepare(call, found)
        if "url" in call.body:
            check_http(call.body["url"])
        return webhook

    def perform(self, call: Call, webhook: Webhook) -> ShownWebhook:
        edit_webhook(webhook, call.body, by=call.account)
        return webhook_as_json(find_webhook(call.account, webhook.pk))


class DeleteWebhook(WebhookAction):
    """Delete a webhook and the log of its deliveries.

    What waits to be sent is not sent. To keep the log, stop it instead (`PATCH` with `active`:
    false).
    """

    name = "delete_webhook"
    done = gettext_noop("The webhook is deleted.")

    def perform(self, call: Call, webhook: Webhook) -> None:
        delete_webhook(webhook, by=call.account)


class PingWebhook(WebhookAction):
    """Send a `webhook.ping`, also if the webhook is stopped; it has one attempt.

    `webhooks/{id}/deliveries` shows within seconds what the receiver answered. Only some pings wait
    at a time (409 `pings_waiting`).
    """

    status = 201
    made = ("id",)
    done = gettext_noop("A ping will be sent within seconds.")

    def perform(self, call: Call, webhook: Webhook) -> Delivery:
        return delivery_as_json(request_ping(webhook))


class RotateSecret(WebhookAction):
    """Replace the secret; for a day the messages are signed by both.

    The new secret is shown only here. `previous_until` is when the earlier one ends; until then a
    message has two signatures, and a receiver accepts one of them. A further replacement ends the
    secret before the earlier one at once: with an `Idempotency-Key`, a repetition gets the same
    new secret.
    """

    name = "rotate_webhook_secret"
    made = ("secret",)
    is_shown = True

    def perform(self, call: Call, webhook: Webhook) -> NewSecret:
        rotated = rotate_secret(webhook, by=call.account)
        until = cast("datetime", rotated.previous_until)
        return {"secret": rotated.secret, "previous_until": until}


class ReplayDelivery(WebhookAction):
    """Send a finished delivery once more, with the same `webhook-id`; it has one attempt.

    It is the same row of the log, and a receiver that remembers ids can ignore it. 409
    `delivery_pending` for one that is still to be sent.
    """

    name = "replay_webhook_delivery"
    done = gettext_noop("It will be sent again within seconds.")

    def perform(self, call: Call, webhook: Webhook) -> Delivery:
        delivery = find_delivery(webhook, call.address["delivery_id"])
        return delivery_as_json(request_replay(webhook, delivery))


class WebhookFilter(django_filters.FilterSet):
    tournament_slug = django_filters.CharFilter(method="filter_tournament", label="the slug")
    pool = django_filters.ChoiceFilter(method="filter_pool", choices=pool_choices, label="the code")

    class Meta:
        model = Webhook
        fields: list[str] = []

    def filter_tournament(self, webhooks: Any, name: str, slug: str) -> Any:
        """Return the webhooks of a tournament; raises Unprocessable for one that is not found."""
        check_tournament(self.request, name, slug)
        return webhooks.filter(stream=f"{TOURNAMENT_STREAM}{slug}")

    def filter_pool(self, webhooks: Any, _name: str, value: str) -> Any:
        """Return the webhooks of a pool."""
        return webhooks.filter(stream=f"{POOL_STREAM}{value}")


class WebhookList(ValuesListView):
    """List your webhooks, and those of the tournaments and pools that you direct, oldest first.

    Their secrets are not shown: each was shown once, when it was made or replaced.
    """

    queryset = Webhook.objects.none()
    filterset_class = WebhookFilter
    permission = "webhooks.see"
    post = endpoint(CreateWebhook)
    row_as_json = staticmethod(webhook_as_json)

    def get_queryset(self) -> Any:
        return visible_webhooks(*webhook_account(self.request))


class WebhookView(ApiView):
    permission = "webhooks.see"
    patch = endpoint(EditWebhook)
    delete = endpoint(DeleteWebhook)

    @extend_schema(responses=described(ShownWebhook))
    def get(self, request: Request, webhook_id: int) -> Response:
        """Return a webhook without its secret.

        `stopped` says why it is not active, and `failing_since` since when its address does not
        answer. 404 for one that is neither the account's own nor of a tournament or pool that the
        account directs.
        """
        return Response(webhook_as_json(webhook_seen_by(request, webhook_id)))


class DeliveryFilter(django_filters.FilterSet):
    kind = django_filters.ChoiceFilter(choices=[(kind, kind) for kind in sorted({*KINDS, PING})])

    class Meta:
        model = WebhookDelivery
        fields = ["state"]


@extend_schema_view(get=extend_schema(operation_id="list_webhook_deliveries"))
class DeliveryList(ValuesListView):
    """List the deliveries of a webhook, newest first: what was sent, when, and the response.

    The log has the finished deliveries of 30 days.
    """

    queryset = WebhookDelivery.objects.none()
    filterset_class = DeliveryFilter
    pagination_class = NewestFirst
    permission = "webhooks.see"
    row_as_json = staticmethod(delivery_as_json)

    def get_queryset(self) -> Any:
        webhook = webhook_seen_by(self.request, self.kwargs["webhook_id"])
        return WebhookDelivery.objects.filter(webhook=webhook)
