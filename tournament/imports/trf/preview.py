"""The crosstable that the import of a TRF file would store, computed without a row."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.utils import timezone

from games.models import Account
from games.rules.seat import Seat
from tournament import queries
from tournament.core.crosstable import with_starting_points
from tournament.exchange.trf_rounds import Values, boards_and_byes, build_boards, build_byes
from tournament.imports.trf.entries import Entries
from tournament.imports.trf.rounds import build_ruling
from tournament.models import Round, Tournament
from tournament.queries.results import GAME_COLUMNS, PAIRING_COLUMNS, read_results
from tournament.standings.crosstable import ABSENT, Crosstable
from tournament.trf import TrfFile


def preview_crosstable(
    tournament: Tournament, document: TrfFile, entries: Entries, *, by: Account
) -> Crosstable:
    """Return the crosstable of a tournament that is not saved.

    The rows of its boards are built as the import builds them, and their results are read as from
    the tables. The entries get their pairing numbers as keys.
    """
    for number, entry in entries.items():
        entry.pk = number
    last, points = document.crosstable.completed, queries.point_system(tournament)
    results = read_results(
        _result_rows(tournament, document, entries, by),
        tournament,
        last,
        points,
        {number: number for number in entries},
    )
    players = (
        replace(player, results=tuple(results.get(player.number, [ABSENT] * last)), virtual=())
        for player in document.crosstable.players
    )
    crosstable = replace(
        document.crosstable,
        players=tuple(players),
        points=points,
        round_robin=queries.is_round_robin(tournament),
        initial_seat=Seat(tournament.initial_seat),
        held=0,
    ).held_until(last)
    first_numbers = [number for number, entry in entries.items() if entry.first_round == 1]
    return with_starting_points(tournament, crosstable, first_numbers)


def _result_rows(
    tournament: Tournament, document: TrfFile, entries: Entries, by: Account
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the complete rounds that `read_results` reads."""
    ruling = build_ruling(by, "", timezone.now())
    points = document.crosstable.points
    for number in range(1, document.crosstable.completed + 1):
        this_round = Round(tournament=tournament, number=number)
        boards, byes = boards_and_byes(document, number)
        for board in build_boards(this_round, boards, entries, points, ruling):
            yield _result_row(number, board.pairing, *(rows.game for rows in board.games))
        for bye in build_byes(this_round, byes, entries, points):
            yield _result_row(number, bye)


def _result_row(number: int, pairing: Values, *games: Values) -> tuple[Any, ...]:
    return (
        number,
        *(pairing[name] for name in PAIRING_COLUMNS),
        *(game[name] for game in games for name in GAME_COLUMNS),
    )
