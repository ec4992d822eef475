"""`manage.py up`: the whole service on this machine, until Ctrl-C."""

import signal
import sys
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connections
from kombu.exceptions import KombuError

from deploy import embedded, valkey
from deploy.bootstrap import ORGANISER, furnish
from deploy.embedded import CannotStart
from deploy.processes import Children, GivenUp
from deploy.tasks import tick


class Command(BaseCommand):
    help = "Start broker, worker and web server, with all data in STATE_DIR; Ctrl-C ends them."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        # SIGINT too: a shell that starts a command in the background has it ignored.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.default_int_handler)
        try:
            self.run()
        except (CannotStart, GivenUp) as reason:
            sys.exit(f"perihelion: {reason}")

    def run(self) -> None:
        """Check, start, and watch until a signal; then end every child."""
        children = Children(self.say)
        with embedded.only_instance() as cut_off:
            try:
                embedded.check_port(patience=5 if cut_off else 0)
                program = embedded.broker_program()
                embedded.check_database()
                embedded.keep_secret()
                if program:
                    children.start(embedded.broker_child(program))
                self.migrate()
                children.watch_until(
                    lambda: valkey.answers(settings.REDIS_URL), seconds=20, what="the broker"
                )
                children.start(embedded.web_child())
                self.furnish()
                children.watch_until(web_answers, seconds=30, what="the web server")
                for child in embedded.worker_children():
                    children.start(child)
                with suppress(KombuError):  # the clock sends the next one within ten seconds
                    tick.delay()
                self.greet()
                children.watch_for_ever()
            except KeyboardInterrupt:
                self.say("ending")
            finally:
                ignore_signals()
                children.stop()
                embedded.leave_socket_folder()
        self.say("ended; all data is kept")

    def migrate(self) -> None:
        """Bring the database and the static files up to date."""
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except DatabaseError as error:
            line = embedded.first_line(error)
            raise CannotStart(f"the database cannot be brought up to date: {line}") from error
        call_command("collectstatic", verbosity=0, interactive=False)

    def furnish(self) -> None:
        """On the first start: make the organiser and the sample event, tell the password."""
        password = furnish()
        connections.close_all()
        if password:
            self.say(f"log in as {ORGANISER} with the password {password} (shown only this once)")

    def greet(self) -> None:
        """Say where the service is."""
        self.say(f"data, logs and the organiser's token: {settings.STATE_DIR}")
        self.say(f"version {settings.VERSION} runs at {settings.PUBLIC_URL}/ - Ctrl-C ends it")

    def say(self, line: str) -> None:
        """Tell the person at the terminal."""
        self.stdout.write(f"perihelion: {line}")
        self.stdout.flush()


def web_answers() -> bool:
    """Whether the web server answers; a refusal (the Host header) is an answer too."""
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
    """Let nothing interrupt the ending, which is short."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
