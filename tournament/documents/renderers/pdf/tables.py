"""The tables of an event for the wall: standings, crosstable, pairings, prizes, clubs."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from tournament import queries
from tournament.documents import clubs, crosstable, prizes
from tournament.documents.renderers.pdf.columns import NAME, NUMBER, column, table_pdf
from tournament.documents.renderers.pdf.frame import framed, round_title
from tournament.documents.renderers.pdf.letters import cleaned, isolated
from tournament.documents.renderers.pdf.printing import Paper
from tournament.models import Round, Tournament
from tournament.queries.standings import Table
from tournament.standings.clubs import GroupBy
from tournament.standings.crosstable_rows import CrosstableOrder

BYE_WORDS = {
    "pairing-bye": "bye",
    "half-bye": "half-point bye",
    "zero-bye": "absent",
    "full-bye": "full-point bye",
}


def standings_pdf(
    table: Table, content: Mapping[str, Any], paper: Paper, *, note: str = ""
) -> bytes:
    """The standings that `content` holds: as they come out now, or as they stood."""
    columns = [
        column("Rank"),
        NUMBER,
        NAME,
        column("Country", "left"),
        column("Rating"),
        *(column(label) for label in content["tiebreaks"]),
    ]
    rows = [
        [
            str(row["rank"]),
            str(row["number"]),
            cleaned(row["player"]["name"]),
            cleaned(row["player"]["country"]),
            str(row["seed_rating"] or ""),
            *(value or "" for value in row["values"].values()),
        ]
        for row in content["rows"]
    ]
    frame = framed(table.tournament, _after(table, "Standings"), paper)
    frame["told"] = cleaned(note)
    return table_pdf(frame, columns, rows, paper, keys=3)


def crosstable_pdf(
    table: Table, order: CrosstableOrder, paper: Paper, *, square: bool, note: str = ""
) -> bytes:
    """The crosstable, a column a round or an opponent."""
    lines = crosstable.lines_of(table, order, square=square)
    labels = crosstable.columns_of(table, lines, square=square)
    columns = [NUMBER, NAME, *(column(label, "center") for label in labels), column("Points")]
    rows = [
        [str(n.label), cleaned(n.name), *n.cells, crosstable.points_of(table, n)] for n in lines
    ]
    frame = framed(table.tournament, _after(table, "Crosstable"), paper)
    frame["told"] = cleaned(note)
    return table_pdf(frame, columns, rows, paper, keys=2)


def prizes_pdf(table: Table, paper: Paper, *, note: str = "") -> bytes:
    """Who wins what; amounts in the smallest coin."""
    columns = [column("Prize", "left", wide=True), column("Place"), NUMBER, NAME, column("Coins")]
    rows = [
        [
            cleaned(group["name"]),
            str(award["place"]),
            str(award["number"]),
            cleaned(award["player"]["name"]),
            str(award["coins"]),
        ]
        for group in prizes.shown(table)["groups"]
        for award in group["awards"]
    ]
    frame = framed(table.tournament, _after(table, "Prizes"), paper)
    frame["told"] = cleaned(note)
    return table_pdf(frame, columns, rows, paper)


def clubs_pdf(table: Table, paper: Paper, *, by: GroupBy, best: int, note: str = "") -> bytes:
    """The totals of clubs or federations, each with the players who count."""
    columns = [
        column("Rank"),
        column(by.capitalize(), "left", wide=True),
        column("Points"),
        column("Lacks"),
        column("Players", "left", wide=True),
    ]
    rows = [
        [
            str(row["rank"]),
            cleaned(row["name"]),
            row["points"],
            str(row["missing"] or ""),
            "; ".join(
                f"{isolated(cleaned(one['player']['name']))} ({one['rank']}, {one['points']})"
                for one in row["players"]
            ),
        ]
        for row in clubs.shown(table, by=by, best=best)["rows"]
    ]
    frame = framed(table.tournament, _after(table, f"The best {best} of each {by}"), paper)
    frame["told"] = cleaned(note)
    return table_pdf(frame, columns, rows, paper)


def _after(table: Table, what: str) -> str:
    where = table.title.removeprefix(f"{table.tournament.name}: ").removesuffix(" standings")
    return f"{what}, {where}"


def pairings_pdf(
    tournament: Tournament, this_round: Round, paper: Paper, *, by_name: bool
) -> bytes:
    """A round's pairings by board, or a line a player by name."""
    lines = queries.pairings_of(tournament, this_round)
    found = _by_name(lines) if by_name else _by_board(lines)
    columns = (
        [NAME, column("Board"), column("Seat", "left"), column("Against", "left", wide=True)]
        if by_name
        else [
            column("Board"),
            column("First", "left", wide=True),
            column("Result", "center"),
            column("Second", "left", wide=True),
        ]
    )
    frame = framed(tournament, f"Pairings of {round_title(tournament, this_round)}", paper)
    if any(line["by_hand"] for line in lines):
        frame["told"] = "Boards with a * were set by hand."
    return table_pdf(frame, columns, found, paper)


def _by_board(lines: list[dict[str, Any]]) -> list[list[str]]:
    rows = []
    for line in lines:
        second = line["second"]
        rows.append(
            [
                _board(line),
                _told(line["first"]),
                line["result"] or ("–" if second else ""),
                _told(second) if second else BYE_WORDS[line["kind"]],
            ]
        )
    return rows


def _by_name(lines: list[dict[str, Any]]) -> list[list[str]]:
    rows = []
    for line in lines:
        first, second = line["first"], line["second"]
        if second is None:
            rows.append([_told(first), _board(line), "", BYE_WORDS[line["kind"]]])
            continue
        rows.append([_told(first), _board(line), "first", _told(second)])
        rows.append([_told(second), _board(line), "second", _told(first)])
    return sorted(rows, key=lambda row: (_without_accents(row[0]), row[0]))


def _board(line: Mapping[str, Any]) -> str:
    return f"{line['board'] or ''}{'*' if line['by_hand'] else ''}"


def _without_accents(text: str) -> str:
    """A name as lists file it: Š among S, whatever its case."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _told(player: Mapping[str, Any]) -> str:
    return f"{isolated(cleaned(player['name']))} ({player['pairing_number']})"
