"""`manage.py flush`: Django's, which deletes all data, but not that of a service for others."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import flush

from deploy.backup import has_data


class Command(flush.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION and has_data():
            raise CommandError(
                "the data of all accounts and events would be deleted, and PERIHELION_ENV is"
                " production: name an empty database in DATABASE_URL to begin anew."
            )
        super().handle(*args, **options)
