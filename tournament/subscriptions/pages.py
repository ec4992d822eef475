"""The pages on which readers choose the messages of an event, and stop them by a link in a mail."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe
from rest_framework import serializers
from rest_framework.request import Request

from games.core.accounts.serializers import AddressField
from games.core.actions import Action, Call
from games.core.errors import Forbidden, require_found
from games.core.forms import Form, form_fields
from games.core.permissions import Caller, LoginNeeded, current_account
from games.core.roles.pages import OneClickPage, no_members
from games.models import Account
from games.rules.text import Text
from tournament.core.lookup import own_account, tournament_seen_by
from tournament.core.pages import EventPage
from tournament.models import Subscription, Tournament
from tournament.models.webhooks import LONGEST_ADDRESS
from tournament.subscriptions.choices import CHOICES, Reader, load_readers
from tournament.subscriptions.pushes import add_device, public_key
from tournament.subscriptions.services import (
    address_of,
    applicants_address,
    confirm_address,
    find_subscription,
    read_token,
    stop_mails,
    subscribe,
    unsubscribe,
)


class SubscriptionSerializer(serializers.Serializer):
    kinds = serializers.ListField(
        child=serializers.ChoiceField([(name, one.label) for name, one in CHOICES.items()]),
        label=_("Tell me when"),
        allow_empty=False,
    )
    by_mail = serializers.BooleanField(default=False, label=_("By mail"))
    email = AddressField(
        max_length=254, required=False, allow_blank=True, default="", label=_("Your address")
    )


def reader_in(caller: Caller, tournament: Tournament) -> tuple[Account, Reader]:
    """Return the account of a caller, who plays in an event or directs it.

    Raises LoginNeeded, and Forbidden for others.
    """
    number = own_account(caller, tournament)
    if number is None:
        raise LoginNeeded
    reader = load_readers(tournament, [number]).get(number, Reader())
    if not reader.choices():
        detail = Text("only players and officials of the event get its messages")
        raise Forbidden("forbidden", detail)
    account: Account = caller.user
    return account, reader


class ChooseMessages(Action):
    """Have messages of an event, by mail and on devices."""

    body: type[serializers.Serializer] | None = SubscriptionSerializer
    done = gettext_noop("Your choice is stored.")

    def find(self, call: Call) -> tuple[Tournament, Account]:
        tournament = tournament_seen_by(call, call.address["slug"])
        return tournament, reader_in(call, tournament)[0]

    def perform(self, call: Call, found: tuple[Tournament, Account]) -> None:
        subscribe(*found, **call.body)


class DeviceSerializer(serializers.Serializer):
    url = serializers.CharField(max_length=LONGEST_ADDRESS, label=_("Browser"))
    key = serializers.CharField(max_length=100)
    secret = serializers.CharField(max_length=40)


class AddDevice(ChooseMessages):
    """Show messages in a browser, too; who has chosen none gets those that are possible."""

    body = DeviceSerializer
    done = gettext_noop("This browser shows the messages from now on.")

    def perform(self, call: Call, found: tuple[Tournament, Account]) -> None:
        tournament, account = found
        subscription = find_subscription(tournament, account.pk)
        if subscription is None:
            kinds = reader_in(call, tournament)[1].choices()
            subscription = subscribe(*found, kinds=kinds, by_mail=False, email="")
        add_device(subscription, **call.body)


class RemoveDevices(ChooseMessages):
    """Show no messages in browsers any more."""

    body = None
    done = gettext_noop("No browser shows the messages any more.")

    def perform(self, call: Call, found: tuple[Tournament, Account]) -> None:
        subscription = find_subscription(found[0], found[1].pk)
        if subscription is not None:
            subscription.devices.all().delete()


class StopMessages(ChooseMessages):
    """Have no messages of an event any more."""

    body = None
    done = gettext_noop("Nothing of this event is sent to you any more.")

    def perform(self, call: Call, found: tuple[Tournament, Account]) -> None:
        tournament, account = found
        if (subscription := find_subscription(tournament, account.pk)) is not None:
            unsubscribe(subscription)


class MessagesPage(EventPage):
    """What a player or an official of an event is told, and where."""

    template = "tournament/subscriptions/messages.html"
    tab = "me"
    actions = {
        "choose": Form(ChooseMessages),
        "stop": Form(StopMessages),
        "add-device": Form(AddDevice),
        "remove-devices": Form(RemoveDevices),
    }

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the form of the reader, in which everything is chosen at first."""
        account, reader = reader_in(request, tournament)
        stored = find_subscription(tournament, account.pk)
        possible = reader.choices()
        values: dict[str, Any] = {"kinds": possible, "by_mail": True, "email": ""}
        if stored is not None:
            values = {name: getattr(stored, name) for name in values}
        values["email"] = values["email"] or applicants_address(tournament, account)
        fields = form_fields(
            SubscriptionSerializer(), values, values=values, state=self.form, action="choose"
        )
        _user, token = current_account(request)
        fields["by_mail"] = replace(fields["by_mail"], help="" if token else account.email or "")
        labels = tuple((name, gettext(CHOICES[name].label)) for name in possible)
        return {
            "fields": fields | {"kinds": replace(fields["kinds"], choices=labels)},
            "section": "messages",
            "is_directing": self.event_frame["is_official"],
            "subscription": stored,
            "is_login": bool(account.email),
            "push_key": public_key(),
            "devices": stored.devices.count() if stored else 0,
            "waits": stored and stored.by_mail and not address_of(stored),
        }


class ChangeMails(Action):
    """Confirm the address of a link in a mail, or send no more mails to it."""

    def find(self, call: Call) -> Subscription:
        """Return the subscription of the link; raises NotFound."""
        return subscription_of(call.address["token"])


class StopMails(ChangeMails):
    done = gettext_noop("No more mails of this event are sent to the address.")

    def perform(self, call: Call, subscription: Subscription) -> None:
        stop_mails(subscription)


class ConfirmAddress(ChangeMails):
    done = gettext_noop("Mails of this event are sent to the address from now on.")

    def perform(self, call: Call, subscription: Subscription) -> None:
        confirm_address(subscription)


def subscription_of(token: str) -> Subscription:
    """Return the subscription of the address of such a page; raises NotFound."""
    detail = Text("these messages were stopped, or the address is not whole: copy it once more")
    return require_found(read_token(token), detail)


class SubscriptionPage(OneClickPage):
    """What the link at the end of a mail opens, without a login."""

    template = "tournament/subscriptions/subscription.html"
    one_click = "stop"
    actions: Mapping[str, Form] = {
        "stop": Form(StopMails, body=no_members),
        "confirm": Form(ConfirmAddress),
    }

    def context(self, request: Request, token: str = "", **address: Any) -> dict[str, Any]:
        """Return what is sent to the address."""
        found = subscription_of(token)
        return {
            "subscription": found,
            "event": found.tournament,
            "needs_answer": not address_of(found),
        }


WORKER: Final = Path(__file__).resolve().parent.parent / "static" / "tournament" / "worker.js"


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Return the script that shows what is pushed; a folder in its address would be its scope."""
    return HttpResponse(WORKER.read_bytes(), "text/javascript; charset=utf-8")
