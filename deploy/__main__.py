"""The command line of the product: `perihelion COMMAND`, and `python manage.py COMMAND`."""

import os
import sys
from importlib import import_module

from django.core.exceptions import ImproperlyConfigured

# Commands that only read and write files start without apps and models: ten times faster.
FILE_COMMANDS = {
    "referee": "games",
    "verify_journal": "games",
    "rate": "ratings",
    "standings": "tournament",
    "pair": "tournament",
    "check_pairings": "tournament",
    "verify_certificate": "tournament",
    "random_tournament": "tournament",
}


def main() -> None:
    """Run the command named by the arguments."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    # Without this option, journals are read from the database.
    reads_database = name == "verify_journal" and not any("--file" in part for part in sys.argv)
    if name in FILE_COMMANDS and not reads_database:
        module = import_module(f"{FILE_COMMANDS[name]}.management.commands.{name}")
        module.Command().run_from_argv(sys.argv)
        return
    os.umask(0o077)  # what the service stores is nobody else's
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    from django.conf import settings
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError

    from deploy.checks import first_error
    from games.core.errors import disk_full_detail

    try:
        if not any(part.startswith("--settings") for part in sys.argv):
            # One connection is enough, and without the pool its failure is said at once.
            settings.DATABASES["default"]["OPTIONS"].pop("pool", None)
            if name not in ("check", "doctor") and (problem := first_error()):
                raise ImproperlyConfigured(problem)
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"perihelion: {error}")
    except OSError as error:  # of a mail server too
        if "--traceback" in sys.argv:
            raise
        hint = "try `manage.py doctor`, or `--traceback` for more."
        sys.exit(f"perihelion: {type(error).__name__}: {error}: {hint}")
    except (OperationalError, ProgrammingError) as error:
        if "--traceback" in sys.argv:
            raise
        hint = "Check DATABASE_URL, and create the tables with `manage.py migrate`."
        if disk_full_detail(error):
            hint = "Free some space; `manage.py doctor` says where."
        sys.exit(f"perihelion: database error: {str(error).splitlines()[0]}. {hint}")


if __name__ == "__main__":
    main()
