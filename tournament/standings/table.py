"""The standings table: players ranked by an event's list of tie-breaks.

All players start as one tied group; each code in turn splits the groups that are still tied, best
value first (C.07 4.2). Undefined values come last in their group. A code that the table lacks
something for has no values at all, and splits nothing: `find_empty_columns` says why. Players who
are tied after the last code have the order that the director decided, or share a rank: 1 2 2 4.

If nobody is left in a bracket, nobody has won it, and a ranking by STAGE has no first place: the
players who went out in the final share rank 2, those of the semi-finals have rank 3, then 5.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from games.rules.text import Text
from tournament.standings.crosstable import Crosstable, PlayerId
from tournament.standings.points import Number, format_decimal, to_points
from tournament.standings.tiebreaks import (
    TIEBREAKS,
    ScoreTable,
    Tiebreak,
    TiebreakCode,
    parse_codes,
)
from tournament.standings.tiebreaks.values import Numbers, TiebreakTerm, Values


@dataclass(frozen=True, slots=True)
class _Source:
    """What the terms of a column come from: its values, or the table if there are only numbers."""

    tiebreak: Tiebreak
    code: TiebreakCode
    table: ScoreTable
    values: Values

    def terms_of(self, number: PlayerId) -> tuple[TiebreakTerm, ...]:
        """Return the terms of a player's value, in units."""
        values = self.values or self.tiebreak.compute(self.table, [number], self.code)
        return values[number].terms


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A player's row: `values` by column label, in points; None is an undefined value.

    `_texts` are the values as text, where they are known.
    """

    rank: int
    number: PlayerId
    name: str
    values: Mapping[str, Number | None]
    _texts: Mapping[str, str | None] = field(default_factory=dict, compare=False, repr=False)
    _sources: Mapping[str, _Source] = field(default_factory=dict, compare=False, repr=False)
    _unit: int = 1

    def terms(self, label: str) -> tuple[TiebreakTerm, ...]:
        """Return the terms of a value in order of rounds, in points."""
        source = self._sources[label]
        basis_scale = self._unit**source.tiebreak.scale.basis
        value_scale = self._unit**source.tiebreak.scale.term
        return tuple(
            term._replace(
                basis=to_points(term.basis, basis_scale), value=to_points(term.value, value_scale)
            )
            for term in source.terms_of(self.number)
        )

    def values_as_json(self) -> dict[str, str | None]:
        """Return the values as exact decimal text; an undefined value is null."""
        return dict(self._texts) or {
            label: None if value is None else format_decimal(value)
            for label, value in self.values.items()
        }

    def terms_as_json(self) -> dict[str, list[dict[str, Any]]]:
        """Return the terms of all values."""
        return {label: [term.as_json() for term in self.terms(label)] for label in self.values}


def rank(
    crosstable: Crosstable, codes: Sequence[str | TiebreakCode] | str
) -> tuple[StandingsRow, ...]:
    """Rank the players by a list of codes; the rows are ordered by rank, then number.

    In an unfinished event, the last completed round counts as the last round. Raises TiebreakError
    for an invalid list.
    """
    texts = codes if isinstance(codes, str) else [str(code) for code in codes]
    parsed = parse_codes(texts, round_robin=crosstable.round_robin)
    columns = label_columns(parsed)
    table = ScoreTable(crosstable)
    numbers = crosstable.ranked

    sources: dict[str, _Source] = {}
    columns_of_numbers: list[Numbers] = []
    groups = [numbers] if numbers else []
    for label, code in columns.items():
        tiebreak = TIEBREAKS[code.name]
        values: Values = {}
        if tiebreak.numbers is not None:
            own_numbers = tiebreak.numbers(table, numbers, code)
        else:
            for group in groups if tiebreak.depends_on_group else [numbers]:
                values |= tiebreak.compute(table, group, code)
            own_numbers = {number: value.number for number, value in values.items()}
        sources[label] = _Source(tiebreak, code, table, values)
        columns_of_numbers.append(own_numbers)
        is_ascending = tiebreak.is_ascending != code.is_reversed
        groups = [part for group in groups for part in _split(group, own_numbers, is_ascending)]

    groups = _decide(crosstable, groups)
    order = [number for group in groups for number in group]
    places = list(accumulate([1, *map(len, groups)]))[: len(groups)]
    if parsed[:1] == (TiebreakCode("STAGE"),) and _has_no_winner(crosstable):
        places = _places_by_stage(crosstable, groups, places)
    ranks = [place for place, group in zip(places, groups, strict=True) for _ in group]
    unit = crosstable.points.unit
    columns_of_points = [
        _points_and_texts(
            [own_numbers[number] for number in order], unit**source.tiebreak.scale.value
        )
        for own_numbers, source in zip(columns_of_numbers, sources.values(), strict=True)
    ]
    labels = tuple(sources)
    values_of_rows = zip(*[values for values, _ in columns_of_points], strict=True)
    texts_of_rows = zip(*[texts for _, texts in columns_of_points], strict=True)
    return tuple(
        [
            StandingsRow(
                rank=place,
                number=number,
                name=crosstable.by_number[number].name,
                values=dict(zip(labels, own_values, strict=True)),
                _texts=dict(zip(labels, texts, strict=True)),
                _sources=sources,
                _unit=unit,
            )
            for place, number, own_values, texts in zip(
                ranks, order, values_of_rows, texts_of_rows, strict=True
            )
        ]
    )


def _has_no_winner(crosstable: Crosstable) -> bool:
    """Return True if all players of a bracket are out."""
    reached = [player.progress for player in crosstable.players if player.progress]
    return bool(reached) and all(progress.lost_to for progress in reached)


def _places_by_stage(
    crosstable: Crosstable, groups: Sequence[Sequence[PlayerId]], places: Sequence[int]
) -> list[int]:
    """Return the places of groups, those of a stage behind all who could have gone further."""
    moved: list[int] = []
    stage, offset = 0, 0
    for group, place in zip(groups, places, strict=True):
        progress = crosstable.by_number[group[0]].progress
        if progress and progress.place != stage:
            stage = progress.place
            offset = max(0, stage - place)
        moved.append(place + (offset if progress else 0))
    return moved


def _points_and_texts(
    numbers: Sequence[Number | None], scale: int
) -> tuple[list[Number | None], list[str | None]]:
    """Return numbers of units in points, and as text; each value that occurs is divided once."""
    points = {number: to_points(number, scale) for number in {*numbers} - {None}}
    texts = {number: format_decimal(value) for number, value in points.items()}
    return list(map(points.get, numbers)), list(map(texts.get, numbers))


def rank_groups(
    crosstable: Crosstable, codes: Sequence[str | TiebreakCode] | str
) -> tuple[tuple[PlayerId, ...], ...]:
    """Return the players in the order of `rank`, in groups that share a rank, without values.

    Raises TiebreakError for an invalid list. It is faster than `rank`, because it computes a value
    only for players who are still tied.
    """
    texts = codes if isinstance(codes, str) else [str(code) for code in codes]
    table = ScoreTable(crosstable)
    groups = [crosstable.ranked] if crosstable.ranked else []
    for code in parse_codes(texts, round_robin=crosstable.round_robin):
        tiebreak = TIEBREAKS[code.name]
        is_ascending = tiebreak.is_ascending != code.is_reversed
        tied = [group for group in groups if len(group) > 1]
        if not tied:
            break
        own_numbers: Numbers = {}
        together = [number for group in tied for number in group]
        for group in tied if tiebreak.depends_on_group else [together]:
            if tiebreak.numbers is not None:
                own_numbers |= tiebreak.numbers(table, group, code)
            else:
                values = tiebreak.compute(table, group, code)
                own_numbers |= {number: value.number for number, value in values.items()}
        groups = [part for group in groups for part in _split(group, own_numbers, is_ascending)]
    return tuple(map(tuple, _decide(crosstable, groups)))


def _decide(crosstable: Crosstable, groups: list[list[PlayerId]]) -> list[list[PlayerId]]:
    """Split the tied groups that the director decided."""
    decided = {
        frozenset(tie.players): tie.players
        for tie in crosstable.decided
        if tie.after == crosstable.completed
    }
    if not decided:
        return groups
    return [
        part
        for group in groups
        for part in ([[number] for number in decided.get(frozenset(group), ())] or [group])
    ]


def find_empty_columns(crosstable: Crosstable, codes: Iterable[TiebreakCode]) -> dict[str, Text]:
    """Return what the crosstable lacks for a column, by label; it has no values for anybody.

    The players in it are pairing numbers, as in a finding.
    """
    if not crosstable.players:
        return {}
    table = ScoreTable(crosstable)
    lacks = {
        label: find_lack(table)
        for label, code in label_columns(codes).items()
        if (find_lack := TIEBREAKS[code.name].find_lack)
    }
    return {label: lack for label, lack in lacks.items() if lack}


def label_columns(codes: Iterable[TiebreakCode]) -> dict[str, TiebreakCode]:
    """Return the codes by column label; the second DE of a list is labelled `DE (2)`."""
    columns: dict[str, TiebreakCode] = {}
    for code in codes:
        label = str(code)
        count = sum(other == code for other in columns.values())
        columns[f"{label} ({count + 1})" if count else label] = code
    return columns


def _split(group: list[PlayerId], numbers: Numbers, is_ascending: bool) -> list[list[PlayerId]]:
    if len(group) == 1:
        return [group]
    by_value: dict[Number, list[PlayerId]] = {}
    undefined = []
    for number in group:
        value = numbers[number]
        if value is None:
            undefined.append(number)
        else:
            by_value.setdefault(value, []).append(number)
    parts = [by_value[value] for value in sorted(by_value, reverse=not is_ascending)]
    return [*parts, undefined] if undefined else parts
