"""Import players from a CSV file, all or nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.bulk import chunks
from games.imports.csv import Column, country_column, integer_column, read_rows, text_column
from games.imports.progress import Progress, no_progress
from games.imports.uploads import Importer, ImportResult, SentFile
from games.journal import append_line
from games.models import Account, Player
from games.queries import unmerged_players
from games.services.players import HIGHEST_RATING, SITE
from games.validators import MAX_NAME_LENGTH

BATCH = 250
"""Rows written or looked up per statement."""


def _name_column(value: str) -> str:
    if not value:
        raise ValueError("a player needs a name")
    return str(text_column(MAX_NAME_LENGTH)(value))


COLUMNS: dict[str, Column] = {
    "name": _name_column,
    "country": country_column,
    "seed_rating": integer_column(HIGHEST_RATING),
    "club": text_column(MAX_NAME_LENGTH),
}


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A row of a file of players; `line` counts from 1, with the header."""

    line: int
    name: str
    country: str = ""
    club: str = ""
    seed_rating: int | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What a player is found by."""
        return self.name, self.country


def import_players(content: bytes, *, by: Account) -> list[dict[str, Any]]:
    """Read and save the players of a CSV file; see `read_players` and `save_players`."""
    return save_players(read_players(content), by=by)


def read_players(content: bytes, progress: Progress = no_progress) -> list[PlayerRow]:
    """Read a CSV file of players; raises as `read_rows` does."""
    rows = read_rows(content, COLUMNS, ("name",), progress)
    return [PlayerRow(line, **values) for line, values in rows]


def save_players(
    rows: Sequence[PlayerRow], *, by: Account, progress: Progress = no_progress
) -> list[dict[str, Any]]:
    """Create the players who are not known by name and country.

    Returns for each row `line`, `name`, `action` (`created` or `known`) and the player's id.
    """
    with transaction.atomic():
        known = _find_players((row.name for row in rows), progress)
        new = {
            row.key: Player(
                name=row.name, country=row.country, club=row.club, seed_rating=row.seed_rating
            )
            for row in rows
            if row.key not in known
        }
        players = list(new.values())
        for count, chunk in enumerate(chunks(players, BATCH)):
            progress("registering players", count * BATCH, len(players))
            Player.objects.bulk_create(chunk)
        if players:
            ids = [player.pk for player in players]
            append_line(SITE, "players.imported", {"players": ids}, by=by)
    return [
        {
            "line": row.line,
            "name": row.name,
            "action": "created" if row.key in new else "known",
            "player": new[row.key].pk if row.key in new else known[row.key],
        }
        for row in rows
    ]


def preview_players(rows: Sequence[PlayerRow]) -> list[dict[str, Any]]:
    """Return what `save_players` would return, without the ids of players to be created."""
    known = _find_players((row.name for row in rows), no_progress)
    return [
        {
            "line": row.line,
            "name": row.name,
            "action": "known" if row.key in known else "created",
            "player": known.get(row.key),
        }
        for row in rows
    ]


def _find_players(names: Iterable[str], progress: Progress) -> dict[tuple[str, str], int]:
    """Return the ids of players by name and country; of several alike, the oldest."""
    known: dict[tuple[str, str], int] = {}
    unique = sorted(set(names))
    for count, chunk in enumerate(chunks(unique, BATCH)):
        progress("matching players", count * BATCH, len(unique))
        named = unmerged_players().filter(name__in=chunk)
        for pk, name, country in named.order_by("-pk").values_list("pk", "name", "country"):
            known[name, country] = pk
    return known


def _read(sent: SentFile, progress: Progress) -> list[PlayerRow]:
    return read_players(sent.content, progress)


def _save(sent: SentFile, rows: list[PlayerRow], progress: Progress) -> ImportResult:
    lines = save_players(rows, by=sent.by, progress=progress)
    return ImportResult({"dry_run": False, "lines": lines})


def _preview(_: SentFile, rows: list[PlayerRow]) -> ImportResult:
    return ImportResult({"dry_run": True, "lines": preview_players(rows)})


IMPORT = Importer(
    task="games.tasks.import_players",
    action="players.create",
    read=_read,
    save=_save,
    preview=_preview,
)
"""Imports players from a CSV file."""
