"""Registering players, one by one or from a CSV file, all or nothing."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.errors import Unprocessable, Unreadable
from games.journal import write_line
from games.lines import is_one_line
from games.models import Account, Player

COLUMNS = ("name", "country", "seed_rating", "club")
MOST_LINES = 20_000
HIGHEST_RATING = 4000
SITE = "site"


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One line of a file of players; `number` counts from 1, the header included."""

    number: int
    name: str
    country: str
    club: str
    seed_rating: int | None


def _decoded(content: bytes) -> str:
    """UTF-8, with or without BOM, else latin-1, as spreadsheets write them."""
    if b"\0" in content:
        raise Unreadable("nul_byte", "a NUL byte stands in the file; this is no CSV text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _problem(number: int, column: str, detail: str) -> dict[str, Any]:
    return {
        "code": "invalid_line",
        "line": number,
        "pointer": f"/{number}/{column}",
        "detail": f"line {number}, {column}: {detail}",
    }


def _problems_of(number: int, row: dict[str, str]) -> Iterator[dict[str, Any]]:
    """What is wrong with one line, a dict each."""
    if not row["name"]:
        yield _problem(number, "name", "a player needs a name")
    if len(row["name"]) > 120 or len(row.get("club", "")) > 120:
        yield _problem(number, "name", "a name or club has at most 120 characters")
    if not is_one_line(row["name"] + row.get("club", "")):
        yield _problem(number, "name", "a name or club stands on one line")
    country = row.get("country", "")
    if country and not (len(country) == 3 and country.isascii() and country.isalpha()):
        yield _problem(number, "country", f"{country[:20]!r} is no three-letter code")
    rating = row.get("seed_rating", "")
    digits = rating.isascii() and rating.isdigit() and len(rating) <= 4
    if rating and not (digits and int(rating) <= HIGHEST_RATING):
        yield _problem(
            number, "seed_rating", f"{rating[:20]!r} is no whole number from 0 to {HIGHEST_RATING}"
        )


def parse_players(content: bytes) -> list[PlayerLine]:
    """Read a CSV of players: a header in any order with `name`, commas or semicolons.

    Raises Unreadable for what is no such file, Unprocessable with every wrong line.
    """
    text = _decoded(content)
    header_line = text.partition("\n")[0]
    delimiter = ";" if header_line.count(";") > header_line.count(",") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise Unreadable("unreadable_csv", f"line {reader.line_num}: {error}") from error
    header = [name.strip().lower() for name in rows[0]] if rows else []
    wrong = [name for name in header if name not in COLUMNS]
    if "name" not in header or wrong or len(set(header)) != len(header):
        raise Unprocessable(
            "wrong_columns",
            f"the first line must name columns out of {', '.join(COLUMNS)}, each once, with `name`"
            f" among them; it is {header_line.strip()[:80]!r}",
        )
    if len(rows) > MOST_LINES:
        raise Unprocessable("too_many_lines", f"at most {MOST_LINES} lines at a time")
    lines, problems = [], []
    for number, values in enumerate(rows[1:], start=2):
        if not any(value.strip() for value in values):
            continue
        if len(values) != len(header):
            detail = f"{len(header)} values were expected, {len(values)} are there"
            problems.append(_problem(number, "name", detail))
            continue
        row = dict(zip(header, (value.strip() for value in values), strict=True))
        found = list(_problems_of(number, row))
        problems += found
        if not found:
            rating = row.get("seed_rating", "")
            lines.append(
                PlayerLine(
                    number=number,
                    name=row["name"],
                    country=row.get("country", "").upper(),
                    club=row.get("club", ""),
                    seed_rating=int(rating) if rating else None,
                )
            )
    if problems:
        raise Unprocessable(
            "invalid_lines",
            f"{len(problems)} lines cannot be taken; nothing was imported",
            problems[:100],
        )
    return lines


def register_player(
    *, name: str, country: str = "", club: str = "", seed_rating: int | None = None, by: Account
) -> Player:
    """A new player; people may share a name, so nothing is compared."""
    with transaction.atomic():
        player = Player.objects.create(
            name=name, country=country.upper(), club=club, seed_rating=seed_rating
        )
        write_line(SITE, "player.registered", {"player": player.pk, "name": name}, by=by)
    return player


def _known_players(names: list[str]) -> dict[tuple[str, str], int]:
    """The ids of registered players by name and country; the oldest where two are alike."""
    known: dict[tuple[str, str], int] = {}
    for start in range(0, len(names), 500):
        named = Player.objects.filter(merged_into__isnull=True, name__in=names[start : start + 500])
        for pk, name, country in named.order_by("-pk").values_list("pk", "name", "country"):
            known[(name, country)] = pk
    return known


def import_players(content: bytes, *, by: Account, dry_run: bool = False) -> list[dict[str, Any]]:
    """Register the players of a CSV file; one already known by name and country is taken as is.

    Returns for each line `line`, `name`, `action` (`created` or `known`) and the player's id,
    which is None for players that a dry run would create.
    """
    lines = parse_players(content)
    with transaction.atomic():
        known = _known_players(sorted({line.name for line in lines}))
        new = [line for line in lines if (line.name, line.country) not in known]
        new = list({(line.name, line.country): line for line in new}.values())
        created: dict[tuple[str, str], int | None]
        if not dry_run and new:
            rows = Player.objects.bulk_create(
                Player(name=n.name, country=n.country, club=n.club, seed_rating=n.seed_rating)
                for n in new
            )
            created = {(row.name, row.country): row.pk for row in rows}
            made = {"players": [row.pk for row in rows]}
            write_line(SITE, "players.imported", made, by=by)
        else:
            created = {(line.name, line.country): None for line in new}
    return [
        {
            "line": line.number,
            "name": line.name,
            "action": "created" if (line.name, line.country) in created else "known",
            "player": created.get((line.name, line.country))
            or known.get((line.name, line.country)),
        }
        for line in lines
    ]
