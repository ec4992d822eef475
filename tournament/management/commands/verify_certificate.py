"""`manage.py verify_certificate FILE...`: pair rounds again from their certificates."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from tournament.pairing.certificates import CertificateError, RoundCertificate

DIFFERS = 1
UNREADABLE = 3


class Command(BaseCommand):
    help = (
        "Pair rounds again from their certificates. Exit status: 0 all certificates are genuine, "
        "1 one is not, 3 a file cannot be read."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help="a certificate; - is standard input"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        status = max(self._verify(name) for name in options["files"])
        if status:
            sys.exit(status)

    def _verify(self, name: str) -> int:
        """Verify one file and return the exit status."""
        try:
            text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
            certificate = RoundCertificate.parse(text)
        except OSError as error:
            self.stderr.write(f"{name}: {error.strerror}")
            return UNREADABLE
        except (UnicodeDecodeError, CertificateError) as error:
            self.stderr.write(f"{name}: {error}")
            return UNREADABLE
        faults = certificate.find_faults()
        for fault in faults:
            self.stderr.write(f"{name}: {fault}")
        if faults:
            return DIFFERS
        self.stdout.write(f"{name}: round {certificate.round} is paired as certified")
        return 0
