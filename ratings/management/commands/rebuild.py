"""`manage.py rebuild POOL`: rate all batches of a pool anew."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.models import Player
from ratings.management.pools import load_pool
from ratings.management.progress import show_progress
from ratings.models import BatchGame
from ratings.runs.rebuilds import Move, Rebuild, preview_rebuild, rebuild_pool
from ratings.systems.lists import format_decimal

MOST_MOVES = 20


class Command(BaseCommand):
    help = (
        "Rate all batches of a pool anew in one run; it replaces the current run when it is done. "
        f"Print how many ratings change, and the {MOST_MOVES} that change most."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pool", metavar="POOL", help="the code of the pool")
        parser.add_argument("--dry-run", action="store_true", help="compute, but write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        pool = load_pool(options["pool"])
        games = BatchGame.objects.filter(pool=pool, exclusion="").count()
        rate = preview_rebuild if options["dry_run"] else rebuild_pool
        with show_progress(games) as bar:
            rebuild = rate(pool, bar.update)
        if rebuild.run is None and not options["dry_run"]:
            self.stdout.write(f"{pool.code}: no batches to rate")
            return
        run = "dry run" if rebuild.run is None else f"run {rebuild.run}"
        count = len(rebuild.moves)
        changes = f"{count} {'rating changes' if count == 1 else 'ratings change'}"
        self.stdout.write(f"{pool.code}: {run}, {rebuild.players} players rated, {changes}")
        self._write_moves(rebuild)

    def _write_moves(self, rebuild: Rebuild) -> None:
        moves = rebuild.moves[:MOST_MOVES]
        names = dict(
            Player.objects.filter(pk__in=[move.player for move in moves]).values_list("pk", "name")
        )
        for move in moves:
            self.stdout.write(f"{_write_move(move)}  {move.player} {names[move.player]}")


def _write_move(move: Move) -> str:
    before, after = (
        "-" if rating is None else format_decimal(rating, 3) for rating in (move.before, move.after)
    )
    difference = format_decimal(move.difference, 3)
    sign = "+" if move.difference > 0 else ""
    return f"{before:>9} {after:>9} {sign + difference:>9}"
