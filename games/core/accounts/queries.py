"""Which accounts an address has, and what logs in to an account."""

from datetime import timedelta
from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from oauth2_provider.models import AccessToken

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


def names_of_logins(account: Account) -> dict[str, list[str]]:
    """Return the names of the sessions of an account, of its tokens, and of apps with access."""
    sessions = UserSession.objects.purge_and_list(account)
    apps = AccessToken.objects.filter(user=account).values_list("application__name", flat=True)
    return {
        "sessions": [str(session) for session in sessions],
        "tokens": [str(token) for token in account.auth_token_set.filter(issued_by=account)],
        "apps": sorted(set(apps)),
    }


def logins_left(account: Account) -> dict[str, list[str]]:
    """Return the names of what logs in to an account after a new password."""
    return {
        "identities": list(map(name_of, SocialAccount.objects.filter(user=account))),
        "tokens": [str(token) for token in account.auth_token_set.all()],
        "passkeys": [str(passkey) for passkey in passkeys_of(account)],
    }


def name_of(identity: SocialAccount) -> str:
    """Return what the provider of the single sign-on says of a person."""
    person = identity.extra_data.get("userinfo", {})
    return ", ".join(person[key] for key in ("name", "email") if person.get(key)) or identity.uid


def passkeys_of(account: Account) -> "QuerySet[Authenticator]":
    """Return the passkeys and security keys of an account."""
    return Authenticator.objects.filter(user=account, type=Authenticator.Type.WEBAUTHN)


def are_passkeys_needed(account: Account) -> bool:
    """Return True if passkeys are the only second factor, which a mailbox alone cannot end."""
    apps = Authenticator.objects.filter(user=account, type=Authenticator.Type.TOTP)
    return passkeys_of(account).exists() and not apps.exists()
