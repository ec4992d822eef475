"""The ranking of a TRF file, for commands without a database.

CSV columns: `rank,id,name` and one for each tie-break; `id` is the pairing number.
"""

from collections.abc import Iterable, Iterator, Sequence

from tournament.documents.document import Column, ColumnKind, TableDocument
from tournament.standings.crosstable import Crosstable
from tournament.standings.table import StandingsRow, label_columns
from tournament.standings.tiebreaks import TiebreakCode

COLUMNS = (
    Column(name="rank", heading="Rank", is_key=True),
    Column(name="id", heading="Id", sheet_heading="No", is_key=True),
    Column(name="name", heading="Name", kind=ColumnKind.TEXT, is_wide=True, is_key=True),
)


def ranking_document(
    title: str,
    crosstable: Crosstable,
    rows: Sequence[StandingsRow],
    codes: Sequence[TiebreakCode],
    *,
    with_terms: bool = False,
) -> TableDocument:
    """Return the ranking after the completed rounds; `with_terms` adds the terms to the JSON."""
    labels = tuple(label_columns(codes))
    names = ("rank", "id", "name", *labels)
    is_provisional = crosstable.completed < crosstable.rounds
    note = f"after round {crosstable.completed} of {crosstable.rounds}"
    records = [
        {
            "rank": row.rank,
            "id": row.number,
            "name": row.name,
            "values": row.values_as_json(),
            **({"terms": row.terms_as_json()} if with_terms else {}),
        }
        for row in rows
    ]
    return TableDocument(
        title=title,
        subtitle="Standings",
        file_stem="standings",
        columns=(*COLUMNS, *tiebreak_columns(labels)),
        rows=[(row.rank, row.number, row.name, *row.values_as_json().values()) for row in rows],
        csv=names,
        page=names,
        notes=(note,) if is_provisional else (),
        body={
            "name": title,
            "round": crosstable.completed,
            "rounds": crosstable.rounds,
            "provisional": is_provisional,
            "tiebreaks": [str(code) for code in codes],
            "rows": records,
        },
        records=records,
    )


def tiebreak_columns(labels: Iterable[str]) -> Iterator[Column]:
    """Return a column for each tie-break."""
    return (Column(name=label, heading=label) for label in labels)
