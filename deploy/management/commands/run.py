"""`manage.py run PROGRAM`: become a program of the service, as a container or a unit runs it."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connections

from deploy import programs
from deploy.checks import cannot_connect, port_problem, schema_problem, warn_of_unread

PROGRAMS: Final = {
    "web": programs.web_server,
    "worker": programs.worker,
    "imports": programs.imports,
    "analyses": programs.analyses,
    "beat": programs.scheduler,
}


def queues_of(text: str) -> str:
    """Return a list of queues; raise ArgumentTypeError for an unknown one."""
    known = programs.QUEUES.split(",")
    if unknown := [name for name in text.split(",") if name not in known]:
        message = f"there is no queue {unknown[0]!r}; there are {', '.join(known)}"
        raise ArgumentTypeError(message)
    return text


class Command(BaseCommand):
    help = (
        "Run the web server, a worker, the worker for imports, that for analyses, or the scheduler"
        " (beat), on its own, when the database is migrated."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("program", choices=PROGRAMS)
        parser.add_argument(
            "--queues", type=queues_of, help="of a worker, such as results,mail; default: all"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        is_web = options["program"] == "web"
        if problem := (is_web and port_problem()) or cannot_connect() or schema_problem():
            sys.exit(f"perihelion: {problem}")
        warn_of_unread()
        connections.close_all()
        command = (
            programs.worker(options["queues"])
            if options["program"] == "worker" and options["queues"]
            else PROGRAMS[options["program"]]()
        )
        if is_web:
            os.environ["DATABASE_WAIT"] = programs.WEB_DATABASE_WAIT
            os.environ.update(programs.share_metrics())
        os.chdir(settings.BASE_DIR)
        os.environ["DJANGO_SETTINGS_MODULE"] = "deploy.settings"
        os.execv(command[0], command)
