"""The heads of the journals that anyone may read, to be saved and compared later."""

from collections.abc import Iterator
from typing import Any

from django.db.models import CharField, Q, Value
from django.db.models.functions import Cast, Concat
from django.utils.translation import gettext

from games.core.journal.chain import Head
from games.core.journal.lines import SITE, find_head
from games.models import Game, JournalHead
from tournament.core.queries import visible_tournaments
from tournament.models import Tournament


def public_heads() -> Iterator[Head]:
    """Yield the heads of all streams, except those of private tournaments, drafts and games."""
    tournaments = visible_tournaments(None).values_list(
        Concat(Value("tournament/"), "slug", output_field=CharField())
    )
    games = Game.objects.filter(stream="", public=True).values_list(
        Concat(Value("game/"), Cast("pk", CharField()))
    )
    is_other = ~Q(stream__startswith="tournament/") & ~Q(stream__startswith="game/")
    heads = JournalHead.objects.filter(is_other | Q(stream__in=tournaments) | Q(stream__in=games))
    rows = heads.order_by("stream").values_list("stream", "sequence", "digest")
    return (Head(*row) for row in rows.iterator())


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
    heads = JournalHead.objects.filter(stream__in=(stream, SITE)).order_by("stream")
    return list(heads.values_list("stream", "sequence", "digest"))
