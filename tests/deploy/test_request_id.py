"""The request id in log lines and in tasks."""

import io
import json
import logging

import pytest

from deploy.logs import JsonLines, PlainLines, request_id
from deploy.tasks import tick
from tests.processes import Worker, eventually


@pytest.fixture(autouse=True)
def clear_request_id():
    yield
    request_id.set("")


def log_line(formatter: logging.Formatter, *, message: str, **extra: object) -> str:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    log = logging.Logger("games.tasks")
    log.addHandler(handler)
    try:
        raise ValueError("odd")
    except ValueError:
        log.error(message, "17", extra=extra, exc_info=True)
    return stream.getvalue()


def test_a_json_line_is_one_object_with_the_request_id():
    request_id.set("request-0017")

    line = log_line(JsonLines(), message="game %s\nfailed", status=500)

    assert line.count("\n") == 1
    read = json.loads(line)
    assert read.pop("time").endswith("+00:00")
    assert read.pop("traceback").endswith("ValueError: odd")
    assert read == {
        "level": "ERROR",
        "logger": "games.tasks",
        "message": "game 17\nfailed",
        "request_id": "request-0017",
        "status": 500,
    }


def test_a_plain_line_contains_the_request_id_if_there_is_one():
    assert " ERROR games.tasks game 17" in log_line(PlainLines(), message="game %s")

    request_id.set("request-0017")

    assert " ERROR games.tasks [request-0017] game 17" in log_line(PlainLines(), message="game %s")


def test_a_task_has_the_id_of_the_request_that_sent_it(worker: Worker):
    request_id.set("request-0018")

    tick.delay()

    eventually(lambda: "[request-0018]" in worker.output())
