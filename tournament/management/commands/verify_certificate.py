"""`manage.py verify_certificate FILE...`: rounds paired again from their certificates."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from tournament.pairing.certificates import Certificate, CertificateError
from tournament.pairing.systems import PAIRING_SYSTEMS

DIFFERS = 1
UNREADABLE = 3


class Command(BaseCommand):
    help = (
        "Pair rounds again from their certificates. Exit status: 0 all are genuine, 1 one does "
        "not hold, 3 a file cannot be read."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="- reads standard input")

    def handle(self, *_: Any, **options: Any) -> None:
        worst = max(self._verify(name) for name in options["files"])
        if worst:
            sys.exit(worst)

    def _verify(self, name: str) -> int:
        """Verify one file and give the exit status it asks for."""
        try:
            text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
            certificate = Certificate.parse(text)
        except OSError as fault:
            self.stderr.write(f"{name}: {fault.strerror}")
            return UNREADABLE
        except (UnicodeDecodeError, CertificateError) as fault:
            self.stderr.write(f"{name}: {fault}")
            return UNREADABLE
        system = PAIRING_SYSTEMS.get(certificate.system)
        if system is None:
            found: tuple[str, ...] = (f"no such system: {certificate.system}",)
        else:
            found = certificate.faults(system.pair)
        for one in found:
            self.stderr.write(f"{name}: {one}")
        if not found:
            self.stdout.write(f"{name}: round {certificate.round} is paired as certified")
        return DIFFERS if found else 0
