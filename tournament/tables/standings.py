"""The standings: CSV columns `rank,number,name`, tie-breaks, `withdrawn`, `corrections`.

The tie-breaks are in the event's order; `number` is the pairing number, `corrections` has the
numbers of those that changed a result, a bye or the entry.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from games.core.serializers import PointsTextField
from games.core.tables.table import Column, ColumnKind, TableDocument
from games.rules.messages import gettext_noop
from tournament.core.rankings import Table
from tournament.core.serializers import ListedEntrySerializer, NumbersSerializer
from tournament.tables.headings import TableHeadSerializer, heading_of
from tournament.tables.notes import (
    CORRECTIONS_COLUMN,
    WITHDRAWN_COLUMN,
    AdjournedGameSerializer,
    EmptyColumnSerializer,
    ExpelledEntrySerializer,
    adjourned_as_json,
    adjourned_notes,
    corrections_field,
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
from tournament.tables.ranking import COLUMNS

SHEET_COLUMNS = (
    Column("country", gettext_noop("Country"), ColumnKind.TEXT),
    Column("rating", gettext_noop("Rating")),
    Column("state", gettext_noop("State"), ColumnKind.TEXT),
)

TIEBREAK_HEADINGS = {
    "PTS": gettext_noop("Points"),
    "STAGE": gettext_noop("Ties won"),
    "LOST": gettext_noop("Lost to place"),
}
"""What stands instead of a code that no club knows."""


def standings_document(table: Table, *, with_terms: bool = False) -> TableDocument:
    """Return the standings; `with_terms` adds to the JSON what each value consists of."""
    labels = table.labels
    competitors = table.crosstable.by_number
    withdrawn, corrections = set(withdrawn_numbers(table)), numbers_of_corrections(table)
    records: list[dict[str, Any]] = [
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
    heading = heading_of(table, gettext("Standings"))
    return TableDocument(
        heading=heading,
        columns=(
            *COLUMNS,
            *SHEET_COLUMNS,
            *(Column(label, TIEBREAK_HEADINGS.get(label, label)) for label in labels),
            WITHDRAWN_COLUMN,
            CORRECTIONS_COLUMN,
        ),
        records=records,
        people=[table.entry_as_json(number) for number in table.players],
        cells=lambda record: (
            record["rank"],
            record["number"],
            record["player"]["name"],
            record["player"]["country"] or "",
            record["seed_rating"] or "",
            gettext("withdrawn") if record["withdrawn"] else "",
            *(text or "" for text in record["values"].values()),
            "yes" if record["withdrawn"] else "",
            " ".join(map(str, record["corrections"])),
        ),
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
        body={
            **heading.members,
            "adjourned": adjourned_as_json(table),
            "tiebreaks": list(labels),
            "empty": empty_columns_as_json(table),
            "decided": decided_ties_as_json(table),
            "expelled": expelled_as_json(table),
            "rows": records,
        },
    )


def _known_columns(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield which of country and rating any player has."""
    if any(record["player"]["country"] for record in records):
        yield "country"
    if any(record["seed_rating"] for record in records):
        yield "rating"
    if any(record["withdrawn"] for record in records):
        yield "state"


class TermSerializer(serializers.Serializer):
    round = serializers.IntegerField(
        allow_null=True, help_text="null for a part that belongs to no round"
    )
    number = serializers.IntegerField(
        allow_null=True, help_text="the opponent's pairing number; null without one"
    )
    basis = PointsTextField(help_text="what the value is computed from, as an opponent's score")
    value = PointsTextField(
        help_text="what counts unless it is cut: a part of the sum or mean, the points of a game"
    )
    why = serializers.CharField()
    cut = serializers.CharField(allow_null=True)


class StandingsRowSerializer(ListedEntrySerializer):
    rank = serializers.IntegerField()
    seed_rating = serializers.IntegerField(allow_null=True, help_text="null: unrated")
    withdrawn = serializers.BooleanField(help_text="now, also in an earlier round")
    corrections = corrections_field()
    values = serializers.DictField(
        child=PointsTextField(allow_null=True),
        help_text="exact decimals by tie-break code, null where a value is undefined",
    )
    terms = serializers.DictField(
        child=TermSerializer(many=True), required=False, help_text="by code, with ?terms=1"
    )


class StandingsSerializer(TableHeadSerializer):
    adjourned = AdjournedGameSerializer(many=True)
    tiebreaks = serializers.ListField(child=serializers.CharField())
    empty = EmptyColumnSerializer(
        many=True, help_text="tie-breaks that nobody has a value of: they decide nothing"
    )
    decided = NumbersSerializer(
        many=True, help_text="tied players, in the order that the director decided"
    )
    expelled = ExpelledEntrySerializer(
        many=True, help_text="who is not ranked; their results count for the opponents"
    )
    rows = StandingsRowSerializer(many=True)
