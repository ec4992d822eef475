"""The ranking of a TRF file, for commands that start without Django's models.

CSV columns: `rank,number,name` and one for each tie-break; `number` is the pairing number.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.tables.table import Column, ColumnKind, Heading, TableDocument
from games.rules.messages import gettext_noop
from tournament.pairing.findings import with_names
from tournament.standings.crosstable import Crosstable
from tournament.standings.table import StandingsRow, find_empty_columns, label_columns
from tournament.standings.tiebreaks import TiebreakCode


def player_columns(number: str, name: str) -> tuple[Column, ...]:
    """Return the columns of rank, number and name, from the members of a record."""
    return (
        Column("rank", gettext_noop("Rank"), is_key=True),
        Column("number", gettext_noop("No"), of=number, is_key=True),
        Column("name", gettext_noop("Name"), ColumnKind.TEXT, of=name, is_wide=True, is_key=True),
    )


COLUMNS = player_columns("number", "player.name")


def value_columns(headings: Mapping[str, str]) -> tuple[Column, ...]:
    """Return the columns of the tie-breaks of a table, from the heading of each label."""
    return tuple(
        Column(label, heading, of=f"values.{label}") for label, heading in headings.items()
    )


def ranking_document(
    title: str,
    crosstable: Crosstable,
    rows: Sequence[StandingsRow],
    codes: Sequence[TiebreakCode],
    *,
    with_terms: bool = False,
    edition: str | None = None,
) -> TableDocument:
    """Return the ranking after the completed rounds; `with_terms` adds the terms to the JSON.

    `edition` says by which edition of the rules an older event is ranked.
    """
    labels = tuple(label_columns(codes))
    is_provisional = crosstable.completed < crosstable.rounds
    names = {row.number: row.name for row in rows}
    empty = {
        label: with_names(lack, names)
        for label, lack in find_empty_columns(crosstable, codes).items()
    }
    notes = [f"{label} is left empty: {lack}" for label, lack in empty.items()]
    notes += [edition] if edition else []
    if is_provisional:
        notes.insert(0, f"after round {crosstable.completed} of {crosstable.rounds}")
    records: list[dict[str, Any]] = [
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
        heading=Heading(title=title, subtitle="Standings", file_stem="standings"),
        columns=(*player_columns("id", "name"), *value_columns({label: label for label in labels})),
        records=records,
        notes=tuple(notes),
        body={
            "name": title,
            "round": crosstable.completed,
            "rounds": crosstable.rounds,
            "provisional": is_provisional,
            "edition": edition,
            "tiebreaks": [str(code) for code in codes],
            "empty": [{"tiebreak": label, "detail": lack} for label, lack in empty.items()],
            "rows": records,
        },
    )
