"""Writing a TRF: fixed columns and LF line ends; equal tournaments give equal bytes."""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

from games.rules.seat import Seat
from games.rules.text import Text
from tournament.standings.crosstable import (
    BYES,
    Competitor,
    Crosstable,
    Kind,
    PlayerId,
    RoundResult,
)
from tournament.trf.columns import (
    CELL_WIDTH,
    FIRST_CELL,
    LETTER_OF_AWARD,
    LETTER_OF_BYE,
    LETTER_OF_GAME,
    MOST_NUMBER,
    SEAT_COLOURS,
    fit_text,
    format_points,
)
from tournament.trf.errors import TrfWriteError
from tournament.trf.own_record import write_own
from tournament.trf.records import (
    bye_records,
    event_records_16,
    event_records_26,
    pairing_records_16,
    pairing_records_26,
    struck_comment,
)
from tournament.trf.rounds import has_first_seat
from tournament.trf.trf_file import AnnouncedBye, TrfEdition, TrfFile


def write_trf(trf: TrfFile, *, edition: TrfEdition = TrfEdition.TRF16) -> str:
    """Write a tournament; a TRF16 has the records of TRF26 for what TRF16 lacks.

    Raises TrfWriteError for values that the columns cannot hold.
    """
    last = max((player.number for player in trf.crosstable.players), default=0)
    if last > MOST_NUMBER:
        raise TrfWriteError(
            Text(
                "a TRF has pairing numbers up to %(most)s, not %(number)s",
                most=MOST_NUMBER,
                number=last,
            )
        )
    is_26 = edition is TrfEdition.TRF26
    in_cells = _byes_in_cells(trf, edition)
    lines = [
        *_header(trf),
        *struck_comment(trf.struck),
        *write_own(trf.own),
        *(event_records_26(trf) if is_26 else ()),
        *_players(trf, in_cells),
        *(() if is_26 else event_records_16(trf)),
        *bye_records(set(trf.byes) - in_cells),
        *(pairing_records_26(trf) if is_26 else pairing_records_16(trf)),
        *_games(trf.crosstable),
        *_awards(trf.crosstable),
        *(unknown.text for unknown in trf.unknown_lines),
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _header(trf: TrfFile) -> Iterator[str]:
    header, crosstable = trf.header, trf.crosstable
    kind = "Individual: Round-Robin" if crosstable.round_robin else "Individual: Swiss-System"
    rated = sum(player.rating > 0 for player in crosstable.players)
    yield f"012 {fit_text(header.name)}"
    yield from _texts(
        ("022", header.city), ("032", header.federation), ("042", header.start), ("052", header.end)
    )
    yield f"062 {len(crosstable.players)}"
    yield f"072 {rated}"
    yield "082 0"
    yield f"092 {fit_text(header.kind) or kind}"
    yield from _texts(
        ("102", header.chief_arbiter),
        *(("112", deputy) for deputy in header.deputies),
        ("122", header.time_control),
    )
    if header.round_dates:
        dates = "".join(f"{fit_text(date, 8):<{CELL_WIDTH}}" for date in header.round_dates)
        yield "132".ljust(FIRST_CELL) + dates


def _texts(*records: tuple[str, str]) -> Iterator[str]:
    for code, text in records:
        if text:
            yield f"{code} {fit_text(text)}"


def _byes_in_cells(trf: TrfFile, edition: TrfEdition) -> frozenset[AnnouncedBye]:
    """Return the announced byes that the player records have; records 240 have the others.

    The reader takes a round for blank in which all player records have an absence. Other programs
    count the rounds by the cells, so only the round to pair has cells with byes.
    """
    next_round = trf.crosstable.completed + 1
    absences = Counter(bye.round for bye in trf.byes if bye.kind is Kind.ZERO_BYE)
    everyone = len(trf.crosstable.players)
    return frozenset(
        bye
        for bye in trf.byes
        if bye.kind is Kind.PAIRING_BYE
        or (
            edition is TrfEdition.TRF16
            and bye.round == next_round
            and absences[bye.round] < everyone
        )
    )


def _players(trf: TrfFile, announced_byes: Iterable[AnnouncedBye]) -> Iterator[str]:
    crosstable = trf.crosstable
    later: dict[PlayerId, dict[int, str]] = {}
    announced: dict[PlayerId, int] = {}
    for bye in announced_byes:
        later.setdefault(bye.player, {})[bye.round] = _bye_cell(bye.kind)
        units = crosstable.points.units_of(bye.kind)
        announced[bye.player] = announced.get(bye.player, 0) + units
    for first, second in trf.open_pairings:
        for number, opponent, seat in ((first, second, Seat.FIRST), (second, first, Seat.SECOND)):
            cell = f"  {opponent:>4} {SEAT_COLOURS[seat]}  "
            later.setdefault(number, {})[crosstable.completed + 1] = cell
    for player in crosstable.players:
        later_cells = later.get(player.number, {})
        rounds = max((crosstable.completed, *later_cells))
        cells = [
            _cell(player.result(number), has_seat=(number, player.number) not in trf.without_seat)
            if number <= crosstable.completed
            else later_cells.get(number, " " * CELL_WIDTH)
            for number in range(1, rounds + 1)
        ]
        units = crosstable.points_of(player.number) + announced.get(player.number, 0)
        points = format_points(Fraction(units, crosstable.points.unit))
        rank = trf.ranks.get(player.number) or ""
        yield f"{_player_columns(player)} {points} {rank:>4}{''.join(cells)}"


def _player_columns(player: Competitor) -> str:
    rating = min(player.rating, 9999) or ""
    return (
        f"001 {player.number:>4} {fit_text(player.sex, 1):1}{fit_text(player.title, 3):>3} "
        f"{fit_text(player.name, 33):<33} {rating:>4} {fit_text(player.federation, 3):<3} "
        f"{fit_text(player.fide_id, 11):>11} {fit_text(player.birth, 10):<10}"
    )


def _cell(result: RoundResult, *, has_seat: bool) -> str:
    if result.kind in BYES:
        return _bye_cell(result.kind)
    letter = " " if result.adjourned else LETTER_OF_GAME[result.kind, result.short]
    seat = result.seat if has_seat or result.is_played else None
    return f"  {result.opponent:>4} {SEAT_COLOURS[seat]} {letter}"


def _bye_cell(kind: Kind) -> str:
    return f"  0000 - {LETTER_OF_BYE[kind]}"


def _games(crosstable: Crosstable) -> Iterator[str]:
    """Write the number of games in a pairing, if it is not 1, and the games (record XXG)."""
    if crosstable.games_per_pairing == 1:
        return
    yield f"XXG {crosstable.games_per_pairing}"
    for round_number in range(1, crosstable.completed + 1):
        for player in crosstable.players:
            result = player.result(round_number)
            has_games = result.games and not result.adjourned
            if result.opponent and has_games and has_first_seat(player.number, result):
                opposite = crosstable.by_number[result.opponent].result(round_number)
                own, others = (
                    "".join(LETTER_OF_GAME[kind, False] for kind in games)
                    for games in (result.games, opposite.games)
                )
                yield (
                    f"XXG {round_number:>3} {player.number:>4} {result.opponent:>4} {own} {others}"
                )


def _awards(crosstable: Crosstable) -> Iterator[str]:
    """Write the awarded points (record 299)."""
    for player in crosstable.players:
        for round_number, result in enumerate(player.results[: crosstable.completed], start=1):
            if result.awarded is not None and not result.adjourned:
                points = format_points(Fraction(result.awarded, crosstable.points.unit))
                letter = LETTER_OF_AWARD[result.kind]
                yield f"299 {letter}        {points}  {round_number:>3} {player.number:>4}"
