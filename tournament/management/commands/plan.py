"""`manage.py plan FILE`: simulate an event with these players in several formats, and compare."""

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core.tables.csv import CsvRenderer
from games.core.tables.table import Cell, TableDocument
from games.core.tables.text import TextRenderer
from ratings.management.progress import show_progress
from tournament.management.sources import read_source
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.plans.tables import PRINTED, plan_document
from tournament.simulation.comparison import AIMS, Day, compare_formats, recommend
from tournament.simulation.figures import Totals
from tournament.simulation.formats import (
    USUAL_SIMULATIONS,
    PlanError,
    make_event_plan,
    make_formats,
    read_rounds,
)
from tournament.simulation.plan_sentences import write_reasons
from tournament.simulation.plans import EventPlan, PlannedPlayer, PlanTask, PlanTotals
from tournament.simulation.player_lines import USUAL_ERROR, BadLines, read_players
from tournament.simulation.simulator import simulate_in_chunks

BAD_REQUEST = 2
UNREADABLE = 3
LARGEST_PLAYERS_FILE = 1 << 20
LARGEST_MINUTES = 100_000


class Command(BaseCommand):
    help = (
        "Simulate an event that has not been played, in each of some formats, and compare how often"
        " the strongest player wins, how well the order is found, and how long it takes. The lines"
        " of FILE are ratings, each with its error after it and a name before it if they are known."
        " The same options give the same figures."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        systems = ", ".join(PAIRING_SYSTEMS)
        parser.add_argument("file", metavar="FILE", help="the ratings; - reads standard input")
        parser.add_argument("--systems", default="dutch", help=f"some of {systems}")
        parser.add_argument("--rounds", default="5-7", metavar="N-M", help="as 5-7 or 5,7,9")
        parser.add_argument(
            "--options",
            type=json.loads,
            default={},
            metavar="JSON",
            help='options by system, as {"mcmahon": {"band": 200}}',
        )
        parser.add_argument("--tiebreaks", default="", metavar="CODES", help="as PTS,BH/C1,BH")
        parser.add_argument("--simulations", type=int, default=USUAL_SIMULATIONS, metavar="N")
        parser.add_argument("--seed", type=int, default=1, metavar="S")
        parser.add_argument(
            "--error",
            type=int,
            metavar="POINTS",
            help=f"the standard deviation of the error of a rating (default: {USUAL_ERROR})",
        )
        parser.add_argument("--draws", type=float, default=0.0, metavar="RATE")
        parser.add_argument("--first-seat", type=int, default=0, metavar="POINTS")
        parser.add_argument("--top", type=int, default=3, metavar="K")
        parser.add_argument("--minutes", type=int, default=60, help="the length of a round")
        parser.add_argument("--pause", type=int, default=10, help="the minutes between rounds")
        parser.add_argument("--processes", type=int, choices=range(1, 65), default=1, metavar="N")
        parser.add_argument("--aim", choices=list(AIMS), default="winner")
        parser.add_argument("--format", choices=["table", "csv", "json"], default="table")

    def handle(self, *_: Any, **options: Any) -> None:
        players = _read(options["file"], options["error"])
        try:
            plan = _make_plan(players, options)
        except PlanError as error:
            valid = f"; valid are: {', '.join(error.valid)}" if error.valid else ""
            raise CommandError(f"{error}{valid}", returncode=BAD_REQUEST) from None
        day = _make_day(options)
        totals = _simulate(plan, options["processes"])
        compared = compare_formats(plan.formats, totals, len(players), day)
        verdicts = recommend(compared, options["aim"])
        document = plan_document(compared, verdicts, options["aim"], "plan")
        if options["format"] == "json":
            body = {"players": len(players), "seed": plan.seed, **document.body}
            self.stdout.write(json.dumps(body, ensure_ascii=False, indent=1))
        elif options["format"] == "csv":
            self.stdout.write(CsvRenderer().render(document), ending="")
        else:
            self.stdout.write(TextRenderer().render(_printed(document)), ending="")
            for sentence in write_reasons(compared, verdicts, options["aim"]):
                self.stdout.write(sentence)


def _read(name: str, error: int | None) -> tuple[PlannedPlayer, ...]:
    try:
        content = read_source(name)
    except OSError as problem:
        raise CommandError(f"{name}: {problem.strerror}", returncode=UNREADABLE) from None
    if len(content) > LARGEST_PLAYERS_FILE:
        raise CommandError(f"{name}: the file is larger than 1 MiB", returncode=UNREADABLE)
    try:
        players = read_players(content.decode("utf-8-sig"), error)
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        raise CommandError(f"{name}: line {line}: not UTF-8", returncode=UNREADABLE) from None
    except BadLines as problem:
        lines = "\n".join(f"{name}: {line}" for line in str(problem).splitlines())
        raise CommandError(lines, returncode=UNREADABLE) from None
    return players


def _make_plan(players: tuple[PlannedPlayer, ...], options: dict[str, Any]) -> EventPlan:
    """Return the plan of the options; raises PlanError."""
    chosen = options["options"]
    if not isinstance(chosen, dict) or not all(isinstance(one, dict) for one in chosen.values()):
        raise PlanError("/options", "--options is an object with an object for each system")
    formats = make_formats(
        len(players),
        systems=_words(options["systems"]),
        rounds=read_rounds(options["rounds"]),
        options=chosen,
        tiebreaks=_words(options["tiebreaks"]),
    )
    named = ("simulations", "seed", "draws", "first_seat", "top")
    return make_event_plan(players, formats, **{name: options[name] for name in named})


def _printed(document: TableDocument) -> TableDocument:
    """Return the columns of the page under their headings, as an aligned text has names only."""
    names = [column.name for column in document.columns]
    indices = [names.index(name) for name in PRINTED]
    columns = tuple(
        replace(document.columns[i], name=document.columns[i].heading.lower()) for i in indices
    )

    def cells(record: Mapping[str, Any]) -> tuple[Cell, ...]:
        found = document.cells(record)
        return tuple(found[index] for index in indices)

    return replace(document, columns=columns, cells=cells, csv=())


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _make_day(options: dict[str, Any]) -> Day:
    for name, least in (("minutes", 1), ("pause", 0)):
        if not least <= options[name] <= LARGEST_MINUTES:
            detail = f"--{name} must be between {least} and {LARGEST_MINUTES}"
            raise CommandError(detail, returncode=BAD_REQUEST)
    return Day(options["minutes"], options["pause"])


def _simulate(plan: EventPlan, processes: int) -> tuple[Totals, ...]:
    """Return the totals of each format, and show the progress on a terminal."""
    totals = PlanTotals((Totals(),) * len(plan.formats))
    task = PlanTask(plan)
    with show_progress(plan.simulations) as progress:
        if processes > 1:
            for chunk in simulate_in_chunks(
                task, start=0, stop=plan.simulations, processes=processes
            ):
                totals += chunk
                progress.step(chunk.simulations)
            return totals.formats
        for index in range(plan.simulations):
            totals += task.parse(task.run(index, index + 1))
            progress.step(1)
    return totals.formats
