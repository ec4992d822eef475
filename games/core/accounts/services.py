"""Changes of an account, by its person and by the site's staff; each is in the site's journal.

The lines name the account by its number, so that they need no erasure.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.db import IntegrityError, transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from games.core.accounts.queries import (
    are_passkeys_needed,
    confirmed_accounts,
    passkeys_of,
    unconfirmed_accounts,
)
from games.core.accounts.tokens import end_tokens, has_own_tokens
from games.core.errors import Conflict
from games.core.journal.lines import SITE, append_line, lock_head
from games.core.journal.rows import whole_rows
from games.models import Account, App, EmailLink, JournalLine, Message
from games.models.columns import erase_columns
from games.rules.text import Text


def rename_account(account: Account, name: str) -> None:
    """Change the name of an account; the name of its player is another one."""
    account.name = name
    account.save(update_fields=["name"])


@contextmanager
def _journalled(
    account: Account, kind: str, by: Account | None, **payload: Any
) -> Iterator[Account]:
    """Yield the account, locked, and append a line in the transaction of its change."""
    with transaction.atomic():
        lock_head(SITE)
        locked = Account.objects.select_for_update().get(pk=account.pk)
        was_staff = locked.is_staff
        yield locked
        rows = whole_rows(locked) if locked.is_staff != was_staff else None
        append_line(SITE, f"account.{kind}", {"account": account.pk, **payload}, by=by, rows=rows)


def note_first_staff(account: Account) -> None:
    """State in the journal that a command, or the first start, has created an account of staff."""
    with transaction.atomic():
        payload = {"account": account.pk}
        append_line(SITE, "account.staff_appointed", payload, by=None, rows=whole_rows(account))


def close_account(account: Account, *, by: Account) -> None:
    """Close an account: nobody logs in to it, and its sessions and tokens end."""
    with _journalled(account, "closed", by) as locked:
        if not locked.is_active:
            raise Conflict("nothing_to_do", Text("the account is closed already"))
        _end_sessions(locked)
        end_tokens(locked)
        locked.is_active = locked.is_staff = False
        locked.save(update_fields=["is_active", "is_staff"])


def reopen_account(account: Account, *, by: Account) -> None:
    """Let the person of a closed account log in again."""
    with _journalled(account, "reopened", by) as locked:
        if locked.is_active:
            raise Conflict("nothing_to_do", Text("the account is open already"))
        if locked.is_erased:
            raise Conflict("nothing_to_do", Text("the account is erased"))
        Account.objects.filter(pk=locked.pk).update(is_active=True)


def erase_account(account: Account, *, by: Account | None) -> None:
    """Erase name and address of a closed account; its player, and what it did, stay."""
    with _journalled(account, "erased", by) as locked:
        if locked.is_active or locked.is_erased:
            raise Conflict("nothing_to_do", Text("only an account that is closed can be erased"))
        erase_login(locked)


def erase_due() -> int:
    """Erase the accounts that were closed CLOSED_ACCOUNT_DAYS ago; return how many."""
    since = timezone.now() - timedelta(days=settings.CLOSED_ACCOUNT_DAYS)
    due = 0
    for account in Account.objects.filter(is_active=False).exclude(email=None, name=""):
        lines = JournalLine.objects.filter(stream=SITE, kind="account.closed")
        closed = lines.filter(payload__body__account=account.pk).order_by("-sequence").first()
        if closed is not None and closed.at < since:
            erase_account(account, by=None)
            due += 1
    return due


def erase_login(account: Account) -> None:
    """Close an account and erase its address and its logins, in the transaction of the caller."""
    if account.email:
        EmailLink.objects.filter(email=account.email).delete()
        Message.objects.filter(email=account.email).delete()
    for model in (EmailAddress, SocialAccount, Authenticator, UserSession, App):
        model.objects.filter(user=account).delete()
    end_tokens(account)
    erase_columns(account)
    account.is_active = False
    account.set_unusable_password()
    account.save()


def change_account(account: Account, *, name: str, email: str, by: Account) -> None:
    """Change name and address of an account; staff knows that the address is right."""
    new = {"name": name, "email": email}
    changed = [key for key in new if new[key] != getattr(account, key)]
    if not changed:
        raise Conflict("nothing_to_do", Text("the account has this name and this address already"))
    with _journalled(account, "changed", by, changed=changed) as locked:
        if confirmed_accounts(email).exclude(pk=locked.pk).exists():
            raise Conflict("account_exists", Text("this address has an account already"))
        unconfirmed_accounts(email).exclude(pk=locked.pk).delete()
        locked.name, locked.email = name, email
        locked.save(update_fields=["name", "email"])
        EmailAddress.objects.filter(user=locked).delete()
        EmailAddress.objects.create(user=locked, email=email, verified=True, primary=True)


def end_sessions(account: Account, *, by: Account) -> None:
    """Log an account out everywhere; its tokens stay valid."""
    with _journalled(account, "sessions_ended", by) as locked:
        _end_sessions(locked)


def end_other_sessions(request: HttpRequest, account: Account) -> None:
    """Log an account out everywhere but here, because those sessions began without what is new."""
    with transaction.atomic():
        lock_head(SITE)
        others = UserSession.objects.filter(user=account)
        others.exclude(session_key=request.session.session_key).delete()
        account.logouts = F("logouts") + 1
        account.save(update_fields=["logouts"])
        account.refresh_from_db(fields=["logouts"])
        request.session[HASH_SESSION_KEY] = account.get_session_auth_hash()
        append_line(SITE, "account.sessions_ended", {"account": account.pk}, by=account)


def _end_sessions(account: Account) -> None:
    Account.objects.filter(pk=account.pk).update(logouts=F("logouts") + 1)
    UserSession.objects.filter(user=account).delete()


def link_identity(request: HttpRequest, account: Account, identity: SocialAccount) -> None:
    """Let a person of the provider log in to an account, which gets a message about it."""
    try:
        with transaction.atomic():
            SocialLogin(account=identity).connect(request, account)
    except IntegrityError as error:
        detail = Text("this login belongs to an account already")
        raise Conflict("nothing_to_do", detail) from error


def revoke_tokens(account: Account, *, by: Account) -> None:
    """Revoke all tokens of an account, and the access of apps."""
    count = account.auth_token_set.count()
    with _journalled(account, "tokens_revoked", by, count=count) as locked:
        end_tokens(locked)


def revoke_tokens_of_password(account: Account) -> None:
    """Revoke tokens and access of apps if the second factor is the first: they began without one.

    What directors issue to the account stays: it gives no rights but those of a player.
    """
    factors = Authenticator.objects.filter(user=account)
    is_first = factors.exclude(type=Authenticator.Type.RECOVERY_CODES).count() == 1
    if is_first and has_own_tokens(account):
        count = account.auth_token_set.filter(issued_by=account).count()
        with _journalled(account, "tokens_revoked", account, count=count) as locked:
            end_tokens(locked, only_own=True)


def end_logins_left(account: Account) -> None:
    """End what still logs in to an account after a reset of its password, but a second factor.

    Who can only read the mail of the account must not get around its second factor.
    """
    with transaction.atomic():
        end_sessions(account, by=account)
        revoke_tokens(account, by=account)
        SocialAccount.objects.filter(user=account).delete()
        if passkeys_of(account).exists() and not are_passkeys_needed(account):
            with _journalled(account, "factor_removed", account) as locked:
                passkeys_of(locked).delete()


def remove_second_factor(account: Account, *, by: Account) -> None:
    """Remove app, passkeys and recovery codes of a person who has lost them; sessions end."""
    with _journalled(account, "factor_removed", by) as locked:
        Authenticator.objects.filter(user=locked).delete()
        _end_sessions(locked)


def appoint_staff(account: Account, *, by: Account) -> None:
    """Make an account site staff; it acts as such as soon as it has a second factor.

    It logs in anew and creates new tokens: for those of before, a password was enough.
    """
    with _journalled(account, "staff_appointed", by) as locked:
        if locked.is_staff or not (locked.is_active and locked.email):
            raise Conflict("nothing_to_do", Text("only an open account can become staff"))
        locked.is_staff = True
        locked.save(update_fields=["is_staff"])
        end_tokens(locked, only_own=True)
        _end_sessions(locked)


def dismiss_staff(account: Account, *, by: Account) -> None:
    """Make an account an ordinary one; nobody dismisses themselves, so one is left."""
    with _journalled(account, "staff_dismissed", by) as locked:
        if locked.pk == by.pk or not locked.is_staff:
            raise Conflict("nothing_to_do", Text("another member of the staff must do this"))
        locked.is_staff = locked.is_superuser = False
        locked.save(update_fields=["is_staff", "is_superuser"])
