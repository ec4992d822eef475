"""The sheets of an event: tables for the wall, slips for the boards, cards for the players."""

import unicodedata
from typing import Any

import segno
from django.conf import settings

from games.models import JournalHead
from games.queries import plain
from tournament import queries
from tournament.exports import crosstable
from tournament.exports.paper.printing import plain as one_line
from tournament.exports.paper.printing import printed
from tournament.exports.table import Table
from tournament.models import Round, Tournament
from tournament.standings.grid import GridOrder
from tournament.standings.table import value_text

BYE_WORDS = {
    "pairing-bye": "bye",
    "half-bye": "half-point bye",
    "zero-bye": "absent",
    "full-bye": "full-point bye",
}


def _column(title: str, align: str = "right", *, wide: bool = False) -> dict[str, Any]:
    return {"title": title, "align": align, "wide": wide}


NAME = _column("Name", "left", wide=True)


def _frame(tournament: Tournament, title: str, subtitle: str = "") -> dict[str, Any]:
    head = JournalHead.objects.filter(stream=tournament.stream).first()
    journal = f"journal {head.sequence}: {head.digest[:16]}" if head else "no journal"
    return {
        "title": one_line(title),
        "subtitle": one_line(subtitle),
        "event": one_line(tournament.name),
        "source": f"{settings.PUBLIC_URL}/api/v1/tournaments/{tournament.slug} · {journal}",
        "note": "",
    }


def standings_pdf(table: Table) -> bytes:
    """The standings as they come out now."""
    columns = [
        _column("Rank"),
        _column("No"),
        NAME,
        _column("Country", "left"),
        _column("Rating"),
        *(_column(label) for label in table.labels),
    ]
    rows = [
        [
            str(row.rank),
            str(row.number),
            one_line(row.name),
            table.crosstable.by_number[row.number].federation,
            str(table.crosstable.by_number[row.number].rating or ""),
            *(value_text(row.values[label]) for label in table.labels),
        ]
        for row in table.rows
    ]
    frame = _frame(table.tournament, table.tournament.name, _after(table, "Standings"))
    return printed("table", frame | {"columns": columns, "rows": rows})


def crosstable_pdf(table: Table, order: GridOrder, *, square: bool) -> bytes:
    """The crosstable; with many columns on its side."""
    lines = crosstable.lines_of(table, order, square=square)
    labels = crosstable.columns_of(table, lines, square=square)
    columns = [
        _column("No"),
        NAME,
        *(_column(label, "center") for label in labels),
        _column("Points"),
    ]
    rows = [
        [str(n.label), one_line(n.name), *n.cells, crosstable.points_of(table, n)] for n in lines
    ]
    frame = _frame(table.tournament, table.tournament.name, _after(table, "Crosstable"))
    return printed("table", frame | {"columns": columns, "rows": rows})


def _after(table: Table, what: str) -> str:
    where = table.title.removeprefix(f"{table.tournament.name}: ").removesuffix(" standings")
    return f"{what}, {where}"


def pairings_pdf(tournament: Tournament, this_round: Round, *, by_name: bool) -> bytes:
    """A round's pairings by board, or a line a player by name."""
    lines = queries.pairings_of(tournament, this_round)
    found = _by_name(lines) if by_name else _by_board(lines)
    columns = (
        [NAME, _column("Board"), _column("Seat", "left"), _column("Against", "left", wide=True)]
        if by_name
        else [
            _column("Board"),
            _column("First", "left", wide=True),
            _column("Result", "center"),
            _column("Second", "left", wide=True),
        ]
    )
    day = f", {this_round.starts_on:%d %B %Y}" if this_round.starts_on else ""
    frame = _frame(tournament, tournament.name, f"Pairings of round {this_round.number}{day}")
    return printed("table", frame | {"columns": columns, "rows": found})


def _by_board(lines: list[dict[str, Any]]) -> list[list[str]]:
    rows = []
    for line in lines:
        second = line["second"]
        rows.append(
            [
                str(line["board"] or ""),
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
        board = str(line["board"] or "")
        if second is None:
            rows.append([_told(first), board, "", BYE_WORDS[line["kind"]]])
            continue
        rows.append([_told(first), board, "first", _told(second)])
        rows.append([_told(second), board, "second", _told(first)])
    return sorted(rows, key=lambda row: (_without_accents(row[0]), row[0]))


def _without_accents(text: str) -> str:
    """A name as lists file it: Š among S, whatever its case."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _told(player: dict[str, Any]) -> str:
    return f"{one_line(player['name'])} ({player['pairing_number']})"


def _code(address: str) -> str:
    return segno.make(address, error="m", micro=False).svg_inline(border=2, omitsize=True)


def slips_pdf(tournament: Tournament, this_round: Round) -> bytes:
    """A slip a board, with a code that leads to the game."""
    slips = []
    for line in queries.pairings_of(tournament, this_round):
        if line["game"] is None:
            continue
        address = f"{settings.PUBLIC_URL}/api/v1/games/{line['game']}"
        slips.append(
            {
                "place": f"Round {this_round.number}, board {line['board']}",
                "first": _seat(line["first"]),
                "second": _seat(line["second"]),
                "qr": _code(address),
                "address": address,
                "under": f"game {line['game']}",
            }
        )
    frame = _frame(tournament, f"Result slips of round {this_round.number}")
    return printed("slips", frame | {"slips": slips})


def _seat(player: dict[str, Any]) -> dict[str, str]:
    return {"name": one_line(player["name"]), "told": f"number {player['pairing_number']}"}


def cards_pdf(tournament: Tournament) -> bytes:
    """A card a player who takes part, with a code that leads to the player."""
    cards = []
    rows = plain(
        tournament.entries.filter(state="accepted").order_by("pairing_number", "player__name"),
        "pairing_number",
        "player_id",
        "player__name",
        "player__country",
        "player__club",
        "seed_rating",
    )
    for row in rows:
        address = f"{settings.PUBLIC_URL}/api/v1/players/{row['player_id']}"
        rating = str(row["seed_rating"] or "")
        told = [row["player__country"], rating, one_line(row["player__club"])]
        cards.append(
            {
                "name": one_line(row["player__name"]),
                "number": str(row["pairing_number"] or ""),
                "told": " · ".join(word for word in told if word),
                "qr": _code(address),
                "address": address,
            }
        )
    return printed("cards", _frame(tournament, "Player cards") | {"cards": cards})
