"""What must hold after events were played through a service that was disturbed."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import parse_qs, urlsplit

from django.core.management import call_command
from django.db import connection

from games.models import Game, JournalLine, Report
from ratings.batches.order import is_due
from ratings.models import IN_CURRENT_RUN, Batch, Change, Pool
from ratings.runs.verification import verify_pool
from tests.deploy.load import PLAYERS, ROUNDS, GameReports, Load
from tests.deploy.service import Service
from tests.processes import eventually
from tournament.core.queries import current_pairings
from tournament.core.rankings import compute_table
from tournament.models import Entry, Tournament

GAMES: Final = PLAYERS // 2 * ROUNDS
"""The games of an event."""


@contextmanager
def connected_to(service: Service, database: str) -> Iterator[None]:
    """Use the database of the service in place of that of the tests."""
    url = urlsplit(database)
    name = url.path.lstrip("/") or f"{service.folder / 'perihelion.sqlite3'}"
    with connected_to_database(name, parse_qs(url.query).get("host", [""])[0]):
        yield


@contextmanager
def connected_to_database(name: str, host: str) -> Iterator[None]:
    """Use a database of the same kind in place of that of the tests."""
    settings = connection.settings_dict
    before = {key: settings[key] for key in ("NAME", "HOST", "OPTIONS")}
    options = {key: value for key, value in settings["OPTIONS"].items() if key != "pool"}
    connection.close()
    settings.update(NAME=name, HOST=host, OPTIONS=options)
    try:
        yield
    finally:
        connection.close()
        settings.update(before)


def check_events(load: Load) -> None:
    """Check all events of a load, in the database of its service."""
    pool = Pool.objects.get(code="star")
    eventually(lambda: not is_due(pool), seconds=120)
    for slug, games in load.events.items():
        tournament = Tournament.objects.get(slug=slug)
        assert tournament.state == Tournament.State.FINAL
        check_reports(tournament, games)
        check_pairings(tournament)
        check_journal(tournament)
        check_standings(tournament, games)
    check_ratings(pool, load)
    call_command("verify_journal")
    call_command("verify_state")


def check_reports(tournament: Tournament, games: list[GameReports]) -> None:
    """Each acknowledged report is stored, nothing else is, and each game has its result."""
    rows = {game.pk: game for game in Game.objects.filter(stream=tournament.stream)}
    assert sorted(rows) == sorted(reports.game for reports in games)
    for reports in games:
        row = rows[reports.game]
        assert (row.state, row.winner, row.closed) == ("confirmed", reports.winner, True)
        stored = Report.objects.filter(game=row)
        assert not stored.filter(settled_at=None).exists()
        found = {report.pk: (report.kind, report.seat) for report in stored}
        assert found == reports.acknowledged, (row.pk, [*stored.values()])
        versions = list(stored.order_by("version").values_list("version", flat=True))
        assert versions == list(range(1, len(versions) + 1))


def check_pairings(tournament: Tournament) -> None:
    """Each player is paired once in each round, never twice with the same opponent."""
    pairings = list(current_pairings(tournament).select_related("game", "round"))
    assert len(pairings) == len({pairing.game_id for pairing in pairings}) == GAMES
    seats = Counter(
        (pairing.round.number, entry)
        for pairing in pairings
        for entry in (pairing.first_id, pairing.second_id)
    )
    entries = Entry.objects.filter(tournament=tournament).values_list("pk", flat=True)
    assert seats == Counter((n, entry) for n in range(1, ROUNDS + 1) for entry in entries)
    assert len({frozenset((p.first_id, p.second_id)) for p in pairings}) == GAMES
    for pairing in pairings:
        assert pairing.game is not None
        assert pairing.game.round == str(pairing.round.number)


def check_journal(tournament: Tournament) -> None:
    """The journal has each change once: reports, settlements, rounds, states, entries."""
    lines = JournalLine.objects.filter(stream=tournament.stream).select_related("payload")
    found = Counter(
        (line.kind, line.payload.body.get("game"), line.payload.body.get("version"))
        for line in lines
        if line.kind.startswith("report.")
    )
    games = Game.objects.filter(stream=tournament.stream)
    stored = Report.objects.filter(game__in=games).values_list("kind", "game", "version")
    assert found == Counter((f"report.{kind}", game, version) for kind, game, version in stored)
    settled = Counter(line.payload.body["game"] for line in lines if line.kind == "game.confirmed")
    assert settled == Counter(games.values_list("pk", flat=True))
    kinds = Counter(line.kind for line in lines)
    assert {kind: kinds[kind] for kind in ONCE} == ONCE


ONCE: Final = {
    "round.published": ROUNDS,
    "round.complete": ROUNDS,
    "tournament.registration": 1,
    "tournament.running": 1,
    "tournament.review": 1,
    "tournament.final": 1,
}
"""How many lines of these kinds the journal of an event has."""


def check_standings(tournament: Tournament, games: list[GameReports]) -> None:
    """Points are those that the players reported; `verify_state` computes the tables of rounds."""
    table = compute_table(tournament, "PTS", through=ROUNDS)
    rows = Game.objects.filter(stream=tournament.stream)
    seats = {game: pair for game, *pair in rows.values_list("pk", "first", "second")}
    wins = Counter(seats[reports.game][reports.winner == "second"] for reports in games)
    players = {table.players[row.number]["id"]: row.values["PTS"] for row in table.rows}
    assert players == {player: wins[player] for pair in seats.values() for player in pair}


def check_ratings(pool: Pool, load: Load) -> None:
    """Each event is filed once, each game rated once, as a recomputation rates it."""
    streams = [f"tournament/{slug}" for slug in load.events]
    batches = Batch.objects.filter(pool=pool, stream__in=streams)
    assert sorted(batches.values_list("stream", flat=True)) == sorted(streams)
    rated = Counter(
        Change.objects.filter(IN_CURRENT_RUN, batch__in=batches).values_list("game_id", flat=True)
    )
    assert rated == Counter(
        {reports.game: 2 for games in load.events.values() for reports in games}
    )
    assert not pool.runs.filter(made_current_at=None).exists()
    assert verify_pool(pool) == []
