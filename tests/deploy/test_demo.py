"""The demo against a service of real processes: an event from start to end, and one in progress."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.samples.event import SAMPLES, read_event
from tests.deploy.service import Service
from tests.processes import ROOT, free_port, run_python

pytestmark = [pytest.mark.processes, pytest.mark.long]


def demo(port: int, state: Path) -> subprocess.CompletedProcess[str]:
    """`make demo`, configured by the environment only."""
    variables = {"PORT": str(port), "STATE_DIR": str(state)}
    return run_python("-m", "deploy.demo", environment=os.environ | variables)


@pytest.fixture(scope="module")
def first_run(service: Service) -> subprocess.CompletedProcess[str]:
    return demo(service.port, service.folder)


def test_harbour_open_ends_as_the_sample(
    service: Service, first_run: subprocess.CompletedProcess[str]
) -> None:
    assert (first_run.returncode, first_run.stderr) == (0, "")
    sample = read_event(SAMPLES / "harbour-open")
    _, trf = service.get("/api/v1/tournaments/harbour-open/standings.trf")
    _, body = service.get("/api/v1/tournaments/harbour-open")

    assert trf == sample.trf
    assert json.loads(body)["state"] == "final"


def test_each_game_is_confirmed_by_a_player_and_rated(service: Service, first_run: object) -> None:
    _, body = service.get("/api/v1/games?tournament_slug=harbour-open&limit=1000")
    games = json.loads(body)["results"]
    _, ratings = service.get("/api/v1/pools/star/ratings?provisional=1&limit=1000")

    assert sorted(game["basis"] for game in games) == ["links"] * 56 + ["ruling"]
    assert len(json.loads(ratings)["results"]) == 28  # with four of Lantern Masters


def test_the_rows_are_what_the_journals_say(
    service: Service, database: str, first_run: object
) -> None:
    variables = {"STATE_DIR": str(service.folder), "DATABASE_URL": database}

    done = run_python("manage.py", "verify_state", environment=os.environ | variables)

    assert (done.returncode, done.stderr) == (0, "")
    assert "tournament/harbour-open: verified\n" in done.stdout


def test_without_a_service_or_a_token_it_says_what_is_missing(tmp_path: Path) -> None:
    port = free_port()
    no_token = demo(port, tmp_path)
    (tmp_path / "organiser-token").write_text("peri_token\n")
    no_service = demo(port, tmp_path)

    assert (no_token.returncode, no_service.returncode) == (2, 2)
    assert "`make run` writes it on its first start" in no_token.stderr
    assert "is `make run` running, on the same PORT?" in no_service.stderr


def test_a_token_that_the_service_does_not_know_is_rejected(
    service: Service, tmp_path: Path
) -> None:
    (tmp_path / "organiser-token").write_text("peri_token\n")

    rejected = demo(service.port, tmp_path)

    assert (rejected.returncode, rejected.stdout) == (1, "")
    assert "POST players/import was rejected: 401" in rejected.stderr


def test_the_demo_imports_nothing_of_the_service() -> None:
    script = (
        "import sys, deploy.demo as _;"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}"
        " & {'django', 'rest_framework', 'celery', 'games', 'ratings', 'tournament'}))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []
