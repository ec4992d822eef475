"""Import many casual games from a file of records, all or nothing.

| tag | value |
|---|---|
| First, Second | the names of the players |
| FirstCountry, SecondCountry, FirstClub, SecondClub | more about them, to find known players |
| FirstId, SecondId | the id of a player, or `new`, for a name that is ambiguous |
| Date | the day of the game, as 2026.05.01 |
| TimeControl | the seconds of each player, and the increment, as 900 or 900+10; `-` for none |
| Rated | `no` for a game that is not rated |
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, time
from functools import partial
from typing import Any

from django.utils import timezone

from games.core.errors import Unprocessable
from games.core.journal.lines import NewLine, begin_streams, game_stream
from games.core.journal.rows import changed_rows
from games.core.references import player_reference
from games.core.uploads.lists import LineErrors
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.records import convert_records
from games.core.uploads.services import Importer, ImportResult, SentFile, insert_rows
from games.models import Account, Game, Report
from games.models.bulk import BATCH_SIZE, chunks
from games.models.time_controls import TimeControl
from games.names import COUNTRY_CODE, MAX_NAME_LENGTH, clean_name
from games.play.outcomes import conditions_as_columns
from games.play.proposals import read_time_control, require_two_players
from games.play.queries import records_beside
from games.play.services import ReportStatement, proven_statement, report_payload
from games.play.settlement import apply_settlement, evaluate_reports, settlement_payload
from games.players.matching import (
    NEW,
    MatchedPlayer,
    PlayerDetails,
    match_players,
    register_new_players,
)
from games.rules.conditions import Conditions
from games.rules.records.record import Record
from games.rules.text import Text
from ratings.batches.casual import file_new_games
from ratings.batches.decisions import Filing
from ratings.casual.services import find_named_pool, require_ratable
from ratings.models import Batch, Pool

MOST_RATED_RECORDS = 2_000
PGN_DATE = re.compile(r"([0-9]{4})[.-]([0-9]{2})[.-]([0-9]{2})", re.ASCII)
TIME = re.compile(r"([0-9]{1,6})(?:\+([0-9]{1,4}))?", re.ASCII)
NO_TIME = ("", "-", "?")
"""What the tag TimeControl is in PGN files without a time."""
PLAYER_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)
TAGS = ("First", "Second")
"""The tags of the names of the players, by seat."""


IMPORT_REASON = "from a file of records"
APPROVED_FILING = Filing(Batch.State.FILED, approved=True)
"""Officers, who import the games, approve them thereby."""

Sides = tuple[str, object, object]
"""The digest of a record, and the players of both seats."""
Identity = tuple[Sides, date]
"""What is the same game twice: on another day, two players may play the same moves again."""


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
    def sides(self) -> Sides:
        """Return the digest and the players; one who is not registered yet by the object."""
        first, second = (found.player.pk or (id(found.player),) for found in self.players)
        return self.statement.digest, first, second

    @property
    def identity(self) -> Identity:
        """Return what the same game has twice."""
        return self.sides, self.played_on

    @property
    def has_one_player(self) -> bool:
        """Return True if both seats are the same player."""
        _, first, second = self.sides
        return first == second


def read_games(sent: SentFile, progress: Progress) -> list[ImportedGame]:
    """Replay every record of a file.

    Raises Unprocessable with every record that is illegal or proves no result, that lacks a tag,
    and that the pool cannot rate.
    """
    convert = partial(_read_game, _pool_of(sent))
    return convert_records(sent, convert, progress, most=MOST_RATED_RECORDS)


def _read_game(pool: Pool | None, line: int, record: Record) -> ImportedGame:
    """Return the game of a record; raises Unprocessable or RecordError."""
    require_two_players(record.conditions)
    is_rated = pool is not None and record.tags.get("Rated", "yes").lower() != "no"
    time_control = _read_time_control(record.tags.get("TimeControl", ""))
    if is_rated:
        require_ratable(pool, record.conditions, time_control)
    return ImportedGame(
        line=line,
        conditions=record.conditions,
        time_control=time_control,
        statement=proven_statement(record, record.replay()),
        played_on=_read_date(record.tags.get("Date", "")),
        is_rated=is_rated,
        details=tuple(_read_player(record, tag) for tag in TAGS),
    )


def _read_date(text: str) -> date:
    found = PGN_DATE.fullmatch(text)
    try:
        day = date(*map(int, found.groups())) if found else None
    except ValueError:
        day = None
    if day is None:
        detail = Text(
            "the tag Date is %(value)s; it must be a day such as 2026.05.01", value=f"{text[:20]!r}"
        )
        raise Unprocessable("date_needed", detail)
    if day > timezone.now().date():
        raise Unprocessable(
            "in_future", Text("the game was played on %(day)s, in the future", day=day)
        )
    return day


def _read_time_control(text: str) -> TimeControl:
    """Return the time of a tag; raises Unprocessable unless it has whole minutes."""
    if text in NO_TIME:
        return TimeControl()
    found = TIME.fullmatch(text)
    seconds, increment = (int(part or 0) for part in found.groups()) if found else (1, 0)
    if seconds % 60:
        detail = Text(
            "the tag TimeControl is %(value)s; it must be whole minutes, such as 900+10",
            value=f"{text[:20]!r}",
        )
        raise Unprocessable("senseless_time", detail)
    return read_time_control(seconds // 60, increment)


def _read_player(record: Record, tag: str) -> PlayerDetails:
    """Return the player whom the tags of a seat name; raises Unprocessable."""
    name, country, club = (_read_text(record, f"{tag}{part}") for part in ("", "Country", "Club"))
    number = record.tags.get(f"{tag}Id", "")
    if not name:
        raise Unprocessable("player_needed", Text("the tag %(tag)s must name a player", tag=tag))
    if country and not COUNTRY_CODE.fullmatch(country):
        detail = Text(
            "the tag %(tag)sCountry is %(value)s; it must be a three-letter code",
            tag=tag,
            value=f"{country[:20]!r}",
        )
        raise Unprocessable("player_needed", detail)
    if number and number != NEW and not PLAYER_NUMBER.fullmatch(number):
        detail = Text(
            "the tag %(tag)sId is %(value)s; it must be the id of a player, or new",
            tag=tag,
            value=f"{number[:20]!r}",
        )
        raise Unprocessable("player_needed", detail)
    details = PlayerDetails(name=name, country=country.upper(), club=club)
    if number:
        return replace(details, player=NEW if number == NEW else int(number))
    return details


def _read_text(record: Record, tag: str) -> str:
    text = record.tags.get(tag, "")
    try:
        text = clean_name(text)
    except ValueError as error:
        raise Unprocessable(
            "player_needed", Text("the tag %(tag)s: %(detail)s", tag=tag, detail=error)
        ) from None
    if len(text) > MAX_NAME_LENGTH:
        detail = Text(
            "the tag %(tag)s has more than %(most)s characters", tag=tag, most=MAX_NAME_LENGTH
        )
        raise Unprocessable("player_needed", detail)
    return text


def _match(games: Sequence[ImportedGame], by: Account, progress: Progress) -> list[ImportedGame]:
    """Return the games with their players; raises Unprocessable with each that is ambiguous."""
    details = [replace(item, line=game.line) for game in games for item in game.details]
    matched = match_players(details, by=by, is_distinct=False, progress=progress)
    pairs = zip(matched[::2], matched[1::2], strict=True)
    games = [replace(game, players=pair) for game, pair in zip(games, pairs, strict=True)]
    errors = LineErrors()
    for game in games:
        for tag, player in zip(TAGS, game.players, strict=True):
            if player.problem:
                detail = Text(
                    "%(detail)s in the tag %(tag)sId", detail=player.problem.detail, tag=tag
                )
                code, extra = player.problem.code, player.problem.as_json()
                errors.add(game.line, tag, detail, code, **extra)
        if game.has_one_player:
            errors.add(game.line, "", Text("both seats are the same player"), "same_player")
    errors.raise_if_any()
    return games


def save_casual_games(
    sent: SentFile, games: Sequence[ImportedGame], progress: Progress
) -> ImportResult:
    """Create the games with their results and file them with the pool, by date.

    A record that a game of the two players of that day has already is listed and creates none.
    """
    games = _match(games, sent.by, progress)
    players = [player for game in games for player in game.players]
    register_new_players(players, by=sent.by, stream=sent.stream, progress=progress)
    recorded = find_recorded_games(games)
    new = [game for game in games if _find_known(game, recorded) is None]
    created = save_games(_pool_of(sent), new, by=sent.by, progress=progress)
    return _result(games, recorded, created)


def preview_casual_games(sent: SentFile, games: Sequence[ImportedGame]) -> ImportResult:
    """Return what `save_casual_games` would return, without the ids of what would be created."""
    games = _match(games, sent.by, no_progress)
    return _result(games, find_recorded_games(games), None)


def _pool_of(sent: SentFile) -> Pool | None:
    return find_named_pool(str(sent.parameters.get("pool", "")))


RecordedGames = Mapping[Sides, Mapping[int, date | None]]
"""The ids and the days of the games that have a record and its players, by these."""


def find_recorded_games(games: Sequence[ImportedGame]) -> RecordedGames:
    """Return the visible games that have one of these records and its players, oldest first."""
    digests = sorted({game.statement.digest for game in games})
    found: dict[Sides, dict[int, date | None]] = defaultdict(dict)
    for chunk in chunks(digests):
        reports = records_beside("").filter(digest__in=chunk, game__void=False)
        for report in reports.select_related("game__first", "game__second").order_by("game_id"):
            players = report.game.first.current_id, report.game.second.current_id
            found[report.digest, *players][report.game_id] = report.game.played_on
    return dict(found)


def _find_known(game: ImportedGame, recorded: RecordedGames) -> int | None:
    """Return the game that a record is of: that of its day, or one without a day."""
    days = recorded.get(game.sides, {})
    return next((pk for pk, day in days.items() if day in (None, game.played_on)), None)


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


def _result(
    games: Sequence[ImportedGame], recorded: RecordedGames, created: Mapping[Identity, int] | None
) -> ImportResult:
    """Return a line for each record; the second record of a game in the file is repeated too."""
    lines = []
    seen: set[Identity] = set()
    last: dict[Sides, dict[str, Any]] = {}
    for game in games:
        identity = game.identity
        known = _find_known(game, recorded)
        is_repeated = known is not None or identity in seen
        number = known or (created or {}).get(identity)
        earlier = last.get(game.sides) or _last_recorded(recorded.get(game.sides, {}))
        first, second = map(_player_as_json, game.players)
        outcome = game.statement.outcome
        lines.append(
            {
                "line": game.line,
                "action": "repeated" if is_repeated else "created",
                "game_id": number,
                "same_record": None if is_repeated else earlier,
                "first": first,
                "second": second,
                "played_on": game.played_on.isoformat(),
                "rated": game.is_rated,
                "outcome": outcome.as_json() if outcome else None,
                "digest": game.statement.digest,
            }
        )
        seen.add(identity)
        if not is_repeated:
            day = game.played_on.isoformat()
            last[game.sides] = {"game_id": number, "line": game.line, "played_on": day}
    return ImportResult({"dry_run": created is None, "rows": lines})


def _last_recorded(days: Mapping[int, date | None]) -> dict[str, Any] | None:
    """Return the last of the games that have a record and its players, if there are any."""
    if not days:
        return None
    number, day = list(days.items())[-1]
    return {"game_id": number, "line": None, "played_on": day and day.isoformat()}


def _player_as_json(matched: MatchedPlayer) -> dict[str, Any]:
    return {
        "player": player_reference(matched.player),
        "action": matched.action,
        "same_as_line": matched.same_as_line,
    }


CASUAL_GAMES = Importer(
    task="ratings.tasks.import_games",
    action="games.import",
    read=read_games,
    save=save_casual_games,
    preview=preview_casual_games,
)
"""Imports casual games from a file of records."""
