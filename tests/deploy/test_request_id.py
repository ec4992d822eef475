"""The request id in log lines and in tasks."""

import io
import json
import logging
import logging.config

import pytest
from django.test import Client, RequestFactory

from deploy.logs import RequestIds, logging_settings
from games.core.errors import request_id
from games.core.requests import client_address
from tests.people import Person


@pytest.fixture(autouse=True)
def clear_request_id():
    yield
    request_id.set("")


def handler_for(format: str, stream: io.StringIO) -> logging.Handler:
    """The handler that the settings make."""
    wanted = logging_settings(format, "INFO")
    wanted["handlers"]["console"]["stream"] = stream
    made = logging.config.DictConfigurator(wanted)
    for name in ("filters", "formatters"):
        for key in wanted[name]:
            make = getattr(made, f"configure_{name.removesuffix('s')}")
            made.config[name][key] = make(made.config[name][key])
    return made.configure_handler(made.config["handlers"]["console"])


def log_line(format: str, *, message: str, **extra: object) -> str:
    stream = io.StringIO()
    log = logging.Logger("games.tasks")
    log.addHandler(handler_for(format, stream))
    try:
        raise ValueError("odd")
    except ValueError:
        log.error(message, "17", extra=extra, exc_info=True)
    return stream.getvalue()


def test_a_json_line_is_one_object_with_the_request_id():
    request_id.set("request-0017")

    line = log_line("json", message="game %s\nfailed", status=500)

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


@pytest.mark.parametrize("format", ["plain", "json"])
def test_a_path_cannot_begin_another_line(format: str):
    record = logging.makeLogRecord({"msg": "GET %s", "args": ("/a\r\nb\x85c\u2028d\x1b[2J",)})
    line = handler_for(format, io.StringIO()).format(record)

    assert len(line.splitlines()) == 1
    assert line.isprintable()


def test_the_line_of_a_request_names_its_address_and_account(
    organiser: Person, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.INFO, "perihelion.requests"):
        organiser.get("players/0")
        Person("anonymous").get("players/0")

    (by_account, anonymous) = [r for r in caplog.records if r.name == "perihelion.requests"]
    account = organiser.account
    assert account is not None
    assert (by_account.address, by_account.account) == ("127.0.0.1", account.pk)
    assert f"404 127.0.0.1 account={account.pk}" in by_account.getMessage()
    assert (anonymous.address, anonymous.account) == ("127.0.0.1", None)


def test_the_line_of_django_about_a_request_has_its_id(
    client: Client, caplog: pytest.LogCaptureFixture
):
    response = client.get("/nowhere")

    (record,) = [r for r in caplog.records if r.name == "django.request"]
    RequestIds().filter(record)
    assert (record.getMessage(), record.request_id) == (
        "Not Found: /nowhere",
        response["X-Request-ID"],
    )


@pytest.mark.parametrize(
    ("trusted", "forwarded", "address"),
    [
        (0, "", "192.0.2.1"),
        (0, "198.51.100.7", "192.0.2.1"),
        (1, "198.51.100.7", "198.51.100.7"),
        (1, "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        (1, "", "192.0.2.1"),
        (2, "203.0.113.9, 198.51.100.7, 10.0.0.1", "198.51.100.7"),
        (2, "10.0.0.1", "192.0.2.1"),
    ],
)
def test_the_address_behind_proxies(settings, trusted: int, forwarded: str, address: str):
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": trusted}
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1", headers=headers)

    assert client_address(request) == address


def test_a_plain_line_contains_the_request_id_if_there_is_one():
    assert " ERROR games.tasks game 17" in log_line("plain", message="game %s")

    request_id.set("request-0017")

    assert " ERROR games.tasks [request-0017] game 17" in log_line("plain", message="game %s")
