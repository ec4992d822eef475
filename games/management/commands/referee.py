"""`manage.py referee FILE... [--json] [--encoding NAME]`: a verdict on every record of every file.

Print one line per record, or one JSON object per line. All files are tried; a file that cannot be
read is reported on the error stream. The exit status is the highest of all files: 0 all records are
valid, 1 some are invalid, 2 a file cannot be read. Needs no database.
"""

import json
import os
import sys
from argparse import ArgumentParser
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.management.sources import add_encoding_argument, find_encoding
from games.rules.descriptions.scores import describe_score
from games.rules.records.streams import judge, parse_records
from games.rules.records.verdict import Verdict
from games.rules.scoring.sums import alternative_of
from games.rules.seat import Seat

LARGEST_RECORD_FILE = 64 * 1024 * 1024

ALL_VALID, SOME_INVALID, UNREADABLE_RECORDS = 0, 1, 2

_encode = json.JSONEncoder().encode


class Command(BaseCommand):
    help = "Judge game records in files; exit status: 0 all valid, 1 some invalid, 2 unreadable."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file of records")
        add_encoding_argument(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON object per record")

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        try:
            status = max(
                [
                    self._judge_file(name, options["encoding"], as_json=options["json"])
                    for name in files
                ]
            )
        except BrokenPipeError:
            # The reader of the output has closed it; prevent Python from flushing the rest.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(UNREADABLE_RECORDS)
        if status != ALL_VALID:
            sys.exit(status)

    def _judge_file(self, name: str, encoding: str, *, as_json: bool) -> int:
        status = ALL_VALID
        try:
            if Path(name).stat().st_size > LARGEST_RECORD_FILE:
                raise OSError(f"larger than {LARGEST_RECORD_FILE >> 20} MiB; split it")
            content = Path(name).read_bytes()
            encoding = find_encoding(content, encoding)
            with TextIOWrapper(BytesIO(content), encoding) as stream:
                for index, record in enumerate(parse_records(stream)):
                    verdict = judge(record)
                    if not verdict.is_valid:
                        status = SOME_INVALID
                    if as_json:
                        line = _encode({"file": name, "index": index, **verdict.as_json()})
                    else:
                        line = f"{name}:{index}: {summarise(verdict)}"
                    self.stdout.write(line)
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            # ValueError: a name that contains NUL, or an unknown encoding.
            self.stderr.write(f"{name}: {getattr(error, 'strerror', None) or error}")
            return UNREADABLE_RECORDS
        return status


def summarise(verdict: Verdict) -> str:
    """Return a verdict as one line of text."""
    conditions, outcome = verdict.conditions, verdict.outcome
    if conditions is None:
        return f"refused: {'; '.join(str(error) for error in verdict.errors)}"
    parts = [f"{conditions.game} {conditions.board}", f"{verdict.plies} plies", verdict.state.value]
    if outcome.termination:
        parts.append(outcome.termination.value)
    points = conditions.points_for_first
    alternative = alternative_of(outcome, points)
    if outcome.score:
        parts.append("{}-{}".format(*outcome.score))
        if alternative:
            parts[-1] += f" (alternative score {alternative.score:+})"
    for seat in Seat:
        if score := describe_score(outcome, seat, points):
            parts.append(f"{seat.value}: {score}")
    if alternative and outcome.termination is None:
        parts.append(f"alternative score so far {alternative.counted:+}")
    if winner := outcome.describe_winner():
        parts.append(winner)
    if verdict.claim:
        parts.append(f"claimed {verdict.claim}")
    return ", ".join(parts)
