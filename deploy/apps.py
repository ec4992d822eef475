"""The app that assembles the others."""

from contextlib import suppress
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings


class DeployConfig(AppConfig):
    name = "deploy"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make the Celery application the apps' own, and the folder of the database's file.

        SQLite makes its file, not the folder: without it no command would work before `up`.
        """
        from deploy import celery  # noqa: F401  (only now are the settings there)

        database = settings.DATABASES["default"]
        if database["ENGINE"].endswith("sqlite3"):
            with suppress(OSError):  # the first query says it better
                Path(database["NAME"]).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
