"""Accounts by email: sign up, set a password."""

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction

from games.core.accounts.mail import (
    Kind,
    current_language,
    find_account,
    request_link,
    use_link,
)
from games.core.errors import Conflict, Forbidden, Unprocessable
from games.models import Account, EmailLink
from games.rules.text import Text


def request_sign_up(email: str, name: str) -> EmailLink:
    """Send a link to create an account; for an address with an account, one to set its password.

    Raises Forbidden if the installation has closed the sign-up.
    """
    if settings.SIGN_UP == "closed":
        detail = Text(
            "accounts are created by the administrators of this installation, or by invitation"
        )
        raise Forbidden("sign_up_closed", detail)
    kind = Kind.PASSWORD if find_account(email) else Kind.SIGN_UP
    with transaction.atomic():
        return request_link(kind, email, name=name)


def confirm_sign_up(token: str, password: str) -> Account:
    """Create the account of a link; raises Unprocessable for its token or for the password."""
    with transaction.atomic():
        link = use_link(token, Kind.SIGN_UP)
        return create_account(link.email, link.name, password)


def create_account(email: str, name: str, password: str) -> Account:
    """Create an account; raises Conflict if its address has one already."""
    if Account.objects.filter(email__iexact=email).exists():
        raise Conflict("account_exists", Text("this address has an account already"))
    _check_password(password, Account(email=email, name=name))
    return Account.objects.create_user(email, password, name=name, language=current_language())


def rename_account(account: Account, name: str) -> None:
    """Change the name of an account; the name of its player is another one."""
    account.name = name
    account.save(update_fields=["name"])


def request_password(email: str) -> EmailLink:
    """Send a link to set a new password, if the address has an account."""
    with transaction.atomic():
        return request_link(Kind.PASSWORD, email)


def reset_password(token: str, password: str) -> Account:
    """Set a new password and revoke the account's own tokens; raises Unprocessable."""
    with transaction.atomic():
        link = use_link(token, Kind.PASSWORD)
        account = find_account(link.email)
        if account is None:
            raise Unprocessable("invalid_link", Text("the account does not exist"), at="/token")
        _check_password(password, account)
        account.set_password(password)
        account.save(update_fields=["password"])
        account.auth_token_set.filter(issued_by=account).delete()
    return account


def _check_password(password: str, account: Account) -> None:
    try:
        validate_password(password, account)
    except ValidationError as error:
        detail = " ".join(error.messages)
        raise Unprocessable("weak_password", detail, at="/password") from error
