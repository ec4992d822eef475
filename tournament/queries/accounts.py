"""The events of an account: those that it plays in, and those that it directs."""

from django.db.models import Q, QuerySet

from games.models import Account
from tournament.core.queries import visible_tournaments
from tournament.models import Tournament


def played_events(account: Account) -> "QuerySet[Tournament]":
    """Return the visible events in which the player of an account is entered, the latest first."""
    own = Q(entries__player__account=account) | Q(entries__player__merged_into__account=account)
    return visible_tournaments(account).filter(own).distinct().order_by("-starts_on", "name")


def directed_events(account: Account) -> "QuerySet[Tournament]":
    """Return the events in which an account has a role, the latest first."""
    streams = account.roles.filter(stream__startswith="tournament/").values_list(
        "stream", flat=True
    )
    slugs = {stream.removeprefix("tournament/") for stream in streams}
    return Tournament.objects.filter(slug__in=slugs).order_by("-starts_on", "name")
