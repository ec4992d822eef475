"""`manage.py pair FILE.trf...`: the next round of tournament reports, without a database."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from tournament.pairing import PAIRING_SYSTEMS, NoLegalPairing, PairingRequestError, PairingSystem
from tournament.pairing.reports import next_round, pairs_text
from tournament.standings.errors import TrfError
from tournament.standings.trf import read_trf

NO_LEGAL_PAIRING = 1
UNREADABLE = 3


class Command(BaseCommand):
    help = (
        "Pair the next round of TRF16 or TRF26 files. Prints the number of pairs and, a line a "
        "board, who sits first and second; the bye last, as PLAYER 0. Exit status: 1 no legal "
        "pairing, 3 a file cannot be read; of several files all are tried."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE.trf", help="- reads standard input")
        parser.add_argument("--system", default="dutch", choices=list(PAIRING_SYSTEMS))
        parser.add_argument("--output", type=Path, metavar="DIR", help="writes NAME.pairs there")

    def handle(self, *_: Any, **options: Any) -> None:
        system = PAIRING_SYSTEMS[options["system"]]
        worst = max(self._pair(name, system, options["output"]) for name in options["files"])
        if worst:
            sys.exit(worst)

    def _pair(self, name: str, system: PairingSystem, folder: Path | None) -> int:
        """Pair one file and give the exit status it asks for."""
        try:
            document = read_trf(_source(name))
            text = pairs_text(system(next_round(document)))
            if folder is None:
                self.stdout.write(text, ending="")
            else:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{Path(name).stem}.pairs").write_text(text)
        except NoLegalPairing as fault:
            self.stderr.write(f"{name}: no legal pairing: {fault}")
            return NO_LEGAL_PAIRING
        except OSError as fault:
            self.stderr.write(f"{fault.filename or name}: {fault.strerror}")
            return UNREADABLE
        except (TrfError, PairingRequestError) as fault:
            self.stderr.write(f"{name}: {fault}")
            return UNREADABLE
        return 0


def _source(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
