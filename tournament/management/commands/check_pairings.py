"""`manage.py check_pairings FILE.trf`: every round paired again, and what differs."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournament.management.sources import read_source
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.request import PairingFunction, Pairings
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.trf_request import recorded, round_again
from tournament.trf import TrfFile, read_trf
from tournament.trf.errors import TrfError

DIFFERS = 1
UNREADABLE = 3


class Command(BaseCommand):
    help = (
        "Pair every round of a TRF16 or TRF26 file again from the rounds before it and list what "
        "differs. Exit status: 0 all rounds agree, 1 some differ, 3 the file cannot be read."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.trf", help="- reads standard input")
        parser.add_argument("--system", default="dutch", choices=list(PAIRING_SYSTEMS))

    def handle(self, *_: Any, **options: Any) -> None:
        name = options["file"]
        system = PAIRING_SYSTEMS[options["system"]].pair
        try:
            document = read_trf(read_source(name))
            differing = self._check(document, system)
        except OSError as fault:
            raise CommandError(f"{name}: {fault.strerror}", returncode=UNREADABLE) from fault
        except (TrfError, PairingRequestError) as fault:
            raise CommandError(f"{name}: {fault}", returncode=UNREADABLE) from fault
        if differing:
            sys.exit(DIFFERS)

    def _check(self, document: TrfFile, system: PairingFunction) -> int:
        """Print a line a round and give the number of rounds that differ."""
        completed = document.crosstable.completed
        rounds = completed + bool(document.open_pairings)
        differing = 0
        for round_number in range(1, rounds + 1):
            held = recorded(document, round_number)
            try:
                differences = list(_differences(system(round_again(document, round_number)), held))
            except NoLegalPairing as fault:
                differences = [f"  no legal pairing: {fault}"]
            differing += bool(differences)
            told = "differs" if differences else "agrees"
            self.stdout.write("\n".join([f"round {round_number} {told}", *differences]))
        return differing


def _differences(due: Pairings, held: Pairings) -> Iterator[str]:
    """Give a line for each board that is due and not held, and the other way round."""
    boards = [set(pairings.pairs) for pairings in (due, held)]
    for first, second in sorted(boards[0] - boards[1]):
        turned = " (the seats are turned round)" if (second, first) in boards[1] else ""
        yield f"  due: {first} {second}{turned}"
    for first, second in sorted(boards[1] - boards[0]):
        if (second, first) not in boards[0]:
            yield f"  held: {first} {second}"
    if due.bye != held.bye:
        yield f"  due: bye of {due.bye or 'nobody'}"
        yield f"  held: bye of {held.bye or 'nobody'}"
