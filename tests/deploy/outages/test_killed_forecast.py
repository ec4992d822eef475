"""A worker killed while it simulates: its processes end, and the forecast is the same."""

from pathlib import Path

import pytest

from games.core.broker import connect
from tests.events import make_running
from tests.people import Person
from tests.processes import Worker, eventually, eventually_swept
from tournament.forecasts import services as steps
from tournament.forecasts.state import load_forecast_state
from tournament.models import Forecast
from tournament.simulation.tally import Tally, simulate
from tournament.tasks import compute_due

SIMULATOR = b"tournament.simulation.simulator"

pytestmark = [
    pytest.mark.processes,
    pytest.mark.long,
    pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are in /proc"),
]


def simulators() -> set[int]:
    """Return the processes that simulate."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if SIMULATOR in path.read_bytes().split(b"\0"):
                found.add(int(path.parent.name))
        except OSError:  # it has ended
            continue
    return found


def test_a_killed_worker_changes_nothing_in_a_forecast(
    worker: Worker, organiser: Person, anonymous: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "SIMULATIONS", 200)
    event = make_running(organiser, 16, rounds=5)
    before = simulators()
    task = anonymous.post(f"{event.path}/forecast").json()["task"]

    eventually(lambda: Forecast.objects.get().done)
    mine = simulators() - before
    assert mine
    worker.kill()
    eventually(lambda: not mine & simulators())
    done = Forecast.objects.get().done
    assert 0 < done < 200

    connect().delete(f"perihelion:progress:{task['id']}")  # it would expire after 30 seconds
    worker.start()
    row = eventually_swept(compute_due, lambda: Forecast.objects.exclude(finished_at=None).first())
    assert anonymous.get(f"{event.path}/forecast").status_code == 200
    state = load_forecast_state(event.tournament)
    whole = simulate(state.event, state.rule, seed=row.digest, start=0, stop=200)
    assert Tally.parse(row.tally) == whole
    worker.kill()  # it would wait for the message of the killed one
