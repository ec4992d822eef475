"""`manage.py load_samples`: Lantern Masters as a finished event, where it is not there yet."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.samples.lantern_masters import load_lantern_masters
from games.models import Account


class Command(BaseCommand):
    help = "Load the finished sample event Lantern Masters; does nothing when it is there."

    def handle(self, *args: Any, **options: Any) -> None:
        owner = Account.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
        if owner is None:
            raise CommandError("nobody could own the event: `manage.py createsuperuser` first")
        tournament = load_lantern_masters(by=owner)
        self.stdout.write(f"{tournament.name} is there: tournaments/{tournament.slug}")
