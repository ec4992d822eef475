"""Two events from end to end: the demo against a service of real processes."""

import copy
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection

from deploy.demo.course import Outcome, differences, play, steps_of
from deploy.demo.progress import Progress
from deploy.demo.rest import Service as Client
from deploy.demo.results import Results
from deploy.samples.event import SAMPLES, SampleEvent, read_event
from tests.processes import ROOT, Service

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def database(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """The address of an empty database on the server of this leg; empty for SQLite's own file."""
    if connection.vendor == "sqlite":
        yield ""
        return
    server = connection.settings_dict
    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE test_demo")
        yield f"postgresql://{server['USER']}@/test_demo?host={quote(server['HOST'])}"
        with connection.cursor() as cursor:
            cursor.execute("DROP DATABASE test_demo WITH (FORCE)")


@pytest.fixture(scope="module")
def service(database: str) -> Iterator[Service]:
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder:
        service = Service(Path(folder, "var"), DATABASE_URL=database)
        try:
            yield service.start()
        finally:
            service.kill()


@pytest.fixture(scope="module")
def sample() -> SampleEvent:
    return read_event(SAMPLES / "harbour-open")


@pytest.fixture(scope="module")
def first_run(service: Service) -> subprocess.CompletedProcess[str]:
    """`make demo` as it is called, told by the environment alone where the service is."""
    return subprocess.run(
        [sys.executable, "-m", "deploy.demo"],
        cwd=ROOT,
        env=os.environ | {"PORT": str(service.port), "STATE_DIR": str(service.folder)},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture(scope="module")
def second_run(
    service: Service,
    sample: SampleEvent,
    first_run: object,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Outcome, str]:
    """The same once more in the same database, and what it said."""
    out = io.StringIO()
    with Client(service.address, service.token) as client:
        folder = tmp_path_factory.mktemp("downloads")
        return play(client, sample, folder, Progress(steps_of(sample), out)), out.getvalue()


@pytest.mark.database_bound
def test_the_event_ends_as_it_was_played(first_run: subprocess.CompletedProcess[str]) -> None:
    assert first_run.returncode == 0, first_run.stdout + first_run.stderr
    assert first_run.stderr == ""
    said = first_run.stdout.splitlines()
    assert said[-1].startswith("everything is as it was played")
    assert any(": 56 games proved; 1. Minamoto Aiko 4," in line for line in said)
    assert any(line.startswith("ratings moved for 24 players") for line in said)
    assert [line for line in said if line.startswith("round 2: ")] == [
        "round 2: Žiga Hribernik enters late",
        "round 2: Jürgen Mößner forfeits to Chiamaka Okonjo-Eze",
    ]
    refused = [line.split(": ")[2] for line in said if line.startswith("refused")]
    assert refused == ["422 unknown_tiebreak", "422 occupied", "403 role_missing", "409 round_open"]


def test_lantern_masters_is_played_by_its_berger_table(
    service: Service, first_run: subprocess.CompletedProcess[str]
) -> None:
    assert "Lantern Masters is made as lantern-masters-2: round-robin" in first_run.stdout
    assert "Lantern Masters was played in" in first_run.stdout
    assert ": 28 games proved; 1. Rafael Quintanilla Ríos 6," in first_run.stdout
    _, body = service.get("/api/v1/tournaments/lantern-masters-2/rounds")
    rounds = json.loads(body)["results"]
    assert [(one["system"], one["version"]) for one in rounds] == [("round-robin", 1)] * 7
    for number in range(1, 8):
        path = f"/api/v1/tournaments/lantern-masters-2/certificates/{number}"
        assert service.get(path)[0] == 200


def test_the_files_it_downloads(service: Service, first_run: object, sample: SampleEvent) -> None:
    folder = service.folder / "demo"
    table = folder / "harbour-open.standings.csv"
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert list(rows[0]) == ["rank", "id", "name", "PTS", "BH/C1", "BH", "SB"]
    assert {row["name"]: Decimal(row["PTS"]) for row in rows} == {
        line.name: Decimal(line.points) for line in sample.lines
    }
    report = (folder / "harbour-open.trf").read_text(encoding="utf-8")
    assert report.count("\n001 ") == len(sample.lines)


def test_a_second_run_is_another_event_of_the_same_players(
    second_run: tuple[Outcome, str],
) -> None:
    outcome, said = second_run
    assert outcome.slug == "harbour-open-2"
    assert outcome.differences == ()
    assert said.startswith("32 players registered, 0 of them new\n")


def test_half_of_the_games_are_reported_by_both_sides(
    service: Service, second_run: tuple[Outcome, str]
) -> None:
    outcome, _ = second_run
    kinds: dict[str, int] = {}
    for line in (line for pairings in outcome.results.rounds for line in pairings):
        if line["basis"] == "proof":
            _, body = service.get(f"/api/v1/games/{line['game']}/reports", token=service.token)
            last = json.loads(body)["results"][-1]["kind"]
            kinds[last] = kinds.get(last, 0) + 1
    assert kinds == {"record": 28, "confirmation": 28}


def test_every_round_was_paired_by_the_engine(
    service: Service, second_run: tuple[Outcome, str]
) -> None:
    outcome, _ = second_run
    _, body = service.get(f"/api/v1/tournaments/{outcome.slug}/rounds")
    rounds = json.loads(body)["results"]
    assert [(one["system"], one["version"], one["reason"]) for one in rounds] == [
        ("dutch", 1, "")
    ] * 5


def altered(results: Results, name: str, change: Callable[..., object]) -> Results:
    """The results with one of them changed in place."""
    value = copy.deepcopy(getattr(results, name))
    change(value)
    return replace(results, **{name: value})


def spoiled_report(old: str, new: str) -> Callable[[Results], Results]:
    def spoil(results: Results) -> Results:
        assert results.report.count(old) == 1
        return replace(results, report=results.report.replace(old, new))

    return spoil


SPOILED: dict[str, tuple[Callable[[Results], Results], str]] = {
    "another winner": (
        lambda r: altered(r, "rounds", lambda rounds: rounds[0][0].update(result="0-1")),
        "round 1, board 1: ['1-0', 'resigned', 'confirmed', 'proof'] is right",
    ),
    "a draw": (
        lambda r: altered(r, "rounds", lambda rounds: rounds[0][0].update(result="1/2")),
        "Minamoto Aiko's rounds: ['12 w 1', ",
    ),
    "no result": (
        lambda r: altered(r, "rounds", lambda rounds: rounds[0][0].update(result=None)),
        "Minamoto Aiko's rounds: ['12 w 1', ",
    ),
    "a result by agreement": (
        lambda r: altered(r, "rounds", lambda rounds: rounds[2][0].update(basis="agreement")),
        "round 3, board 1: ",
    ),
    "a game in dispute": (
        lambda r: altered(r, "rounds", lambda rounds: rounds[4][2].update(state="disputed")),
        "round 5, board 3: ",
    ),
    "seats exchanged": (
        lambda r: altered(
            r,
            "rounds",
            lambda rounds: rounds[1][0].update(
                first=rounds[1][0]["second"], second=rounds[1][0]["first"]
            ),
        ),
        "Minamoto Aiko's rounds: ",
    ),
    "a bye less": (
        lambda r: altered(r, "rounds", lambda rounds: rounds[0].pop()),
        "Owen Trevanion's rounds: ",
    ),
    "another kind of bye": (
        lambda r: altered(r, "rounds", lambda rounds: rounds[3][-1].update(kind="full-bye")),
        "Siobhán Ní Bhraonáin's rounds: ",
    ),
    "half a point more": (
        lambda r: altered(r, "standings", lambda rows: rows[9]["values"].update(PTS="3.5")),
        "'s place, number, points: ",
    ),
    "two places exchanged": (
        lambda r: altered(
            r, "standings", lambda rows: (rows[3].update(rank=5), rows[4].update(rank=4))
        ),
        "'s place, number, points: ",
    ),
    "a player less": (
        lambda r: altered(r, "standings", lambda rows: rows.pop()),
        "the number of players: 24 is right, the service has 23",
    ),
    "another result in the report": (
        spoiled_report("18 w +", "18 w 1"),
        "the report: ",
    ),
    "another arbiter in the report": (
        spoiled_report("102 Matilda Fairweather", "102 Nobody"),
        "the report: ",
    ),
    "another rank in the report": (
        spoiled_report("4.0    2    18 b 1", "4.0    3    18 b 1"),
        "the report: ",
    ),
    "other tie-breaks in the report": (
        spoiled_report("212 PTS,BH/C1,BH,SB", "212 PTS,BH,SB"),
        "the report: ",
    ),
    "a line less in the report": (
        spoiled_report("XXR 5\n", ""),
        "the number of the report's lines: ",
    ),
    "another order in the table": (
        lambda r: altered(r, "standings", lambda rows: rows.reverse()),
        "the table: ",
    ),
    "a game not rated yet": (
        lambda r: altered(
            r, "ratings", lambda games: games[min(games)].update(state="pending", changes=[])
        ),
        "the rating of game ",
    ),
    "no rating moved": (
        lambda r: altered(
            r,
            "ratings",
            lambda games: [
                change.update(after=change["before"])
                for game in games.values()
                for change in game["changes"]
            ],
        ),
        "no rating moved",
    ),
}


@pytest.mark.parametrize("name", SPOILED)
def test_what_differs_is_found(
    sample: SampleEvent, second_run: tuple[Outcome, str], name: str
) -> None:
    results = second_run[0].results
    assert differences(sample, results) == []
    spoil, line = SPOILED[name]
    assert any(line in one for one in differences(sample, spoil(results)))
