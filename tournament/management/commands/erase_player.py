"""`manage.py erase_player ID`: erase the personal data of a player at their request."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core.errors import ApiError
from games.models import Player
from tournament.players.services import erase_player


class Command(BaseCommand):
    help = "Erase the personal data of a player; games, results and ratings stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("player", type=int, help="the id of the player")

    def handle(self, *_: Any, **options: Any) -> None:
        """Erase the player and print the name that the public sees."""
        player = Player.objects.filter(pk=options["player"]).first()
        if player is None:
            raise CommandError(f"there is no player {options['player']}")
        try:
            self.stdout.write(erase_player(player, by=None).name)
        except ApiError as error:
            raise CommandError(error.detail) from error
