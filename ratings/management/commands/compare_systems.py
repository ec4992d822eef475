"""`manage.py compare_systems POOL`: compare how well rating systems predict the next game."""

from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.analyses.queries import load_shadow_games
from ratings.analyses.tables import ReportOutput
from ratings.management.files import parse_file
from ratings.management.output import add_output_arguments, write_report
from ratings.management.pools import load_pool
from ratings.systems.games_file import read_games
from ratings.systems.presets import find_preset
from ratings.systems.research.comparison import COMPARISON_NOTE, NoCommonGames, compare
from ratings.systems.research.shadow import (
    SHADOW_SYSTEMS,
    Predict,
    UnknownSystem,
    available_systems,
    find_systems,
    predict_preset,
)
from ratings.systems.research.shadow_games import ShadowGames, shadow_games_of_file
from ratings.systems.seeds_file import Seed, read_seeds

OFFICIAL = "official"
"""The name under which the system of the pool, with its parameters, is compared."""


class Command(BaseCommand):
    help = (
        "Run rating systems in shadow over the batches of a pool or of a CSV file and compare how "
        "well each predicts the next game: log-loss, accuracy, calibration. No rating is changed. "
        "Exit with status 1 if there is no game that all of them predict."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("pool", nargs="?", metavar="POOL", help="the code of the pool")
        source.add_argument(
            "--games", type=Path, metavar="GAMES.csv", help="a file of games as `rate` reads it"
        )
        parser.add_argument("--seeds", type=Path, metavar="SEEDS.csv", help="ratings before GAMES")
        parser.add_argument("--batch", default="event", choices=["event", "game"], help="of GAMES")
        parser.add_argument(
            "--systems",
            metavar="NAME,NAME",
            help=f"of {', '.join(SHADOW_SYSTEMS)}; the first is the reference after a pool's own "
            "system (default: all that are installed, except fide-2024)",
        )
        add_output_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            systems = find_systems(_names(options["systems"]))
        except UnknownSystem as error:
            raise CommandError(str(error), returncode=2) from None
        title, systems, games = _load(options, systems)
        try:
            comparison = compare(systems, games)
        except NoCommonGames as error:
            raise CommandError(f"{title}: {error}") from None
        report = ReportOutput(
            title=title,
            note=COMPARISON_NOTE,
            json=comparison.as_json(),
            rows=comparison.rows(),
            series={system.name: system.scores.groups for system in comparison.systems},
        )
        write_report(report, options, self.stdout)


def _names(chosen: str | None) -> list[str]:
    if chosen is None:
        return [name for name in available_systems() if name != "fide-2024"]
    return [name.strip() for name in chosen.split(",")]


def _load(
    options: dict[str, Any], systems: dict[str, Predict]
) -> tuple[str, dict[str, Predict], ShadowGames]:
    """Return the title of the comparison, the systems, and the games of the pool or the file."""
    if options["games"] is None:
        pool = load_pool(options["pool"])
        own = find_preset(pool.preset, pool.parameters)
        systems = {OFFICIAL: partial(predict_preset, own), **systems}
        return f"Comparison of rating systems in {pool.name}", systems, load_shadow_games(pool)
    seeds: dict[str, Seed] = parse_file(options["seeds"], read_seeds) if options["seeds"] else {}
    games = parse_file(options["games"], read_games)
    by_game = options["batch"] == "game"
    title = f"Comparison of rating systems in {options['games'].name}"
    return title, systems, shadow_games_of_file(games, seeds, by_game=by_game)
