"""The standings: CSV columns `rank,number,name`, tie-breaks, `withdrawn`, `corrections`.

The tie-breaks are in the event's order; `number` is the pairing number, `corrections` has the
numbers of those that changed a result, a bye or the entry.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict, cast

from django.utils.translation import gettext

from games.core.tables.html import Dress
from games.core.tables.table import Column, ColumnKind, TableDocument
from games.rules.messages import gettext_noop
from tournament.core.dress import medal, with_arrow
from tournament.core.rankings import Table
from tournament.core.references import NumberedEntry
from tournament.pairing.differences import PairedNumbers
from tournament.tables.headings import TableHead, heading_of, table_head
from tournament.tables.notes import (
    CORRECTIONS_COLUMN,
    STATE_COLUMN,
    WITHDRAWN_COLUMN,
    AdjournedGame,
    Corrections,
    EmptyColumn,
    ExpelledEntry,
    Withdrawn,
    adjourned_as_json,
    adjourned_notes,
    decided_tie_notes,
    decided_ties_as_json,
    edition_notes,
    empty_column_notes,
    empty_columns_as_json,
    expelled_as_json,
    expelled_notes,
    numbers_of_corrections,
    withdrawn_numbers,
)
from tournament.tables.ranking import COLUMNS, value_columns

SHEET_COLUMNS = (
    Column("country", gettext_noop("Country"), ColumnKind.TEXT, of="player.country"),
    Column("rating", gettext_noop("Rating"), of="seed_rating"),
    STATE_COLUMN,
)

TIEBREAK_HEADINGS = {
    "PTS": gettext_noop("Points"),
    "STAGE": gettext_noop("Pairings won"),
    "LOST": gettext_noop("Lost to place"),
}
"""What stands instead of a code that no club knows."""


class StandingsTerm(TypedDict):
    """A part of a value."""

    round: Annotated[int | None, "null for a part that belongs to no round"]
    number: Annotated[int | None, "the opponent's pairing number"]
    basis: Annotated[str, "from which the value follows: a score"]
    value: Annotated[str, "what counts, unless it is cut"]
    why: str
    cut: str | None


Values: TypeAlias = Annotated[
    dict[str, str | None], "exact decimals by tie-break code, null where a value is undefined"
]


class StandingsLine(NumberedEntry):
    """A player in the standings."""

    rank: int
    seed_rating: Annotated[int | None, "null: unrated"]
    withdrawn: Withdrawn
    corrections: Corrections
    values: Values
    terms: NotRequired[dict[str, list[StandingsTerm]]]


class Ranked(TableHead):
    """What the tables that rank players by tie-breaks say of them."""

    tiebreaks: list[str]
    empty: list[EmptyColumn]
    decided: Annotated[list[PairedNumbers], "ties, as the director decided them"]
    expelled: list[ExpelledEntry]


class Standings(Ranked):
    """The standings after a round."""

    adjourned: list[AdjournedGame]
    rows: list[StandingsLine]


def standings_document(table: Table, *, with_terms: bool = False) -> TableDocument:
    """Return the standings; `with_terms` adds to the JSON what each value consists of."""
    labels = table.labels
    competitors = table.crosstable.by_number
    withdrawn, corrections = set(withdrawn_numbers(table)), numbers_of_corrections(table)
    lines = [
        {
            "rank": row.rank,
            **table.entry_as_json(row.number),
            "seed_rating": competitors[row.number].rating or None,
            "withdrawn": row.number in withdrawn,
            "corrections": corrections.get(table.entries[row.number], []),
            "values": row.values_as_json(),
            **({"terms": row.terms_as_json()} if with_terms else {}),
        }
        for row in table.rows
    ]
    records = cast("list[StandingsLine]", lines)
    body: Standings = {
        **table_head(table),
        "adjourned": adjourned_as_json(table),
        "tiebreaks": list(labels),
        "empty": empty_columns_as_json(table),
        "decided": decided_ties_as_json(table),
        "expelled": expelled_as_json(table),
        "rows": records,
    }
    return TableDocument(
        heading=heading_of(table, gettext("Standings")),
        columns=(
            *COLUMNS,
            *SHEET_COLUMNS,
            *value_columns({label: TIEBREAK_HEADINGS.get(label, label) for label in labels}),
            WITHDRAWN_COLUMN,
            CORRECTIONS_COLUMN,
        ),
        records=records,
        people=[table.entry_as_json(number) for number in table.players],
        csv=("rank", "number", "name", *labels, "withdrawn", "corrections"),
        page=("rank", "number", "name", *labels, *_known_columns(records)),
        sheet=(
            *("rank", "number", "name", "country", "rating"),
            *(["state"] if withdrawn else []),
            *labels,
        ),
        notes=(
            *adjourned_notes(table),
            *empty_column_notes(table),
            *decided_tie_notes(table),
            *expelled_notes(table),
            *edition_notes(table),
        ),
        body=body,
    )


def dress_of_standings(table: Table) -> Dress:
    """Return what a page shows beside: medals, countries, and arrows since the last round."""
    return {
        "rank": medal if table.through else lambda _, html: html,
        "name": with_arrow(table.earlier_ranks),
    }


def _known_columns(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield which of country and rating any player has."""
    if any(record["player"]["country"] for record in records):
        yield "country"
    if any(record["seed_rating"] for record in records):
        yield "rating"
    if any(record["withdrawn"] for record in records):
        yield "state"
