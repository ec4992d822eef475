"""Import players from a CSV file, all or nothing; the columns of players, which entries share."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from games.core.dates import possible_dates
from games.core.references import PlayerReference, player_reference
from games.core.uploads.cells import (
    Column,
    answer_column,
    country_column,
    integer_column,
    is_no_number,
    is_none,
    rating_column,
    text_column,
)
from games.core.uploads.csv import unescape_formula
from games.core.uploads.headings import SOME_ID
from games.core.uploads.lists import IN_BODY, CsvFile, InvalidLines, LineErrors, Rows, read_rows
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.services import Importer, ImportResult, SentFile
from games.models import Account, Player
from games.names import (
    EXTERNAL_SCHEME,
    FIRST_BIRTH_YEAR,
    LAST_BIRTH_YEAR,
    MAX_NAME_LENGTH,
    fold_name,
    listed_fide_id,
    require_past_year,
)
from games.players.matching import (
    NEW,
    NO_SEED_RATING,
    SEED_FIELDS,
    MatchedPlayer,
    PlayerDetails,
    is_named,
    match_players,
    register_new_players,
    reject_doubles,
)
from games.players.queries import look_alikes
from games.rules.ratings import MOST_SEED_GAMES
from games.rules.text import Text

LONGEST_ID: Final = 40
NEXT_ID: Final = re.compile(r"[\s,;]+(?=[a-z][a-z0-9]{0,15}:)", re.ASCII | re.IGNORECASE)
"""Between ids of a cell, of which each but the first names its organisation."""
REQUIRED = ("name", "player", "fide", "ids")
"""A file has at least one of these columns."""


def _player_column(value: str) -> int | str | None:
    if value.lower() == NEW:
        return NEW
    number: int | None = integer_column(2**63 - 1)(value)
    return number


YEAR: Final = re.compile(
    r"(?:(?:00?|\?\??)[-/.]){0,2}([0-9]{4})(?:\.0|[-/.]00?[-/.]00?)?", re.ASCII
)
"""A year; a list of FIDE has zeros where day and month are not known."""
NO_DATE: Final = re.compile(r"[0./-]+")
SPREADSHEET_DAY: Final = re.compile(r"[1-7][0-9]{4}(?:\.0)?", re.ASCII)
"""A date as the number that a spreadsheet has for it: 33239 is January 1, 1991."""
SPREADSHEET_EPOCH: Final = date(1899, 12, 30)
SHORT_YEAR: Final = re.compile(
    r"[0-9]{1,2}\s*[-/.]\s*(?:[0-9]{1,2}|[^\W\d_]{3,4})\s*[-/.]\s*([0-9]{2})"
)


def birth_year_column(value: str) -> int | None:
    """Return the year of a year or a date of birth; `13.04.63` is one of the last 100 years."""
    if is_no_number(value) or NO_DATE.fullmatch(value):
        return None
    today = timezone.localdate()
    years = {day.year for day in possible_dates(value).values()}
    if found := YEAR.fullmatch(value):
        years = {int(found[1])}
    elif found := SHORT_YEAR.fullmatch(value):
        years = {today.year - (today.year - int(found[1])) % 100}
    elif SPREADSHEET_DAY.fullmatch(value):
        years = {(SPREADSHEET_EPOCH + timedelta(int(value[:5]))).year}
    year = min(years, default=0)
    if not FIRST_BIRTH_YEAR <= year <= LAST_BIRTH_YEAR:
        raise ValueError(
            Text(
                "%(word)s is neither a year from %(first)s to %(last)s nor a date, as 1990-05-31",
                word=f"{value[:20]!r}",
                first=FIRST_BIRTH_YEAR,
                last=LAST_BIRTH_YEAR,
            )
        )
    require_past_year(year, today=today)
    return year


SEXES: Final = {
    "": "", "m": "m", "male": "m", "man": "m", "boy": "m", "mannlich": "m", "herr": "m",
    "homme": "m", "masculin": "m", "hombre": "m", "masculino": "m", "varon": "m", "maschio": "m",
    "uomo": "m", "w": "w", "f": "w", "female": "w", "woman": "w", "girl": "w", "weiblich": "w",
    "frau": "w", "femme": "w", "feminin": "w", "mujer": "w", "femenino": "w", "femmina": "w",
    "donna": "w", "vrouw": "w", "k": "w", "kobieta": "w", "mezczyzna": "m",
}  # fmt: skip
"""The codes of FIDE by the words for them. H and M, for hombre and mujer, would be confused."""


def sex_column(value: str) -> str:
    """Return the code of FIDE for a sex."""
    sex = "" if is_none(value) else SEXES.get(fold_name(value))
    if sex is None:
        raise ValueError(
            Text(
                "%(word)s is not one of %(names)s, the codes of FIDE",
                word=f"{value[:20]!r}",
                names=", ".join(Player.Sex.values),
            )
        )
    return sex


def _fide_column(value: str) -> str:
    return "" if is_no_number(value) else listed_fide_id(unescape_formula(value))


def _ids_column(value: str) -> dict[str, str]:
    """Return ids elsewhere by organisation: `ecf:120787D uscf:123`, or one without its name."""
    ids: dict[str, str] = {}
    for part in NEXT_ID.split("" if is_no_number(value) else unescape_formula(value)):
        first, colon, rest = part.partition(":")
        scheme, number = (first.lower(), rest) if colon else (SOME_ID, part)
        number = number.removesuffix(".0") if number[:-2].isdecimal() else number
        if not number.strip("0"):
            continue
        is_usual = EXTERNAL_SCHEME.fullmatch(scheme) and len(number) <= LONGEST_ID
        if not is_usual or scheme in ids or not number.isprintable():
            detail = Text(
                "%(word)s is not an id, or organisations with an id each, as ecf:120787D",
                word=f"{value[:40]!r}",
            )
            raise ValueError(detail)
        ids[scheme] = listed_fide_id(number) if scheme == "fide" else number
    return ids


PLAYER_IMPORT_COLUMNS: dict[str, Column] = {
    "player": _player_column,
    "name": text_column(MAX_NAME_LENGTH),
    "given_name": text_column(MAX_NAME_LENGTH),
    "country": country_column,
    "club": text_column(MAX_NAME_LENGTH),
    "fide": _fide_column,
    "ids": _ids_column,
    "seed_rating": rating_column,
    "seed_games": integer_column(MOST_SEED_GAMES),
    "seed_reached_2400": answer_column,
    "birth_year": birth_year_column,
    "sex": sex_column,
}


def match_rows(
    rows: Rows, *, by: Account, is_distinct: bool, progress: Progress
) -> list[MatchedPlayer]:
    """Return the player of each line; with `is_distinct`, every line must mean another person.

    Raises Unprocessable with every line that names nobody, repeats another or is ambiguous.
    """
    errors = LineErrors(in_body=any(IN_BODY in row for _, row in rows))
    details = [_details(line, row, errors) for line, row in rows]
    first_lines: dict[tuple[object, ...], int] = {}
    for (line, _), item in zip(rows, details, strict=True):
        first = first_lines.setdefault(item.key, line)
        if is_distinct and first != line and item.player != NEW:
            twice = Text(
                "the same player as in line %(line)s; if they are two persons, write `new` in the "
                "column `player` of one",
                line=first,
            )
            if errors.in_body:
                twice = Text(
                    "the same player as in line %(line)s; if they are two persons, send `is_new`"
                    " with one",
                    line=first,
                )
            errors.add(line, _column_meant(item), twice, "person_twice", same_as_line=first)
    wrong = {error["line"] for error in errors.errors}
    kept = [
        (line, item) for (line, _), item in zip(rows, details, strict=True) if line not in wrong
    ]
    details = [item for _, item in kept]
    matched = match_players(details, by=by, is_distinct=is_distinct, progress=progress)
    if is_distinct:
        matched = reject_doubles(details, matched)
    entered: dict[int | None, int] = {}
    for (line, item), found in zip(kept, matched, strict=True):
        if isinstance(item.player, int) and not is_named(item, found.player):
            other = Text("%(number)s is %(name)s", number=item.player, name=found.player.name)
            if not errors.in_body:
                other = _other_installation(other)
            errors.add(line, "player", other, "unknown_player")
            continue
        if is_distinct and not found.problem and not found.is_new:
            first = entered.setdefault(found.player.pk, line)
            if first != line:  # by an id; equal details are found before
                same = Text("the same player as in line %(line)s", line=first)
                errors.add(line, _column_meant(item), same, "person_twice")
        if found.problem:
            column = found.problem.column or _column_meant(item)
            code, detail = found.problem.code, found.problem.detail
            if errors.in_body and code == "ambiguous_player":
                detail = Text("%(detail)s: `player_id`, or `is_new`", detail=detail)
            elif found.problem.candidates:
                detail = Text("%(detail)s in the column `player`", detail=detail)
            elif isinstance(item.player, int) and not errors.in_body:
                detail = _other_installation(detail)
            errors.add(line, column, detail, code, **found.problem.as_json())
    errors.raise_if_any()
    return matched


def _other_installation(detail: str) -> Text:
    """Return what is wrong with an id in the column `player`, and what else it can be."""
    return Text(
        "%(detail)s; in a list of another installation, leave this column out", detail=detail
    )


def read_list(
    sent: SentFile,
    columns: Mapping[str, Column],
    progress: Progress,
    *,
    is_distinct: bool,
    is_meant: Callable[[Mapping[str, Any]], bool] = lambda _: True,
) -> CsvFile:
    """Read a list of players; raises as `read_rows` and `match_rows` do, with all errors at once.

    Without an error in its cells, the players of the lines are found when the list is saved.
    """
    if IN_BODY in sent.parameters:
        return CsvFile([*enumerate(json.loads(sent.content), start=1)], {})
    try:
        return read_rows(sent.content, columns, REQUIRED, progress, parameters=sent.parameters)
    except InvalidLines as error:
        errors = LineErrors([{**found} for found in error.of_lines])
        wrong = {found["line"] for found in error.of_lines}
        rows = [(line, row) for line, row in error.rows if line not in wrong and is_meant(row)]
        try:
            match_rows(rows, by=sent.by, is_distinct=is_distinct, progress=progress)
        except InvalidLines as more:
            errors.errors += [{**found} for found in more.of_lines]
        errors.errors.sort(key=lambda found: found["line"])
        errors.raise_if_any()
        raise


NAMES: Final = ("name", "given_name")
NOT_COLUMNS: Final = ("external_ids", "player_id", "is_new")


def row_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of a body in JSON by the columns of a list, as `read_list` returns them."""
    row = {name: value for name, value in values.items() if name not in NOT_COLUMNS}
    ids = {**values.get("external_ids", {})}
    player = NEW if values.get("is_new") else values.get("player_id")
    return row | {"player": player, "fide": ids.pop("fide", ""), "ids": ids, IN_BODY: True}


def full_name_of(row: Mapping[str, Any]) -> str:
    """Return the name in a line, as tables have it: family name, given name."""
    return ", ".join(filter(None, map(row.get, NAMES)))


def _column_meant(item: PlayerDetails) -> str:
    """Return the column by which a line means its player."""
    if item.player is not None:
        return "player"
    return "name" if item.name else "fide" if item.fide else "ids"


def _details(line: int, row: dict[str, Any], errors: LineErrors) -> PlayerDetails:
    """Return the details in a line; add an error if it has neither a name nor an id."""
    values = {name: row[name] for name in PLAYER_IMPORT_COLUMNS if name in row}
    full_name = full_name_of(values)
    values = {name: value for name, value in values.items() if name not in NAMES}
    ids = dict(values.pop("ids", None) or {})
    fide = ids.pop("fide", "")
    values["fide"] = values.get("fide") or fide
    has_id = values["fide"] or ids
    if (
        not full_name
        and not isinstance(values.get("player"), int)
        and (not has_id or values.get("player") == NEW)
    ):
        errors.add(line, "name", Text("a new player needs a name"))
    if len(full_name) > MAX_NAME_LENGTH:
        errors.add(line, "name", Text("at most %(most)s characters", most=MAX_NAME_LENGTH))
    for column in SEED_FIELDS[1:]:
        if values.get(column) and not values.get("seed_rating"):
            errors.add(line, column, NO_SEED_RATING)
    return PlayerDetails(name=full_name, line=line, ids=ids, **values)


def import_players(content: bytes, *, by: Account) -> list[dict[str, Any]]:
    """Import the players of a CSV file and return its lines as `save_players` does."""
    sent = SentFile(content=content, by=by)
    lines: list[dict[str, Any]] = save_players(
        sent, read_players(sent, no_progress), no_progress
    ).body["rows"]
    return lines


def read_players(sent: SentFile, progress: Progress) -> CsvFile:
    """Read a CSV file of players; raises as `read_list` does."""
    return read_list(sent, PLAYER_IMPORT_COLUMNS, progress, is_distinct=False)


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


def look_alikes_of_new(matched: Sequence[MatchedPlayer]) -> dict[str, list[PlayerReference]]:
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
            "player": player_reference(found.player),
            "action": found.action,
            "same_as_line": found.same_as_line,
            "look_alikes": alike.get(found.player.name, []) if found.is_new else [],
        }
        for (line, _), found in zip(file.rows, matched, strict=True)
    ]
    return ImportResult({"dry_run": is_dry_run, **file.as_json(), "rows": lines})


IMPORT = Importer(
    task="games.tasks.import_players",
    action="players.create",
    read=read_players,
    save=save_players,
    preview=preview_players,
)
"""Imports players from a CSV file."""
