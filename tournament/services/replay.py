"""Fold the journals of events, casual games, pools and the site, and compare them with tables."""

from collections.abc import Iterable

from games.core.journal.lines import find_stored_errors, load_lines
from games.models import Game, JournalHead
from games.play.verification import fold_lines, verify_casual_game, verify_site
from games.services.players import SITE
from ratings.models import Pool
from ratings.services.pool_rows import verify_pool_rows
from tournament.events.verification import replay_tournament, verify_tournament
from tournament.models import Tournament

EVENT, GAME, POOL = "tournament/", "game/", "pool/"


def find_streams() -> set[str]:
    """Return the streams that have rows or a journal."""
    heads = JournalHead.objects.values_list("stream", flat=True)
    slugs = Tournament.objects.values_list("slug", flat=True)
    games: Iterable[int] = (
        Game.objects.filter(stream="").exclude(state=Game.State.OPEN).values_list("pk", flat=True)
    )
    return {
        SITE,
        *(stream for stream in heads if stream.startswith((EVENT, GAME, POOL))),
        *(pool.stream for pool in Pool.objects.all()),
        *(f"{EVENT}{slug}" for slug in slugs),
        *(f"{GAME}{game}" for game in games),
    }


def count_replayed_rows(stream: str) -> dict[str, int]:
    """Return how many rows of each kind the journal of a stream describes."""
    if stream.startswith(EVENT):
        journalled, _ = replay_tournament(stream)
    else:
        journalled, _ = fold_lines(load_lines(stream))
    return {kind: len(rows) for kind, rows in sorted(journalled.rows.items())}


def verify_stream(stream: str) -> list[str]:
    """Return the errors of a stream's chain, and the differences of its rows from the journal."""
    lines = load_lines(stream)
    errors = find_stored_errors(stream, list(lines))
    if stream.startswith(EVENT):
        return [*errors, *verify_tournament(stream)]
    if stream.startswith(POOL):
        return [*errors, *verify_pool_rows(stream)]
    if stream == SITE:
        return [*errors, *verify_site(lines)]
    return [*errors, *verify_casual_game(stream, lines)]
