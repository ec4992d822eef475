"""`manage.py load_samples`: load the finished tournament Lantern Masters."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.samples.lantern_masters import load_lantern_masters
from games.models import Account


class Command(BaseCommand):
    help = "Load the finished sample tournament Lantern Masters, unless it exists."

    def handle(self, *args: Any, **options: Any) -> None:
        owner = Account.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
        if owner is None:
            raise CommandError("no account can own the event: run `manage.py createsuperuser`")
        tournament = load_lantern_masters(by=owner)
        self.stdout.write(f"{tournament.name} is loaded: tournaments/{tournament.slug}")
