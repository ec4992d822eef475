"""`manage.py check_pairings FILE.trf`: pair every round again and list the differences."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.sources import add_encoding_argument
from tournament.management.sources import read_source, say_why
from tournament.management.systems import add_system_arguments, choose_system
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.request import PairingFunction, Pairings
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.trf_rounds import recorded_pairings, request_round
from tournament.pairing.trf_types import remark_on_edition
from tournament.trf import TrfFile, read_trf
from tournament.trf.errors import TrfError

DIFFERS = 1
UNREADABLE = 3


class Command(BaseCommand):
    help = (
        "Pair every round of a TRF16 or TRF26 file again from the rounds before it and list the "
        "differences. Exit status: 0 all rounds agree, 1 some differ, 3 the file cannot be read."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.trf", help="a TRF file; - is standard input")
        add_encoding_argument(parser)
        add_system_arguments(parser)

    def handle(self, *_: Any, **options: Any) -> None:
        name = options["file"]
        try:
            trf = read_trf(read_source(name, options["encoding"]))
            system, trf = choose_system(trf, options["system"], is_forced=options["force_system"])
            if remark := remark_on_edition(trf.system):
                self.stderr.write(f"{name}: {remark}")
            differing = self._check(trf, PAIRING_SYSTEMS[system].pair)
        except OSError as error:
            raise CommandError(f"{name}: {error.strerror}", returncode=UNREADABLE) from error
        except (TrfError, PairingRequestError) as error:
            raise CommandError(say_why(name, error), returncode=UNREADABLE) from error
        if differing:
            sys.exit(DIFFERS)

    def _check(self, trf: TrfFile, pair: PairingFunction) -> int:
        """Print the result of each round and return the number of rounds that differ."""
        rounds = trf.crosstable.completed + bool(trf.open_pairings)
        differing = 0
        for round_number in range(1, rounds + 1):
            held = recorded_pairings(trf, round_number)
            try:
                differences = list(_differences(pair(request_round(trf, round_number)), held))
            except NoLegalPairing as error:
                differences = [f"  no legal pairing: {error}"]
            differing += bool(differences)
            verdict = "differs" if differences else "agrees"
            self.stdout.write("\n".join([f"round {round_number} {verdict}", *differences]))
        return differing


def _differences(due: Pairings, held: Pairings) -> Iterator[str]:
    """Yield a line for each pairing that is due but not in the file, and the other way round."""
    due_pairs, held_pairs = set(due.pairs), set(held.pairs)
    for first, second in sorted(due_pairs - held_pairs):
        reversed_seats = " (the seats are turned round)" if (second, first) in held_pairs else ""
        yield f"  due: {first} {second}{reversed_seats}"
    for first, second in sorted(held_pairs - due_pairs):
        if (second, first) not in due_pairs:
            yield f"  held: {first} {second}"
    if due.bye != held.bye:
        yield f"  due: bye of {due.bye or 'nobody'}"
        yield f"  held: bye of {held.bye or 'nobody'}"
