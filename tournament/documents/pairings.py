"""The pairings of a round; byes come last and have neither board nor second player.

CSV columns: `round,board,kind,first_id,first,second_id,second,result,termination,state`; the ids
are pairing numbers.
"""

import unicodedata
from collections.abc import Sequence

from tournament.documents.document import (
    Cell,
    Column,
    ColumnKind,
    Heading,
    NamedPlayer,
    TableDocument,
)
from tournament.models import Pairing, Round, Tournament
from tournament.queries.pairings import PairedPlayer, RoundPairing

CSV_COLUMNS = (
    Column(name="round"),
    Column(name="board"),
    Column(name="kind", kind=ColumnKind.TEXT),
    Column(name="first_id"),
    Column(name="first", kind=ColumnKind.TEXT),
    Column(name="second_id"),
    Column(name="second", kind=ColumnKind.TEXT),
    Column(name="result", kind=ColumnKind.TEXT),
    Column(name="termination", kind=ColumnKind.TEXT),
    Column(name="state", kind=ColumnKind.TEXT),
)
SHEET_COLUMNS = (
    Column(name="marked_board", heading="Board"),
    Column(name="first_player", heading="First", kind=ColumnKind.TEXT, is_wide=True),
    Column(name="result_or_dash", heading="Result", kind=ColumnKind.MARK),
    Column(name="second_player", heading="Second", kind=ColumnKind.TEXT, is_wide=True),
)
BY_NAME_COLUMNS = (
    Column(name="name", heading="Name", kind=ColumnKind.TEXT, is_wide=True),
    Column(name="board", heading="Board"),
    Column(name="seat", heading="Seat", kind=ColumnKind.TEXT),
    Column(name="opponent", heading="Against", kind=ColumnKind.TEXT, is_wide=True),
)
BYE_NAMES: dict[str, str] = {
    Pairing.Kind.PAIRING_BYE: "bye",
    Pairing.Kind.HALF_BYE: "half-point bye",
    Pairing.Kind.ZERO_BYE: "absent",
    Pairing.Kind.FULL_BYE: "full-point bye",
}
BY_HAND_NOTE = "Boards with a * were set by hand."


def pairings_document(
    tournament: Tournament, this_round: Round, pairings: Sequence[RoundPairing]
) -> TableDocument:
    """Return the pairings by board."""
    records = [{"round": this_round.number, **pairing.as_json()} for pairing in pairings]
    sheet = tuple(column.name for column in SHEET_COLUMNS)
    return TableDocument(
        heading=_heading(tournament, this_round),
        columns=(*CSV_COLUMNS, *SHEET_COLUMNS),
        rows=[
            (this_round.number, *_csv_cells(pairing), *_sheet_cells(pairing))
            for pairing in pairings
        ],
        csv=tuple(column.name for column in CSV_COLUMNS),
        page=sheet,
        sheet=sheet,
        notes=_notes(pairings),
        body={"pairings": records},
        records=records,
    )


def pairings_by_name_document(
    tournament: Tournament, this_round: Round, pairings: Sequence[RoundPairing]
) -> TableDocument:
    """Return the pairings with a row for each player, by name; accents do not count."""
    rows: list[tuple[NamedPlayer, Cell, str, Cell]] = []
    for pairing in pairings:
        first, board = _named(pairing.first), _marked_board(pairing)
        if pairing.second is None:
            rows.append((first, board, "", BYE_NAMES[pairing.kind]))
        else:
            second = _named(pairing.second)
            rows += [(first, board, "first", second), (second, board, "second", first)]
    rows.sort(key=lambda row: (_without_accents(str(row[0])), str(row[0])))
    names = tuple(column.name for column in BY_NAME_COLUMNS)
    return TableDocument(
        heading=_heading(tournament, this_round),
        columns=BY_NAME_COLUMNS,
        rows=rows,
        csv=names,
        page=names,
        sheet=names,
        notes=_notes(pairings),
        body={},
        records=(),
    )


def round_title(tournament: Tournament, this_round: Round) -> str:
    """Return the title of a round, as `round 2 of 5, 03 May 2026`."""
    day = f", {this_round.starts_on:%d %B %Y}" if this_round.starts_on else ""
    is_draft = this_round.state in (Round.State.PLANNED, Round.State.DRAFTED)
    draft = " – a draft, not published" if is_draft else ""
    return f"round {this_round.number} of {tournament.rounds}{day}{draft}"


def _heading(tournament: Tournament, this_round: Round) -> Heading:
    title = f"Pairings of {round_title(tournament, this_round)}"
    return Heading(
        title=f"{tournament.name}: {title}",
        subtitle=title,
        file_stem=f"{tournament.slug}.r{this_round.number}.pairings",
        members={},
    )


def _notes(pairings: Sequence[RoundPairing]) -> tuple[str, ...]:
    return (BY_HAND_NOTE,) if any(pairing.by_hand for pairing in pairings) else ()


def _csv_cells(pairing: RoundPairing) -> tuple[Cell, ...]:
    first, second = pairing.first, pairing.second
    return (
        pairing.board or "",
        pairing.kind,
        first.pairing_number,
        first.name,
        second.pairing_number if second else "",
        second.name if second else "",
        pairing.result or "",
        pairing.termination or "",
        pairing.state or "",
    )


def _sheet_cells(pairing: RoundPairing) -> tuple[Cell, ...]:
    return (
        _marked_board(pairing),
        _named(pairing.first),
        pairing.result or ("–" if pairing.second else ""),
        _named(pairing.second) if pairing.second else BYE_NAMES[pairing.kind],
    )


def _marked_board(pairing: RoundPairing) -> str:
    return f"{pairing.board or ''}{'*' if pairing.by_hand else ''}"


def _named(player: PairedPlayer) -> NamedPlayer:
    return NamedPlayer(player.name, str(player.pairing_number))


def _without_accents(name: str) -> str:
    """Return a name as lists sort it: Š with S, upper case with lower case."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
