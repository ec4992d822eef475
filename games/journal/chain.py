"""The hash chain of the journal: its digests, its links and the check of both.

A line's digest is the SHA-256, in hexadecimal, of the compact JSON (UTF-8, sorted keys) of
`actor`, `at`, `kind`, `payload_digest`, `previous`, `sequence` and `stream`; `previous` is the
digest of the line before it in the stream, empty for the first. The payload's digest is taken of
its own compact JSON with sorted keys. Each payload holds a random `salt`, because a public digest
would otherwise reveal a payload with few possible values. So a chain can be checked from an export
alone, and erasing a payload does not break it.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical_json(value: Any) -> str:
    """Return the canonical JSON, which digests are taken of."""
    return _CANONICAL.encode(value)


def digest_of(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def format_time(at: datetime) -> str:
    """Return a time as a line holds it: UTC, microseconds, `Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@dataclass(frozen=True, slots=True)
class Link:
    """One line of a chain, as an export holds it."""

    stream: str
    sequence: int
    previous: str
    actor: str
    at: str
    kind: str
    payload_digest: str
    digest: str

    def as_json(self) -> dict[str, Any]:
        """Return the link as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def expected_digest(self) -> str:
        """Return what `digest` must be, computed from the other fields."""
        fields = self.as_json()
        del fields["digest"]
        return digest_of(fields)


def find_chain_errors(links: Iterable[Link]) -> Iterator[str]:
    """Yield a sentence for each place where the chain of one stream is broken."""
    sequence, previous = 0, ""
    for link in links:
        place = f"{link.stream} line {link.sequence}"
        if link.sequence != sequence + 1:
            yield f"{place}: line {sequence + 1} was expected here"
        if link.previous != previous:
            yield f"{place}: names {link.previous or 'nothing'} as the line before, not {previous}"
        if link.digest != link.expected_digest():
            yield f"{place}: its digest is not that of its content"
        sequence, previous = link.sequence, link.digest
