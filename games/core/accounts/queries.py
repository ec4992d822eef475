"""Which accounts an address has, and whether an account has a second factor."""

from datetime import timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import Account

CONFIRMATION: Final = timedelta(days=settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS)


def unconfirmed_accounts(email: str = "") -> "QuerySet[Account]":
    """Return the sign-ups that nobody has confirmed, of an address or all that are too old."""
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    sign_ups = Account.objects.filter(
        Exists(addresses.filter(verified=False)),
        ~Exists(addresses.filter(verified=True)),
        last_login=None,
        is_staff=False,
    )
    if email:
        return sign_ups.filter(email=email)
    return sign_ups.filter(created_at__lt=timezone.now() - CONFIRMATION)


def mailbox_of(account: Account) -> str:
    """Return the mailbox of an account: its address without what follows a `+` in its name."""
    name, _, host = (account.email or f"{account.pk}@").rpartition("@")
    return f"{name.partition('+')[0]}@{host}"


def same_mailbox(account: Account) -> "QuerySet[Account]":
    """Return an account, and the others of its mailbox."""
    name, _, host = mailbox_of(account).rpartition("@")
    alike = Q(email__startswith=f"{name}+", email__endswith=f"@{host}")
    return Account.objects.filter(Q(pk=account.pk) | Q(email=f"{name}@{host}") | alike)


def confirmed_accounts(email: str) -> "QuerySet[Account]":
    """Return the account with an address, unless it is a sign-up that nobody has confirmed."""
    unconfirmed = unconfirmed_accounts(email).values("pk")
    return Account.objects.filter(email=email).exclude(pk__in=unconfirmed)
