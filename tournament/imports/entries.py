"""Entries from a spreadsheet, all or nothing."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from games.bulk import chunks
from games.imports.csv import (
    Column,
    LineErrors,
    country_column,
    integer_column,
    read_rows,
    text_column,
)
from games.imports.progress import Progress, no_progress
from games.journal.lines import append_line
from games.models import Account, Player
from games.services.players import HIGHEST_RATING
from tournament.imports.bulk import insert
from tournament.imports.player_matching import Person, meet
from tournament.models import Entry, Tournament
from tournament.services.entries import (
    FIRST_BIRTH_YEAR,
    LAST_BIRTH_YEAR,
    OPEN_STATES,
    first_pairable_round,
)
from tournament.services.locking import lock_tournament, require_state
from tournament.services.numbering import number_entries
from tournament.standings.prizes import SEXES

STEP = 250


def _born(value: str) -> int | None:
    year: int | None = integer_column(LAST_BIRTH_YEAR)(value)
    if year is not None and year < FIRST_BIRTH_YEAR:
        raise ValueError(f"{year} is no year from {FIRST_BIRTH_YEAR} to {LAST_BIRTH_YEAR}")
    return year


def _sex(value: str) -> str:
    if value and value.lower() not in SEXES:
        raise ValueError(f"{value[:20]!r} is neither {' nor '.join(SEXES)}, as FIDE writes it")
    return value.lower()


COLUMNS: dict[str, Column] = {
    "player": integer_column(2**63 - 1),
    "name": text_column(120),
    "country": country_column,
    "club": text_column(120),
    "fide": text_column(11),
    "seed_rating": integer_column(HIGHEST_RATING),
    "birth_year": _born,
    "sex": _sex,
    "category": text_column(40),
}


Lines = Sequence[tuple[int, dict[str, Any]]]
"""The lines of a file with their numbers, each value by the name of its column."""


def read_entries(content: bytes, progress: Progress = no_progress) -> Lines:
    """The lines of a CSV file of entries; raises as `read_rows` does."""
    return read_rows(content, COLUMNS, ("name", "player"), progress)


def save_entries(
    tournament: Tournament, lines: Lines, *, by: Account, progress: Progress = no_progress
) -> list[dict[str, Any]]:
    """Enter everybody; who is no registered player yet becomes one.

    A line names its player by `player` (the id), or by `fide` or `name` and `country`. Who has
    entered already stays as entered. Returns a dict a line: `line`, `name`, `action` (`created`,
    `known`, `entered`), `player`. Raises Conflict when entering is over, and Unprocessable with
    every wrong line, nothing imported.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_state(tournament, *OPEN_STATES)
        first_round = first_pairable_round(tournament)
        players, actions = _players(lines, by, progress)
        entered = set(tournament.entries.values_list("player_id", flat=True))
        entries = [
            Entry(
                tournament=tournament,
                player=player,
                seed_rating=_seed(line, player),
                first_round=first_round,
                birth_year=line.get("birth_year"),
                sex=line.get("sex", ""),
                category=line.get("category", ""),
            )
            for (_, line), player in zip(lines, players, strict=True)
            if player.pk not in entered
        ]
        insert(entries, step="entering players", progress=progress)
        if entries and tournament.state == Tournament.State.RUNNING:
            progress("numbering entries", 0, len(entries))
            number_entries(tournament)
        if entries:
            told = {"entries": [[one.pk, one.player_id, one.seed_rating] for one in entries]}
            append_line(tournament.stream, "entries.imported", told, by=by)
    return [
        {
            "line": number,
            "name": player.name,
            "action": "entered" if player.pk in entered else action,
            "player": player.pk,
        }
        for (number, _), player, action in zip(lines, players, actions, strict=True)
    ]


def _seed(line: dict[str, Any], player: Player) -> int:
    seed = line.get("seed_rating")
    return int((player.seed_rating if seed is None else seed) or 0)


def _players(lines: Lines, by: Account, progress: Progress) -> tuple[list[Player], list[str]]:
    """The player of each line, and whether it was known; refuses what is unclear."""
    errors = LineErrors()
    ids = [line["player"] for _, line in lines if line.get("player") is not None]
    by_id: dict[int, Player] = {}
    for some in chunks(ids, STEP):
        named = Player.objects.filter(merged_into__isnull=True, pk__in=some)
        by_id |= {one.pk: one for one in named}
    seen: dict[int, int] = {}
    for number, line in lines:
        wanted = line.get("player")
        if wanted is None:
            if not line.get("name"):
                errors.add(number, "name", "a player needs a name or an id")
        elif wanted not in by_id:
            errors.add(number, "player", f"there is no player {wanted}", "unknown_player")
        elif seen.setdefault(wanted, number) != number:
            errors.add(number, "player", f"the same player as in line {seen[wanted]}")
    keys: dict[tuple[str, ...], int] = {}
    for number, line in lines:
        if line.get("player") is None:
            key = (line.get("name", ""), line.get("country", ""), line.get("fide", ""))
            if keys.setdefault(key, number) != number:
                errors.add(number, "name", f"the same player as in line {keys[key]}")
    errors.raise_if_any()
    people = [
        Person(**{name: line.get(name, "") for name in ("name", "country", "club", "fide")},
               seed_rating=line.get("seed_rating"))
        for _, line in lines
        if line.get("player") is None
    ]  # fmt: skip
    met = iter(meet(people, by=by, taken=by_id, progress=progress))
    players, actions = [], []
    for _, line in lines:
        if line.get("player") is None:
            found = next(met)
            players.append(found.player)
            actions.append(found.action)
        else:
            players.append(by_id[line["player"]])
            actions.append("known")
    return players, actions
