"""Django's entry: `python manage.py COMMAND`."""

import os
import sys
from importlib import import_module

from django.core.exceptions import ImproperlyConfigured

# Commands that work on files alone start without the apps and their models: in a tenth of a second.
FILE_COMMANDS = {
    "referee": "games",
    "rate": "ratings",
    "standings": "tournament",
    "pair": "tournament",
    "check_pairings": "tournament",
    "verify_certificate": "tournament",
    "random_tournament": "tournament",
}


def main() -> None:
    """Run the command that the arguments name."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name in FILE_COMMANDS:
        module = import_module(f"{FILE_COMMANDS[name]}.management.commands.{name}")
        module.Command().run_from_argv(sys.argv)
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as fault:
        sys.exit(f"perihelion: {fault}")
    except (OperationalError, ProgrammingError) as fault:
        if "--traceback" in sys.argv:
            raise
        told = str(fault).splitlines()[0]
        sys.exit(
            f"perihelion: the database: {told}. Is DATABASE_URL right, and were its tables made "
            "(`manage.py migrate`)?"
        )


if __name__ == "__main__":
    main()
