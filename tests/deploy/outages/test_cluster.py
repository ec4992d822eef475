"""The service of a federation in a storm: two web servers, three workers, PostgreSQL and Valkey.

While events are played, each process is killed again and again, the broker is emptied, the database
is restarted, the disk is full, clocks jump, and a backup is made. Nothing is lost or doubled. Then
the same load without disturbances: no process grows. `make test-long` takes half an hour for this;
STORM_KILLS (of each process) and SOAK_SECONDS make it shorter.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

import httpx
import psutil
import pytest
import redis
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

from deploy.backup import opened_backup
from deploy.metrics import oldest_due
from games.models import JournalLine, Player
from ratings.models import Pool
from ratings.pools.services import add_officer
from tests.deploy.event_checks import check_events, connected_to_database
from tests.deploy.load import Caller, EventUnderLoad, Load
from tests.deploy.outages.cluster import Cluster, running_cluster
from tests.deploy.outages.small_disk import filled, small_disk
from tests.events import SET_UP
from tests.people import make_person
from tests.processes import run_python
from tests.tournament.webhooks.receiver import Receiver, receiving
from tournament.messages.feed import load_feed
from tournament.models import Entry, Webhook

pytestmark = [
    pytest.mark.processes,
    pytest.mark.long,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="a federation has PostgreSQL"),
]

KILLS: Final = int(os.environ.get("STORM_KILLS") or 5)
SOAK: Final = float(os.environ.get("SOAK_SECONDS") or 600)
SEED: Final = 40
DISK: Final = 1 << 30
EVENTS: Final = ("east", "north")
WRONG: Final = 10.0
"""Seconds for which the disk is full, the database away, and the clocks an hour ahead or behind."""

OTHER_MACHINE: Final = ("web-2", "worker", "imports", "analyses", "beat")
"""The programs whose clocks jump."""

SAMPLES: Final = 100
MOST_GROWTH: Final = 1.1
"""Of the memory of a program, from the third minute of ten to the last."""

SLACK: Final = 4 << 20
"""Bytes, which are a lot of the memory of the broker, and little of that of Python."""

MOST_FILES: Final = 16
"""More open files than before: those of a few more requests at once."""

MOST_CONNECTIONS: Final = 2 * (settings.WEB_THREADS + 4) + 4 * (settings.WORKER_THREADS + 1)
"""Those of two web servers and four workers, as the handbook says."""

SETTLED: Final = 60.0
"""Seconds after the last request until everything is settled."""

CREATED: Final = 1
"""The line of a journal before there is a webhook."""

FAIR: Final = "fair"
"""The event whose registration stays open."""

PAGES: Final = ("/", "/e/{}", "/e/{}/standings", "/e/{}/rounds/1", "/e/{}/players", "/players")
TABLES: Final = ("standings", "rounds/1/pairings", "crosstable", "entries")


@dataclass(slots=True)
class Storm(Load):
    """Events that are played through several web servers, each with a webhook."""

    name: str = ""
    """How the names of its events and players begin."""

    receiver: Receiver = field(default_factory=Receiver)
    players: dict[str, int] = field(default_factory=dict)
    """The ids of those who were registered with a key, by name."""

    applicants: dict[str, int] = field(default_factory=dict)
    """The entries of those who have applied with a key, by name."""

    reads: Counter[int] = field(default_factory=Counter)

    def event(self, slug: str, stack: ExitStack) -> EventUnderLoad:
        return EventInStorm(self, slug, stack)

    def keyed(self, caller: Caller, path: str, body: Any) -> Any:
        """Send a request twice with a key of its own; it acts once."""
        key = f"{path} {body}"[:255]
        answers = [self._answer(caller, path, body, key) for _ in range(2)]
        assert answers[0] == answers[1], answers
        return answers[0]

    def _answer(self, caller: Caller, path: str, body: Any, key: str) -> Any:
        while True:
            answer = caller.send("POST", path, body, key=key)
            if answer.is_success:
                return answer.body
            assert answer.body["code"] == "idempotency_key_in_use", answer
            time.sleep(1)

    def watch(self, caller: Caller, slug: str) -> None:
        """Send the lines of an event to the receiver."""
        body = {
            "tournament_slug": slug,
            "receiver_url": f"http://127.0.0.1:{self.receiver.port}/{slug}",
        }
        self.keyed(caller, "webhooks", body)

    def register(self, name: str) -> None:
        """Register players and take applications until the load ends."""
        with httpx.Client(trust_env=False, timeout=30) as http:
            caller, number = Caller(self, self.token, http), 0
            while not self.ended.is_set():
                number += 1
                player = f"Guest {self.name} {name} {number}"
                self.players[player] = self.keyed(caller, "players", {"name": player})["id"]
                applicant = {"name": f"Applicant {self.name} {name} {number}"}
                path = f"tournaments/{FAIR}/entries"
                entry = self.keyed(caller, f"{path}/apply", applicant)["id"]
                self.applicants[applicant["name"]] = entry
                self.keyed(caller, f"{path}/{entry}/accept", {})
                time.sleep(0.5)

    def read(self, name: str) -> None:
        """Read pages and tables until the load ends."""
        source = Random(f"{self.seed} {name}")
        with httpx.Client(trust_env=False, timeout=30) as http:
            while not self.ended.is_set():
                slug = source.choice([FAIR, *self.events])
                path = source.choice((*PAGES, *(f"/api/v1/tournaments/{{}}/{x}" for x in TABLES)))
                try:
                    url = source.choice((self.address, *self.others)) + path.format(slug)
                    self.reads[http.get(url).status_code] += 1
                except httpx.HTTPError:
                    self.reads[0] += 1
                time.sleep(0.1)

    @contextmanager
    def running(self) -> Iterator[Callable[[], None]]:
        """Run the load; yield what fails if a part of it has ended."""
        work = [(self.play, f"{self.name}-{name}") for name in EVENTS]
        work += [(self.register, "first"), (self.register, "second")]
        work += [(self.read, "first"), (self.read, "second")]
        with ThreadPoolExecutor(len(work)) as threads:
            running = [threads.submit(do, name) for do, name in work]

            def check() -> None:
                for future in running:
                    if future.done():
                        future.result()
                    assert not future.done()

            try:
                yield check
            finally:
                self.ended.set()
            for future in running:
                future.result()


class EventInStorm(EventUnderLoad):
    load: Storm

    def change_state(self, action: str, state: str) -> None:
        if action == "open":
            self.load.watch(self.organiser, self.slug)
        super().change_state(action, state)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    logs = tmp_path_factory.mktemp("logs")
    with (
        small_disk(DISK) as disk,
        tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder,
        running_cluster(Path(folder), disk, logs) as cluster,
    ):
        yield cluster


@pytest.fixture(scope="module")
def token(cluster: Cluster, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> str:
    """The token of an organiser who is an officer of the pool, and has an event that is open."""
    with django_db_blocker.unblock(), connected_to_database("perihelion", cluster.database.host):
        person = make_person("Olga", is_staff=True)
        assert person.account is not None
        add_officer(Pool.objects.get(code="star"), person.account, by=person.account)
    with httpx.Client(trust_env=False, timeout=60) as http:
        caller = Caller(Storm(cluster.addresses[0], person.secret, SEED), person.secret, http)
        caller.ensure("tournaments", lambda: False, SET_UP | {"slug": FAIR, "name": "Fair"})
        caller.ensure(f"tournaments/{FAIR}/open", lambda: False)
    return person.secret


@pytest.fixture
def load(cluster: Cluster, token: str, request: pytest.FixtureRequest) -> Iterator[Storm]:
    """A load that has registered its players."""
    first, *others = cluster.addresses
    with receiving() as receiver:
        name = "soak" if "flat" in request.node.name else "storm"
        load = Storm(first, token, SEED, others=others, name=name, receiver=receiver)
        load.register_players()
        yield load


def check_all(cluster: Cluster, load: Storm, blocker: DjangoDbBlocker) -> None:
    """Everything is settled within a minute; nothing is lost or doubled; all is verified."""
    with blocker.unblock(), connected_to_database("perihelion", cluster.database.host):
        end = time.monotonic() + SETTLED
        while (left := unsettled(load)) and time.monotonic() < end:
            time.sleep(1)
        assert left == []
        check_events(load)
        check_keyed(load)
        check_deliveries(load)
    cluster.manage("verify_ratings")
    assert 500 not in load.statuses
    assert 500 not in load.reads
    cluster.wait_until_well()


def check_keyed(load: Storm) -> None:
    """Each request with a key has acted once, and has one line in the journal."""
    guests = Player.objects.filter(name__startswith=f"Guest {load.name} ")
    assert sorted(guests.values_list("name", "pk")) == sorted(load.players.items())
    registered = payloads("site", "player.registered")
    names = [body["name"] for body in registered if body["player"] in load.players.values()]
    assert sorted(names) == sorted(load.players)
    entries = Entry.objects.filter(player__name__startswith=f"Applicant {load.name} ")
    assert sorted(entries.values_list("player__name", "pk")) == sorted(load.applicants.items())
    for kind in ("entry.applied", "entry.accepted"):
        ids = [body["entry"] for body in payloads(f"tournament/{FAIR}", kind)]
        assert sorted(set(ids)) == sorted(ids), kind
        assert set(ids) >= set(load.applicants.values()), kind


def payloads(stream: str, kind: str) -> list[Any]:
    """Return the payloads of the lines of a kind."""
    lines = JournalLine.objects.filter(stream=stream, kind=kind).select_related("payload")
    return [line.payload.body for line in lines]


def expected_deliveries(load: Storm) -> dict[str, list[str]]:
    """Return the ids of what each event is to send, in order."""
    return {
        slug: [
            f"{entry.stream}/{entry.sequence}"
            for entry in load_feed(f"tournament/{slug}", after=CREATED, limit=10_000)
        ]
        for slug in load.events
    }


def received(load: Storm, slug: str) -> list[str]:
    requests = [each for each in load.receiver.received if each.path == f"/{slug}"]
    return [request.headers["webhook-id"] for request in requests]


def unsettled(load: Storm) -> list[str]:
    """Return what waits for a worker, and what has not been delivered."""
    due = [kind for kind, seconds in oldest_due().items() if seconds]
    expected = {each for ids in expected_deliveries(load).values() for each in ids}
    return due + sorted(expected - set(load.receiver.ids))


def check_deliveries(load: Storm) -> None:
    """Each line was delivered in order; twice only what a killed worker had sent."""
    assert not Webhook.objects.exclude(stopped="").exists()
    for slug, ids in expected_deliveries(load).items():
        assert list(dict.fromkeys(received(load, slug))) == ids, slug


def heads(cluster: Cluster, **environment: str) -> dict[str, tuple[int, str]]:
    """Return the head of each journal of an installation."""
    program = (
        "import django; django.setup(); from games.models import JournalHead;"
        "[print(*row) for row in JournalHead.objects.values_list('stream', 'sequence', 'digest')]"
    )
    variables = cluster.environment | {"DJANGO_SETTINGS_MODULE": "deploy.settings"} | environment
    done = run_python("-c", program, environment=os.environ | variables)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    return {stream: (int(sequence), digest) for stream, sequence, digest in lines}


def jump_clocks(cluster: Cluster) -> None:
    """Let the clocks of one machine jump by an hour, forward and back, while its programs run."""
    compiler = shutil.which("cc")
    if compiler is None:
        return
    library, offset = cluster.logs / "clock.so", cluster.logs / "offset"
    source = str(Path(__file__).with_name("clock.c"))
    subprocess.run([compiler, "-shared", "-fPIC", "-O", source, "-o", str(library)], check=True)
    offset.write_bytes(bytes(4))
    variables = {"LD_PRELOAD": str(library), "CLOCK_OFFSET": str(offset)}
    programs = [cluster.programs[name] for name in OTHER_MACHINE]
    for program in programs:
        program.environment |= variables
    cluster.kill(OTHER_MACHINE)
    cluster.wait_until_well()
    with offset.open("r+b", buffering=0) as file:  # the programs have mapped it
        for seconds in (3600, -3600, 0):
            file.seek(0)
            file.write(seconds.to_bytes(4, sys.byteorder, signed=True))
            time.sleep(WRONG)
    cluster.wait_until_well()
    for program in programs:
        for variable in variables:
            del program.environment[variable]
    cluster.kill(OTHER_MACHINE)


def fill_disk(disk: Path) -> None:
    """Fill the disk of the database, of the broker and of the state for a while."""
    with filled(disk):
        time.sleep(WRONG)


def restart_database(cluster: Cluster) -> None:
    """Restart the database as for an upgrade of it."""
    cluster.database.stop()
    time.sleep(WRONG)
    cluster.database.start()


def test_nothing_is_lost_or_doubled(
    cluster: Cluster,
    load: Storm,
    tmp_path: Path,
    django_db_blocker: DjangoDbBlocker,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("WARNING", "httpx")
    source, names, backup = Random(SEED), sorted(cluster.parts), tmp_path / "storm.backup"
    known: list[dict[str, tuple[int, str]]] = []

    def back_up() -> None:
        known.append(heads(cluster))
        cluster.manage("backup", str(backup))
        known.append(heads(cluster))

    disturbances: list[Callable[[], object]] = [
        lambda: jump_clocks(cluster),
        lambda: redis.Redis.from_url(cluster.broker.address).flushall(),
        back_up,
        lambda: fill_disk(cluster.folder.parent),
        lambda: restart_database(cluster),
    ]
    with load.running() as check:
        for number in range(KILLS):
            source.shuffle(names)
            rest = list(names)
            while rest:
                count = source.randint(1, 3)
                cluster.kill(rest[:count])
                rest = rest[count:]
                cluster.wait_until_well()
                check()
            for disturb in disturbances[number::KILLS]:
                disturb()
                cluster.wait_until_well()
                check()
    with capsys.disabled():
        times = cluster.recoveries
        print(f"\n{load.figures()}; reads: {dict(load.reads)}")
        print(f"{len(times)} recoveries, median {median(times):.1f} s, longest {max(times):.1f} s")

    check_all(cluster, load, django_db_blocker)
    check_backup(cluster, backup, known)


def check_backup(cluster: Cluster, backup: Path, known: list[dict[str, tuple[int, str]]]) -> None:
    """The backup verifies in either database, with the heads as they were when it was made."""
    before, after = known
    with opened_backup(backup) as opened:
        rows = [row["fields"] | {"stream": row["pk"]} for row in opened.rows("games.JournalHead")]
    made = {row["stream"]: (row["sequence"], row["digest"]) for row in rows}
    assert before.keys() <= made.keys() <= after.keys()
    assert all(before[stream] <= made[stream] <= after[stream] for stream in before)
    file = backup.with_name("heads.txt")
    file.write_text("".join(f"{stream} {n} {digest}\n" for stream, (n, digest) in made.items()))
    cluster.manage("verify_journal", "--heads", str(file))  # those of the service continue them

    for url in ("", cluster.database.create("restored")):
        variables = {"DATABASE_URL": url, "STATE_DIR": str(backup.with_name("state"))}
        said = cluster.manage("restore", str(backup), **variables)
        assert said.endswith("journals, rows and ratings are verified\n")
        assert heads(cluster, **variables) == made


@dataclass(frozen=True, slots=True)
class Sizes:
    """What each part holds at a moment: bytes of memory of its own, open files, connections."""

    memory: dict[str, int]
    files: dict[str, int]
    connections: int


def sizes(cluster: Cluster) -> Sizes:
    """Return what the parts hold; the database has a process for each connection."""
    memory, files = Counter[str](), Counter[str]()
    for name, processes in cluster.processes().items():
        for process in processes if name != "database" else []:
            with suppress(psutil.NoSuchProcess):  # it ended meanwhile
                memory[name] += process.memory_full_info().uss
                files[name] += process.num_fds()
    return Sizes(memory, files, cluster.database.connections())


def test_memory_connections_and_files_stay_flat(
    cluster: Cluster,
    load: Storm,
    django_db_blocker: DjangoDbBlocker,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("WARNING", "httpx")
    samples: list[Sizes] = []
    with load.running() as check:
        for _ in range(SAMPLES):
            time.sleep(SOAK / SAMPLES)
            samples.append(sizes(cluster))
            check()
    early, late = samples[SAMPLES // 5 : 3 * SAMPLES // 10], samples[-SAMPLES // 10 :]
    lines, is_flat = [], {}
    for name in early[0].memory:
        before, after = (median(each.memory[name] for each in part) for part in (early, late))
        opened, held = (max(each.files[name] for each in part) for part in (early, late))
        figures = f"{before / 2**20:.0f} to {after / 2**20:.0f} MiB, {opened} to {held} files"
        lines.append(f"{name}: {figures}")
        is_flat[name] = after < before * MOST_GROWTH + SLACK and held <= opened + MOST_FILES
    most = max(each.connections for each in samples)
    lines.append(f"at most {most} connections to the database")
    with capsys.disabled():
        print(f"\n{load.figures()}; reads: {dict(load.reads)}")
        print("\n".join(lines))
    assert all(is_flat.values()), lines
    assert most <= MOST_CONNECTIONS
    check_all(cluster, load, django_db_blocker)
