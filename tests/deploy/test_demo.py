"""The demo against a service of real processes: two events from start to end."""

import copy
import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal

import pytest

from deploy.demo.client import DemoClient
from deploy.demo.event import Event, play_event
from deploy.demo.results import Results, fetch_results, find_differences
from deploy.samples.event import SAMPLES, SampleEvent, read_event
from tests.deploy.service import Service
from tests.processes import ROOT, run_python

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def sample() -> SampleEvent:
    return read_event(SAMPLES / "harbour-open")


@pytest.fixture(scope="module")
def first_run(service: Service) -> subprocess.CompletedProcess[str]:
    """`make demo`, configured by the environment only."""
    return subprocess.run(
        [sys.executable, "-m", "deploy.demo"],
        cwd=ROOT,
        env=os.environ | {"PORT": str(service.port), "STATE_DIR": str(service.folder)},
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture(scope="module")
def results(service: Service, sample: SampleEvent, first_run: object) -> Results:
    """The results of the first run."""
    with DemoClient(service.address, service.token) as client:
        found = fetch_results(Event(client, sample, "/tournaments/harbour-open"))
    assert find_differences(sample, found) == []
    return found


def test_the_results_are_those_of_the_sample(first_run: subprocess.CompletedProcess[str]) -> None:
    assert first_run.returncode == 0, first_run.stdout + first_run.stderr
    assert first_run.stderr == ""
    lines = first_run.stdout.splitlines()
    assert lines[-1].endswith(" are those of the samples")
    assert any(": 56 games replayed; 1. Minamoto Aiko 4," in line for line in lines)
    assert any(line.startswith("ratings changed for 24 players") for line in lines)
    assert lines.count("32 players registered, 0 of them new") == 2
    assert [line for line in lines if line.startswith("round 2: ")] == [
        "round 2: Žiga Hribernik enters late",
        "round 2: Jürgen Mößner forfeits to Chiamaka Okonjo-Eze",
    ]
    rejected = [line.split(": ")[2] for line in lines if line.startswith("rejected")]
    assert rejected == [
        "422 unknown_tiebreak",
        "422 occupied",
        "403 role_missing",
        "409 round_open",
    ]


def test_the_rows_are_what_the_journals_say(
    service: Service, database: str, first_run: subprocess.CompletedProcess[str]
) -> None:
    variables = {"STATE_DIR": str(service.folder), "DATABASE_URL": database}

    done = run_python("manage.py", "verify_state", environment=os.environ | variables)

    assert (done.returncode, done.stderr) == (0, "")
    assert "tournament/harbour-open: verified\n" in done.stdout


def test_lantern_masters_is_paired_by_the_berger_table(
    service: Service, first_run: subprocess.CompletedProcess[str]
) -> None:
    assert "Lantern Masters is created as lantern-masters-2: round-robin" in first_run.stdout
    assert "Lantern Masters was played in" in first_run.stdout
    assert ": 28 games replayed; 1. Rafael Quintanilla Ríos 6," in first_run.stdout
    _, body = service.get("/api/v1/tournaments/lantern-masters-2/rounds")
    rounds = json.loads(body)["results"]
    assert [(row["system"], row["version"]) for row in rounds] == [("round-robin", 1)] * 7
    for number in range(1, 8):
        path = f"/api/v1/tournaments/lantern-masters-2/certificates/{number}"
        assert service.get(path)[0] == 200


def test_the_downloaded_files(service: Service, first_run: object, sample: SampleEvent) -> None:
    folder = service.folder / "demo"
    text = (folder / "harbour-open.standings.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == [
        "rank",
        "number",
        "name",
        "PTS",
        "BH/C1",
        "BH",
        "SB",
        "withdrawn",
        "corrections",
    ]
    assert {row["name"]: Decimal(row["PTS"]) for row in rows} == {
        player.name: Decimal(player.points) for player in sample.players
    }
    trf = (folder / "harbour-open.trf").read_text(encoding="utf-8")
    assert trf.count("\n001 ") == len(sample.players)


@pytest.mark.long
def test_a_second_run_creates_another_event_with_the_same_players(
    service: Service, sample: SampleEvent, first_run: object
) -> None:
    with DemoClient(service.address, service.token) as client:
        event = Event(client, sample)
        lines = [line for line in play_event(event) if line]
        found = fetch_results(event)

    assert event.path == "/tournaments/harbour-open-2"
    assert find_differences(sample, found) == []
    assert lines[0] == "32 players registered, 0 of them new"


def test_half_of_the_games_are_confirmed_by_a_record(service: Service, results: Results) -> None:
    kinds: dict[str, int] = {}
    for row in (row for pairings in results.rounds for row in pairings):
        if row["kind"] == "game" and row["termination"] != "forfeit":
            _, body = service.get(f"/api/v1/games/{row['game']}/reports", token=service.token)
            last = json.loads(body)["results"][-1]["kind"]
            kinds[last] = kinds.get(last, 0) + 1
    assert kinds == {"record": 28, "confirmation": 28}


def test_every_round_was_paired_by_the_pairing_system(service: Service, first_run: object) -> None:
    _, body = service.get("/api/v1/tournaments/harbour-open/rounds")
    rounds = json.loads(body)["results"]
    assert [(row["system"], row["version"], row["reason"]) for row in rounds] == [
        ("dutch", 1, None)
    ] * 5


def altered(results: Results, name: str, change: Callable[..., object]) -> Results:
    """A copy of the results, with one of them changed in place."""
    value = copy.deepcopy(getattr(results, name))
    change(value)
    return results._replace(**{name: value})


def altered_trf(old: str, new: str) -> Callable[[Results], Results]:
    def alter(results: Results) -> Results:
        assert results.trf.count(old) == 1
        return results._replace(trf=results.trf.replace(old, new))

    return alter


ALTERED: dict[str, tuple[Callable[[Results], Results], str]] = {
    "another winner": (
        lambda r: altered(r, "rounds", lambda rounds: rounds[0][0].update(result="0-1")),
        "round 1, board 1: expected ('Minamoto Aiko', 'Chiamaka Okonjo-Eze', '1-0', 'resigned', ",
    ),
    "a missing bye": (
        lambda r: altered(r, "rounds", lambda rounds: rounds[0].pop()),
        "round 1, Owen Trevanion: expected pairing-bye, the service has None",
    ),
    "half a point more": (
        lambda r: altered(r, "standings", lambda rows: rows[9]["values"].update(PTS="3.5")),
        "'s rank, number, points: ",
    ),
    "another result in the TRF": (
        altered_trf("18 w +", "18 w 1"),
        " of the TRF: ",
    ),
    "a missing line in the TRF": (
        altered_trf("XXR 5\n", ""),
        " of the TRF: expected XXR 5",
    ),
    "another order in the CSV": (
        lambda r: altered(r, "standings", lambda rows: rows.reverse()),
        "the CSV: ",
    ),
    "a game that is not rated yet": (
        lambda r: altered(
            r, "ratings", lambda games: games[min(games)].update(state="pending", changes=[])
        ),
        "the rating of game ",
    ),
    "no rating changed": (
        lambda r: altered(
            r,
            "ratings",
            lambda games: [
                change.update(after=change["before"])
                for game in games.values()
                for change in game["changes"]
            ],
        ),
        "that a rating changed: expected True, the service has False",
    ),
}


@pytest.mark.parametrize("name", ALTERED)
def test_a_difference_is_found(sample: SampleEvent, results: Results, name: str) -> None:
    alter, line = ALTERED[name]
    assert any(line in difference for difference in find_differences(sample, alter(results)))
