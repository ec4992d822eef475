"""A full disk: writes get 507 and name what is full, reads continue, health warns before."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import OperationalError, connection, connections, transaction
from django.db.utils import ConnectionHandler
from django.test import Client

from deploy import valkey
from deploy.health import FULL_BROKER, advice_on
from games.core.broker import clear, connect, send_on_commit
from games.core.errors import disk_full_detail
from games.models import Game, Report, Token
from tests.events import FIRST_WINS, make_event
from tests.people import Person, player_of, problem_in
from tests.processes import Broker, celery_with_broker_at, eventually, file_limit

REFUSE_WRITES = """
CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON games_report EXECUTE FUNCTION disk_full();
CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON games_token EXECUTE FUNCTION disk_full()
"""


@contextmanager
def full_disk() -> Iterator[None]:
    """Let the database refuse writes: no file of this process may grow, or PostgreSQL's error."""
    if connection.vendor == "sqlite":
        with file_limit(0):
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute(REFUSE_WRITES)
        yield
        cursor.execute("DROP FUNCTION disk_full CASCADE")


@pytest.fixture
def game(transactional_db: None, organiser: Person, ada: Person, ben: Person) -> Game:
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben))
    (game,) = event.step("open", "start").publish()
    return game


def test_writes_get_507_reads_continue_and_everything_works_with_space_again(
    game: Game, ada: Person
) -> None:
    body = {"record": FIRST_WINS}
    Token.objects.update(last_used_at=None)

    with full_disk():
        rejected = ada.post(f"games/{game.pk}/reports", body)
        reads = [ada.get(f"games/{game.pk}"), ada.get("me"), ada.get("players")]

    detail = problem_in(rejected, 507, "disk_full")["detail"]
    assert detail.startswith(
        "the database cannot be extended: free are "
        if connection.vendor == "sqlite"
        else "the disk of the database server is full; "
    )
    assert detail.endswith("; nothing was changed, try again when there is space")
    assert [read.status_code for read in reads] == [200, 200, 200]
    assert Report.objects.count() == 0

    assert ada.post(f"games/{game.pk}/reports", body).status_code == 202
    assert Report.objects.count() == 1
    assert Token.objects.exclude(last_used_at=None).exists()


def write_to_a_full_device() -> None:
    Path("/dev/full").write_text("x")


def read_a_missing_file() -> None:
    Path("/nowhere/file").read_text()


def open_a_database_that_cannot_be_created() -> None:
    nowhere = connections.settings["default"] | {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": "/nowhere/database",
        "OPTIONS": {},
    }
    ConnectionHandler({"default": nowhere})["default"].ensure_connection()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fail", "state_folder", "beginning"),
    [
        (write_to_a_full_device, "/tmp", "a file cannot be extended: free are "),
        (read_a_missing_file, "/proc", None),
        (open_a_database_that_cannot_be_created, "/tmp", None),
        (
            open_a_database_that_cannot_be_created,
            "/proc",  # 0 bytes are free there
            "the database cannot be extended: free are 0 MiB in the state folder, ",
        ),
    ],
)
def test_a_full_disk_is_known_by_the_error(
    fail: Callable[[], None], state_folder: str, beginning: str | None, settings: Any
) -> None:
    settings.STATE_DIR = Path(state_folder)
    with pytest.raises((OSError, OperationalError)) as caught:
        fail()
    detail = disk_full_detail(caught.value)

    assert (detail and detail[: len(beginning or "")]) == beginning


class BrokerWithFileLimit(Broker):
    """A Valkey that gets an error, and no signal, if it exceeds the limit of a file's size."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.command = ["sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh", *self.command]


@pytest.mark.django_db(transaction=True)
def test_a_broker_with_a_full_disk_is_named_and_delays_only_tasks(
    tmp_path: Path, settings: Any, caplog: pytest.LogCaptureFixture, client: Client
) -> None:
    broker = BrokerWithFileLimit(tmp_path)
    settings.REDIS_URL = broker.address
    with running_broker(broker), celery_with_broker_at(broker.address):
        assert broker.process is not None
        clear()
        with file_limit(broker.process.pid):
            connect().set("first", "not written to the file")
            eventually(lambda: "MISCONF" in broker_part(client))
            said = advice_on("broker", broker_part(client))
            assert said == FULL_BROKER  # and not to start one
            with transaction.atomic():
                send_on_commit("games.tasks.settle_game", 17)
            cache.set("known", 1, 60)

            assert "settle_game(17,) was not sent (MISCONF" in caplog.text
            assert cache.get("known") == 1
            assert valkey.answers(broker.address)

        eventually(lambda: broker_part(client) == "ok")
        clear()


def broker_part(client: Client) -> str:
    part: str = client.get("/health/ready").json()["parts"]["broker"]
    return part


@contextmanager
def running_broker(broker: Broker) -> Iterator[Broker]:
    try:
        yield broker.start()
    finally:
        broker.kill()


@pytest.mark.django_db
def test_health_and_doctor_warn_before_the_disk_is_full(
    client: Client, settings: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    settings.STATE_DIR = tmp_path
    settings.LOW_DISK = 1 << 60

    response = client.get("/health/ready")
    with pytest.raises(SystemExit, match="1"):
        call_command("doctor")

    warning = re.compile(r"only \d+ MiB are free in the state folder")
    assert "disk" in response.json()["broken"]
    assert warning.match(response.json()["parts"]["disk"])
    assert warning.search(capsys.readouterr().out)
