"""Verify journals: no line was changed, removed or inserted."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.journal import Link, find_chain_errors, find_payload_errors, link_of, load_lines
from games.models import JournalHead


def read_export(path: Path) -> dict[str, list[Link]]:
    """Return the chains of an exported file by stream; raises CommandError."""
    chains: dict[str, list[Link]] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: {error}", returncode=2) from error
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
            link = Link(**{name: row[name] for name in Link.__dataclass_fields__})
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            detail = f"{path}, line {number}: not a journal line ({error!r})"
            raise CommandError(detail, returncode=2) from error
        chains.setdefault(link.stream, []).append(link)
    return chains


class Command(BaseCommand):
    help = "Verify the hash chain of a stream, of all streams, or of an exported file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("stream", nargs="*", help="tournament/spring-open; default: all")
        parser.add_argument("--file", type=Path, help="an exported journal (.ndjson)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line per stream; exit status 1 for a broken chain, 2 for a wrong file."""
        errors: list[str] = []
        if options["file"]:
            for stream, links in read_export(options["file"]).items():
                errors += self._print_state(stream, links, list(find_chain_errors(links)))
        else:
            all_streams = JournalHead.objects.order_by("stream").values_list("stream", flat=True)
            for stream in options["stream"] or list(all_streams):
                errors += self._verify_stored(stream)
        if errors:
            raise CommandError("\n".join(errors))

    def _verify_stored(self, stream: str) -> list[str]:
        head = JournalHead.objects.filter(stream=stream).first()
        if head is None:
            raise CommandError(f"there is no stream {stream!r}", returncode=2)
        lines = list(load_lines(stream))
        links = [link_of(line) for line in lines]
        errors = [*find_chain_errors(links), *find_payload_errors(lines)]
        sequence, digest = (links[-1].sequence, links[-1].digest) if links else (0, "")
        if (sequence, digest) != (head.sequence, head.digest):
            errors.append(
                f"{stream}: the chain ends at line {sequence}, its head at {head.sequence}"
            )
        return self._print_state(stream, links, errors)

    def _print_state(self, stream: str, links: list[Link], errors: list[str]) -> list[str]:
        state = "broken" if errors else "whole"
        head = links[-1].digest if links else "-"
        self.stdout.write(f"{stream}: {len(links)} lines, {state}, head {head}")
        return errors
