"""The open invitations of an event, and to an account."""

from django.db.models import QuerySet

from games.core.accounts.mail import Kind, links_of, open_links
from games.models import Account, EmailLink


def invitations_of(stream: str) -> "QuerySet[EmailLink]":
    """Return the open invitations of a stream."""
    return open_links(Kind.INVITATION).filter(stream=stream)


def invitations_to(account: Account) -> "QuerySet[EmailLink]":
    """Return the open invitations to the address of an account, with who sent them."""
    links = open_links(Kind.INVITATION).filter(email=account.email or "")
    return links.exclude(email="").select_related("by")


def find_invitation(token: str) -> EmailLink | None:
    """Return the open invitation whose last message has this token."""
    return links_of(token, Kind.INVITATION).select_related("by").first()
