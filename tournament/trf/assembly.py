"""The tournament assembled from the player records and the other records.

This module decides what depends on several lines: the point system, awarded points, acceleration,
and whether the points of the file agree with the results. `rounds.py` finds the completed rounds.
"""

from collections.abc import Iterable, Mapping, Sequence
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
from tournament.standings.errors import CrosstableError, PointSystemError
from tournament.standings.points import PointSystem, format_decimal
from tournament.trf.errors import TrfError
from tournament.trf.player_record import PlayerRecord, UnplayedPairing, cell_column
from tournament.trf.records import Records
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
    """Return the tournament; raises TrfError for records that contradict each other."""
    by_number: dict[PlayerId, PlayerRecord] = {}
    for player in players:
        earlier = by_number.setdefault(player.competitor.number, player)
        if earlier is not player:
            detail = Text(
                "player %(number)s is already in line %(line)s",
                number=player.competitor.number,
                line=earlier.line,
            )
            raise TrfError(detail, player.line, 5, Text("each number once"))
    rounds = records.rounds or max(len(player.cells) for player in players)
    for player in players:
        if len(player.cells) > rounds:
            column = cell_column(rounds + 1)
            raise TrfError(
                Text("a result after the last round"),
                player.line,
                column,
                Text("%(rounds)s rounds", rounds=rounds),
            )
    completed = last_completed_round(players)
    points = _point_system(records)

    games_per_pairing = 2 if records.games else records.games_per_pairing
    unknown = {
        "kind": Kind.LOSS,
        "awarded": _unknown_units(records, points),
        "adjourned": True,
        "games": (Kind.LOSS,) * (games_per_pairing if games_per_pairing > 1 else 0),
    }
    results = {number: _results(player, completed, unknown) for number, player in by_number.items()}
    _complete_seats(results)
    _set_games(records, results, completed)
    announced = announced_byes(by_number, records, completed, rounds)
    fill_in_byes(records, results, completed)
    _award_points(by_number, records, results, points, completed)
    virtual = _virtual_points(by_number, records, points, rounds)
    competitors = {
        number: replace(player.competitor, results=tuple(results[number]), virtual=virtual[number])
        for number, player in by_number.items()
    }
    try:
        crosstable = Crosstable(
            players=in_order(competitors.values()),
            rounds=rounds,
            points=points,
            round_robin=round_robin,
            initial_seat=records.initial_seat,
            games_per_pairing=games_per_pairing,
        )
    except CrosstableError as error:
        line = by_number[error.player].line if error.player in by_number else 1
        column = 5 if error.round is None else cell_column(error.round)
        raise TrfError(error.detail, line, column, Text("matching player records")) from error

    byes = tuple(AnnouncedBye(r, kind, number) for (r, number), kind in sorted(announced.items()))
    pairings = open_pairings(by_number, announced, completed + 1)
    crosstable = _with_points_of_file(players, crosstable, byes, records)
    for line, group in records.forbidden:
        for number in group.players:
            find_player(by_number, number, line)
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


def _complete_seats(results: Mapping[PlayerId, list[RoundResult]]) -> None:
    """Give a forfeit without a colour the opposite of the opponent's colour."""
    for number, row in results.items():
        for index, result in enumerate(row):
            if result.seat is not None or result.opponent is None:
                continue
            opposite = results.get(result.opponent, [])
            if index < len(opposite) and opposite[index].opponent == number:
                seat = opposite[index].seat
                row[index] = replace(result, seat=seat and seat.other)


def _set_games(
    records: Records, results: Mapping[PlayerId, list[RoundResult]], completed: int
) -> None:
    """Set the games of pairings (record XXG); raises TrfError for players who were not paired."""
    for line, round_number, players, games in records.games:
        for player, opponent, own in zip(players, players[::-1], games, strict=True):
            row = results.get(player, [])
            if not 1 <= round_number <= min(completed, len(row)):
                detail = Text(
                    "games of player %(number)s in round %(round)s, which has no result",
                    number=player,
                    round=round_number,
                )
                raise TrfError(detail, line, 5, Text("a pairing with a result"))
            result = row[round_number - 1]
            if result.opponent != opponent:
                detail = Text(
                    "games of %(first)s and %(second)s, who were not paired in the round",
                    first=player,
                    second=opponent,
                )
                raise TrfError(detail, line, 9, Text("the players of a pairing"))
            row[round_number - 1] = replace(result, games=own)


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
    for awarded in records.awarded:
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
    virtual = {number: [0] * rounds for number in by_number}
    for line, worth, some_rounds, players in records.virtual_ranges:
        units = _units(worth, points, line, 10)
        for number in (number for number in by_number if number in players):
            for round_number in some_rounds[: rounds - some_rounds.start + 1]:
                virtual[number][round_number - 1] = units
    for number, (line, worths) in records.virtual.items():
        find_player(by_number, number, line)
        units_by_round = [_units(worth, points, line, 9) for worth in worths[:rounds]]
        virtual[number][: len(units_by_round)] = units_by_round
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
    wrong = _wrong_points(players, crosstable, byes)
    if wrong is None:
        return crosstable
    if not records.points:
        for system in USUAL_SYSTEMS:
            other = replace(crosstable, points=system)
            if _wrong_points(players, other, byes) is None:
                return other
    total = crosstable.points.format_units(crosstable.points_of(wrong.competitor.number))
    detail = Text(
        "%(points)s points, but the results give %(total)s",
        points=format_decimal(wrong.points or 0),
        total=total,
    )
    raise TrfError(detail, wrong.line, 81, total)


def _wrong_points(
    players: Iterable[PlayerRecord], crosstable: Crosstable, byes: Iterable[AnnouncedBye]
) -> PlayerRecord | None:
    """Return the first record whose points disagree.

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
            return player
    return None


def _units(worth: Fraction, points: PointSystem, line: int, column: int) -> int:
    units = worth * points.unit
    if units.denominator != 1:
        expected = Text("steps of 1/%(unit)s point", unit=points.unit)
        raise TrfError(Text("%(points)s points", points=float(worth)), line, column, expected)
    return int(units)
