"""The model of what breaks first."""

from dataclasses import replace

from tests.bench.growth import Measured, resources, table

MEASURED = Measured(
    cores=4,
    memory=16_000_000_000,
    web_processes=2,
    threads=16,
    reads=10.0,
    read_seconds=0.1,
    reports=20.0,
    report_seconds=0.05,
    web_processor=0.5,
    worker_processor=0.25,
    database_processor=0.2,
    listeners=500,
    listener_bytes=80_000,
    stored_bytes=50_000_000,
    rebuild_seconds=4.0,
)


def test_a_resource_breaks_where_its_demand_reaches_its_limit() -> None:
    breaks = {each.name: round(each.breaks, 1) for each in resources(MEASURED)}

    assert breaks == {
        "web processors": 8.0,
        "Python in web processes": 4.0,
        "threads of requests": 8.0,
        "Python in the worker": 4.0,
        "processors of PostgreSQL": 20.0,
        "memory of listeners": 200.0,
        "disk of 100 such events": 200.0,
        "a rebuild of the ratings": 900.0,
    }


def test_what_breaks_first_is_at_the_top() -> None:
    lines = table(replace(MEASURED, worker_processor=0.9))

    assert lines[1].startswith("Python in the worker")
    assert "90.00" in lines[1]
