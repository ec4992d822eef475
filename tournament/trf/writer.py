"""Writing a report: fixed columns, LF line ends, the same bytes for the same tournament."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from games.rules.seat import Seat
from tournament.standings.crosstable import (
    BYES,
    Competitor,
    Crosstable,
    Kind,
    PlayerId,
    RoundResult,
)
from tournament.standings.errors import StandingsError
from tournament.trf.columns import (
    COLOURS,
    FIRST_CELL,
    LETTER_OF_AWARD,
    LETTER_OF_BYE,
    LETTER_OF_GAME,
    MOST_NUMBER,
    clean,
    points_text,
)
from tournament.trf.record_writer import line_text, settings_16, settings_26
from tournament.trf.trf_file import TrfEdition, TrfFile

EMPTY_CELL = " " * 10


def write_trf(document: TrfFile, *, edition: TrfEdition = TrfEdition.TRF16) -> str:
    """Write a tournament as TRF16 or TRF26; what TRF16 has no record for stands as TRF26 has it.

    Raises StandingsError for what the columns cannot hold, as a pairing number above 9999.
    """
    crosstable = document.crosstable
    last = max((player.number for player in crosstable.players), default=0)
    if last > MOST_NUMBER:
        raise StandingsError(f"a TRF holds pairing numbers up to {MOST_NUMBER}, not {last}")
    is_26 = edition is TrfEdition.TRF26
    lines = [
        *_header(document),
        *(settings_26(document) if is_26 else ()),
        *_players(document, byes_in_cells=not is_26),
        *(() if is_26 else settings_16(document)),
        *(_pairing_26(document) if is_26 else _pairing_16(document)),
        *_awards(crosstable),
        *(kept.text for kept in document.kept),
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _header(document: TrfFile) -> Iterator[str]:
    header, crosstable = document.header, document.crosstable
    kind = "Individual: Round-Robin" if crosstable.round_robin else "Individual: Swiss-System"
    rated = sum(player.rating > 0 for player in crosstable.players)
    yield f"012 {line_text(header.name)}"
    for code, text in (
        ("022", header.city),
        ("032", header.federation),
        ("042", header.start),
        ("052", header.end),
    ):
        if text:
            yield f"{code} {line_text(text)}"
    yield f"062 {len(crosstable.players)}"
    yield f"072 {rated}"
    yield "082 0"
    yield f"092 {line_text(header.kind) or kind}"
    for code, text in (
        ("102", header.chief_arbiter),
        *(("112", deputy) for deputy in header.deputies),
        ("122", header.time_control),
    ):
        if text:
            yield f"{code} {line_text(text)}"
    if header.round_dates:
        dates = "".join(f"{clean(date, 8):<10}" for date in header.round_dates)
        yield "132".ljust(FIRST_CELL) + dates


def _players(document: TrfFile, *, byes_in_cells: bool) -> Iterator[str]:
    crosstable = document.crosstable
    ahead: dict[PlayerId, dict[int, str]] = {}
    earned: dict[PlayerId, int] = {}
    for bye in document.byes:
        if byes_in_cells or bye.kind is Kind.PAIRING_BYE:
            ahead.setdefault(bye.player, {})[bye.round] = _bye_cell(bye.kind)
            units = crosstable.points.units_of(bye.kind)
            earned[bye.player] = earned.get(bye.player, 0) + units
    for first, second in document.open_pairings:
        for number, opponent, seat in ((first, second, Seat.FIRST), (second, first, Seat.SECOND)):
            cell = f"  {opponent:>4} {COLOURS[seat]}  "
            ahead.setdefault(number, {})[crosstable.completed + 1] = cell
    for player in crosstable.players:
        later = ahead.get(player.number, {})
        rounds = max((crosstable.completed, *later))
        cells = [
            _cell(player.result(number))
            if number <= crosstable.completed
            else later.get(number, EMPTY_CELL)
            for number in range(1, rounds + 1)
        ]
        units = crosstable.points_of(player.number) + earned.get(player.number, 0)
        points = points_text(Fraction(units, crosstable.points.unit))
        rank = document.ranks.get(player.number) or ""
        yield f"{_person(player)} {points} {rank:>4}{''.join(cells)}"


def _person(player: Competitor) -> str:
    rating = min(player.rating, 9999) or ""
    return (
        f"001 {player.number:>4} {clean(player.sex, 1):1}{clean(player.title, 3):>3} "
        f"{clean(player.name, 33):<33} {rating:>4} {clean(player.federation, 3):<3} "
        f"{clean(player.fide_id, 11):>11} {clean(player.birth, 10):<10}"
    )


def _cell(result: RoundResult) -> str:
    if result.kind in BYES:
        return _bye_cell(result.kind)
    letter = LETTER_OF_GAME[result.kind, result.short]
    return f"  {result.opponent:>4} {COLOURS[result.seat]} {letter}"


def _bye_cell(kind: Kind) -> str:
    return f"  0000 - {LETTER_OF_BYE[kind]}"


def _pairing_16(document: TrfFile) -> Iterator[str]:
    crosstable = document.crosstable
    for player in crosstable.players:
        if player.virtual:
            worth = (Fraction(units, crosstable.points.unit) for units in player.virtual)
            yield f"XXA {player.number:>4}{''.join(f' {points_text(w)}' for w in worth)}"
    for group in document.forbidden:
        if group.first <= 1 and group.last in (0, crosstable.rounds):
            yield "XXP" + "".join(f" {number:>4}" for number in group.players)
        else:
            yield _forbidden_26(group.first, group.last or crosstable.rounds, group.players)


def _pairing_26(document: TrfFile) -> Iterator[str]:
    crosstable = document.crosstable
    requested = [bye for bye in document.byes if bye.kind is not Kind.PAIRING_BYE]
    for (round_number, kind), byes in groupby(
        sorted(requested), key=lambda bye: (bye.round, bye.kind)
    ):
        numbers = "".join(f" {bye.player:>4}" for bye in byes)
        yield f"240 {LETTER_OF_BYE[kind]} {round_number:>3}{numbers}"
    yield from _acceleration_26(crosstable)
    for group in document.forbidden:
        yield _forbidden_26(group.first, group.last or crosstable.rounds, group.players)


def _forbidden_26(first: int, last: int, players: tuple[PlayerId, ...]) -> str:
    return f"260 {first:03} {last:03}" + "".join(f" {number:>4}" for number in players)


def _acceleration_26(crosstable: Crosstable) -> Iterator[str]:
    """Write neighbours in number with equal virtual points as one range a run of rounds."""
    for virtual, run in groupby(crosstable.players, key=lambda player: player.virtual):
        numbers = [player.number for player in run]
        round_number = 1
        for units, equal in groupby(virtual):
            count = len(list(equal))
            if units:
                worth = points_text(Fraction(units, crosstable.points.unit))
                yield (
                    f"250      {worth} {round_number:03} {round_number + count - 1:03} "
                    f"{numbers[0]:04} {numbers[-1]:04}"
                )
            round_number += count


def _awards(crosstable: Crosstable) -> Iterator[str]:
    for player in crosstable.players:
        for index, result in enumerate(player.results[: crosstable.completed]):
            if result.awarded is not None:
                worth = points_text(Fraction(result.awarded, crosstable.points.unit))
                letter = LETTER_OF_AWARD[result.kind]
                yield f"299 {letter}        {worth}  {index + 1:>3} {player.number:>4}"
