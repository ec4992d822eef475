"""`manage.py referee FILE... [--json] [--svg DIR]`: a verdict on every record of every file.

One line a record, or one JSON object a line; with `--svg` the last position of every valid record
is drawn as well, in `DIR/FILE-INDEX.svg` (the file's name without its ending). All files are
tried; a file that cannot be read is told on the error stream, and so is a picture that cannot be
written. The exit status is the highest that any file gave: 0 all records valid, 1 some invalid,
2 a file that cannot be read or a picture that cannot be written. Needs no database.
"""

import json
import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.rules.diagram import draw, scene_of_record
from games.rules.errors import RecordError
from games.rules.position import Termination
from games.rules.records.record import Record
from games.rules.records.streams import judge, parse_records
from games.rules.records.verdict import Verdict
from games.rules.seat import Seat
from games.rules.star_score import Tally, alternative_score

LARGEST_FILE = 64 * 1024 * 1024

ALL_VALID, SOME_INVALID, CANNOT_BE_READ = 0, 1, 2

_encode = json.JSONEncoder().encode


class Command(BaseCommand):
    help = "Judge the game records in files; exit status 0 all valid, 1 some invalid, 2 unreadable."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file of records, UTF-8")
        parser.add_argument("--json", action="store_true", help="one JSON object a record")
        parser.add_argument("--svg", type=Path, metavar="DIR", help="draw every valid record there")

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        pictures = Pictures(options["svg"]) if options["svg"] else None
        as_json = options["json"]
        try:
            status = max([self._judge_file(name, pictures, as_json=as_json) for name in files])
        except BrokenPipeError:
            # Whoever read the lines has seen enough; Python must not try to flush the rest.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(CANNOT_BE_READ)
        if status != ALL_VALID:
            sys.exit(status)

    def _judge_file(self, name: str, pictures: "Pictures | None", *, as_json: bool) -> int:
        status = ALL_VALID
        try:
            if Path(name).stat().st_size > LARGEST_FILE:
                raise OSError(f"larger than {LARGEST_FILE >> 20} MiB; split it")
            with Path(name).open(encoding="utf-8") as stream:
                for index, read in enumerate(parse_records(stream)):
                    verdict = (
                        Verdict.refused(read) if isinstance(read, RecordError) else judge(read)
                    )
                    if not verdict.valid:
                        status = SOME_INVALID
                    elif pictures and isinstance(read, Record):
                        pictures.add(read, f"{Path(name).stem}-{index}")
                    if as_json:
                        line = _encode({"file": name, "index": index, **verdict.as_dict()})
                    else:
                        line = f"{name}:{index}: {summary(verdict)}"
                    self.stdout.write(line)
        except UnicodeDecodeError as error:
            self.stderr.write(f"{name}: not UTF-8 text ({error.reason})")
            return CANNOT_BE_READ
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            # ValueError: a name with a NUL in it.
            self.stderr.write(f"{name}: {getattr(error, 'strerror', None) or error}")
            return CANNOT_BE_READ
        return status


class Pictures:
    """A folder of diagrams; raises OSError when one cannot be written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: set[str] = set()

    def add(self, record: Record, name: str) -> None:
        """Draw a record's last position; a name that this run has used gets a number."""
        again = 1
        while (unused := name if again == 1 else f"{name}-{again}") in self.names:
            again += 1
        self.names.add(unused)
        svg = draw(scene_of_record(record), names=True)
        path = self.folder / f"{unused}.svg"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_text(svg, encoding="utf-8")
        except OSError as error:
            raise OSError(f"{path} cannot be written: {error.strerror}") from None


def alternative(verdict: Verdict) -> str:
    """Return *Star's other way of counting, of a full board; nothing in other games.

    It counts what stands on the board, without handicap points.
    """
    tallies = [verdict.detail.get(seat) for seat in Seat] if verdict.detail else []
    counts = [Tally(**tally) for tally in tallies if isinstance(tally, dict) and "peries" in tally]
    if len(counts) < len(Seat) or verdict.termination is not Termination.FULL:
        return ""
    return f" (alternative score {alternative_score(*counts):+})"


def summary(verdict: Verdict) -> str:
    """Return a verdict in one line for people."""
    if not verdict.valid:
        return f"refused: {'; '.join(str(error) for error in verdict.errors)}"
    parts = [f"{verdict.game} {verdict.board}", f"{verdict.plies} plies", str(verdict.state)]
    if verdict.termination:
        parts.append(str(verdict.termination))
    if verdict.score:
        parts.append(f"{verdict.score[0]}-{verdict.score[1]}{alternative(verdict)}")
    if verdict.winner:
        parts.append(f"{verdict.winner} wins")
    if verdict.draw:
        parts.append("a draw")
    if verdict.winner_decided:
        parts.append(f"{verdict.winner_decided} is certain to win")
    if verdict.claim:
        parts.append(f"claimed {verdict.claim}")
    return ", ".join(parts)
