"""`manage.py pair FILE.trf...`: pair the next round of TRF files, without a database."""

import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.management.sources import add_encoding_argument
from tournament.management.sources import read_source, say_why
from tournament.management.systems import add_system_arguments, choose_system
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.findings import ExplainedPairing, with_names
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.dutch.explanation import explain as explain_dutch
from tournament.pairing.trf_rounds import request_next_round, require_legal_byes, with_given_byes
from tournament.pairing.trf_types import remark_on_edition
from tournament.standings.crosstable import Kind, PlayerId
from tournament.trf import read_trf
from tournament.trf.errors import TrfError

BYES = {
    Kind.PAIRING_BYE: "pairing-allocated bye",
    Kind.FULL_BYE: "full-point bye",
    Kind.HALF_BYE: "half-point bye",
    Kind.ZERO_BYE: "zero-point bye",
}
NO_LEGAL_PAIRING = 1
UNREADABLE = 3


class Command(BaseCommand):
    help = (
        "Pair the next round of TRF16 or TRF26 files. Prints the number of pairings, then a line "
        "`FIRST SECOND` for each board, and the bye last, as `PLAYER 0`. Exit status: 1 no legal "
        "pairing, 3 a file cannot be read. All files are tried; the highest status is returned."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="+", metavar="FILE.trf", help="a TRF file; - is standard input"
        )
        add_encoding_argument(parser)
        add_system_arguments(parser)
        parser.add_argument(
            "--output", type=Path, metavar="DIR", help="write NAME.pairs to this folder"
        )
        parser.add_argument(
            "--explain",
            action="store_true",
            help="also write the reasons, after the pairings or to NAME.why",
        )

    def handle(self, *_: Any, **options: Any) -> None:
        status = max(self._pair(name, **options) for name in options["files"])
        if status:
            sys.exit(status)

    def _pair(
        self,
        name: str,
        *,
        encoding: str,
        system: str | None,
        force_system: bool,
        output: Path | None,
        explain: bool,
        **_: object,
    ) -> int:
        """Pair one file and return the exit status."""
        try:
            trf = read_trf(read_source(name, encoding))
            for line in trf.unknown_lines:
                if not line.text.startswith("#"):
                    detail = f"line {line.line} is not understood: {line.text[:60]}"
                    self.stderr.write(f"{name}: {detail}")
            code, trf = choose_system(trf, system, is_forced=force_system)
            if remark := remark_on_edition(trf.system):
                self.stderr.write(f"{name}: {remark}")
            request = request_next_round(trf)
            if not PAIRING_SYSTEMS[code].has_schedule:
                require_legal_byes(trf, request)
                if (present := len(request.present)) < 2:
                    count = ("no player", "one player")[present]
                    self.stderr.write(f"{name}: {count} is left to pair in round {request.round}")
            if explain:
                names = {player.number: player.name for player in trf.crosstable.players}
                pairings, reasons = _explain(request, code, names)
            else:
                pairings, reasons = PAIRING_SYSTEMS[code].pair(request), ""
            given = {bye for bye in trf.byes if bye.round == request.round}
            reasons += "".join(
                f"{bye.player}: the file gives this player a {BYES[bye.kind]}\n"
                for bye in sorted(given)
                if explain
            )
            pairings = with_given_byes(trf, request.round, pairings)
            if output is None:
                self.stdout.write(f"{pairings}{reasons}", ending="")
            else:
                output.mkdir(parents=True, exist_ok=True)
                (output / f"{Path(name).stem}.pairs").write_text(str(pairings))
                if explain:
                    (output / f"{Path(name).stem}.why").write_text(reasons)
        except NoLegalPairing as error:
            self.stderr.write(f"{name}: no legal pairing: {error}")
            return NO_LEGAL_PAIRING
        except OSError as error:
            self.stderr.write(f"{error.filename or name}: {error.strerror}")
            return UNREADABLE
        except (TrfError, PairingRequestError) as error:
            self.stderr.write(say_why(name, error))
            return UNREADABLE
        return 0


def _explain(
    request: PairingRequest, system: str, names: Mapping[PlayerId, str]
) -> tuple[Pairings, str]:
    """Pair a round and return the pairings, and a line for each reason, with the players' names."""
    if PAIRING_SYSTEMS[system].compares_alternatives:
        pairings, explained = explain_dutch(request, alternatives=True)
        reasons = [
            f"{_numbers(pairing)}: {with_names(reason.sentence, names)}"
            for pairing in explained
            for reason in pairing.reasons
        ]
    else:
        pairings = PAIRING_SYSTEMS[system].pair(request)
        reasons = [with_names(finding.sentence, names) for finding in pairings.findings]
    return pairings, "".join(f"{reason}\n" for reason in reasons)


def _numbers(pairing: ExplainedPairing) -> str:
    """Return the players of a pairing, or the one who has the bye."""
    return " ".join(str(number) for number in (pairing.first, pairing.second) if number)
