"""The app that assembles the other apps."""

import logging
from contextlib import suppress
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings


class DeployConfig(AppConfig):
    name = "deploy"

    def ready(self) -> None:
        """Load Celery and the checks, log warnings, and create the state folder if it is needed.

        SQLite creates its file but not the state folder, so without it no command would work before
        the first `manage.py up`. A folder named by DATABASE_URL is not created.
        """
        from deploy import celery, checks  # noqa: F401  (these need the settings)
        from deploy.logs import report_errors

        if settings.SENTRY_DSN:
            report_errors(settings.SENTRY_DSN)
        logging.captureWarnings(True)  # or they would be lines of text among those of JSON
        if Path(settings.DATABASES["default"]["NAME"]).parent == settings.STATE_DIR:
            with suppress(OSError):  # the first query reports it
                settings.STATE_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
