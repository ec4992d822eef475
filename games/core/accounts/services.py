"""Accounts by email: sign up, set a password; roles in a stream, granted or by invitation."""

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from games.core.accounts.mail import (
    Kind,
    current_language,
    find_account,
    open_links,
    request_link,
    resend_link,
    use_link,
)
from games.core.errors import Conflict, Forbidden, Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows, deleted_rows
from games.core.limits import check_quota
from games.models import Account, EmailLink, Role
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


def grant_or_invite(
    stream: str, email: str, role: str, *, name: str, by: Account
) -> Role | EmailLink:
    """Grant a role to the account of an address, or invite the address by email.

    `name` is that of the event; the message says it.

    Raises Conflict if the account has the role, or too many invitations are open.
    """
    with transaction.atomic():
        account = find_account(email)
        if account is not None:
            return _grant(stream, account, role, by=by)
        others = open_links(Kind.INVITATION).filter(stream=stream)
        check_quota("invitations", others.count() + 1, by=by)
        if others.filter(email__iexact=email, role=role).exists():
            detail = Text(
                "%(name)s is invited to be %(role)s already; resend or revoke the invitation",
                name=email,
                role=Role.Name(role),
            )
            raise Conflict("invited_already", detail)
        link = request_link(Kind.INVITATION, email, stream=stream, role=role, name=name, by=by)
        payload = {"invitation": link.pk, "role": role}
        append_line(stream, "role.invited", payload, by=by)
    return link


def accept_invitation(token: str, *, name: str = "", password: str = "") -> Role:
    """Grant the role of an invitation to the account of its address, which is created if needed."""
    with transaction.atomic():
        link = use_link(token, Kind.INVITATION)
        account = find_account(link.email)
        if account is None:
            if not password:
                detail = Text("the address has no account yet; send a password to create it")
                raise Unprocessable("password_needed", detail, at="/password")
            account = create_account(link.email, name, password)
        return _grant(link.stream, account, link.role, by=account)


def _grant(stream: str, account: Account, role: str, *, by: Account) -> Role:
    granted, is_new = Role.objects.get_or_create(stream=stream, account=account, role=role)
    if not is_new:
        raise Conflict(
            "role_held", Text("%(name)s is %(role)s already", name=account, role=Role.Name(role))
        )
    payload = {"account": account.pk, "role": role}
    append_line(stream, "role.granted", payload, by=by, rows=changed_rows(granted))
    return granted


def remove_role(role: Role, *, by: Account) -> None:
    """Remove a role; raises Conflict for the last owner."""
    with transaction.atomic():
        held = Role.objects.select_for_update().filter(stream=role.stream, role=role.role)
        holders = list(held.order_by("pk").values_list("pk", flat=True))
        if role.role == Role.Name.OWNER and holders == [role.pk]:
            detail = Text("an event needs an owner; grant the role to another account first")
            raise Conflict("last_owner", detail)
        rows = deleted_rows(role)
        role.delete()
        payload = {"account": role.account_id, "role": role.role}
        append_line(role.stream, "role.removed", payload, by=by, rows=rows)


def resend_invitation(link: EmailLink, *, by: Account) -> EmailLink:
    """Send an invitation again; raises Conflict if it is not open or was sent too often."""
    with transaction.atomic():
        link = _lock_open(link)
        resend_link(link)
        append_line(link.stream, "role.invited", {"invitation": link.pk, "role": link.role}, by=by)
    return link


def revoke_invitation(link: EmailLink, *, by: Account) -> None:
    """Revoke an invitation; raises Conflict if it is not open."""
    with transaction.atomic():
        link = _lock_open(link)
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
        append_line(link.stream, "invitation.revoked", {"invitation": link.pk}, by=by)


def _lock_open(link: EmailLink) -> EmailLink:
    found = open_links(Kind.INVITATION).select_for_update().filter(pk=link.pk).first()
    if found is None:
        raise Conflict("nothing_to_do", Text("the invitation is used, revoked or expired"))
    return found
