"""`manage.py standings FILE.trf`: the table of a tournament report, without a database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournament.documents.renderers.csv import CsvRenderer
from tournament.documents.renderers.html import HtmlRenderer
from tournament.documents.renderers.json import JsonRenderer
from tournament.documents.renderers.text import TextRenderer
from tournament.documents.standings import ranking_document
from tournament.management.sources import read_source
from tournament.standings.errors import TiebreakError
from tournament.standings.table import rank, table_json
from tournament.standings.tiebreaks import parse_codes
from tournament.trf import TrfFile, read_trf
from tournament.trf.errors import TrfError

BAD_REQUEST = 2
UNREADABLE = 3
RENDERERS: dict[str, type[CsvRenderer | HtmlRenderer | TextRenderer]] = {
    "csv": CsvRenderer,
    "html": HtmlRenderer,
    "text": TextRenderer,
}


class Command(BaseCommand):
    help = "Rank the players of a TRF16 or TRF26 file by a list of FIDE tie-breaks (C.07, 2026)."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the report; - reads standard input")
        parser.add_argument(
            "--tiebreaks", help="as PTS,DE,BH/C1,SB; the file's own list when not given, else PTS"
        )
        parser.add_argument(
            "--type", choices=["swiss", "round-robin"], help="when the file does not say"
        )
        parser.add_argument("--round", type=int, help="the table after this round")
        parser.add_argument("--unrated", type=int, help="the rating unrated players count with")
        parser.add_argument("--terms", action="store_true", help="json: what each value is made of")
        parser.add_argument("--format", choices=["json", *RENDERERS], default="text", dest="form")

    def handle(self, *_: Any, **options: Any) -> None:
        document = self._read(options["file"], options["type"])
        table = document.crosstable
        played = table.completed
        after = options["round"] if options["round"] is not None else played
        if not 0 <= after <= played:
            raise CommandError(f"the file has {played} rounds, not {after}", returncode=BAD_REQUEST)
        table = table.after(after) if after < played else table
        if options["unrated"] is not None and not 0 < options["unrated"] < 10_000:
            raise CommandError("an unrated player counts with 1 to 9999", returncode=BAD_REQUEST)

        try:
            texts = options["tiebreaks"]
            if texts is None:
                texts = ",".join(document.tiebreaks) or "PTS"
            codes = parse_codes(texts, round_robin=table.round_robin)
            rows = rank(table, codes, unrated=options["unrated"])
        except TiebreakError as fault:
            raise CommandError(str(fault), returncode=BAD_REQUEST) from fault

        title = document.header.name or Path(options["file"]).name
        note = "" if after == table.rounds else f"after round {after} of {table.rounds}"
        body = {
            "name": title,
            "round": after,
            "rounds": table.rounds,
            "provisional": after < table.rounds,
            "tiebreaks": [str(code) for code in codes],
            "rows": table_json(rows, with_terms=options["terms"]),
        }
        labels = tuple(rows[0].values) if rows else ()
        ranking = ranking_document(title, rows, labels, body=body, note=note)
        if options["form"] == "json":
            content = JsonRenderer().render(ranking, "application/json; indent=1")
            self.stdout.write(content.decode())
        else:
            self.stdout.write(RENDERERS[options["form"]]().render(ranking), ending="")

    def _read(self, name: str, event_type: str | None) -> TrfFile:
        try:
            source = read_source(name)
        except OSError as fault:
            raise CommandError(f"{name}: {fault.strerror}", returncode=UNREADABLE) from fault
        try:
            round_robin = None if event_type is None else event_type == "round-robin"
            return read_trf(source, round_robin=round_robin)
        except TrfError as fault:
            raise CommandError(f"{name}: {fault}", returncode=UNREADABLE) from fault
