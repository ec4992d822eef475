"""Writing the records around the players: rounds, points, type, tie-breaks, byes, acceleration."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from games.rules.seat import Seat
from tournament.standings.crosstable import Crosstable, Kind, PlayerId
from tournament.standings.points import CLASSIC, PointSystem, complete_points
from tournament.trf.columns import LETTER_OF_AWARD, LETTER_OF_BYE, fit_text, format_points
from tournament.trf.point_readers import POINTS_BB, POINTS_XXS, UNKNOWN_RESULT
from tournament.trf.trf_file import AnnouncedBye, ForbiddenGroup, TrfFile

POINTS_26 = {
    "W": "win",
    "D": "draw",
    "L": "loss",
    "A": "zero_bye",
    "P": "pairing_bye",
}


def event_records_16(trf: TrfFile) -> Iterator[str]:
    """Write the records about the event of TRF16, and those of TRF26 that TRF16 lacks."""
    crosstable = trf.crosstable
    yield f"XXR {crosstable.rounds}"
    if crosstable.initial_seat is not None:
        yield f"XXC {'white1' if crosstable.initial_seat is Seat.FIRST else 'black1'}"
    points = {}
    if crosstable.points != CLASSIC:
        for code, (name,) in POINTS_BB.items():
            points[name] = _points(crosstable.points, name)
            yield f"{code} {format_points(points[name])}"
    yield from _record_162(_unknown_points(crosstable))
    others = _other_points(crosstable.points, points)
    if others:
        codes = {name: code for code, (name,) in POINTS_XXS.items()}
        entries = (f"{codes[name]}={format_points(others[name]).strip()}" for name in others)
        yield f"XXS {' '.join(entries)}"
    yield from _encoded_settings(trf, trf.system)


def event_records_26(trf: TrfFile) -> Iterator[str]:
    """Write the records about the event of TRF26."""
    crosstable = trf.crosstable
    yield f"142 {crosstable.rounds}"
    if crosstable.initial_seat is not None:
        yield f"152 {'W' if crosstable.initial_seat is Seat.FIRST else 'B'}"
    points, entries = {}, {}
    if crosstable.points != CLASSIC:
        points = {name: _points(crosstable.points, name) for name in POINTS_26.values()}
        entries = {letter: points[name] for letter, name in POINTS_26.items()}
        points["forfeit_loss"] = points["zero_bye"]
    yield from _record_162(entries | _unknown_points(crosstable))
    for name, worth in _other_points(crosstable.points, points).items():
        yield f"299 {LETTER_OF_AWARD[Kind[name.upper()]]}        {format_points(worth)}"
    system = trf.system or ("CUSTOM_ROUNDROBIN" if crosstable.round_robin else "")
    yield from _encoded_settings(trf, system)


def _record_162(points: Mapping[str, Fraction]) -> Iterator[str]:
    if points:
        entries = (f"{letter}{format_points(worth)}" for letter, worth in points.items())
        yield "162  " + "    ".join(entries)


def _unknown_points(crosstable: Crosstable) -> dict[str, Fraction]:
    """Return the points of an adjourned game as those of `X`, which are a draw's by default."""
    results = (result for player in crosstable.players for result in player.results)
    units = {crosstable.units_of(result) for result in results if result.adjourned}
    if units <= {crosstable.points.draw}:
        return {}
    return {UNKNOWN_RESULT: Fraction(units.pop(), crosstable.points.unit)}


def _points(system: PointSystem, name: str) -> Fraction:
    return Fraction(getattr(system, name), system.unit)


def _other_points(system: PointSystem, points: dict[str, Fraction]) -> dict[str, Fraction]:
    """Return the points that do not follow from those already written, by field."""
    written = complete_points(**points)
    worth = {name: _points(system, name) for name in written}
    return {name: worth[name] for name in written if worth[name] != written[name]}


def _encoded_settings(trf: TrfFile, system: str) -> Iterator[str]:
    settings = {"192": system, "212": ",".join(trf.tiebreaks), "222": trf.header.encoded_time}
    for code, text in settings.items():
        if text:
            yield f"{code} {fit_text(text)}"


def pairing_records_16(trf: TrfFile) -> Iterator[str]:
    """Write the virtual points and the forbidden pairs of TRF16."""
    crosstable = trf.crosstable
    for player in crosstable.players:
        if player.virtual:
            points = (Fraction(units, crosstable.points.unit) for units in player.virtual)
            yield f"XXA {player.number:>4}{''.join(f' {format_points(worth)}' for worth in points)}"
    for group in trf.forbidden:
        if group.first <= 1 and group.last in (0, crosstable.rounds):
            yield f"XXP{_numbers(group.players)}"
        else:
            yield _record_260(group, crosstable)


def bye_records(byes: Iterable[AnnouncedBye]) -> Iterator[str]:
    """Write announced byes, a record for each round and kind."""
    for (round_number, kind), group in groupby(sorted(byes), key=lambda bye: (bye.round, bye.kind)):
        players = _numbers([bye.player for bye in group])
        yield f"240 {LETTER_OF_BYE[kind]} {round_number:>3}{players}"


def pairing_records_26(trf: TrfFile) -> Iterator[str]:
    """Write the acceleration and the forbidden pairs of TRF26."""
    yield from _acceleration(trf.crosstable)
    for group in trf.forbidden:
        yield _record_260(group, trf.crosstable)


def _record_260(group: ForbiddenGroup, crosstable: Crosstable) -> str:
    last = group.last or crosstable.rounds
    return f"260 {group.first:03} {last:03}{_numbers(group.players)}"


def _numbers(players: Sequence[PlayerId]) -> str:
    return "".join(f" {number:>4}" for number in players)


def _acceleration(crosstable: Crosstable) -> Iterator[str]:
    """Write a record for each range of players and rounds with equal virtual points."""
    for virtual, players in groupby(crosstable.players, key=lambda player: player.virtual):
        numbers = [player.number for player in players]
        first = 1
        for units, rounds in groupby(virtual):
            next_first = first + len(list(rounds))
            if units:
                points = format_points(Fraction(units, crosstable.points.unit))
                yield (
                    f"250      {points} {first:03} {next_first - 1:03} "
                    f"{numbers[0]:04} {numbers[-1]:04}"
                )
            first = next_first
