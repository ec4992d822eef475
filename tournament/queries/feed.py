"""The feed of a stream: its published journal lines, as webhooks and the event stream send them.

A stream is that of a tournament (`tournament/spring-open`) or of a pool (`pool/star`). The feed of
a private event has the same content; who may read it is decided elsewhere.

`FEED_KINDS` in tournament/webhooks/feed.py names the kinds of lines that are public. Other
lines are left out, as are those about what has been withdrawn: a round that is not published, a
game that is not in the current pairings. The data says what is public now: the boards of a round
are its current ones, and a name is that of the player today, so nothing that was erased comes
back. The result of a game is the one that its line states.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from games.core.journal.lines import find_head
from games.models import JournalHead, JournalLine
from games.models.games import POOL_STREAM
from tournament.core.queries import FINISHED_ROUND_STATES
from tournament.models import Round, Tournament
from tournament.queries.feed_boards import load_boards
from tournament.webhooks.feed import FEED_KINDS, POOL_KINDS, Data, FeedRows

TOURNAMENT_STREAM = "tournament/"
"""What the stream of a tournament begins with; its slug follows."""
SMALLEST_PAGE = 100
"""Lines read at once: a few, if lines that are left out are between those of the feed."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A published line; `data` is JSON with ids, public values and addresses of the API."""

    stream: str
    sequence: int
    kind: str
    at: datetime
    data: Data


def load_feed(stream: str, *, after: int, limit: int) -> list[FeedEntry]:
    """Return at most `limit` (at least 1) entries after a sequence number, in the journal's order.

    Fewer than `limit` means that there are no more. Five queries at most for each page of lines; a
    further page is only read for lines that are left out.
    """
    entries: list[FeedEntry] = []
    size = max(limit, SMALLEST_PAGE)
    has_more = stream.startswith((TOURNAMENT_STREAM, POOL_STREAM))
    while has_more and len(entries) < limit:
        page = list(_public_lines(stream).filter(sequence__gt=after).order_by("sequence")[:size])
        has_more = len(page) == size
        entries += _entries_of(stream, page)
        after = page[-1].sequence if page else after
    return entries[:limit]


def find_entry(stream: str, sequence: int) -> FeedEntry | None:
    """Return the entry of one line; None if the line is not public, or not any more."""
    line = _public_lines(stream).filter(sequence=sequence)
    return next(iter(_entries_of(stream, list(line))), None)


def last_sequence(stream: str) -> int:
    """Return the number of the last line of a stream, public or not; 0 if it has none."""
    return find_head(stream).sequence


def load_heads(streams: Collection[str]) -> dict[str, int]:
    """Return the number of the last line of each stream that has one, in one query."""
    heads = JournalHead.objects.filter(stream__in=streams)
    return dict(heads.values_list("stream", "sequence"))


def kinds_of(stream: str) -> list[str]:
    """Return the kinds of entries that the feed of a stream can have."""
    is_pool = stream.startswith(POOL_STREAM)
    return [kind for kind in FEED_KINDS if (kind in POOL_KINDS) == is_pool]


def _public_lines(stream: str) -> "QuerySet[JournalLine]":
    kinds = kinds_of(stream)
    lines = JournalLine.objects.filter(stream=stream, kind__in=kinds, payload__isnull=False)
    return lines.select_related("payload")


def _entries_of(stream: str, lines: Sequence[JournalLine]) -> list[FeedEntry]:
    """Return the entries of lines; those that are not public are left out."""
    rows = _load_rows(stream, lines) if lines else None
    if rows is None:
        return []
    entries = []
    for line in lines:
        data = FEED_KINDS[line.kind](line.payload.body, rows)
        if data is not None:
            entries.append(FeedEntry(stream, line.sequence, line.kind, line.at, data))
    return entries


def _load_rows(stream: str, lines: Sequence[JournalLine]) -> FeedRows | None:
    """Load what the data of lines needs; None if the tournament does not exist any more."""
    if stream.startswith(POOL_STREAM):
        return FeedRows(stream.removeprefix(POOL_STREAM))
    slug = stream.removeprefix(TOURNAMENT_STREAM)
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        return None
    is_public = Q(state__in=(*FINISHED_ROUND_STATES, Round.State.PUBLISHED))
    rounds = tournament.round_set.filter(is_public).values_list("number", "version")
    whole = {
        line.payload.body["round"]
        for line in lines
        if line.kind in ("round.published", "round.changed", "round.restored")
    }
    places = {
        place
        for line in lines
        for place in (line.payload.body.get("places") or [line.payload.body.get("place")])
        if line.kind.startswith(("game.", "correction.")) and place
    }
    boards = load_boards(tournament, whole, places) if whole or places else []
    return FeedRows(
        slug,
        rounds=dict(rounds),
        boards={number: [row for row in boards if row.round == number] for number in whole},
        games={
            place: (game, row)
            for row in boards
            for place, game in zip(row.places, row.games, strict=True)
        },
        published=_find_published(stream, lines),
    )


def _find_published(stream: str, lines: Sequence[JournalLine]) -> frozenset[tuple[int, int]]:
    """Return the rounds and versions that were public, of the rounds that were unpaired."""
    unpaired = [line.payload.body["round"] for line in lines if line.kind == "round.unpaired"]
    if not unpaired:
        return frozenset()
    found = JournalLine.objects.filter(
        stream=stream,
        kind__in=("round.published", "round.changed", "round.restored"),
        payload__body__round__in=unpaired,
    )
    bodies = [line.payload.body for line in found.select_related("payload")]
    return frozenset(
        (body["round"], body["version"])
        for body in bodies
        if body.get("state", Round.State.PUBLISHED) == Round.State.PUBLISHED
    )
