"""Roles in a stream: offered to an address, accepted or declined by its account, removed.

An offer is an invitation by email (EmailLink), which changes nothing until it is accepted. The same
is done for an address with an account and for one without, so that nobody learns which it is.
"""

from django.db import transaction
from django.utils import timezone

from games.core.accounts.mail import (
    Kind,
    check_recipient,
    check_sender,
    create_link,
    open_links,
    resend_link,
)
from games.core.errors import Conflict
from games.core.journal.lines import append_line, lock_head
from games.core.journal.rows import changed_rows, deleted_rows
from games.core.limits import QuotaReached, check_quota, lock_account
from games.core.permissions import SecondFactorNeeded
from games.core.roles.queries import invitations_of
from games.models import Account, EmailLink, Role
from games.models.addresses import same_address
from games.rules.text import Text


def offer_role(stream: str, email: str, role: str, *, name: str, by: Account) -> EmailLink:
    """Offer a role to an address; `name` is that of the event, which the message says.

    An address has one open invitation to a stream: another role replaces the one that it offers,
    and a message with another link is sent. An address that has had its messages of a day gets
    none, and its account sees the offer when it logs in: nobody blocks offers by sending many.

    Raises Conflict if this role is offered already, for a quota, and after too many messages.
    """
    email = same_address(email)
    with transaction.atomic():
        _lock_sender(stream, by)
        others = invitations_of(stream)
        link = others.filter(email=email).first()
        if link is not None and link.role == role:
            detail = Text(
                "%(name)s is invited to be %(role)s already; resend or revoke the invitation",
                name=email,
                role=Role.Name(role),
            )
            raise Conflict("invited_already", detail)
        check_sender(by)
        is_sent = _gets_messages(email, by)
        if link is None:
            check_quota("invitations", others.count() + 1, by=by)
            link = create_link(
                Kind.INVITATION, email, is_sent=is_sent, stream=stream, role=role, name=name, by=by
            )
        else:
            link.role, link.by = role, by
            link.save(update_fields=["role", "by"])
            if is_sent:
                resend_link(link)
        _append_invited(link, by)
    return link


def _gets_messages(email: str, by: Account) -> bool:
    """Return False if an address has had its messages with invitations of a day."""
    try:
        check_recipient(email, by=by)
    except QuotaReached:
        return False
    return True


def resend_invitation(link: EmailLink, *, by: Account) -> EmailLink:
    """Send an invitation again, in the name of this account.

    Raises Conflict if it is not open or was sent too often, and for a quota.
    """
    with transaction.atomic():
        _lock_sender(link.stream, by)
        link = _lock_open(link)
        check_sender(by)
        check_recipient(link.email, by=by)
        link.by = by
        link.save(update_fields=["by"])
        resend_link(link)
        _append_invited(link, by)
    return link


def _lock_sender(stream: str, by: Account) -> None:
    """Lock who sends an invitation."""
    # The owners of the stream too: two of them could invite one address at the same time.
    owners = Role.objects.select_for_update(no_key=True, of=("self",))
    list(owners.filter(stream=stream, role=Role.Name.OWNER).order_by("pk"))
    lock_account(by)


def _append_invited(link: EmailLink, by: Account) -> None:
    payload = {"invitation": link.pk, "role": link.role}
    append_line(link.stream, "role.invited", payload, by=by)


def revoke_invitation(link: EmailLink, *, by: Account) -> None:
    """Revoke an invitation; raises Conflict if it is not open."""
    with transaction.atomic():
        link = _close(link)
        append_line(link.stream, "invitation.revoked", {"invitation": link.pk}, by=by)


def decline_invitation(link: EmailLink, *, by: Account | None) -> None:
    """Decline an invitation; raises Conflict if it is not open.

    Without an account, this is done by the link of its message.
    """
    with transaction.atomic():
        link = _close(link)
        append_line(link.stream, "invitation.declined", {"invitation": link.pk}, by=by)


def _close(link: EmailLink) -> EmailLink:
    link = _lock_open(link)
    link.revoked_at = timezone.now()
    link.save(update_fields=["revoked_at"])
    return link


def accept_invitation(link: EmailLink, *, by: Account) -> Role:
    """Grant the role of an invitation; raises Conflict if it is not open.

    An account that has the role already keeps it.
    """
    with transaction.atomic():
        link = _lock_open(link)
        link.used_at = timezone.now()
        link.save(update_fields=["used_at"])
        is_strict = Role.objects.filter(stream=link.stream, second_factor=True).exists()
        role, is_new = Role.objects.get_or_create(
            stream=link.stream, account=by, role=link.role, defaults={"second_factor": is_strict}
        )
        if is_new:
            payload = {"account": by.pk, "role": role.role}
            append_line(role.stream, "role.granted", payload, by=by, rows=changed_rows(role))
    return role


def _lock_open(link: EmailLink) -> EmailLink:
    found = open_links(Kind.INVITATION).select_for_update().filter(pk=link.pk).first()
    if found is None:
        raise Conflict("nothing_to_do", Text("the invitation is answered, revoked or expired"))
    return found


def require_second_factor(stream: str, *, is_required: bool, by: Account) -> None:
    """Require a second factor of the directors of a stream, or not any more.

    Who requires it has one, so that an owner can take it back.
    """
    if is_required and not by.has_second_factor:
        raise SecondFactorNeeded
    with transaction.atomic():
        lock_head(stream)
        roles = list(Role.objects.filter(stream=stream).exclude(second_factor=is_required))
        if not roles:
            raise Conflict("nothing_to_do", Text("the event has this setting already"))
        for role in roles:
            role.second_factor = is_required
        Role.objects.bulk_update(roles, ["second_factor"])
        payload = {"is_required": is_required}
        append_line(stream, "roles.second_factor", payload, by=by, rows=changed_rows(*roles))


def remove_role(role: Role, *, by: Account) -> None:
    """Remove a role, and the open invitations of another owner, who could return by them.

    Raises Conflict for the last owner and the last rating officer.
    """
    with transaction.atomic():
        # All who hold it: the last two owners could remove each other.
        held = Role.objects.select_for_update().filter(stream=role.stream, role=role.role)
        holders = list(held.order_by("pk").values_list("pk", flat=True))
        if role.pk not in holders:
            raise Conflict("nothing_to_do", Text("the role is removed already"))
        if holders == [role.pk]:
            _refuse_last(role)
        links = invitations_of(role.stream).filter(by=role.account_id).order_by("pk")
        is_other_owner = role.role == Role.Name.OWNER and role.account_id != by.pk
        # Before the journal, as who accepts one does.
        left = list(links.select_for_update()) if is_other_owner else []
        rows = deleted_rows(role)
        role.delete()
        payload: dict[str, object] = {"account": role.account_id}
        if role.role == Role.Name.RATING_OFFICER:
            append_line(role.stream, "officer.removed", payload, by=by, rows=rows)
        else:
            payload |= {"role": role.role}
            append_line(role.stream, "role.removed", payload, by=by, rows=rows)
        for link in left:
            revoke_invitation(link, by=by)


def _refuse_last(role: Role) -> None:
    if role.role == Role.Name.OWNER:
        detail = Text(
            "an event needs an owner; offer the role to another person, who accepts it, first"
        )
        raise Conflict("last_owner", detail)
    if role.role == Role.Name.RATING_OFFICER:
        detail = Text(
            "a pool needs a rating officer; the staff of the site appoint another one first"
        )
        raise Conflict("last_officer", detail)
