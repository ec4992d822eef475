"""Import players from a CSV file, all or nothing; the columns of players, which entries share."""

import re
from collections.abc import Sequence
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from games.core.uploads.csv import (
    Column,
    CsvFile,
    LineErrors,
    Rows,
    answer_column,
    country_column,
    integer_column,
    rating_column,
    read_rows,
    text_column,
    unescape_formula,
)
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.services import Importer, ImportResult, SentFile
from games.models import Account, Player
from games.names import (
    FIRST_BIRTH_YEAR,
    LAST_BIRTH_YEAR,
    MAX_NAME_LENGTH,
    listed_fide_id,
    require_past_year,
)
from games.players.matching import (
    NEW,
    NO_SEED_RATING,
    SEED_FIELDS,
    MatchedPlayer,
    PlayerDetails,
    match_players,
    register_new_players,
    reject_doubles,
)
from games.players.queries import look_alikes
from games.rules.ratings import MOST_SEED_GAMES
from games.rules.text import Text

REQUIRED = ("name", "player")
"""A file has at least one of these columns."""


def _player_column(value: str) -> int | str | None:
    if value.lower() == NEW:
        return NEW
    number: int | None = integer_column(2**63 - 1)(value)
    return number


DATE: Final = re.compile(
    r"(?P<first>\d{4})[-/.]\d\d?[-/.]\d\d?(?:[ T][\d:.]+)?|\d\d?[-/.]\d\d?[-/.](?P<last>\d{4})",
    re.ASCII,
)
"""A date of birth, its year first (a workbook adds the time) or last."""


def _birth_year(value: str) -> int | None:
    """Return the year of a year or a date of birth."""
    date = DATE.fullmatch(value)
    text = date["first"] or date["last"] if date else value
    year: int | None = integer_column(LAST_BIRTH_YEAR)(text)
    if year is not None and year < FIRST_BIRTH_YEAR:
        raise ValueError(
            Text(
                "%(year)s is not a year from %(first)s to %(last)s",
                year=year,
                first=FIRST_BIRTH_YEAR,
                last=LAST_BIRTH_YEAR,
            )
        )
    if year is not None:
        require_past_year(year, today=timezone.localdate())
    return year


def _sex(value: str) -> str:
    if value and value.lower() not in Player.Sex.values:
        valid = ", ".join(Player.Sex.values)
        raise ValueError(
            Text(
                "%(word)s is not one of %(names)s, the codes of FIDE",
                word=f"{value[:20]!r}",
                names=valid,
            )
        )
    return value.lower()


PLAYER_IMPORT_COLUMNS: dict[str, Column] = {
    "player": _player_column,
    "name": text_column(MAX_NAME_LENGTH),
    "given_name": text_column(MAX_NAME_LENGTH),
    "country": country_column,
    "club": text_column(MAX_NAME_LENGTH),
    "fide": lambda value: listed_fide_id(unescape_formula(value)),
    "seed_rating": rating_column,
    "seed_games": integer_column(MOST_SEED_GAMES),
    "seed_reached_2400": answer_column,
    "birth_year": _birth_year,
    "sex": _sex,
}


def match_rows(
    rows: Rows, *, by: Account, is_distinct: bool, progress: Progress
) -> list[MatchedPlayer]:
    """Return the player of each line; with `is_distinct`, every line must mean another person.

    Raises Unprocessable with every line that names nobody, repeats another or is ambiguous.
    """
    errors = LineErrors()
    details = [_details(line, row, errors) for line, row in rows]
    first_lines: dict[tuple[object, ...], int] = {}
    for (line, _), item in zip(rows, details, strict=True):
        first = first_lines.setdefault(item.key, line)
        if is_distinct and first != line and item.player != NEW:
            column = "name" if item.player is None else "player"
            errors.add(line, column, Text("the same player as in line %(line)s", line=first))
    errors.raise_if_any()
    matched = match_players(details, by=by, is_distinct=is_distinct, progress=progress)
    if is_distinct:
        matched = reject_doubles(details, matched)
    for (line, _), item, found in zip(rows, details, matched, strict=True):
        if found.problem:
            column = "name" if item.player is None else "player"
            code, detail = found.problem.code, found.problem.detail
            if found.problem.candidates:
                detail = Text("%(detail)s in the column `player`", detail=detail)
            errors.add(line, column, detail, code, **found.problem.as_json())
    errors.raise_if_any()
    return matched


def _details(line: int, row: dict[str, Any], errors: LineErrors) -> PlayerDetails:
    """Return the details in a line; add an error if it has neither a name nor an id."""
    values = {name: row[name] for name in PLAYER_IMPORT_COLUMNS if name in row}
    given_name = values.pop("given_name", "")
    name = values.pop("name", "")
    full_name = ", ".join(filter(None, (name, given_name)))
    if not full_name and not isinstance(values.get("player"), int):
        errors.add(line, "name", Text("a new player needs a name"))
    if len(full_name) > MAX_NAME_LENGTH:
        errors.add(line, "name", Text("at most %(most)s characters", most=MAX_NAME_LENGTH))
    for column in SEED_FIELDS[1:]:
        if values.get(column) and not values.get("seed_rating"):
            errors.add(line, column, NO_SEED_RATING)
    return PlayerDetails(name=full_name, line=line, **values)


def import_players(content: bytes, *, by: Account) -> list[dict[str, Any]]:
    """Import the players of a CSV file and return its lines as `save_players` does."""
    sent = SentFile(content=content, by=by)
    lines: list[dict[str, Any]] = save_players(
        sent, read_players(sent, no_progress), no_progress
    ).body["lines"]
    return lines


def read_players(sent: SentFile, progress: Progress) -> CsvFile:
    """Read a CSV file of players; raises as `read_rows` does."""
    mapping = sent.parameters.get("columns", "")
    return read_rows(sent.content, PLAYER_IMPORT_COLUMNS, REQUIRED, progress, mapping=mapping)


def save_players(sent: SentFile, file: CsvFile, progress: Progress) -> ImportResult:
    """Register the players who are new; a line may mean the player of an earlier one.

    The result has for each line `line`, `action` (`created` or `known`) and the player. Raises
    Unprocessable with every invalid line.
    """
    with transaction.atomic():
        matched = match_rows(file.rows, by=sent.by, is_distinct=False, progress=progress)
        register_new_players(matched, by=sent.by, progress=progress)
    return _result(file, matched, is_dry_run=False)


def preview_players(sent: SentFile, file: CsvFile) -> ImportResult:
    """Return what `save_players` would return, without the ids of players to be created."""
    matched = match_rows(file.rows, by=sent.by, is_distinct=False, progress=no_progress)
    return _result(file, matched, is_dry_run=True)


def look_alikes_of_new(matched: Sequence[MatchedPlayer]) -> dict[str, list[dict[str, Any]]]:
    """Return the registered players with the names of the new ones, or such that look like them."""
    new = [found.player for found in matched if found.is_new]
    numbers = {player.pk for player in new}
    found = look_alikes({player.name for player in new}, namesakes=True)
    return {
        name: [other for other in others if other["id"] not in numbers]
        for name, others in found.items()
    }


def _result(file: CsvFile, matched: Sequence[MatchedPlayer], *, is_dry_run: bool) -> ImportResult:
    alike = look_alikes_of_new(matched)
    lines = [
        {
            "line": line,
            "player": {"id": found.player.pk, "name": found.player.name},
            "action": found.action,
            "same_as_line": found.same_as_line,
            "look_alikes": alike.get(found.player.name, []) if found.is_new else [],
        }
        for (line, _), found in zip(file.rows, matched, strict=True)
    ]
    return ImportResult({"dry_run": is_dry_run, "columns": file.columns, "lines": lines})


IMPORT = Importer(
    task="games.tasks.import_players",
    action="players.create",
    read=read_players,
    save=save_players,
    preview=preview_players,
)
"""Imports players from a CSV file."""
