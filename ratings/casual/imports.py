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
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from django.utils import timezone

from games.core.errors import Unprocessable
from games.core.uploads.csv import LineErrors
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.records import convert_records
from games.core.uploads.services import Importer, ImportResult, SentFile
from games.models.time_controls import TimeControl
from games.names import COUNTRY_CODE, MAX_NAME_LENGTH, check_text
from games.play.proposals import read_time_control, require_two_players
from games.play.services import proven_statement
from games.players.matching import (
    NEW,
    MatchedPlayer,
    PlayerDetails,
    match_players,
    register_new_players,
)
from games.rules.records.record import Record
from games.rules.text import Text
from ratings.casual.services import (
    Identity,
    ImportedGame,
    find_named_pool,
    find_recorded_games,
    require_ratable,
    save_games,
)
from ratings.models import Pool

MOST_RATED_RECORDS = 2_000
PGN_DATE = re.compile(r"([0-9]{4})[.-]([0-9]{2})[.-]([0-9]{2})", re.ASCII)
TIME = re.compile(r"([0-9]{1,6})(?:\+([0-9]{1,4}))?", re.ASCII)
NO_TIME = ("", "-", "?")
"""What the tag TimeControl is in PGN files without a time."""
PLAYER_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)
TAGS = ("First", "Second")
"""The tags of the names of the players, by seat."""


def read_games(sent: SentFile, progress: Progress) -> list[ImportedGame]:
    """Replay every record of a file.

    Raises Unprocessable with every record that is illegal or proves no result, that lacks a tag,
    and that the pool cannot rate.
    """
    convert = partial(_read_game, _pool_of(sent))
    return convert_records(sent.content, convert, progress, most=MOST_RATED_RECORDS)


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
        check_text(text)
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


def _match(games: Sequence[ImportedGame], progress: Progress) -> list[ImportedGame]:
    """Return the games with their players; raises Unprocessable with each that is ambiguous."""
    details = [item for game in games for item in game.details]
    found = match_players(details, is_distinct=False, progress=progress)
    unique: dict[tuple[object, ...], MatchedPlayer] = {}
    matched = [
        unique.setdefault(item.key, match) for item, match in zip(details, found, strict=True)
    ]
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

    A record that a game of the two players has already is listed and creates none.
    """
    games = _match(games, progress)
    players = [player for game in games for player in game.players]
    register_new_players(players, by=sent.by, progress=progress)
    known = find_recorded_games(games)
    new = [game for game in games if game.identity not in known]
    created = save_games(_pool_of(sent), new, by=sent.by, progress=progress)
    return _result(games, known, created)


def preview_casual_games(_: SentFile, games: Sequence[ImportedGame]) -> ImportResult:
    """Return what `save_casual_games` would return, without the ids of what would be created."""
    games = _match(games, no_progress)
    return _result(games, find_recorded_games(games), None)


def _pool_of(sent: SentFile) -> Pool | None:
    return find_named_pool(str(sent.parameters.get("pool", "")))


def _result(
    games: Sequence[ImportedGame],
    known: Mapping[Identity, int],
    created: Mapping[Identity, int] | None,
) -> ImportResult:
    """Return a line for each record; the second record of a game in the file is repeated too."""
    lines = []
    seen = set(known)
    for game in games:
        identity = game.identity
        numbers = {**known, **(created or {})}
        first, second = map(_player_as_json, game.players)
        outcome = game.statement.outcome
        lines.append(
            {
                "line": game.line,
                "action": "repeated" if identity in seen else "created",
                "game": numbers.get(identity),
                "first": first,
                "second": second,
                "played_on": game.played_on.isoformat(),
                "rated": game.is_rated,
                "outcome": outcome.as_json() if outcome else None,
                "digest": game.statement.digest,
            }
        )
        seen.add(identity)
    return ImportResult({"dry_run": created is None, "games": lines})


def _player_as_json(matched: MatchedPlayer) -> dict[str, Any]:
    return {"id": matched.player.pk, "name": matched.player.name, "action": matched.action}


CASUAL_GAMES = Importer(
    task="ratings.tasks.import_games",
    action="games.import",
    read=read_games,
    save=save_casual_games,
    preview=preview_casual_games,
)
"""Imports casual games from a file of records."""
