"""The head of the journal of an event: for readers, and as what its tables depend on."""

from typing import Any

from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Sum
from django.utils.translation import gettext

from games.core.journal.lines import SITE, find_head
from games.models import Game, JournalHead
from games.models.streams import GAME_STREAM, LIVE_FEED
from games.play.followers import followed_games, shown_versions
from tournament.models import Tournament


def head_note(tournament: Tournament) -> str:
    """Return the head of a tournament's journal for a page or a sheet: `journal 21: 3f2a…`."""
    head = find_head(tournament.stream)
    if not head.sequence:
        return gettext("no journal")
    values = {"number": head.sequence, "digest": head.digest[:16]}
    return gettext("journal %(number)s: %(digest)s") % values


def table_state(slug: str) -> list[Any]:
    """Return what determines the tables of a tournament: the heads of its journal and the site's.

    Each change of results, entries, rounds and settings has a line in the journal of the event, and
    each change of a player has one in that of the site. Take the state before you load anything
    that it stands for: an old state of a new table costs one request more, but who has an old table
    with a new state would not get the new table.
    """
    return stream_state(f"tournament/{slug}")


def stream_state(stream: str) -> list[Any]:
    """Return the heads of a stream and of the site's, as (stream, sequence, digest)."""
    return list(_heads_of(stream).values_list("stream", "sequence", "digest"))


def state_with_live_boards(stream: str) -> list[Any]:
    """Return the heads as `stream_state`, and whether games of the stream are followed."""
    followed = followed_games().filter(stream=OuterRef("stream"))
    return list(_heads_of(stream).values_list("stream", "sequence", "digest", Exists(followed)))


def state_of_game(game_id: int) -> list[Any]:
    """Return what determines the page of a game whose record is being kept; [] for another game.

    It is the version that spectators see, as that of a feed, and the heads of its journals.
    """
    games = Game.objects.filter(pk=game_id, live__isnull=False)
    for stream, _, state, version in shown_versions(games):
        live = (f"{LIVE_FEED}{game_id}", state, version)
        return [live, *stream_state(stream or f"{GAME_STREAM}{game_id}")]
    return []


def _heads_of(stream: str) -> "QuerySet[JournalHead]":
    return JournalHead.objects.filter(stream__in=(stream, SITE)).order_by("stream")


def site_state() -> list[Any]:
    """Return what determines the lists of all events, players and pools: the lines of all journals.

    Each change adds a line to one. A journal can only end with a line in that of the site, so the
    lines of all and of the site together never are what they were before. Casual games have a
    journal each, whose names are before all others; to add them would take milliseconds.
    """
    of_site = Max("sequence", filter=Q(stream=SITE))
    heads = JournalHead.objects.filter(stream__gte="pool/")
    return [*heads.aggregate(lines=Sum("sequence"), of_site=of_site).values()]
