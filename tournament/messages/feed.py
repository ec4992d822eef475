"""The feeds: published journal lines, as webhooks and event streams send them.

The feed of a tournament (`tournament/spring-open`) or of a pool (`pool/star`) has the lines of its
stream, by their sequence. That of a private event has the same content; who may read it is decided
elsewhere. The feed of an account (`account/5`) has what concerns it, and that of the site the
public events and the rating lists: lines of many streams, by their key. A transaction can write a
line before another one and commit after it, so a reader of many streams looks back by `WINDOW`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.core.decimals import rating_or_none
from games.core.journal.chain import format_time
from games.core.journal.lines import find_head
from games.core.references import (
    absolute_url,
    page_url,
    player_columns,
    player_of,
    player_reference,
)
from games.models import Game, JournalHead, JournalLine
from games.models.streams import (
    ACCOUNT_FEED,
    GAME_STREAM,
    LIVE_FEED,
    OWN_LIVE_FEED,
    POOL_STREAM,
    SITE_FEED,
    TOURNAMENT_STREAM,
    game_of,
    live_game_of,
    own_live_game_of,
    pool_of,
    tournament_of,
)
from games.play.followers import live_heads, own_live_heads
from games.rules.text import Moment
from ratings.models import Pool, RunRating
from tournament.core.queries import FINISHED_ROUND_STATES, PUBLIC, listed_entries
from tournament.core.rankings import compute_table
from tournament.core.references import EntryReference, entry_reference
from tournament.messages import words
from tournament.messages.data import Data, FeedBoard, FeedRows, RatingData, load_boards
from tournament.messages.followers import Follower, load_follower
from tournament.messages.kinds import KINDS, kinds_of
from tournament.messages.words import EVERYBODY, Message
from tournament.models import Round, Tournament

SMALLEST_PAGE = 100
"""Lines read at once: a few, if lines that are left out are between those of the feed."""
PAIRED: Final = ("round.published", "round.changed", "round.restored")
"""The kinds of lines that state the pairings of a round."""
WINDOW: Final = timedelta(seconds=30)
"""How long a transaction may take after it has written its line."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A published line; `data` is JSON with ids, public values and addresses of the API.

    `number` orders the entries of a feed: the sequence, or the key of the line. `audiences` are
    those of the reader, the closest first.
    """

    stream: str
    number: int
    sequence: int
    kind: str
    at: datetime
    data: Data
    rows: FeedRows
    audiences: Sequence[str] = (EVERYBODY,)

    def as_message(self) -> dict[str, Any]:
        """Return the message of webhooks and of the event stream as JSON."""
        return {
            "type": self.kind,
            "timestamp": format_time(self.at),
            "tournament": self.rows.tournament if tournament_of(self.stream) else None,
            "pool": pool_of(self.stream),
            "sequence": self.sequence,
            "data": self.data,
        }

    def own_message(self) -> Message | None:
        """Return the message to the reader; None if there are no words for them."""
        found = {message.to: message for message in messages_of(self)}
        return next((found[name] for name in self.audiences if name in found), None)


def is_wide(feed: str) -> bool:
    """Return True for a feed of lines of many streams."""
    return feed == SITE_FEED or feed.startswith(ACCOUNT_FEED)


def _number_of(feed: str) -> str:
    """Return the column of lines that orders a feed."""
    return "pk" if is_wide(feed) else "sequence"


def load_feed(feed: str, *, after: int, limit: int) -> list[FeedEntry]:
    """Return at most `limit` (at least 1) entries after a number, in the order of their numbers.

    Fewer than `limit` means that there are no more. Six queries at most for each page of lines of a
    stream; a further page is only read for lines that are left out.
    """
    entries: list[FeedEntry] = []
    size, by = max(limit, SMALLEST_PAGE), _number_of(feed)
    follower = _follower_of(feed)
    has_more = True
    while has_more and len(entries) < limit:
        found = _public_lines(feed, follower).filter(**{f"{by}__gt": after})
        page = list(found.order_by(by)[:size])
        has_more = len(page) == size
        entries += _entries_of(feed, page, follower)
        after = getattr(page[-1], by) if page else after
    return entries[:limit]


def find_entry(feed: str, number: int) -> FeedEntry | None:
    """Return the entry of one line; None if the line is not public, or not any more."""
    return next(iter(find_entries(feed, [number])), None)


def find_entries(feed: str, numbers: Collection[int]) -> list[FeedEntry]:
    """Return the entries of these lines, as far as they are public now."""
    follower, by = _follower_of(feed), _number_of(feed)
    lines = _public_lines(feed, follower).filter(**{f"{by}__in": numbers}).order_by(by)
    return _entries_of(feed, list(lines), follower)


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


def last_number(feed: str) -> int:
    """Return the number of the last line of a feed, public or not; 0 if there is none."""
    if game := live_game_of(feed):
        return live_heads([game]).get(game, 0)
    if game := own_live_game_of(feed):
        return own_live_heads([game]).get(game, 0)
    return _last_key() if is_wide(feed) else find_head(feed).sequence


def load_heads(feeds: Collection[str]) -> dict[str, int]:
    """Return the number of the last line of each feed that has one, in at most three queries."""
    heads = JournalHead.objects.filter(stream__in=feeds)
    wide = [feed for feed in feeds if is_wide(feed)]
    live = [game for feed in feeds if (game := live_game_of(feed))]
    found = dict(heads.values_list("stream", "sequence"))
    found |= dict.fromkeys(wide, _last_key() if wide else 0)
    found |= {f"{LIVE_FEED}{game}": head for game, head in live_heads(live).items()}
    own = [game for feed in feeds if (game := own_live_game_of(feed))]
    return found | {f"{OWN_LIVE_FEED}{game}": head for game, head in own_live_heads(own).items()}


def settled_number(number: int | None = None) -> int:
    """Return the key of a line before which none is missing any more: now, or at another line."""
    at = timezone.now()
    if number == 0:
        return 0
    if number is not None:
        found = JournalLine.objects.filter(pk__lte=number).order_by("-pk").first()
        at = found.at if found else at
    older = JournalLine.objects.filter(at__lt=at - WINDOW).order_by("-pk")
    return older.values_list("pk", flat=True).first() or 0


def _last_key() -> int:
    return JournalLine.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def _follower_of(feed: str) -> Follower | None:
    """Return the account of a feed that is one's own."""
    if not feed.startswith(ACCOUNT_FEED):
        return None
    return load_follower(int(feed.removeprefix(ACCOUNT_FEED)))


def _public_lines(feed: str, follower: Follower | None) -> "QuerySet[JournalLine]":
    kinds = [KINDS[kind].line for kind in kinds_of(feed)]
    lines = JournalLine.objects.filter(kind__in=kinds, payload__isnull=False)
    if feed == SITE_FEED:
        of_feed = Q(stream__startswith=TOURNAMENT_STREAM) | Q(stream__startswith=POOL_STREAM)
    elif feed.startswith(ACCOUNT_FEED):
        of_feed = follower.streams() if follower else Q(pk__in=[])
    else:
        of_feed = Q(stream=feed)
    return lines.filter(of_feed).select_related("payload")


def _entries_of(
    feed: str, lines: Sequence[JournalLine], follower: Follower | None
) -> list[FeedEntry]:
    """Return the entries of lines; those that are not public are left out."""
    kinds = {KINDS[kind].line: kind for kind in kinds_of(feed)}
    streams: dict[str, list[JournalLine]] = {}
    for line in lines:
        streams.setdefault(line.stream, []).append(line)
    rows = {
        stream: _load_rows(stream, of_stream, follower, is_public=feed == SITE_FEED)
        for stream, of_stream in streams.items()
    }
    entries = []
    for line in lines:
        found, kind = rows[line.stream], kinds[line.kind]
        data = KINDS[kind].data(line.payload.body, found) if found else None
        if data is None or found is None:
            continue
        number = getattr(line, _number_of(feed))
        entry = FeedEntry(line.stream, number, line.sequence, kind, line.at, data, found)
        own = entry if follower is None else _own_entry(entry, follower)
        entries += [own] if own else []
    return entries


def _own_entry(entry: FeedEntry, follower: Follower) -> FeedEntry | None:
    """Return what an entry says to an account, of a round its own boards; None for nothing."""
    audiences = follower.audiences(entry.stream)
    if "boards" in entry.data and entry.stream not in follower.directed:
        boards = [
            board
            for board in entry.data["boards"]
            if follower.player in (board[seat]["player"]["id"] for seat in ("first", "second"))
        ]
        byes = [one for one in entry.data["byes"] if one["player"]["id"] == follower.player]
        entry = replace(entry, data={**entry.data, "boards": boards, "byes": byes})
    entry = replace(entry, audiences=audiences)
    return entry if entry.own_message() else None


def _load_rows(
    stream: str, lines: Sequence[JournalLine], follower: Follower | None, *, is_public: bool
) -> FeedRows | None:
    """Load what the data of lines needs; None for a draft, or if no reader sees the tournament."""
    if stream.startswith(POOL_STREAM):
        return _rows_of_pool(stream.removeprefix(POOL_STREAM), lines, follower)
    if stream.startswith(GAME_STREAM):
        return _rows_of_game(game_of(stream) or 0)
    slug = stream.removeprefix(TOURNAMENT_STREAM)
    tournament = Tournament.objects.filter(PUBLIC if is_public else Q(), slug=slug).first()
    if tournament is None or tournament.state == Tournament.State.DRAFT:
        return None
    is_shown = Q(state__in=(*FINISHED_ROUND_STATES, Round.State.PUBLISHED))
    rounds = list(tournament.round_set.filter(is_shown))
    whole = {line.payload.body["round"] for line in lines if line.kind in PAIRED}
    places = {
        place
        for line in lines
        if line.kind.startswith(("game.", "correction."))  # other lines mean other things by it
        for place in (line.payload.body.get("places") or [line.payload.body.get("place")])
        if place
    }
    ordinals = {line.payload.body["ordinal"] for line in lines if line.kind.startswith("entry.")}
    boards = load_boards(tournament, whole, places) if whole or places else []
    return FeedRows(
        slug,
        title=tournament.name,
        rounds={shown.number: shown.version for shown in rounds},
        starts={shown.number: start for shown in rounds if (start := _start_of(shown))},
        boards={number: [row for row in boards if row.round == number] for number in whole},
        games={
            place: (game, row)
            for row in boards
            for place, game in zip(row.places, row.games, strict=True)
        },
        published=_find_published(stream, lines),
        entries=_load_entries(tournament, ordinals) if ordinals else {},
        announced=frozenset(one["number"] for one in tournament.announcements),
        zone=tournament.time_zone,
    )


def _start_of(shown: Round) -> Moment | None:
    """Return the time of a round in the time zone of its event, or its day; None without one."""
    if shown.starts_at:
        return Moment.of(shown.starts_at)
    return Moment(shown.starts_on) if shown.starts_on else None


def _rows_of_game(number: int) -> FeedRows | None:
    """Load the players of a casual game, which its journal names by no place."""
    players = ("first__merged_into", "second__merged_into")
    game = Game.objects.filter(pk=number).select_related(*players).first()
    if game is None:
        return None
    first, second = (
        {"player": player_reference(player)} for player in (game.first.current, game.second.current)
    )
    return FeedRows(
        "", games={"": (number, FeedBoard(None, None, (number,), ("",), first, second))}
    )


def _rows_of_pool(code: str, lines: Sequence[JournalLine], follower: Follower | None) -> FeedRows:
    """Load the name of a pool, and the ratings of the reader by the runs that changed them."""
    name = Pool.objects.filter(code=code).values_list("name", flat=True).first() or code
    if follower is None or follower.player is None:
        return FeedRows(code, title=name, place="pools")
    runs = {line.payload.body["run"] for line in lines if line.kind == "rating.run"}
    own = RunRating.objects.filter(pool__code=code, player=follower.player).order_by("run__number")
    ratings: dict[int, RatingData] = {}
    before = None
    for row in own.values("run__number", "rating", *player_columns("player")):
        run, after = row["run__number"], rating_or_none(row["rating"] or 0)
        if run in runs:
            ratings[run] = {
                "pool": code,
                "run_number": run,
                "player": player_of(row, "player"),
                "before": before,
                "after": after,
                "url": absolute_url(f"players/{follower.player}/ratings"),
                "page_url": page_url(f"players/{follower.player}"),
            }
        before = after
    return FeedRows(code, title=name, place="pools", ratings=ratings)


def _load_entries(tournament: Tournament, ordinals: Collection[int]) -> dict[int, EntryReference]:
    """Load those of these entries that all see, by their number in order of entry."""
    entries = listed_entries(tournament).filter(ordinal__in=ordinals)
    return {
        entry.ordinal: entry_reference(entry)
        for entry in entries.select_related("player__merged_into")
    }


def _find_published(stream: str, lines: Sequence[JournalLine]) -> frozenset[tuple[int, int]]:
    """Return the rounds and versions that were public, of the rounds that were unpaired."""
    unpaired = [line.payload.body["round"] for line in lines if line.kind == "round.unpaired"]
    if not unpaired:
        return frozenset()
    found = JournalLine.objects.filter(
        stream=stream,
        kind__in=PAIRED,
        payload__body__round__in=unpaired,
    )
    bodies = [line.payload.body for line in found.select_related("payload")]
    return frozenset(
        (body["round"], body["version"])
        for body in bodies
        if body.get("state", Round.State.PUBLISHED) == Round.State.PUBLISHED
    )
