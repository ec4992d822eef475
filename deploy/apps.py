"""The app that assembles the others."""

from contextlib import suppress
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings


class DeployConfig(AppConfig):
    name = "deploy"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make the Celery application the apps' own, and the state folder that holds the database.

        SQLite makes its file, not the folder: without it no command would work before `up`. A
        folder that DATABASE_URL names is left to its owner.
        """
        from deploy import celery  # noqa: F401  (only now are the settings there)

        if Path(settings.DATABASES["default"]["NAME"]).parent == settings.STATE_DIR:
            with suppress(OSError):  # the first query says it better
                settings.STATE_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
