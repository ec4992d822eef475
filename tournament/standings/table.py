"""The table on the wall: players ranked by an event's list of tie-breaks, and its written forms.

Groups start as everybody; each code in turn splits the groups still level, best first (C.07 4.2).
An undefined value is last in its group. What is level to the end shares its rank: 1 2 2 4.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ratings.systems.lists import without_formula
from tournament.standings.crosstable import Crosstable, PlayerId
from tournament.standings.points import format_decimal
from tournament.standings.tiebreaks import TIEBREAKS, ScoreTable, TiebreakCode, parse_codes
from tournament.standings.tiebreaks.score_table import Cut, Number, Tally, Why

Value = int | Fraction | None


@dataclass(frozen=True, slots=True)
class TiebreakTerm:
    """One part of a value, in points, rating or games: what was counted, adjusted, cut."""

    round: int
    opponent: PlayerId | None
    basis: Value
    value: Value
    why: Why
    cut: Cut | None

    def as_json(self) -> dict[str, Any]:
        """Give the JSON form; numbers as exact decimal text."""
        return {
            "round": self.round,
            "opponent": self.opponent,
            "basis": format_value(self.basis),
            "value": format_value(self.value),
            "why": str(self.why),
            "cut": None if self.cut is None else str(self.cut),
        }


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One player's line: `values` by column label, in points; `terms` says how each came about."""

    rank: int
    number: PlayerId
    name: str
    values: Mapping[str, Value]
    _tallies: Mapping[str, tuple[Tally, TiebreakCode]]
    _unit: int

    def terms(self, label: str) -> tuple[TiebreakTerm, ...]:
        """Give the parts of a value, by round."""
        tally, code = self._tallies[label]
        tiebreak = TIEBREAKS[code.name]
        basis_scale = self._unit**tiebreak.basis_power
        value_scale = self._unit**tiebreak.element_power
        return tuple(
            TiebreakTerm(
                round=element.round,
                opponent=element.opponent,
                basis=_scaled(element.basis, basis_scale),
                value=_scaled(element.value, value_scale),
                why=element.why,
                cut=tally.cuts.get(index),
            )
            for index, element in enumerate(tally.elements)
        )


def rank(
    crosstable: Crosstable,
    codes: Sequence[str | TiebreakCode] | str,
    *,
    unrated: int | None = None,
) -> tuple[StandingsRow, ...]:
    """Rank the players by a list of codes; rows by rank, then number.

    `unrated` is the rating the regulations published for unrated players. While an event runs the
    last completed round counts as the last. Raises TiebreakError for a list that will not do.
    """
    texts = codes if isinstance(codes, str) else [str(code) for code in codes]
    columns = label_columns(parse_codes(texts, round_robin=crosstable.round_robin))
    ledger = ScoreTable(crosstable, unrated=unrated)
    everybody = [player.number for player in crosstable.players]

    tallies: dict[str, Mapping[PlayerId, Tally]] = {}
    groups = [everybody] if everybody else []
    for label, code in columns.items():
        tiebreak = TIEBREAKS[code.name]
        ascending = tiebreak.is_ascending != code.is_reversed
        if tiebreak.sees_group:
            found: dict[PlayerId, Tally] = {}
            for group in groups:
                found |= tiebreak.compute(ledger, group, code)
        else:
            found = tiebreak.compute(ledger, everybody, code)
        tallies[label] = found
        groups = [part for group in groups for part in _split(group, found, ascending)]

    unit = crosstable.points.unit
    scales = {label: unit ** TIEBREAKS[code.name].power for label, code in columns.items()}
    rows = []
    place = 1
    for group in groups:
        for number in group:
            own = {label: tallies[label][number] for label in columns}
            rows.append(
                StandingsRow(
                    rank=place,
                    number=number,
                    name=crosstable.by_number[number].name,
                    values={
                        label: _scaled(tally.value, scales[label]) for label, tally in own.items()
                    },
                    _tallies={label: (tally, columns[label]) for label, tally in own.items()},
                    _unit=unit,
                )
            )
        place += len(group)
    return tuple(rows)


def label_columns(codes: Iterable[TiebreakCode]) -> dict[str, TiebreakCode]:
    """Name the columns of a list; a second DE becomes `DE (2)`."""
    columns: dict[str, TiebreakCode] = {}
    for code in codes:
        label = str(code)
        seen = sum(other == code for other in columns.values())
        columns[f"{label} ({seen + 1})" if seen else label] = code
    return columns


def points_value(crosstable: Crosstable, units: int) -> Value:
    """Turn units into points, a whole number where it is one."""
    return _scaled(units, crosstable.points.unit)


def format_value(value: Value) -> str:
    """Write a value exactly, to six places; an undefined one is empty."""
    return "" if value is None else format_decimal(value)


def table_csv(
    rows: Sequence[StandingsRow],
    *,
    labels: Iterable[str] | None = None,
    byte_order_mark: bool = False,
) -> str:
    """Write rows as CSV: `rank,id,name,` then a column a code; LF line ends.

    `labels` name the columns when there may be no row to tell. A name that a spreadsheet would
    read as a formula gets an apostrophe before it.
    """
    if labels is None:
        labels = rows[0].values if rows else ()
    lines: list[list[object]] = [["rank", "id", "name", *labels]]
    for row in rows:
        values = (format_value(value) for value in row.values.values())
        lines.append([row.rank, row.number, without_formula(row.name), *values])
    return csv_text(lines, byte_order_mark=byte_order_mark)


def csv_text(lines: Iterable[Sequence[object]], *, byte_order_mark: bool = False) -> str:
    """Write cells as CSV with LF line ends; text of strangers must be disarmed before."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(lines)
    return ("\ufeff" if byte_order_mark else "") + written.getvalue()


def table_json(rows: Iterable[StandingsRow], *, with_terms: bool = False) -> list[dict[str, Any]]:
    """Give rows as JSON values; numbers are exact decimal text, undefined ones null."""
    listed = []
    for row in rows:
        item: dict[str, Any] = {
            "rank": row.rank,
            "id": row.number,
            "name": row.name,
            "values": {
                label: None if value is None else format_decimal(value)
                for label, value in row.values.items()
            },
        }
        if with_terms:
            item["terms"] = {
                label: [term.as_json() for term in row.terms(label)] for label in row.values
            }
        listed.append(item)
    return listed


def _split(
    group: list[PlayerId], tallies: Mapping[PlayerId, Tally], ascending: bool
) -> list[list[PlayerId]]:
    if len(group) == 1:
        return [group]
    by_value: dict[Number, list[PlayerId]] = {}
    undefined = []
    for number in group:
        value = tallies[number].value
        if value is None:
            undefined.append(number)
        else:
            by_value.setdefault(value, []).append(number)
    parts = [by_value[value] for value in sorted(by_value, reverse=not ascending)]
    return [*parts, undefined] if undefined else parts


def _scaled(value: Number | None, scale: int) -> Value:
    if value is None or scale == 1:
        return value
    if isinstance(value, int) and value % scale == 0:
        return value // scale
    exact = Fraction(value) / scale
    return exact.numerator if exact.denominator == 1 else exact
