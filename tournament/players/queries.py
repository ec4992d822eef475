"""Claims that an account may see, and those that it decides."""

from django.db.models import Q, QuerySet

from games.models import Account, Claim, Role
from tournament.models import Tournament

BEGUN = (
    Tournament.State.RUNNING,
    Tournament.State.REVIEW,
    Tournament.State.FINAL,
    Tournament.State.ARCHIVED,
)
"""The states of an event whose owner knows its players: anyone can enter a player in a draft."""


def decidable_claims(account: Account) -> "QuerySet[Claim]":
    """Return the claims of others that the account decides: staff all, owners of their players."""
    others = Claim.objects.exclude(account=account)
    if account.is_staff:
        return others
    owned = account.roles.filter(stream__startswith="tournament/", role=Role.Name.OWNER)
    slugs = [
        stream.removeprefix("tournament/") for stream in owned.values_list("stream", flat=True)
    ]
    events = Tournament.objects.filter(slug__in=slugs, state__in=BEGUN)
    return others.filter(player__entries__tournament__in=events).distinct()


def visible_claims(account: Account) -> "QuerySet[Claim]":
    """Return the claims that the account made or decides."""
    decidable = decidable_claims(account).order_by().values("pk")
    claims = Claim.objects.filter(Q(account=account) | Q(pk__in=decidable))
    return claims.select_related("player", "account")
