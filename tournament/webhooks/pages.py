"""The webhooks of the reader: the list with a form for a new one, and one with its deliveries."""

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.forms import Form, FormField, FormState, form_fields
from games.core.pages import PageView
from games.core.permissions import MATRIX
from games.models.streams import pool_of, tournament_of
from tournament.core.queries import find_tournament
from tournament.messages.kinds import KINDS, kinds_of
from tournament.models import Webhook
from tournament.webhooks.queries import ShownWebhook, visible_webhooks, webhook_as_json
from tournament.webhooks.serializers import FEEDS, WebhookRequestSerializer
from tournament.webhooks.views import (
    CreateWebhook,
    DeleteWebhook,
    EditWebhook,
    PingWebhook,
    ReplayDelivery,
    RotateSecret,
    webhook_account,
    webhook_seen_by,
)

MOST_DELIVERIES = 50
"""Deliveries that the page shows, the newest first."""


class WebhooksPage(PageView):
    template = "tournament/webhooks/webhooks.html"
    actions = {"create": Form(CreateWebhook), "delete": Form(DeleteWebhook, ("webhook_id",))}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the webhooks of the reader, and the form of a new one."""
        account, limit = webhook_account(request)
        held = account.roles.filter(role__in=MATRIX["webhooks.edit"].roles).order_by("stream")
        streams = list(dict.fromkeys(held.values_list("stream", flat=True)))
        choices = {
            "tournament_slug": list(filter(None, map(tournament_of, streams))),
            "pool": list(filter(None, map(pool_of, streams))),
        }
        is_staff = account.acts_as_staff and not streams
        owners = {name: known for name, known in choices.items() if known or is_staff}
        state = self.form if self.form.detail else FormState()
        fields = form_fields(
            WebhookRequestSerializer(),
            (*owners, "feed", "receiver_url", "format"),
            values={name: request.query_params.get(name, "") for name in owners}
            | ({} if owners else {"feed": "account"}),
            state=state,
            action="create",
        )
        if not account.acts_as_staff:
            fields["feed"] = replace(fields["feed"], choices=fields["feed"].choices[:1])
        rows = visible_webhooks(account, limit).order_by("stream", "pk")
        return {
            "webhooks": [_shown(webhook_as_json(webhook)) for webhook in rows],
            "fields": fields
            | {name: _select(fields[name], known) for name, known in owners.items()},
            "kinds": _kinds(KINDS, state.typed.get("kinds[]", ())),
        }


class WebhookPage(PageView):
    template = "tournament/webhooks/webhook.html"
    actions = {
        "edit": Form(EditWebhook),
        "switch": Form(EditWebhook),
        "ping": Form(PingWebhook),
        "replay": Form(ReplayDelivery, ("delivery_id",)),
        "rotate": Form(RotateSecret),
    }

    def context(self, request: Request, webhook_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the webhook with its last deliveries."""
        webhook = webhook_seen_by(request, webhook_id)
        fields = form_fields(
            WebhookRequestSerializer(),
            ("receiver_url", "format"),
            values={"receiver_url": webhook.url, "format": webhook.format},
            state=self.form,
            action="edit",
        )
        is_rejected = self.form.action == "edit" and self.form.detail
        chosen = self.form.typed.get("kinds[]", ()) if is_rejected else webhook.kinds
        deliveries = webhook.deliveries.order_by("-pk")[:MOST_DELIVERIES]
        return {
            "webhook": _shown(webhook_as_json(webhook)),
            "fields": fields,
            "kinds": _kinds(kinds_of(webhook.stream), chosen),
            "zone": find_tournament(webhook.stream).time_zone
            if tournament_of(webhook.stream)
            else "",
            "deliveries": [(delivery, delivery.get_state_display()) for delivery in deliveries],
        }


def _shown(webhook: ShownWebhook) -> dict[str, Any]:
    """Return a webhook with its state in words."""
    if webhook["stopped"]:
        text = Webhook.Stop(webhook["stopped"]).label
    elif not webhook["entitled"]:
        text = _("nothing is sent: the owner has lost the role")
    else:
        text = _("the receiver fails") if webhook["failures"] else _("active")
    event = webhook["tournament"]
    about = (event and event["name"]) or webhook["pool"] or dict(FEEDS)[webhook["feed"]]
    sent = Webhook.Format(webhook["format"]).label
    return {**webhook, "state": text, "sent": sent, "about": about}


def _select(field: FormField, choices: list[str]) -> FormField:
    """Return a field as a choice; a text field if there are no choices, as for site staff."""
    if not choices:
        return field
    return replace(field, kind="select", help="", choices=tuple((name, name) for name in choices))


def _kinds(valid: Any, chosen: Any) -> list[tuple[str, bool]]:
    return [(kind, kind in chosen) for kind in valid]
