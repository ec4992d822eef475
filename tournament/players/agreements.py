"""What the own pages of a player show of events that somebody else has entered them in.

An event is shown on the page of a player, in their calendar, their lists of games and their results
against others if the player, or who keeps the registration, has agreed to the entry, or has not
declined it and an officer has approved the event, or its organiser, for rating. The event itself
shows the entry in any case.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db.models import Q, QuerySet

from games.models import Account, Game, Player
from games.models.bulk import chunks
from ratings.models import Pool
from tournament.core.approvals import find_event_filings
from tournament.core.queries import ENDED_APPLICATIONS
from tournament.models import Entry, Tournament
from tournament.players.custody import kept_players


def set_agreements(entries: Iterable[Entry], *, by: Account) -> None:
    """Set for new entries whether the account that makes them keeps the registrations."""
    for some in chunks(list(entries)):
        players = [entry.player_id for entry in some]
        kept = set(kept_players(by).filter(pk__in=players).values_list("pk", flat=True))
        for entry in some:
            if entry.player_id in kept:
                entry.agreement = Entry.Agreement.AGREED


def hidden_streams(*players: Player, but_by_turns: bool = False) -> list[str]:
    """Return the streams of the events that the own pages of these players do not show.

    With `but_by_turns`, not those of running events by turns that they have not declined: what only
    the player reads names their turns, because their time runs. One query if they have agreed to
    all of their entries.
    """
    own = Q(player__in=players) | Q(player__merged_into__in=players)
    rows = Entry.objects.filter(own).exclude(agreement=Entry.Agreement.AGREED)
    found = list(rows.select_related("tournament"))
    asked = {row.tournament for row in found if row.agreement == Entry.Agreement.ASKED}
    if but_by_turns:
        asked = {event for event in asked if not _is_played_here(event)}
    unanswered = {event.stream for event in asked} - _approved_streams(asked)
    declined = {row.tournament.stream for row in found if row.agreement == Entry.Agreement.DECLINED}
    return sorted(declined | unanswered)


def _is_played_here(event: Tournament) -> bool:
    return event.play == Game.Play.BY_TURNS and event.state == Tournament.State.RUNNING


def _approved_streams(tournaments: Collection[Tournament]) -> set[str]:
    """Return the streams of the events that request their rating and are approved."""
    events = defaultdict(list)
    for event in tournaments:
        if event.rated and event.pool:
            events[event.pool].append(event)
    pools = Pool.objects.filter(code__in=events) if events else ()
    filings = [find_event_filings(pool, events[pool.code]) for pool in pools]
    return {stream for found in filings for stream, event in found.items() if event.filing.approved}


def without_streams(
    tournaments: "QuerySet[Tournament]", streams: Collection[str]
) -> "QuerySet[Tournament]":
    """Return the tournaments without those of these streams."""
    slugs = [stream.removeprefix("tournament/") for stream in streams]
    return tournaments.exclude(slug__in=slugs) if slugs else tournaments


def asked_entries(account: Account) -> "QuerySet[Entry]":
    """Return the entries that an account can agree to or decline, the latest event first.

    Those of its player, and of players without a login whose registration it keeps; not in drafts.
    """
    players = Player.objects.filter(account=account)
    if not account.is_staff:
        players |= kept_players(account).filter(account__email__isnull=True)
    own = Q(player__in=players.values("pk")) | Q(player__merged_into__in=players.values("pk"))
    rows = Entry.objects.filter(own, agreement=Entry.Agreement.ASKED)
    rows = rows.exclude(state__in=ENDED_APPLICATIONS).exclude(
        tournament__state__in=(Tournament.State.DRAFT, Tournament.State.CANCELLED)
    )
    related = rows.select_related("tournament", "player__merged_into")
    return related.order_by("-tournament__starts_on", "pk")
