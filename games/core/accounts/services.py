"""Roles in a stream: grant them to accounts, invite others by email, remove them."""

from django.db import transaction
from django.utils import timezone

from games.core.accounts.mail import (
    Kind,
    find_account,
    open_links,
    request_link,
    resend_link,
    use_link,
)
from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows, deleted_rows
from games.models import Account, EmailLink, Role
from games.quotas import check_quota
from games.rules.text import Text
from games.services.accounts import create_account


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
