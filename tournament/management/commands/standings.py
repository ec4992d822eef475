"""`manage.py standings FILE.trf`: the standings of a TRF file, without a database."""

import json
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

import games
from games.core.dates import clear_dates
from games.core.tables.csv import CsvRenderer
from games.core.tables.table import TableDocument
from games.core.tables.text import TextRenderer
from games.management.sources import add_encoding_argument
from tournament.management.sources import read_source, say_why
from tournament.pairing.systems.round_robin import ABSENCE, leave_out
from tournament.standings.errors import TiebreakError
from tournament.standings.table import rank
from tournament.standings.tiebreaks import TIEBREAKS, other_edition, parse_codes
from tournament.tables.ranking import ranking_document
from tournament.trf import TrfFile, read_trf
from tournament.trf.errors import TrfError

BAD_REQUEST = 2
UNREADABLE = 3
CANCELLED_GAMES = {ABSENCE.name: "bye"}
"""In a round robin, half-point byes are those of the opponents of absent players."""
PAGE_TEMPLATES = Path(games.__file__).parent / "templates"


class Command(BaseCommand):
    help = "Rank the players of a TRF16 or TRF26 file by FIDE tie-breaks (C.07, 2026)."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the TRF file; - reads standard input")
        add_encoding_argument(parser)
        parser.add_argument(
            "--tiebreaks", help="codes as in PTS,DE,BH/C1,SB; default: those of the file, or PTS"
        )
        parser.add_argument(
            "--type", choices=["swiss", "round-robin"], help="default: the type in the file"
        )
        parser.add_argument("--round", type=int, help="rank after this round")
        parser.add_argument("--unrated", type=int, help="the rating of unrated players")
        parser.add_argument(
            "--terms", action="store_true", help="add the terms of each value to the JSON"
        )
        parser.add_argument("--format", choices=["csv", "json", "html", "text"], default="text")

    def handle(self, *_: Any, **options: Any) -> None:
        trf = self._read(options["file"], options["encoding"], options["type"])
        completed = trf.crosstable.completed
        after = completed if options["round"] is None else options["round"]
        if not 0 <= after <= completed:
            detail = f"the file has {completed} rounds, not {after}"
            raise CommandError(detail, returncode=BAD_REQUEST)
        unrated = options["unrated"]
        if unrated is not None and not 0 < unrated < 10_000:
            detail = f"the rating of unrated players is 1 to 9999, not {unrated}"
            raise CommandError(detail, returncode=BAD_REQUEST)
        crosstable = trf.crosstable.after(after)
        crosstable = replace(crosstable, unrated=unrated or crosstable.unrated, is_checked=True)
        if trf.struck:
            crosstable = leave_out(crosstable, frozenset(trf.struck), CANCELLED_GAMES)
            listed = ", ".join(map(str, trf.struck))
            self.stderr.write(f"not in the standings, as the file says (C.05 6.6): {listed}")
        for number, reason in trf.own.expelled.items():
            self.stderr.write(f"not in the standings, as the file says: {number} ({reason})")
        texts = options["tiebreaks"]
        if texts is None:
            texts = ",".join(trf.tiebreaks) or "PTS"

        try:
            codes = parse_codes(texts, round_robin=crosstable.round_robin)
            for code in codes:
                if TIEBREAKS[code.name].needs_bracket:
                    detail = f"{code} needs the bracket of a knockout, which a TRF does not contain"
                    raise TiebreakError(detail, str(code))
            rows = rank(crosstable, codes)
        except TiebreakError as error:
            raise CommandError(str(error), returncode=BAD_REQUEST) from error
        title = trf.header.name or Path(options["file"]).name
        (starts_on,) = clear_dates([trf.header.start])
        document = ranking_document(
            title,
            crosstable,
            rows,
            codes,
            with_terms=options["terms"],
            edition=other_edition(codes, starts_on) if starts_on else None,
        )

        if options["format"] in ("csv", "text"):
            for note in document.notes:
                self.stderr.write(note)
        self.stdout.write(_render(document, options["format"]), ending="")

    def _read(self, name: str, encoding: str, event_type: str | None) -> TrfFile:
        round_robin = None if event_type is None else event_type == "round-robin"
        try:
            return read_trf(read_source(name, encoding), round_robin=round_robin)
        except OSError as error:
            raise CommandError(f"{name}: {error.strerror}", returncode=UNREADABLE) from error
        except TrfError as error:
            raise CommandError(say_why(name, error), returncode=UNREADABLE) from error


def _render(document: TableDocument, output_format: str) -> str:
    if output_format == "json":
        return json.dumps(document.body, ensure_ascii=False, indent=1) + "\n"
    if output_format == "html":
        return _render_html(document)
    renderer = CsvRenderer() if output_format == "csv" else TextRenderer()
    return renderer.render(document)


def _render_html(document: TableDocument) -> str:
    """Render the page; set up the templates if the command runs without settings."""
    if not settings.configured:
        backend = "django.template.backends.django.DjangoTemplates"
        settings.configure(TEMPLATES=[{"BACKEND": backend, "DIRS": [PAGE_TEMPLATES]}])
        django.setup()
    from games.core.tables.html import HtmlRenderer

    return HtmlRenderer().render(document)
