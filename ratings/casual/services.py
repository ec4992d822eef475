"""Create the games of a file of records, with their results, and file them with a pool.

Propose casual games, which a pool rates as batches of their own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from django.utils import timezone

from games.core.errors import Conflict, Unprocessable, unknown_key
from games.core.journal.lines import NewLine, begin_streams, game_stream
from games.core.journal.rows import changed_rows
from games.core.uploads.progress import Progress
from games.core.uploads.services import insert_rows
from games.models import Account, Game, Report
from games.models.bulk import BATCH_SIZE, chunks
from games.models.time_controls import TimeControl
from games.play.outcomes import conditions_as_columns
from games.play.proposals import propose_game, read_game_conditions, read_time_control
from games.play.queries import records_beside
from games.play.services import ReportStatement, report_payload
from games.play.settlement import apply_settlement, evaluate_reports, settlement_payload
from games.players.matching import MatchedPlayer, PlayerDetails
from games.rules.conditions import Conditions
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.batches.casual import file_new_games
from ratings.batches.decisions import Filing
from ratings.core.conditions import handicap_part, is_game_rated, load_tables, rates_class
from ratings.models import Batch, Pool


def propose_casual_game(
    *,
    opponent: int,
    seat: str,
    rated: bool,
    pool: str,
    main_minutes: int | None = None,
    increment_seconds: int = 0,
    by: Account,
    **conditions: Any,
) -> Game:
    """Propose a casual game, rated in a pool or not rated.

    Raises Unprocessable for impossible conditions and for a rated game that the pool cannot rate,
    and otherwise as `propose_game` does.
    """
    found = read_game_conditions(**conditions)
    time_control = read_time_control(main_minutes, increment_seconds)
    named = find_named_pool(pool)
    if rated:
        require_ratable(named, found, time_control)
    if rated and named is not None and named.policy == Pool.Policy.CLOSED:
        raise Conflict(
            "pool_closed", Text("%(pool)s is closed; only its officers file games", pool=named.name)
        )
    return propose_game(
        opponent=opponent,
        seat=Seat(seat),
        conditions=found,
        time_control=time_control,
        rated=rated,
        pool=pool,
        by=by,
    )


def find_named_pool(code: str) -> Pool | None:
    """Return the pool of a body; None without one, raises Unprocessable for an unknown one."""
    pools = {pool.code: pool for pool in Pool.objects.order_by("code")}
    if code and code not in pools:
        raise unknown_key("pool", code, list(pools))
    return pools.get(code)


def require_ratable(pool: Pool | None, conditions: Conditions, time_control: TimeControl) -> None:
    """Raise Unprocessable if a pool does not rate casual games of these conditions."""
    if pool is None:
        raise Unprocessable("pool_needed", Text("a rated game needs a pool"), at="/pool")
    if conditions.game not in pool.casual_games:
        valid = list(pool.casual_games)
        listed = ", ".join(valid) or "none"
        detail = Text(
            "%(pool)s rates no casual games of %(game)s; it rates: %(names)s",
            pool=pool.name,
            game=conditions.game,
            names=listed,
        )
        raise Unprocessable("game_not_rated", detail, at="/game", valid=valid)
    game = Game(**conditions_as_columns(conditions))
    if not is_game_rated(pool, game):
        detail = Text(
            "%(pool)s rates no games of %(game)s on the board %(board)s",
            pool=pool.name,
            game=game.game,
            board=game.board,
        )
        raise Unprocessable("board_not_rated", detail, at="/board")
    if not rates_class(pool, time_control.time_class):
        valid = list(pool.time_classes)
        detail = Text(
            "%(pool)s rates only games of the time classes %(names)s",
            pool=pool.name,
            names=", ".join(valid),
        )
        raise Unprocessable("time_class_not_rated", detail, at="/main_minutes", valid=valid)
    if handicap_part(load_tables(), pool, game) is None:
        detail = Text("%(pool)s has no handicap table for these conditions", pool=pool.name)
        raise Unprocessable("handicap_not_rated", detail, at="/handicap")


IMPORT_REASON = "from a file of records"
APPROVED_FILING = Filing(Batch.State.FILED, approved=True)
"""Officers, who import the games, approve them thereby."""

Identity = tuple[str, object, object]
"""What is the same game twice: the digest of its record, and the players of both seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedGame:
    """A game that a record proves; `players` are set, by seat, once they are matched."""

    line: int
    conditions: Conditions
    time_control: TimeControl
    statement: ReportStatement
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
    reports = [
        _build_report(row, game.statement, by, now)
        for row, game in zip(rows, new.values(), strict=True)
    ]
    settlements = [evaluate_reports([report], deadline_passed=False) for report in reports]
    for row, settlement in zip(rows, settlements, strict=True):
        apply_settlement(row, settlement, at=now)
    insert_rows(rows, step=Text("creating games"), progress=progress)
    for row, report in zip(rows, reports, strict=True):
        report.game_id = row.pk
    insert_rows(reports, step=Text("creating reports"), progress=progress)
    for row, report in zip(rows, reports, strict=True):
        row.record = report
    Game.objects.bulk_update(rows, ["record"], batch_size=BATCH_SIZE)
    begin_streams(
        {
            game_stream(row): [
                NewLine(
                    "game.imported",
                    {"game": row.pk, "state": Game.State.OPEN},
                    by,
                    changed_rows(row),
                ),
                NewLine("report.ruling", report_payload(report), by, changed_rows(report)),
                NewLine("game.confirmed", settlement_payload(row, settlement)),
            ]
            for row, report, settlement in zip(rows, reports, settlements, strict=True)
        }
    )
    if pool is not None:
        file_new_games(
            pool, {row.pk: _end_of_day(row, now) for row in rows if row.rated}, APPROVED_FILING
        )
    return dict(zip(new, (row.pk for row in rows), strict=True))


def _build_report(game: Game, statement: ReportStatement, by: Account, at: datetime) -> Report:
    return Report(
        game=game,
        version=1,
        kind=Report.Kind.RULING,
        by=by,
        record=statement.record,
        digest=statement.digest,
        outcome=statement.outcome.as_json() if statement.outcome else {},
        reason=IMPORT_REASON,
        received_at=at,
        settled_at=at,
    )


def _build_game(pool: Pool | None, game: ImportedGame) -> Game:
    first, second = (found.player for found in game.players)
    return Game(
        first=first,
        second=second,
        played_on=game.played_on,
        rated=game.is_rated,
        consented=game.is_rated,
        pool=pool.code if pool else "",
        **asdict(game.time_control),
        **conditions_as_columns(game.conditions),
    )


def _end_of_day(game: Game, now: datetime) -> datetime:
    """Return when a game takes effect: at the end of its day (UTC)."""
    assert game.played_on is not None, "an imported game has a date"
    return min(datetime.combine(game.played_on, time.max.replace(microsecond=0), UTC), now)
