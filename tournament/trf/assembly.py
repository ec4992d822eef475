"""The tournament assembled from the player records and the other records.

This module decides what depends on several lines: the point system, awarded points, acceleration,
and whether the points of the file agree with the results. `rounds.py` finds the completed rounds.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from games.rules.text import Text
from tournament.standings.crosstable import (
    ABSENT,
    Crosstable,
    Kind,
    PlayerId,
    RoundResult,
    in_order,
)
from tournament.standings.errors import PointSystemError
from tournament.standings.points import CLASSIC, PointSystem, format_decimal
from tournament.standings.results import find_contradictions
from tournament.trf.errors import MOST_ERRORS, TrfError, attempt, raise_first
from tournament.trf.player_record import PlayerRecord, UnplayedPairing, cell_column
from tournament.trf.records import AwardedPoints, Records
from tournament.trf.rounds import (
    announced_byes,
    fill_in_byes,
    find_player,
    last_completed_round,
    open_pairings,
)
from tournament.trf.trf_file import AnnouncedBye, TrfFile

USUAL_SYSTEMS = (
    PointSystem.from_points(pairing_bye=Fraction(1, 2)),
    PointSystem.from_points(win=3, draw=1),
    PointSystem.from_points(win=3, draw=1, pairing_bye=1),
    PointSystem.from_points(win=2, draw=1),
    PointSystem.from_points(win=3, draw=2, loss=1, forfeit_loss=0, zero_bye=0),
)
"""Tried in this order if a file without point records does not add up in the classic system."""


def assemble(players: Sequence[PlayerRecord], records: Records, *, round_robin: bool) -> TrfFile:
    """Return the tournament; raises TrfError with all records that contradict each other."""
    errors: list[TrfError] = []
    by_number: dict[PlayerId, PlayerRecord] = {}
    for player in players:
        earlier = by_number.setdefault(player.competitor.number, player)
        if earlier is not player:
            detail = Text(
                "player %(number)s is already in line %(line)s",
                number=player.competitor.number,
                line=earlier.line,
            )
            errors.append(TrfError(detail, player.line, 5, Text("each number once")))
    rounds = records.rounds or max(len(player.cells) for player in players)
    for player in players:
        if len(player.cells) > rounds:
            column = cell_column(rounds + 1)
            error = TrfError(
                Text("a result after the last round"),
                player.line,
                column,
                Text("%(rounds)s rounds", rounds=rounds),
            )
            errors.append(error)
    points = attempt(errors, _point_system, records) or CLASSIC
    raise_first(errors)
    completed = last_completed_round(players)
    games_per_pairing = 2 if records.games else records.games_per_pairing
    unknown = {
        "kind": Kind.LOSS,
        "awarded": attempt(errors, _unknown_units, records, points) or 0,
        "adjourned": True,
        "games": (Kind.LOSS,) * (games_per_pairing if games_per_pairing > 1 else 0),
    }
    results = {number: _results(player, completed, unknown) for number, player in by_number.items()}
    without_seat = _complete_seats(results)
    attempt(errors, _set_games, records, results, completed)
    announced = attempt(errors, announced_byes, by_number, records, completed, rounds)
    if announced is not None:
        fill_in_byes(records, results, completed)
    attempt(errors, _award_points, by_number, records, results, points, completed)
    pairings = attempt(errors, open_pairings, by_number, announced or {}, completed + 1) or ()
    for line, group in records.forbidden:
        for number in group.players:
            attempt(errors, find_player, by_number, number, line)
    for number in sorted(records.own.numbers):
        attempt(errors, find_player, by_number, number, records.own_line)
    virtual = attempt(errors, _virtual_points, by_number, records, points, rounds) or {}
    raise_first(errors)
    competitors = {
        number: replace(player.competitor, results=tuple(results[number]), virtual=virtual[number])
        for number, player in by_number.items()
    }
    table = in_order(competitors.values())
    numbers = {player.number: player for player in table}
    for found in find_contradictions(table, numbers, rounds, games_per_pairing):
        line = by_number[found.player].line if found.player in by_number else 1
        column = 5 if found.round is None else cell_column(found.round)
        errors.append(TrfError(found.detail, line, column, Text("matching player records")))
        if len(errors) >= MOST_ERRORS:
            break
    raise_first(errors)
    crosstable = Crosstable(
        players=table,
        rounds=rounds,
        points=points,
        round_robin=round_robin,
        initial_seat=records.initial_seat,
        games_per_pairing=games_per_pairing,
        unrated=records.own.unrated,
        decided=tuple(tie.decided for tie in records.own.ties),
        unranked=frozenset(records.own.expelled),
        is_checked=True,
    )

    byes = tuple(
        AnnouncedBye(r, kind, number) for (r, number), kind in sorted((announced or {}).items())
    )
    crosstable = _with_points_of_file(players, crosstable, byes, records)
    return TrfFile(
        crosstable=crosstable,
        ranks={player.competitor.number: player.rank for player in players if player.rank},
        tiebreaks=records.tiebreaks,
        system=records.system,
        byes=byes,
        open_pairings=pairings,
        forbidden=tuple(
            replace(group, last=group.last or rounds) for _, group in records.forbidden
        ),
        struck=tuple(number for number in records.struck if number in by_number),
        own=records.own,
        without_seat=without_seat,
    )


def _unknown_units(records: Records, points: PointSystem) -> int:
    """Return the units of a game without a result, by default those of a draw."""
    if records.unknown_points is None:
        return points.draw
    return _units(records.unknown_points, points, records.points_line, 4)


def _results(player: PlayerRecord, completed: int, unknown: Mapping[str, Any]) -> list[RoundResult]:
    """Return the completed rounds; a pairing without a result was adjourned."""
    return [
        RoundResult(opponent=cell.opponent, seat=cell.seat, **unknown)
        if isinstance(cell, UnplayedPairing)
        else cell or ABSENT
        for cell in player.cells[:completed]
    ]


def _complete_seats(
    results: Mapping[PlayerId, list[RoundResult]],
) -> frozenset[tuple[int, PlayerId]]:
    """Give a forfeit without a colour the opposite of the opponent's; return round and player."""
    completed = set()
    for number, row in results.items():
        for index, result in enumerate(row):
            if result.seat is not None or result.opponent is None:
                continue
            opposite = results.get(result.opponent, [])
            if index < len(opposite) and opposite[index].opponent == number:
                seat = opposite[index].seat
                row[index] = replace(result, seat=seat and seat.other)
                if seat:
                    completed.add((index + 1, number))
    return frozenset(completed)


def _set_games(
    records: Records, results: Mapping[PlayerId, list[RoundResult]], completed: int
) -> None:
    """Set the games of pairings (record XXG); raises TrfError for players who were not paired."""
    errors = []
    for line, round_number, players, games in records.games:
        for player, opponent, own in zip(players, players[::-1], games, strict=True):
            row = results.get(player, [])
            if not 1 <= round_number <= min(completed, len(row)):
                detail = Text(
                    "games of player %(number)s in round %(round)s, which has no result",
                    number=player,
                    round=round_number,
                )
                errors.append(TrfError(detail, line, 5, Text("a pairing with a result")))
                break
            result = row[round_number - 1]
            if result.opponent != opponent:
                detail = Text(
                    "games of %(first)s and %(second)s, who were not paired in the round",
                    first=player,
                    second=opponent,
                )
                errors.append(TrfError(detail, line, 9, Text("the players of a pairing")))
                break
            row[round_number - 1] = replace(result, games=own)
    raise_first(errors)


def _point_system(records: Records) -> PointSystem:
    try:
        return PointSystem.from_points(**records.points)
    except PointSystemError as error:
        raise TrfError(str(error), records.points_line, 4, Text("consistent points")) from error


def _award_points(
    by_number: Mapping[PlayerId, PlayerRecord],
    records: Records,
    results: Mapping[PlayerId, list[RoundResult]],
    points: PointSystem,
    completed: int,
) -> None:
    errors: list[TrfError] = []
    for awarded in records.awarded:
        attempt(errors, _award, awarded, by_number, results, points, completed)
    raise_first(errors)


def _award(
    awarded: AwardedPoints,
    by_number: Mapping[PlayerId, PlayerRecord],
    results: Mapping[PlayerId, list[RoundResult]],
    points: PointSystem,
    completed: int,
) -> None:
    units = _units(awarded.points, points, awarded.line, 14)
    if awarded.round > completed:
        detail = Text("points in round %(round)s, which has no results", round=awarded.round)
        raise TrfError(detail, awarded.line, 20, Text("a round with results"))
    for number in awarded.players:
        find_player(by_number, number, awarded.line)
        row = results[number]
        row.extend([ABSENT] * (awarded.round - len(row)))
        result = row[awarded.round - 1]
        earlier = points.units_of(result.kind) if result.awarded is None else result.awarded
        total = units + earlier if awarded.is_addition else units
        row[awarded.round - 1] = replace(result, awarded=total)


def _virtual_points(
    by_number: Mapping[PlayerId, PlayerRecord], records: Records, points: PointSystem, rounds: int
) -> dict[PlayerId, tuple[int, ...]]:
    errors: list[TrfError] = []
    virtual = {number: [0] * rounds for number in by_number}
    for line, worth, some_rounds, players in records.virtual_ranges:
        units = attempt(errors, _units, worth, points, line, 10) or 0
        for number in (number for number in by_number if number in players):
            for round_number in some_rounds[: rounds - some_rounds.start + 1]:
                virtual[number][round_number - 1] = units
    for number, (line, worths) in records.virtual.items():
        if attempt(errors, find_player, by_number, number, line):
            units_by_round = [
                attempt(errors, _units, worth, points, line, 9 + 5 * index) or 0
                for index, worth in enumerate(worths[:rounds])
            ]
            virtual[number][: len(units_by_round)] = units_by_round
    raise_first(errors)
    return {number: _without_trailing_zeros(units) for number, units in virtual.items()}


def _without_trailing_zeros(units: list[int]) -> tuple[int, ...]:
    last = max((index for index, worth in enumerate(units) if worth), default=-1)
    return tuple(units[: last + 1])


def _with_points_of_file(
    players: Sequence[PlayerRecord],
    crosstable: Crosstable,
    byes: Sequence[AnnouncedBye],
    records: Records,
) -> Crosstable:
    """Return the crosstable with the first point system that gives the points of the file."""
    if not any(_wrong_points(players, crosstable, byes)):
        return crosstable
    if not records.points:
        for system in USUAL_SYSTEMS:
            other = replace(crosstable, points=system)
            if not any(_wrong_points(players, other, byes)):
                return other
    errors = []
    for wrong in _wrong_points(players, crosstable, byes):
        total = crosstable.points.format_units(crosstable.points_of(wrong.competitor.number))
        detail = Text(
            "%(points)s points, but the results give %(total)s",
            points=format_decimal(wrong.points or 0),
            total=total,
        )
        errors.append(TrfError(detail, wrong.line, 81, total))
    raise_first(errors)
    return crosstable


def _wrong_points(
    players: Iterable[PlayerRecord], crosstable: Crosstable, byes: Iterable[AnnouncedBye]
) -> Iterator[PlayerRecord]:
    """Yield the records whose points disagree.

    They may include no announced byes, those of its cells, or all.
    """
    announced: dict[PlayerId, int] = {}
    for bye in byes:
        units = crosstable.points.units_of(bye.kind)
        announced[bye.player] = announced.get(bye.player, 0) + units
    for player in players:
        number = player.competitor.number
        units = crosstable.points_of(number)
        in_cells = sum(
            crosstable.points.units_of(cell.kind)
            for cell in player.cells[crosstable.completed :]
            if isinstance(cell, RoundResult)
        )
        possible = (units, units + in_cells, units + announced.get(number, 0))
        if player.points is not None and player.points * crosstable.points.unit not in possible:
            yield player


def _units(worth: Fraction, points: PointSystem, line: int, column: int) -> int:
    units = worth * points.unit
    if units.denominator != 1:
        expected = Text("steps of 1/%(unit)s point", unit=points.unit)
        raise TrfError(Text("%(points)s points", points=float(worth)), line, column, expected)
    return int(units)
