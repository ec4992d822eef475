"""`manage.py migrate`: Django's, which refuses what it could not upgrade, and to go back."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate

from deploy.backup import has_data
from deploy.checks import schema_error


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if problem := schema_error():
            raise CommandError(problem)
        if options["migration_name"] and has_data():
            raise CommandError(
                "the tables cannot be changed back, their data would be deleted: name no migration."
                " To go back, install the older version, and restore its backup into an empty"
                " database."
            )
        super().handle(*args, **options)
