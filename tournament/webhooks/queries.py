"""Load webhooks and their deliveries: what an account may see, and what is due."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from allauth.mfa.models import Authenticator
from django.db.models import (
    BigIntegerField,
    Case,
    CharField,
    Count,
    Exists,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Cast, Concat, Substr
from django.utils import timezone

from games.core.errors import require_found
from games.core.permissions import MATRIX
from games.core.references import (
    AccountReference,
    TournamentReference,
    absolute_url,
    account_reference,
)
from games.models import Account, JournalHead, JournalLine, Role
from games.models.streams import ACCOUNT_FEED, SITE_FEED, TOURNAMENT_STREAM, pool_of, tournament_of
from games.rules.text import Text
from tournament.models import Tournament, Webhook, WebhookDelivery

PENDING = WebhookDelivery.State.PENDING
MOST_SKEW: Final = timedelta(minutes=1)
"""The most by which the clocks of machines may differ unnoticed."""


def entitled_webhooks() -> "QuerySet[Webhook]":
    """Return the webhooks whose owner may still have them: nothing is sent to the others."""
    roles = Role.objects.usable().filter(
        stream=OuterRef("stream"), account=OuterRef("owner"), role__in=MATRIX["webhooks.edit"].roles
    )
    factors = Authenticator.objects.filter(user=OuterRef("owner"))
    staff = Q(owner__is_staff=True) & Exists(factors) & ~Q(stream__startswith=ACCOUNT_FEED)
    own = Q(stream=Concat(Value(ACCOUNT_FEED), Cast("owner", CharField())))
    return Webhook.objects.filter(own | staff | Exists(roles), owner__is_active=True)


def visible_webhooks(account: Account, stream: str = "") -> "QuerySet[Any]":
    """Return the webhooks that an account may see and change: its own, and where it is an official.

    `stream` is the limit of a token to one event.
    """
    rows = Webhook.objects.select_related("owner").annotate(
        is_entitled=Exists(entitled_webhooks().filter(pk=OuterRef("pk"))),
        failed_attempts=failed_attempts(),
        event=Subquery(
            Tournament.objects.filter(
                slug=Substr(OuterRef("stream"), len(TOURNAMENT_STREAM) + 1)
            ).values("name")
        ),
    )
    if not account.acts_as_staff:
        held = account.roles.usable().filter(role__in=MATRIX["webhooks.edit"].roles)
        rows = rows.filter(Q(owner=account) | Q(stream__in=held.values("stream")))
    return rows.filter(stream=stream) if stream else rows


def failed_attempts() -> Subquery:
    """Return the expression of the attempts since the last success of a webhook."""
    since = Q(attempted_at__gte=OuterRef("failing_since"))
    failed = WebhookDelivery.objects.filter(
        since, webhook=OuterRef("pk"), sequence__isnull=False
    ).exclude(state=WebhookDelivery.State.DELIVERED)
    total = failed.order_by().values("webhook").annotate(total=Sum("attempts"))
    return Subquery(total.values("total"))


def find_webhook(account: Account, webhook_id: int, stream: str = "") -> Webhook:
    """Return one of the visible webhooks; raises NotFound."""
    webhook: Webhook | None = visible_webhooks(account, stream).filter(pk=webhook_id).first()
    return require_found(
        webhook, Text("there is no webhook %(number)s that you may see", number=webhook_id)
    )


def find_delivery(webhook: Webhook, delivery_id: int) -> WebhookDelivery:
    """Return a delivery of a webhook; raises NotFound."""
    detail = Text(
        "webhook %(webhook)s has no delivery %(number)s", webhook=webhook.pk, number=delivery_id
    )
    return require_found(webhook.deliveries.filter(pk=delivery_id).first(), detail)


def has_webhooks() -> bool:
    """Return True if there is a webhook that is not stopped."""
    return Webhook.objects.filter(stopped="").exists()


def webhooks_behind() -> "QuerySet[Webhook]":
    """Return the active webhooks whose feed has lines for which they have no deliveries yet."""
    head = JournalHead.objects.filter(stream=OuterRef("stream")).values("sequence")
    last = JournalLine.objects.order_by("-pk").values("pk")[:1]
    is_wide = Q(stream=SITE_FEED) | Q(stream__startswith=ACCOUNT_FEED)
    end = Case(
        When(is_wide, then=Subquery(last)), default=Subquery(head), output_field=BigIntegerField()
    )
    rows = entitled_webhooks().filter(stopped="").annotate(end=end)
    return rows.filter(end__gt=F("queued")).order_by("pk")


def due_deliveries(at: datetime, *, besides: Collection[int] = ()) -> "QuerySet[WebhookDelivery]":
    """Return what is to be sent at a time: of each webhook the first pending entry, and pings.

    A later entry waits until the earlier ones are delivered or given up. A ping is also sent if the
    webhook is stopped. Webhooks without failures come first. `besides` are webhooks to leave out.
    """
    earlier = WebhookDelivery.objects.filter(
        webhook=OuterRef("webhook"), sequence__lt=OuterRef("sequence"), state=PENDING
    )
    rows = WebhookDelivery.objects.filter(
        Q(webhook__stopped="") | Q(sequence=None),
        ~Exists(earlier),
        is_due(at),
        webhook__in=entitled_webhooks().values("pk"),
    )
    ordered = rows.exclude(webhook__in=besides).select_related("webhook__owner")
    return ordered.order_by(F("webhook__failing_since").asc(nulls_first=True), "next_attempt_at")


def is_due(at: datetime) -> Q:
    """Return which pending deliveries are due at a time.

    One that was never attempted waits for nothing: if its time is to come, the clock of the machine
    that has queued it was ahead.
    """
    was_ahead = Q(attempts=0, next_attempt_at__gt=timezone.now() + MOST_SKEW)
    return Q(state=PENDING) & (Q(next_attempt_at__lte=at) | was_ahead)


class ShownWebhook(TypedDict):
    """A webhook without its secret."""

    id: int
    owner: Annotated[AccountReference, "nothing is sent once it loses its role"]
    feed: Literal["tournament", "pool", "account", "site"]
    tournament: TournamentReference | None
    pool: str | None
    receiver_url: str
    format: Webhook.Format
    kinds: list[str]
    active: bool
    stopped: Annotated[Webhook.Stop | None, "why it is not active"]
    entitled: Annotated[bool, "whether the owner may still have it"]
    failures: Annotated[int, "failed attempts since the last success"]
    failing_since: datetime | None
    created_at: datetime
    url: str


class NewWebhook(ShownWebhook):
    """A webhook that was made."""

    secret: Annotated[str, "it is shown only here"]


class NewSecret(TypedDict):
    """A secret that replaces another."""

    secret: NotRequired[Annotated[str, "shown only here; not in a dry run"]]
    previous_until: Annotated[datetime, "until then the earlier one signs, too"]


class Delivery(TypedDict):
    """What was sent to a webhook, or is to be sent."""

    id: int
    sequence: Annotated[
        int | None,
        "of the journal's line; of an account and the site, over all journals; null for a ping",
    ]
    kind: str
    state: WebhookDelivery.State
    attempts: int
    next_attempt_at: datetime | None
    attempted_at: datetime | None
    status: Annotated[int | None, "of the last response; null without one"]
    failure: Annotated[str | None, "why the last attempt failed"]
    excerpt: Annotated[str | None, "of the last response"]
    created_at: datetime


def webhook_as_json(webhook: Any) -> ShownWebhook:
    """Return one of `visible_webhooks` as JSON, without its secret."""
    slug = tournament_of(webhook.stream)
    return {
        "id": webhook.pk,
        "owner": account_reference(webhook.owner),
        "feed": webhook.stream.partition("/")[0],
        "tournament": {"slug": slug, "name": webhook.event} if slug else None,
        "pool": pool_of(webhook.stream),
        "receiver_url": webhook.url,
        "format": webhook.format,
        "kinds": webhook.kinds,
        "active": not webhook.stopped,
        "stopped": webhook.stopped or None,
        "entitled": webhook.is_entitled,
        "failures": webhook.failed_attempts or 0,
        "failing_since": webhook.failing_since,
        "created_at": webhook.created_at,
        "url": absolute_url(f"webhooks/{webhook.pk}"),
    }


def delivery_as_json(delivery: WebhookDelivery) -> Delivery:
    """Return a delivery as JSON."""
    return {
        "id": delivery.pk,
        "sequence": delivery.sequence,
        "kind": delivery.kind,
        "state": WebhookDelivery.State(delivery.state),
        "attempts": delivery.attempts,
        "next_attempt_at": delivery.next_attempt_at,
        "attempted_at": delivery.attempted_at,
        "status": delivery.status,
        "failure": delivery.problem or None,
        "excerpt": delivery.excerpt or None,
        "created_at": delivery.created_at,
    }


def count_webhooks() -> dict[str, int]:
    """Return the numbers of webhooks that work, that fail, and that are stopped by each reason."""
    failing = Count("pk", filter=Q(stopped="", failing_since__isnull=False))
    working = Count("pk", filter=Q(stopped="", failing_since__isnull=True))
    stopped = {
        f"stopped-{reason}": Count("pk", filter=Q(stopped=reason)) for reason in Webhook.Stop.values
    }
    return Webhook.objects.aggregate(working=working, failing=failing, **stopped)


def count_deliveries() -> dict[str, int]:
    """Return the numbers of deliveries by state."""
    counts = WebhookDelivery.objects.values_list("state").annotate(number=Count("pk"))
    found = dict(counts.order_by())
    return {state: found.get(state, 0) for state in WebhookDelivery.State.values}


def load_overdue(at: datetime) -> tuple[int, float]:
    """Return how many deliveries are due at a time, and the seconds for which the first one is."""
    due = due_deliveries(at).order_by()
    found = due.aggregate(number=Count("pk"), first=Min("next_attempt_at"))
    first = found["first"]
    return found["number"], max((at - first).total_seconds(), 0.0) if first else 0.0
