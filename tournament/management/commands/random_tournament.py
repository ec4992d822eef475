"""`manage.py random_tournament`: write an invented tournament that a pairing checker accepts."""

from argparse import ArgumentParser
from fractions import Fraction
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournament.pairing.random_tournament import RandomConditions, random_tournament
from tournament.standings.errors import PointSystemError, StandingsError
from tournament.standings.points import PointSystem
from tournament.trf import TrfEdition, write_trf

RATES = (
    ("byes", 0.0, 0.05, "a player requests a bye in a round"),
    ("forfeits", 0.0, 0.05, "a game is not played"),
    ("withdrawals", 0.0, 0.02, "a player withdraws before a round"),
    ("late", 0.0, 0.05, "a player enters after round 1"),
    ("draws", 0.3, 0.3, "a game of equal players is drawn"),
)
"""Options that are probabilities: the default, the value of the bare option, and the event."""

BAD_REQUEST = 2


class Command(BaseCommand):
    help = (
        "Write a random tournament, paired by the FIDE Dutch system, as TRF. Rates are "
        "probabilities from 0 to 1. Results follow the ratings by the Elo table; the draw rate "
        "falls with the rating difference. The same options give the same tournament."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, required=True, metavar="N")
        parser.add_argument("--rounds", type=int, required=True, metavar="R")
        parser.add_argument("--seed", type=int, required=True, metavar="S")
        for name, default, bare, event in RATES:
            parser.add_argument(
                f"--{name}",
                type=float,
                nargs="?",
                const=bare,
                default=default,
                metavar="RATE",
                help=f"how often {event} ({bare} without a rate)",
            )
        parser.add_argument("--forbidden", type=int, default=0, metavar="PAIRS")
        parser.add_argument("--points", default="1-0.5-0", metavar="WIN-DRAW-LOSS")
        parser.add_argument("--baku", action="store_true", help="accelerate the first rounds")
        parser.add_argument("--form", default="trf16", choices=[form.value for form in TrfEdition])
        parser.add_argument(
            "--output", type=Path, metavar="FILE.trf", help="write to a file, not standard output"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            conditions = RandomConditions(
                players=options["players"],
                rounds=options["rounds"],
                seed=options["seed"],
                forbidden=options["forbidden"],
                points=_parse_points(options["points"]),
                has_baku=options["baku"],
                **{name: options[name] for name, *_ in RATES},
            )
            text = write_trf(random_tournament(conditions), edition=TrfEdition(options["form"]))
        except (ValueError, StandingsError) as error:
            raise CommandError(str(error), returncode=BAD_REQUEST) from error
        if options["output"] is None:
            self.stdout.write(text, ending="")
            return
        try:
            options["output"].write_text(text, encoding="utf-8")
        except OSError as error:
            message = f"{options['output']}: {error.strerror}"
            raise CommandError(message, returncode=BAD_REQUEST) from error


def _parse_points(text: str) -> PointSystem:
    try:
        win, draw, loss = (Fraction(part) for part in text.split("-"))
    except (ValueError, ZeroDivisionError) as error:
        raise PointSystemError(f"{text!r} is not WIN-DRAW-LOSS, for example 3-1-0") from error
    return PointSystem.from_points(win=win, draw=draw, loss=loss)
