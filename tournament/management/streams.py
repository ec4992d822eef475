"""The journals that a command names, and how they differ from the tables."""

from argparse import ArgumentParser
from collections.abc import Sequence

from django.core.management.base import CommandError

from tournament.events.verification import find_streams


def add_streams(parser: ArgumentParser) -> None:
    """Add the argument that names streams of journals."""
    parser.add_argument(
        "stream",
        nargs="*",
        metavar="STREAM",
        help="tournament/spring-open, game/17, pool/star or site; default: all",
    )


def find_named_streams(named: Sequence[str]) -> list[str]:
    """Return the streams that were named, all without a name; raises CommandError."""
    streams = find_streams()
    unknown = [stream for stream in named if stream not in streams]
    if unknown:
        detail = f"there is no journal {unknown[0]!r}; write tournament/SLUG"
        raise CommandError(detail, returncode=2)
    return sorted(named or streams)
