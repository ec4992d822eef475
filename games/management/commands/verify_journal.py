"""Verify journals: no line was changed, removed or inserted; with `--file`, without a database."""

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core.journal.chain import (
    PAYLOADS,
    Head,
    Link,
    canonical_json,
    find_chain_errors,
    find_head_errors,
    find_payload_errors,
)

Chain = list[tuple[Link, dict[str, Any]]]
"""The lines of a stream, each with what the file has of `PAYLOADS`."""


def read_lines(path: Path) -> list[str]:
    """Return the lines of a text file; raises CommandError."""
    try:
        with path.open(encoding="utf-8") as file:
            return list(file)  # not `splitlines`: a text in JSON may contain U+2028
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=2) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is no text in UTF-8", returncode=2) from error


def read_export(path: Path) -> dict[str, Chain]:
    """Return the chains of an exported file by stream; raises CommandError.

    Strangers get no payloads, and what is erased is null.
    """
    chains: dict[str, Chain] = {}
    for number, line in enumerate(read_lines(path), start=1):
        try:
            row = json.loads(line)
            link = Link.from_json(row)
            there = {name: row[name] for name in PAYLOADS if row.get(name) is not None}
            canonical_json(row).encode()
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            detail = f"{path}, line {number}: this is no line of a journal.ndjson"
            raise CommandError(detail, returncode=2) from error
        chains.setdefault(link.stream, []).append((link, there))
    return chains


def read_heads(path: Path) -> dict[str, list[Head]]:
    """Return the published heads of a file by stream; raises CommandError."""
    heads: dict[str, list[Head]] = {}
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        try:
            head = Head.parse(line)
        except ValueError as error:
            detail = f"{path}, line {number}: write `stream sequence digest` ({error})"
            raise CommandError(detail, returncode=2) from error
        heads.setdefault(head.stream, []).append(head)
    return heads


class Command(BaseCommand):
    help = "Verify the hash chain of a stream, of all streams, or of an exported file."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("stream", nargs="*", help="tournament/spring-open; default: all")
        parser.add_argument("--file", type=Path, help="an exported journal (.ndjson)")
        parser.add_argument(
            "--heads",
            type=Path,
            help="published heads, a saved heads.txt: report chains that do not contain them",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line per stream; exit status 1 for a broken chain, 2 for a wrong file."""
        heads = read_heads(options["heads"]) if options["heads"] else {}
        if options["file"]:
            errors = self._verify_file(options["file"], heads)
        else:
            errors = self._verify_stored(options["stream"], heads)
            if not options["stream"]:
                from games.core.checks import note_check  # a file needs no broker

                note_check("journal", is_ok=not errors)
        if errors:
            raise CommandError("\n".join(errors))

    def _verify_file(self, path: Path, heads: Mapping[str, Sequence[Head]]) -> list[str]:
        errors: list[str] = []
        for stream, chain in read_export(path).items():
            links = [link for link, _ in chain]
            found = [*find_chain_errors(links), *find_payload_errors(chain)]
            count = sum("payload" in there for _, there in chain)
            checked = f", {count} payloads checked"
            errors += self._print_state(stream, links, found, heads.get(stream, []), checked)
        return errors

    def _verify_stored(
        self, streams: Sequence[str], heads: Mapping[str, Sequence[Head]]
    ) -> list[str]:
        # manage.py starts the command for a file without the apps, which these need.
        from games.core.journal.lines import find_stored_errors, link_of, load_lines
        from games.models import JournalHead

        stored = set(JournalHead.objects.values_list("stream", flat=True))
        unknown = [stream for stream in streams if stream not in stored]
        if unknown:
            raise CommandError(f"there is no stream {unknown[0]!r}", returncode=2)
        errors: list[str] = []
        for stream in streams or sorted(stored | heads.keys()):
            lines = list(load_lines(stream))
            links = [link_of(line) for line in lines]
            found = find_stored_errors(stream, lines)
            errors += self._print_state(stream, links, found, heads.get(stream, []))
        return errors

    def _print_state(
        self,
        stream: str,
        links: Sequence[Link],
        errors: list[str],
        heads: Sequence[Head],
        checked: str = "",
    ) -> list[str]:
        """Print the state of a chain; return its errors, with those of its published heads."""
        errors += [error for head in heads for error in find_head_errors(links, head)]
        state = "broken" if errors else "whole"
        last = links[-1].digest if links else "-"
        self.stdout.write(f"{stream}: {len(links)} lines, {state}{checked}, head {last}")
        return errors
