"""`manage.py createsuperuser`: Django's command, of which the journal of the site has a line."""

from typing import Any

from django.contrib.auth.management.commands import createsuperuser

from games.core.accounts.services import note_first_staff
from games.models import Account


class Command(createsuperuser.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Create the account, and state that it belongs to the staff."""
        super().handle(*args, **options)
        note_first_staff(Account.objects.filter(is_superuser=True).latest("pk"))
