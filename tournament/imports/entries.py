"""Import entries from a CSV file, all or nothing."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any

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
from games.imports.uploads import Importer, ImportResult, SentFile
from games.journal import append_line
from games.models import Account, Player
from games.quotas import check_quota
from games.services.players import HIGHEST_RATING
from games.validators import FIRST_BIRTH_YEAR, LAST_BIRTH_YEAR
from tournament import queries
from tournament.imports.bulk import insert_rows
from tournament.imports.player_matching import (
    MatchedPlayer,
    PlayerDetails,
    match_players,
    register_new_players,
)
from tournament.models import Entry, Tournament
from tournament.services.entries import (
    OPEN_STATES,
    entry_payload,
    first_pairable_round,
)
from tournament.services.locking import lock_tournament, require_state
from tournament.services.numbering import number_entries
from tournament.standings.prizes import SEXES


def _birth_year(value: str) -> int | None:
    year: int | None = integer_column(LAST_BIRTH_YEAR)(value)
    if year is not None and year < FIRST_BIRTH_YEAR:
        raise ValueError(f"{year} is not a year from {FIRST_BIRTH_YEAR} to {LAST_BIRTH_YEAR}")
    return year


def _sex(value: str) -> str:
    if value and value.lower() not in SEXES:
        raise ValueError(f"{value[:20]!r} is not one of {', '.join(SEXES)}, the codes of FIDE")
    return value.lower()


COLUMNS: dict[str, Column] = {
    "player": integer_column(2**63 - 1),
    "name": text_column(120),
    "country": country_column,
    "club": text_column(120),
    "fide": text_column(11),
    "seed_rating": integer_column(HIGHEST_RATING),
    "birth_year": _birth_year,
    "sex": _sex,
    "category": text_column(40),
}

Lines = Sequence[tuple[int, dict[str, Any]]]
"""The lines of a file: line number, and values by column."""


def read_entries(sent: SentFile, progress: Progress) -> Lines:
    """Return the lines of a CSV file of entries; raises as `read_rows` does."""
    return read_rows(sent.content, COLUMNS, ("name", "player"), progress)


def save_entries(sent: SentFile, lines: Lines, progress: Progress) -> ImportResult:
    """Enter the players of a file, and register those who are new.

    A line names a player by `player` (the id), `fide`, or `name` and `country`. Players who are
    already entered stay unchanged. The result has for each line `line`, `name`, `action`
    (`created`, `known`, `entered`) and `player`. Raises Conflict if the tournament accepts no
    entries, and Unprocessable with every invalid line.
    """
    tournament = lock_tournament(queries.find_tournament(sent.stream))
    found = _match_lines(tournament, lines, sent.by, progress)
    register_new_players(found.matched, by=sent.by, progress=progress)
    entries = [
        Entry(
            tournament=tournament,
            player=match.player,
            seed_rating=_seed_rating(line, match.player),
            first_round=found.first_round,
            birth_year=line.get("birth_year"),
            sex=line.get("sex", ""),
            category=line.get("category", ""),
        )
        for (_, line), match in zip(lines, found.matched, strict=True)
        if match.player.pk not in found.entered
    ]
    if entries:
        progress("entering players", 0, len(entries))
        insert_rows(entries)
        if tournament.state == Tournament.State.RUNNING:
            progress("numbering entries", 0, len(entries))
            number_entries(tournament)
            numbers = dict(queries.numbered_entries(tournament).values_list("pk", "pairing_number"))
            for entry in entries:
                entry.pairing_number = numbers[entry.pk]
        payload = {"entries": [entry_payload(entry) for entry in entries]}
        append_line(tournament.stream, "entries.imported", payload, by=sent.by)
    return ImportResult({"dry_run": False, "lines": found.as_json(lines)})


def preview_entries(sent: SentFile, lines: Lines) -> ImportResult:
    """Return what `save_entries` would return, without the ids of players to be created."""
    tournament = queries.find_tournament(sent.stream)
    found = _match_lines(tournament, lines, sent.by, no_progress)
    return ImportResult({"dry_run": True, "lines": found.as_json(lines)})


ENTRIES = Importer(
    task="tournament.tasks.import_entries",
    action="entries.edit",
    read=read_entries,
    save=save_entries,
    preview=preview_entries,
)


@dataclass(frozen=True, slots=True)
class MatchedLines:
    """The player of each line, the ids of the players who are entered, and the next round."""

    matched: Sequence[MatchedPlayer]
    entered: Set[int]
    first_round: int

    def as_json(self, lines: Lines) -> list[dict[str, Any]]:
        """Return what is done with each line; a player who is not saved has no id."""
        return [
            {
                "line": number,
                "name": match.player.name,
                "action": "entered" if match.player.pk in self.entered else match.action,
                "player": match.player.pk,
            }
            for (number, _), match in zip(lines, self.matched, strict=True)
        ]


def _match_lines(
    tournament: Tournament, lines: Lines, by: Account, progress: Progress
) -> MatchedLines:
    """Find the players of the lines; raises Conflict and Unprocessable, and writes nothing."""
    require_state(tournament, *OPEN_STATES)
    first_round = first_pairable_round(tournament)
    matched = _find_players(lines, progress)
    entered = set(tournament.entries.values_list("player_id", flat=True))
    new = sum(1 for match in matched if match.player.pk not in entered)
    if new:
        check_quota("entries", len(entered) + new, by=by)
    return MatchedLines(matched, entered, first_round)


def _seed_rating(line: dict[str, Any], player: Player) -> int:
    rating = line.get("seed_rating")
    return int((player.seed_rating if rating is None else rating) or 0)


def _find_players(lines: Lines, progress: Progress) -> list[MatchedPlayer]:
    """Return the player of each line; raises Unprocessable for unknown and repeated players."""
    by_id: dict[int, Player] = {}
    ids = [line["player"] for _, line in lines if line.get("player") is not None]
    for chunk in chunks(ids):
        players = Player.objects.filter(merged_into__isnull=True, pk__in=chunk)
        by_id |= {player.pk: player for player in players}
    _check_lines(lines, by_id)
    details = [
        PlayerDetails(
            **{name: line.get(name, "") for name in ("name", "country", "club", "fide")},
            seed_rating=line.get("seed_rating"),
        )
        for _, line in lines
        if line.get("player") is None
    ]
    by_details = iter(match_players(details, taken=by_id, progress=progress))
    return [
        next(by_details) if line.get("player") is None else MatchedPlayer(by_id[line["player"]])
        for _, line in lines
    ]


def _check_lines(lines: Lines, by_id: dict[int, Player]) -> None:
    errors = LineErrors()
    first_lines: dict[Any, int] = {}
    for number, line in lines:
        player = line.get("player")
        if player is None and not line.get("name"):
            errors.add(number, "name", "a player needs a name or an id")
            continue
        if player is not None and player not in by_id:
            errors.add(number, "player", f"there is no player {player}", "unknown_player")
            continue
        name = tuple(line.get(column, "") for column in ("name", "country", "fide"))
        first = first_lines.setdefault(name if player is None else player, number)
        if first != number:
            column = "name" if player is None else "player"
            errors.add(number, column, f"the same player as in line {first}")
    errors.raise_if_any()
