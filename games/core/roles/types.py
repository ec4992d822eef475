"""What the API answers about invitations to the account of the caller, and their roles."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, TypedDict

from games.core.accounts.mail import MOST_SENDS
from games.core.accounts.types import RoleInStream, roles_as_json
from games.core.references import (
    AccountReference,
    TournamentReference,
    absolute_url,
    account_reference,
    tournaments_of,
)
from games.models import EmailLink, Role
from games.models.streams import pool_of, tournament_of


class HeldRole(TypedDict):
    """A role of an account in an event."""

    id: int
    account: AccountReference
    role: str
    needs_second_factor: Annotated[bool, "whether owners and directors need one; scorers do not"]
    url: str


class Invitation(TypedDict):
    """An open invitation, for who has sent it."""

    id: int
    email: Annotated[str, {"format": "email"}]
    role: str
    expires_at: datetime
    sends: Annotated[
        int,
        f"messages requested, at most {MOST_SENDS}; 0 if the address has had too many today: the"
        " account sees the invitation when it logs in",
    ]
    sent_at: Annotated[datetime | None, "null while no message is sent"]
    url: str


class Sender(AccountReference):
    """Who has sent an invitation."""

    email: str | None


class OwnInvitation(TypedDict):
    """An open invitation to the address of the account."""

    id: int
    tournament: TournamentReference | None
    pool: str | None
    name: Annotated[str, "that of the tournament when the invitation was sent"]
    role: str
    by: Sender | None
    expires_at: datetime
    url: str


class AcceptedRole(RoleInStream):
    """The role that the account has now."""

    account: AccountReference


def invitations_as_json(links: Sequence[EmailLink]) -> list[OwnInvitation]:
    """Return invitations as JSON; one query for their tournaments."""
    tournaments = tournaments_of(link.stream for link in links)
    return [
        {
            "id": link.pk,
            "tournament": tournaments.get(link.stream),
            "pool": pool_of(link.stream),
            "name": link.name,
            "role": link.role,
            "by": {**account_reference(link.by), "email": link.by.email} if link.by else None,
            "expires_at": link.expires_at,
            "url": absolute_url(f"me/invitations/{link.pk}"),
        }
        for link in links
    ]


def accepted_as_json(role: Role) -> AcceptedRole:
    """Return a role that was accepted, as JSON."""
    (shown,) = roles_as_json([role])
    return {**shown, "account": account_reference(role.account)}


def held_as_json(role: Role) -> HeldRole:
    """Return a role in an event as JSON."""
    return {
        "id": role.pk,
        "account": account_reference(role.account),
        "role": role.role,
        "needs_second_factor": role.second_factor,
        "url": absolute_url(f"tournaments/{tournament_of(role.stream)}/roles/{role.pk}"),
    }


def invitation_as_json(link: EmailLink) -> Invitation:
    """Return an invitation as JSON."""
    return {
        "id": link.pk,
        "email": link.email,
        "role": link.role,
        "expires_at": link.expires_at,
        "sends": link.sends,
        "sent_at": link.sent_at,
        "url": absolute_url(f"tournaments/{tournament_of(link.stream)}/invitations/{link.pk}"),
    }
