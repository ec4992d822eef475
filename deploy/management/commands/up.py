"""`manage.py up`: run the whole service on this machine until Ctrl-C."""

import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connections

from deploy import embedded, valkey
from deploy.bootstrap import ORGANISER, bootstrap
from deploy.broken_children import store_broken_children
from deploy.embedded import CannotStart
from deploy.forks import run_apart
from deploy.processes import Children
from deploy.programs import load_programs


class Command(BaseCommand):
    help = "Run the whole service with all data in STATE_DIR; Ctrl-C stops it."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        # SIGINT too: a shell ignores it in commands that it starts in the background.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.default_int_handler)
        try:
            self.run()
        except CannotStart as error:
            sys.exit(f"perihelion: {error}")

    def run(self) -> None:
        """Check the preconditions, start the children, watch them until a signal, stop them."""
        children = Children(self.say, store_broken_children)
        with embedded.single_instance() as was_killed:
            try:
                store_broken_children({})
                embedded.check_port(seconds=5 if was_killed else 0)
                program = embedded.broker_program()
                embedded.check_database()
                connections.close_all()  # a fork must not have one
                embedded.store_secret_key()
                if program:
                    children.start(embedded.broker_child(program))
                load_programs()
                run_apart(partial(self.report, self.migrate))
                children.watch_until(lambda: valkey.answers(settings.REDIS_URL), seconds=20)
                children.start(embedded.web_child())
                run_apart(partial(self.report, self.bootstrap))
                children.watch_until(web_server_answers, seconds=30)
                for child in embedded.worker_children():
                    children.start(child)
                children.watch_until(web_server_answers)
                self.say(f"data, logs and the organiser's token are in {settings.STATE_DIR}")
                self.say(
                    f"version {settings.VERSION} runs at {settings.PUBLIC_URL}/ - "
                    "press Ctrl-C to stop"
                )
                children.watch()
            except KeyboardInterrupt:
                self.say("stopping")
            finally:
                ignore_signals()
                children.stop()
                store_broken_children({})
                embedded.remove_socket_folder()
        self.say("stopped; all data is saved")

    def report(self, step: Callable[[], None]) -> None:
        """Run a step of the start; if it fails, print why and exit."""
        try:
            step()
        except CannotStart as error:
            sys.exit(f"perihelion: {error}")
        except DatabaseError as error:
            sys.exit(f"perihelion: database error: {embedded.first_line(error)}")
        except KeyboardInterrupt:
            sys.exit(1)

    def migrate(self) -> None:
        """Migrate the database and collect the static files."""
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except DatabaseError as error:
            line = embedded.first_line(error)
            raise CannotStart(f"the database cannot be migrated: {line}") from error
        try:
            call_command("collectstatic", verbosity=0, interactive=False)
        except OSError as error:
            raise CannotStart(f"the static files cannot be written: {error}.") from error

    def bootstrap(self) -> None:
        """On the first start, create the organiser and print the password."""
        password = bootstrap()
        connections.close_all()
        if password:
            self.say(
                f"log in at {settings.PUBLIC_URL}/login as {ORGANISER} with the password"
                f" {password} (printed only once)"
            )

    def say(self, message: str) -> None:
        """Print a message; without one if the output is a file on a full disk."""
        with suppress(OSError):
            self.stdout.write(f"perihelion: {message}")
            self.stdout.flush()


def web_server_answers() -> bool:
    """Return True if the web server responds, with any status."""
    host = settings.HOST if settings.HOST not in ("0.0.0.0", "::") else "localhost"
    connection = HTTPConnection(host, settings.PORT, timeout=2)
    try:
        connection.request("GET", "/health/live", headers={"Host": "localhost"})
        return bool(connection.getresponse().status)
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def ignore_signals() -> None:
    """Ignore further signals while the children stop, which takes seconds at most."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
