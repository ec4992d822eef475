"""`manage.py pair FILE.trf...`: the next round of tournament reports, without a database."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from tournament.management.sources import read_source
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.dutch.explanation import explain as explain_dutch
from tournament.pairing.trf_request import next_round, pairs_text
from tournament.trf import read_trf
from tournament.trf.errors import TrfError

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
        parser.add_argument(
            "--explain", action="store_true", help="tells why, in NAME.why or after the pairs"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        worst = max(self._pair(name, **options) for name in options["files"])
        if worst:
            sys.exit(worst)

    def _pair(
        self, name: str, *, system: str, output: Path | None, explain: bool, **_: object
    ) -> int:
        """Pair one file and give the exit status it asks for."""
        try:
            document = read_trf(read_source(name))
            for line in document.unknown_lines:
                if not line.text.startswith("#"):
                    detail = f"line {line.line} is not understood: {line.text[:60]}"
                    self.stderr.write(f"{name}: {detail}")
            request = next_round(document)
            if explain:
                pairings, reasons = _explained(request, system)
            else:
                pairings, reasons = PAIRING_SYSTEMS[system].pair(request), ""
            if output is None:
                self.stdout.write(pairs_text(pairings) + reasons, ending="")
            else:
                output.mkdir(parents=True, exist_ok=True)
                (output / f"{Path(name).stem}.pairs").write_text(pairs_text(pairings))
                if explain:
                    (output / f"{Path(name).stem}.why").write_text(reasons)
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


def _explained(request: PairingRequest, system: str) -> tuple[Pairings, str]:
    """Pair a round and write a line for each reason, after the board it is about."""
    if system == "dutch":
        pairings, boards = explain_dutch(request, alternatives=True)
        told = [
            f"{board.first} {board.second or 0}: {reason.sentence}"
            for board in boards
            for reason in board.reasons
        ]
    else:
        pairings = PAIRING_SYSTEMS[system].pair(request)
        told = [note.sentence for note in pairings.notes]
    return pairings, "".join(f"{line}\n" for line in told)
