"""Create the games of a file of records, with their results, and file them with a pool."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from django.utils import timezone

from games.bulk import chunks
from games.imports.bulk import insert_rows
from games.imports.player_matching import MatchedPlayer, PlayerDetails
from games.imports.progress import Progress
from games.journal import NewLine, append_lines, game_stream
from games.models import Account, Game, Report
from games.queries import records_beside
from games.rules.conditions import Conditions
from games.services.outcomes import conditions_as_columns
from games.services.report_versions import Statement, report_payload
from games.services.settlement import settle_locked_games
from ratings.models import Batch, Pool
from ratings.queries.decisions import Filing
from ratings.services.batches import file_batch

REASON = "from a file of records"
APPROVED = Filing(Batch.State.FILED, approved=True)
"""Officers, who import the games, approve them thereby."""

Identity = tuple[str, object, object]
"""What is the same game twice: the digest of its record, and the players of both seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedGame:
    """A game that a record proves; `players` are set, by seat, once they are matched."""

    line: int
    conditions: Conditions
    statement: Statement
    played_on: date
    is_rated: bool
    details: tuple[PlayerDetails, ...]
    players: tuple[MatchedPlayer, ...] = ()

    @property
    def identity(self) -> Identity:
        """Return the digest and the players; one who is not registered yet by the object."""
        first, second = (found.player.pk or (id(found.player),) for found in self.players)
        return self.statement.digest, first, second

    @property
    def has_one_player(self) -> bool:
        """Return True if both seats are the same player."""
        _, first, second = self.identity
        return first == second


def find_recorded_games(games: Sequence[ImportedGame]) -> dict[Identity, int]:
    """Return the ids of the visible games that have one of these records and its players."""
    digests = sorted({game.statement.digest for game in games})
    identities = {game.identity for game in games}
    found: dict[Identity, int] = {}
    for chunk in chunks(digests):
        reports = records_beside("").filter(digest__in=chunk, game__void=False)
        for report in reports.select_related("game__first", "game__second").order_by("-game_id"):
            players = report.game.first.current_id, report.game.second.current_id
            found[report.digest, *players] = report.game_id
    return {identity: game for identity, game in found.items() if identity in identities}


def save_games(
    pool: Pool | None, games: Iterable[ImportedGame], *, by: Account, progress: Progress
) -> dict[Identity, int]:
    """Create these games, confirm them by rulings, file them with the pool; return their ids."""
    now = timezone.now()
    new = {game.identity: game for game in games}
    rows = [_build_game(pool, game) for game in new.values()]
    insert_rows(rows, step="creating games", progress=progress)
    reports = [
        Report(
            game=row,
            version=1,
            kind=Report.Kind.RULING,
            by=by,
            record=game.statement.record,
            digest=game.statement.digest,
            outcome=game.statement.outcome.as_json() if game.statement.outcome else {},
            reason=REASON,
            received_at=now,
        )
        for row, game in zip(rows, new.values(), strict=True)
    ]
    insert_rows(reports)
    for count, (row, report) in enumerate(zip(rows, reports, strict=True)):
        progress("confirming games", count, len(rows))
        lines = [
            NewLine("game.imported", {"game": row.pk, "state": row.state}, by),
            NewLine("report.ruling", report_payload(report), by),
        ]
        append_lines(game_stream(row), lines)
        settle_locked_games([row], at=now)
        if pool is not None and row.rated:
            _file(pool, row, at=now)
    return dict(zip(new, (row.pk for row in rows), strict=True))


def _build_game(pool: Pool | None, game: ImportedGame) -> Game:
    first, second = (found.player for found in game.players)
    return Game(
        first=first,
        second=second,
        played_on=game.played_on,
        rated=game.is_rated,
        consented=game.is_rated,
        pool=pool.code if pool else "",
        **conditions_as_columns(game.conditions),
    )


def _file(pool: Pool, game: Game, *, at: datetime) -> None:
    """File a game as a batch that takes effect at the end of its day (UTC)."""
    assert game.played_on is not None, "an imported game has a date"
    end = datetime.combine(game.played_on, time.max.replace(microsecond=0), UTC)
    file_batch(
        pool,
        stream=game_stream(game),
        label="",
        effective_at=min(end, at),
        games=[game],
        filing=APPROVED,
        kind=Batch.Kind.GAME,
    )
