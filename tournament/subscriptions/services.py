"""Ask for messages of an event, confirm an address for them, and have no more of them.

A player without a login states an address, which counts once it is confirmed by a link that is
sent to it. Each mail ends with the address of a page, a signature of the subscription and of the
address, that confirms it and stops the mails without a login.
"""

from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext

from games.core.accounts.mail import harmless, store_message
from games.core.accounts.refusals import digests_of, has_refused
from games.core.errors import Conflict, Unprocessable
from games.core.limits import count_of_day
from games.models import Account
from games.rules.text import Text
from tournament.core.queries import is_own
from tournament.messages.feed import last_number
from tournament.models import Subscription, Tournament

SALT: Final = "tournament.messages"
PAGE: Final = "messages"
ASKING_PAUSE: Final = timedelta(minutes=10)
MOST_ASKED: Final = 5
"""Messages of a day by which one reader has addresses confirmed, and to one address by anyone."""


def find_subscription(tournament: Tournament, account: int | None) -> Subscription | None:
    """Return what an account has asked for in an event."""
    rows = Subscription.objects.filter(tournament=tournament, account=account)
    return rows.select_related("account").first()


def address_of(subscription: Subscription) -> str:
    """Return the address of the mails; empty if there is none that is confirmed."""
    own = subscription.email if subscription.is_confirmed else ""
    return subscription.account.email or own


def subscribe(
    tournament: Tournament, account: Account, *, kinds: Sequence[str], by_mail: bool, email: str
) -> Subscription:
    """Let an account have messages of these kinds, from now on, and confirm a new address.

    `email` is that of a player without a login. Raises Unprocessable without an address for mails,
    and Conflict if an address was asked too often.
    """
    if by_mail and not account.email and not email:
        detail = Text("write your address, or choose no mails")
        raise Unprocessable("missing", detail, at="/email")
    with transaction.atomic():
        row, _ = Subscription.objects.select_for_update().get_or_create(
            tournament=tournament,
            account=account,
            defaults={"queued": last_number(tournament.stream)},
        )
        row.kinds, row.by_mail = [*kinds], by_mail
        row.language = translation.get_language() or settings.LANGUAGE_CODE
        if by_mail and not account.email and (email != row.email or not row.is_confirmed):
            if email == applicants_address(tournament, account):
                row.email, row.is_confirmed = email, True
            else:
                _ask(row, email)
        row.save()
    return row


def applicants_address(tournament: Tournament, account: Account) -> str:
    """Return the address that the player of an account has confirmed by an application."""
    own = tournament.entries.filter(is_own(account.pk, "player")).exclude(email="")
    return own.values_list("email", flat=True).first() or ""


def _ask(row: Subscription, email: str) -> None:
    """Send the link by which an address is confirmed."""
    now = timezone.now()
    is_waiting = row.asked_at and row.asked_at > now - ASKING_PAUSE and not row.is_confirmed
    if is_waiting and email == row.email:
        detail = Text("a link was sent a few minutes ago; open it, or try again later")
        raise Conflict("resend_limit", detail)
    if has_refused(digests_of(email)):
        detail = Text("this address gets no such messages of this site; its reader has said so")
        raise Unprocessable("invalid", detail, at="/email")
    for asked in (f"account-{row.account_id}", f"address-{sha256(email.encode()).hexdigest()}"):
        # Not in a row, which the reader can delete: a mail that was sent stays sent.
        if count_of_day(f"asked-{asked}") > MOST_ASKED:
            detail = Text("too many links were sent today; try again tomorrow")
            raise Conflict("resend_limit", detail)
    row.email, row.is_confirmed, row.asked_at = email, False, now
    name = harmless(row.tournament.name)
    subject = gettext("Confirm your address for messages of %(event)s") % {"event": name}
    text = [
        gettext("Somebody has asked for messages of %(event)s at this address.") % {"event": name},
        "",
        gettext("Confirm it here; otherwise nothing more is sent:"),
        "",
        f"    {page_of(row)}",
    ]
    store_message(email, subject[:200], "\n".join(text))


def page_of(row: Subscription) -> str:
    """Return the address of the page that confirms an address, and stops mails."""
    return f"{settings.PUBLIC_URL}/{PAGE}/{signing.dumps([row.pk, row.email], salt=SALT)}"


def read_token(token: str) -> Subscription | None:
    """Return the subscription of the address of such a page, if it still has this address."""
    try:
        number, email = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    rows = Subscription.objects.select_related("account", "tournament")
    return rows.filter(pk=number, email=email).first()


def confirm_address(row: Subscription) -> None:
    """Send the mails to the address from now on."""
    Subscription.objects.filter(pk=row.pk, email=row.email).update(is_confirmed=True, by_mail=True)


def stop_mails(row: Subscription) -> None:
    """Send no more mails, also not those that wait."""
    Subscription.objects.filter(pk=row.pk).update(by_mail=False)


def unsubscribe(row: Subscription) -> None:
    """Send nothing any more, to no device either; the address is deleted."""
    row.delete()
