"""Registering players, one by one or from a CSV file, all or nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.bulk import chunks
from games.imports.csv import Column, country_column, integer_column, read_rows, text_column
from games.imports.progress import Progress, no_progress
from games.imports.uploads import Importer, ImportResult, SentFile
from games.journal.lines import append_line
from games.models import Account, Player

HIGHEST_RATING = 4000
LONGEST_NAME = 120
SITE = "site"
STEP = 250
"""Rows written or looked up with one statement."""


def _name(value: str) -> str:
    if not value:
        raise ValueError("a player needs a name")
    return str(text_column(LONGEST_NAME)(value))


COLUMNS: dict[str, Column] = {
    "name": _name,
    "country": country_column,
    "seed_rating": integer_column(HIGHEST_RATING),
    "club": text_column(LONGEST_NAME),
}


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One line of a file of players; `number` counts from 1, the header included."""

    number: int
    name: str
    country: str
    club: str
    seed_rating: int | None


def parse_players(content: bytes, progress: Progress = no_progress) -> list[PlayerLine]:
    """Read a CSV of players in any of the usual dialects (csv_lines.py); `name` must be there.

    Raises Unreadable for what is no such file, Unprocessable with every wrong line.
    """
    return [
        PlayerLine(number=number, **{"country": "", "club": "", "seed_rating": None} | line)
        for number, line in read_rows(content, COLUMNS, ("name",), progress)
    ]


def register_player(
    *, name: str, country: str = "", club: str = "", seed_rating: int | None = None, by: Account
) -> Player:
    """A new player; people may share a name, so nothing is compared."""
    with transaction.atomic():
        player = Player.objects.create(
            name=name, country=country.upper(), club=club, seed_rating=seed_rating
        )
        append_line(SITE, "player.registered", {"player": player.pk, "name": name}, by=by)
    return player


def known_players(
    names: Iterable[str], progress: Progress = no_progress
) -> dict[tuple[str, str], int]:
    """The ids of registered players by name and country; the oldest where two are alike."""
    known: dict[tuple[str, str], int] = {}
    listed = sorted(set(names))
    for count, some in enumerate(chunks(listed, STEP)):
        progress("matching players", count * STEP, len(listed))
        named = Player.objects.filter(merged_into__isnull=True, name__in=some)
        for pk, name, code in named.order_by("-pk").values_list("pk", "name", "country"):
            known[(name, code)] = pk
    return known


def save_players(
    lines: Sequence[PlayerLine], *, by: Account, progress: Progress = no_progress
) -> list[dict[str, Any]]:
    """Register the players of some lines; one already known by name and country is taken as is.

    Returns for each line `line`, `name`, `action` (`created` or `known`) and the player's id.
    """
    with transaction.atomic():
        known = known_players((line.name for line in lines), progress)
        new = {
            (line.name, line.country): line
            for line in lines
            if (line.name, line.country) not in known
        }
        rows = [
            Player(name=one.name, country=one.country, club=one.club, seed_rating=one.seed_rating)
            for one in new.values()
        ]
        for count, some in enumerate(chunks(rows, STEP)):
            progress("registering players", count * STEP, len(rows))
            Player.objects.bulk_create(some)
        if rows:
            append_line(SITE, "players.imported", {"players": [row.pk for row in rows]}, by=by)
    ids = known | dict(zip(new, (row.pk for row in rows), strict=True))
    return [
        {
            "line": line.number,
            "name": line.name,
            "action": "created" if (line.name, line.country) in new else "known",
            "player": ids[(line.name, line.country)],
        }
        for line in lines
    ]


def import_players(content: bytes, *, by: Account) -> list[dict[str, Any]]:
    """Register the players of a CSV file, all or nothing; see `save_players`."""
    return save_players(parse_players(content), by=by)


def told_lines(lines: Sequence[dict[str, Any]], *, dry_run: bool) -> list[dict[str, Any]]:
    """The lines of an answer; a dry run names no player that it would have made."""
    if not dry_run:
        return list(lines)
    return [line | ({"player": None} if line["action"] == "created" else {}) for line in lines]


def _read(sent: SentFile, progress: Progress) -> list[PlayerLine]:
    return parse_players(sent.content, progress)


def _save(sent: SentFile, lines: list[PlayerLine], progress: Progress) -> ImportResult:
    done = save_players(lines, by=sent.by, progress=progress)
    return ImportResult({"dry_run": sent.dry_run, "lines": told_lines(done, dry_run=sent.dry_run)})


IMPORT = Importer(
    task="games.tasks.import_players", action="players.create", read=_read, save=_save
)
"""Players from a CSV file."""
