"""TRF files with two games in each pairing, imported and exported again."""

from dataclasses import replace
from random import Random

import pytest

from games.models import Game
from games.rules.seat import Seat
from tests.people import Person
from tests.tournament.imports import HEADER, import_trf
from tests.tournament.standings.events import swiss
from tests.tournament.trf.files import trf_of
from tournament.core.queries import last_complete_round
from tournament.events.verification import verify_tournament
from tournament.standings.crosstable import Crosstable, Kind, PlayerId, RoundResult, combine_games
from tournament.standings.points import PointSystem
from tournament.trf import TrfFile, write_trf

pytestmark = pytest.mark.any_database

GAMES = [
    (Kind.WIN, Kind.LOSS),
    (Kind.LOSS, Kind.WIN),
    (Kind.DRAW, Kind.DRAW),
    (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS),
    (Kind.FORFEIT_LOSS, Kind.FORFEIT_WIN),
    (Kind.FORFEIT_LOSS, Kind.FORFEIT_LOSS),
    (Kind.LOSS, Kind.LOSS),
]
MATCH_POINTS = PointSystem.from_points(win=2, draw=1, pairing_bye=1)


def with_two_games(table: Crosstable, random: Random) -> Crosstable:
    """Return the event with two random games in each pairing."""
    rows = {player.number: list(player.results) for player in table.players}
    for number, row in rows.items():
        for index, result in enumerate(row):
            if (result.opponent or 0) > number:
                _play(rows, number, index, random, table.points.draw)
    players = (replace(player, results=tuple(rows[player.number])) for player in table.players)
    return replace(table, players=tuple(players), games_per_pairing=2)


def _play(
    rows: dict[PlayerId, list[RoundResult]], number: int, index: int, random: Random, draw: int
) -> None:
    opponent = rows[number][index].opponent or 0
    own, others = zip(*random.choices(GAMES, weights=[9, 9, 4, 1, 1, 1, 1], k=2), strict=True)
    seat = rows[number][index].seat or Seat.FIRST
    is_level = sorted(own) == sorted(others) == [Kind.FORFEIT_LOSS, Kind.FORFEIT_WIN]
    for player, other, side, games, against in (
        (number, opponent, seat, own, others),
        (opponent, number, seat.other, others, own),
    ):
        rows[player][index] = RoundResult(
            combine_games(games, against),
            other,
            side,
            games=games,
            awarded=draw if is_level else None,
        )


def file_of(seed: int) -> TrfFile:
    table = with_two_games(swiss(seed, points=MATCH_POINTS), Random(seed))
    return TrfFile(crosstable=replace(table, initial_seat=Seat.FIRST), header=HEADER)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(n, marks=pytest.mark.long) for n in range(2, 9))]
)
def test_an_imported_event_exports_the_same_file(organiser: Person, seed: int) -> None:
    content = write_trf(file_of(seed))
    imported = import_trf(content, by=organiser.account)
    tournament = imported.tournament
    exported = trf_of(tournament, through=last_complete_round(tournament))

    assert tournament.games_per_pairing == 2
    records = {
        code: [line for line in exported.splitlines() if line.startswith(code)]
        for code in ("XXG", "299")
    }
    for code, lines in records.items():
        assert lines == [line for line in content.splitlines() if line.startswith(code)]
    again = import_trf(exported, by=organiser.account, slug="again").tournament
    assert trf_of(again, through=last_complete_round(again)) == exported
    assert verify_tournament(tournament.stream) == []
    pairings = tournament.pairings.filter(kind="game")
    assert Game.objects.filter(stream=tournament.stream).count() == 2 * pairings.count()


def test_all_other_records_are_those_of_the_pairings() -> None:
    document = file_of(4)
    players = (
        replace(p, results=tuple(replace(result, games=()) for result in p.results))
        for p in document.crosstable.players
    )
    plain = replace(document.crosstable, players=tuple(players), games_per_pairing=1)
    files = (document, replace(document, crosstable=plain))

    texts = [write_trf(file) for file in files]

    assert texts[0] != texts[1]
    lines = [line for line in texts[0].splitlines() if not line.startswith("XXG")]
    assert lines == texts[1].splitlines()
