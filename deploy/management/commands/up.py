"""`manage.py up`: run the whole service on this machine until Ctrl-C.

The broker, the web server, the scheduler (Celery beat), a worker, and one each for `imports` and
`analyses` are subprocesses, each with a group of its own. One that ends is restarted with its whole
group, after several ends in a row with growing pauses, for as long as it takes.
"""

import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection, connections
from django.db.migrations.recorder import MigrationRecorder

from deploy import programs, valkey
from deploy.checks import (
    cannot_connect,
    first_line,
    missing_migrations,
    port_problem,
    schema_error,
    warn_of_unread,
)
from deploy.samples.first_start import ORGANISER, create_organiser, write_secret
from deploy.state import close_to_others
from deploy.valkey import CannotStart

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LONGEST_PAUSE, STARTED_AFTER, GRACE = 30.0, 10.0, 8.0
"""Seconds: before a start after several ends, until ends are counted anew, for a stop."""
LARGEST_LOG: Final = 10 << 20  # bytes; a larger one is moved to `.1` when its child starts


class Child:
    """A subprocess that is to run; times are monotonic, `ends` are those in a row."""

    def __init__(self, name: str, command: Sequence[str], environment: dict[str, str]) -> None:
        self.name, self.command, self.environment = name, command, environment
        self.log: Path = settings.STATE_DIR / "log" / f"{name.replace(' ', '-')}.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at, self.start_at, self.ends = 0.0, 0.0, 0

    def keep_running(self, say: Callable[[str], None]) -> None:
        """Start the process if it does not run."""
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            self._note_end(f"ended (status {self.process.returncode})", now, say)
        if self.process is None and now >= self.start_at:
            self.started_at = now
            try:
                self._start()
            except OSError as error:
                self._note_end(f"cannot be started ({error})", now, say)

    def stop(self, deadline: float) -> None:
        """Wait for the end of the process until the deadline; kill what is left of its group."""
        if self.process is not None:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(max(0.0, deadline - time.monotonic()))
            with suppress(ProcessLookupError, PermissionError):  # macOS: only zombies are left
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def _start(self) -> None:
        with suppress(OSError):
            if self.log.stat().st_size > LARGEST_LOG:
                self.log.replace(self.log.with_suffix(".log.1"))
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                cwd=settings.BASE_DIR,
                env={**os.environ, "DJANGO_SETTINGS_MODULE": "deploy.settings", **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C reaches only `up`, and the group can be killed
                preexec_fn=end_with_parent if sys.platform == "linux" else None,
            )

    def _note_end(self, what: str, now: float, say: Callable[[str], None]) -> None:
        self.stop(now)
        self.ends = 1 if now - self.started_at >= STARTED_AFTER else self.ends + 1
        pause = min(2.0 ** (self.ends - 3), LONGEST_PAUSE) if self.ends > 1 else 0.0
        self.start_at = now + pause
        often = f", {self.ends} times in a row," if self.ends > 1 else ""
        say(f"the {self.name} {what}{often} and is restarted in {pause:g} s (log: {self.log})")


def where_mails_go() -> str:
    """Return in one sentence whether mails are sent, and by which server."""
    if settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        return f"mails are sent by {settings.EMAIL_HOST}"
    return "mails reach nobody and stand in the logs of the service; set EMAIL_URL to send them"


class Command(BaseCommand):
    help = "Run the whole service with all data in STATE_DIR; Ctrl-C stops it."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.children: list[Child] = []
        self.is_told_to_stop = False
        for number in SIGNALS:  # SIGINT too: a shell ignores it in what it starts in the background
            signal.signal(number, self.interrupt)
        try:
            with single_instance() as was_killed:
                try:
                    self.run(port_seconds=10 if was_killed else 0)
                except KeyboardInterrupt:
                    self.say("stopping")
                finally:
                    self.stop()
            self.say("stopped; all data is saved")
        except (CannotStart, DatabaseError) as error:
            sys.exit(f"perihelion: {first_line(error)}")

    def interrupt(self, *_: object) -> None:
        """Handle a signal; `watch` looks too, because an exception in a finalizer is dropped."""
        self.is_told_to_stop = True
        raise KeyboardInterrupt

    def run(self, port_seconds: float) -> None:
        """Check the preconditions, start the children, and watch them until a signal."""
        check_port(port_seconds)
        check_broker()
        if problem := cannot_connect() or schema_error():  # an SQLite file is made by connecting
            raise CannotStart(problem)
        self.say(
            f"version {settings.VERSION} starts: the broker, the tables, the web server and the"
            " workers; wait for its address"
        )
        warn_of_unread()
        close_to_others()
        if not os.environ.get("SECRET_KEY") and not settings.SECRET_KEY_FILE.exists():
            write_secret(settings.SECRET_KEY_FILE, settings.SECRET_KEY)
        self.start_broker()
        self.prepare()
        variables = {"DATABASE_WAIT": programs.WEB_DATABASE_WAIT, **programs.share_metrics()}
        variables["DRAIN_SECONDS"] = "0"  # there is no other web server
        self.start("web server", *programs.web_server(), **variables)
        if password := create_organiser():
            who = f"{settings.PUBLIC_URL}/login as {ORGANISER}"
            self.say(f"log in at {who} with the password {password} (printed only once)")
        connections.close_all()
        for program in (
            programs.scheduler, programs.worker, programs.imports, programs.analyses
        ):  # fmt: skip
            self.start(program.__name__, *program())
        self.watch(web_server_answers)
        self.say(f"data, logs and the organiser's token are in {settings.STATE_DIR}")
        self.say(where_mails_go())
        self.say(f"version {settings.VERSION} runs at {settings.PUBLIC_URL}/ (Ctrl-C stops it)")
        self.watch(lambda: False)

    def start_broker(self) -> None:
        """Start Valkey, unless REDIS_URL names a broker."""
        if settings.REDIS_EMBEDDED:
            self.start("broker", *valkey.command(settings.REDIS_URL, settings.STATE_DIR / "valkey"))
            self.watch(lambda: valkey.answers(settings.REDIS_URL), seconds=20)

    def prepare(self) -> None:
        """Migrate the database, and say what that does to an older one; collect static files."""
        if MigrationRecorder(connection).applied_migrations():
            for each in missing_migrations():
                what = "; ".join(operation.describe() for operation in each.operations)
                self.say(f"the database is upgraded: {each.app_label}.{each.name} ({what})")
        for command, what in (("migrate", "database"), ("collectstatic", "folder of static files")):
            try:
                call_command(command, verbosity=0, interactive=False)
            except (DatabaseError, OSError) as error:
                reason = first_line(error)
                raise CannotStart(f"the {what} cannot be prepared: {reason}") from error

    def start(self, name: str, *command: str, **environment: str) -> None:
        """Start a child."""
        self.children.append(Child(name, command, environment))
        self.children[-1].keep_running(self.say)

    def watch(self, is_enough: Callable[[], bool], seconds: float = float("inf")) -> None:
        """Keep the children running until a condition is true, or for so many seconds."""
        end = time.monotonic() + seconds
        while not is_enough() and time.monotonic() < end:
            if self.is_told_to_stop:
                raise KeyboardInterrupt
            for child in self.children:
                child.keep_running(self.say)
            time.sleep(0.1)

    def stop(self) -> None:
        """Stop all other children together, then the broker; ignore further signals."""
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        broker = [child for child in self.children if child.name == "broker"]
        for group in (set(self.children) - set(broker), broker):
            for child in group:
                if child.process is not None and child.process.poll() is None:
                    child.process.terminate()
            deadline = time.monotonic() + GRACE
            for child in group:
                child.stop(deadline)
        if settings.REDIS_EMBEDDED:
            with suppress(OSError):  # of a temporary folder, if the state folder's path is long
                valkey.socket_of(settings.REDIS_URL).parent.rmdir()

    def say(self, message: str) -> None:
        """Print a message; without one if the output is a file on a full disk."""
        with suppress(OSError):
            self.stdout.write(f"perihelion: {message}")
            self.stdout.flush()


@contextmanager
def single_instance() -> Iterator[bool]:
    """Lock the state folder for one instance; yield True if the last instance was killed."""
    folder = settings.STATE_DIR
    try:
        (folder / "log").mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (folder / "up.lock").open("a+")
    except OSError as error:
        reason = f"cannot be written ({error.strerror}); set STATE_DIR to another one."
        raise CannotStart(f"the state folder {folder} {reason}") from error
    with lock:
        lock.seek(0)
        process = lock.read(20).strip()
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CannotStart(
                f"another instance (process {process or 'unknown'}) uses {folder}; "
                "stop it first, or give this one its own STATE_DIR and PORT."
            ) from error
        lock.truncate(0)
        with suppress(OSError):  # on a full disk, another instance does not learn the number
            os.write(lock.fileno(), str(os.getpid()).encode())
        try:
            yield bool(process)
        finally:
            lock.truncate(0)


def check_port(seconds: float) -> None:
    """Raise CannotStart if the port is still in use after this time."""
    end = time.monotonic() + seconds
    while problem := port_problem():
        if time.monotonic() > end:
            raise CannotStart(problem)
        time.sleep(0.1)


def check_broker() -> None:
    """Raise CannotStart if REDIS_URL names a broker that does not respond."""
    if not settings.REDIS_EMBEDDED and (problem := valkey.failure(settings.REDIS_URL)):
        hint = "start it, correct the address, or leave REDIS_URL out."
        raise CannotStart(
            f"REDIS_URL: no Redis or Valkey responds at this address ({problem}): {hint}"
        )


def end_with_parent() -> None:
    """Ask the kernel for SIGTERM when `up` is killed."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def web_server_answers() -> bool:
    """Return True if the web server responds."""
    host = settings.HOST if settings.HOST not in ("0.0.0.0", "::") else "localhost"
    connection = HTTPConnection(host, settings.PORT, timeout=2)
    with suppress(OSError, HTTPException), closing(connection):
        connection.request("GET", "/health/live")
        return connection.getresponse().status == 200
    return False
