"""`manage.py doctor`: check each part of an installation and explain what to do."""

import sys
from typing import Any

from django.conf import settings
from django.core.checks import run_checks
from django.core.management.base import BaseCommand

from deploy.checks import connection_failure
from deploy.health import advice_on, health_parts
from deploy.state import open_files


class Command(BaseCommand):
    help = "Check settings, disk, database, broker, worker, clock; exit with 1 on a problem."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        checked = run_checks(tags=["settings"], include_deployment_checks=True)
        found = {"settings": [f"{each.msg}: {each.hint}" for each in checked]}
        if any(each.is_serious() for each in checked):
            sys.exit("\n".join(f"settings  {line}" for line in found["settings"]))
        # The pool would try for a long time, and log each attempt.
        failure = connection_failure()
        for name, problem in health_parts({"database": failure}).items():
            found[name] = [problem + advice_on(name, problem)] if problem else []
        found["files"] = file_problems()
        self.stdout.write(f"version   {settings.VERSION}")
        for name, problems in found.items():
            for line in problems or ["ok"]:
                self.stdout.write(f"{name:9} {line}")
        if any(found.values()):
            sys.exit(1)


def file_problems() -> list[str]:
    """Return the files that others may read, the state folder first; one line for many."""
    found = [f"{path} (mode {mode:o})" for path, mode in open_files()]
    if not found:
        return []
    rest = f" and {len(found) - 1} more" if len(found) > 1 else ""
    advice = f"run 'manage.py up', or 'chmod -R go= {settings.STATE_DIR}'."
    return [f"others may use {found[0]}{rest}: {advice}"]
