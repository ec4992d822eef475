"""Check journals: that no line was changed, left out or put in."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.journal.chain import Link, broken_links, link_of, wrong_payloads
from games.models import JournalHead
from games.queries import chain

FIELDS = tuple(Link.__dataclass_fields__)


def read_export(path: Path) -> dict[str, list[Link]]:
    """The chains of an exported file of a JSON object a line, by stream; raises CommandError."""
    chains: dict[str, list[Link]] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: {error}", returncode=2) from error
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
            link = Link(**{name: row[name] for name in FIELDS})
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            detail = f"{path}, line {number}: not a journal line ({error!r})"
            raise CommandError(detail, returncode=2) from error
        chains.setdefault(link.stream, []).append(link)
    return chains


class Command(BaseCommand):
    help = "Check the hash chain of a stream, of all streams, or of an exported file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("stream", nargs="*", help="tournament/spring-open; none for all")
        parser.add_argument("--file", type=Path, help="an exported journal (.ndjson)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a line a stream; exit status 1 when a chain does not hold, 2 for a bad file."""
        complaints: list[str] = []
        if options["file"]:
            for stream, links in read_export(options["file"]).items():
                complaints += self._report(stream, links, list(broken_links(links)))
        else:
            streams = options["stream"] or list(
                JournalHead.objects.order_by("stream").values_list("stream", flat=True)
            )
            for stream in streams:
                complaints += self._check_stored(stream)
        if complaints:
            raise CommandError("\n".join(complaints))

    def _check_stored(self, stream: str) -> list[str]:
        head = JournalHead.objects.filter(stream=stream).first()
        if head is None:
            raise CommandError(f"there is no stream {stream!r}", returncode=2)
        lines = list(chain(stream))
        links = [link_of(line) for line in lines]
        found = [*broken_links(links), *wrong_payloads(lines)]
        last = (links[-1].sequence, links[-1].digest) if links else (0, "")
        if last != (head.sequence, head.digest):
            found.append(f"{stream}: the chain ends at line {last[0]}, its head at {head.sequence}")
        return self._report(stream, links, found)

    def _report(self, stream: str, links: list[Link], found: list[str]) -> list[str]:
        state = "broken" if found else "whole"
        head = links[-1].digest if links else "-"
        self.stdout.write(f"{stream}: {len(links)} lines, {state}, head {head}")
        return found
