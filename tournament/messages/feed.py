"""The feed of a stream: its published journal lines, as webhooks and the event stream send them.

A stream is that of a tournament (`tournament/spring-open`) or of a pool (`pool/star`). The feed of
a private event has the same content; who may read it is decided elsewhere.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from games.core.journal.chain import format_time
from games.core.journal.lines import find_head
from games.models import JournalHead, JournalLine
from games.models.streams import POOL_STREAM, TOURNAMENT_STREAM, stream_as_json
from ratings.models import Pool
from tournament.core.queries import FINISHED_ROUND_STATES, listed_entries
from tournament.core.rankings import compute_table
from tournament.messages import words
from tournament.messages.data import (
    Data,
    FeedPlayer,
    FeedRows,
    load_boards,
    player_as_json,
)
from tournament.messages.kinds import KINDS, kinds_of
from tournament.messages.words import Message
from tournament.models import Round, Tournament

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
    rows: FeedRows

    def as_message(self) -> dict[str, Any]:
        """Return the message of webhooks and of the event stream as JSON."""
        return {
            "type": self.kind,
            "timestamp": format_time(self.at),
            **stream_as_json(self.stream),
            "sequence": self.sequence,
            "data": self.data,
        }


def load_feed(stream: str, *, after: int, limit: int) -> list[FeedEntry]:
    """Return at most `limit` (at least 1) entries after a sequence number, in the journal's order.

    Fewer than `limit` means that there are no more. Six queries at most for each page of lines; a
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


def messages_of(entry: FeedEntry) -> list[Message]:
    """Return whom an entry concerns, and in which words; the public first."""
    return words.messages_of(KINDS[entry.kind], entry.data, entry.rows)


def lines_of(message: Message, entry: FeedEntry) -> list[str]:
    """Return the lines of a message, with the standings where they belong to it."""
    if message.standings is None:
        return [*message.lines]
    tournament = Tournament.objects.get(slug=entry.rows.name)
    table = compute_table(tournament, through=message.standings)
    names = {number: player["name"] for number, player in table.players.items()}
    return [
        f"{row.rank}. {names[row.number]} {next(iter(row.values_as_json().values()), '') or ''}"
        for row in table.rows
    ]


def last_sequence(stream: str) -> int:
    """Return the number of the last line of a stream, public or not; 0 if it has none."""
    return find_head(stream).sequence


def load_heads(streams: Collection[str]) -> dict[str, int]:
    """Return the number of the last line of each stream that has one, in one query."""
    heads = JournalHead.objects.filter(stream__in=streams)
    return dict(heads.values_list("stream", "sequence"))


def _public_lines(stream: str) -> "QuerySet[JournalLine]":
    kinds = [KINDS[kind].line for kind in kinds_of(stream)]
    lines = JournalLine.objects.filter(stream=stream, kind__in=kinds, payload__isnull=False)
    return lines.select_related("payload")


def _entries_of(stream: str, lines: Sequence[JournalLine]) -> list[FeedEntry]:
    """Return the entries of lines; those that are not public are left out."""
    rows = _load_rows(stream, lines) if lines else None
    if rows is None:
        return []
    kinds = {KINDS[kind].line: kind for kind in kinds_of(stream)}
    found = (
        (line, kinds[line.kind], KINDS[kinds[line.kind]].data(line.payload.body, rows))
        for line in lines
    )
    return [
        FeedEntry(stream, line.sequence, kind, line.at, data, rows)
        for line, kind, data in found
        if data is not None
    ]


def _load_rows(stream: str, lines: Sequence[JournalLine]) -> FeedRows | None:
    """Load what the data of lines needs; None if the tournament does not exist any more."""
    if stream.startswith(POOL_STREAM):
        code = stream.removeprefix(POOL_STREAM)
        name = Pool.objects.filter(code=code).values_list("name", flat=True).first()
        return FeedRows(code, title=name or code, place="pools")
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
    ordinals = {line.payload.body["ordinal"] for line in lines if line.kind.startswith("entry.")}
    boards = load_boards(tournament, whole, places) if whole or places else []
    return FeedRows(
        slug,
        title=tournament.name,
        rounds=dict(rounds),
        boards={number: [row for row in boards if row.round == number] for number in whole},
        games={
            place: (game, row)
            for row in boards
            for place, game in zip(row.places, row.games, strict=True)
        },
        published=_find_published(stream, lines),
        entries=_load_entries(tournament, ordinals) if ordinals else {},
        zone=tournament.time_zone,
        is_draft=tournament.state == Tournament.State.DRAFT,
    )


def _load_entries(tournament: Tournament, ordinals: Collection[int]) -> dict[int, FeedPlayer]:
    """Load those of these entries that all see, by their number in order of entry."""
    entries = listed_entries(tournament).filter(ordinal__in=ordinals)
    return {
        entry.ordinal: player_as_json(entry)
        for entry in entries.select_related("player__merged_into")
    }


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
