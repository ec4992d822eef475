"""The chain of a journal: its canonical JSON, its links and heads, and the errors in them.

A line's digest is the SHA-256, in hexadecimal, of the compact JSON (UTF-8, sorted keys) of
`actor`, `at`, `kind`, `payload_digest`, `previous`, `rows_digest`, `sequence` and `stream`;
`previous` is the digest of the line before it in the stream, empty for the first. The digests of
the payload, which is for readers, and of the rows, which are the changed columns of the tables, are
taken of their own compact JSON with sorted keys; a line without rows has an empty one. Payload and
rows hold a random `salt` each, because a public digest would otherwise reveal a value with few
possibilities. So a chain can be checked from an export alone, and erasing does not break it. If
personal data is erased from a payload or from rows, a later line (`payload.erased`) of the same
stream names the digest of the rest.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Self

SEQUENCE = re.compile(r"[0-9]{1,18}\Z", re.ASCII)
PAYLOAD_ERASED = "payload.erased"
"""The kind of the line that names the digests of payloads from which data was erased."""

PAYLOADS = ("payload", "rows")
"""The members of an exported line that its digest covers by digests of their own."""

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
    rows_digest: str
    digest: str

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Return the link of an exported line; raises KeyError, TypeError."""
        values = {name: row[name] for name in cls.__dataclass_fields__}
        if any(
            type(value) is not (int if name == "sequence" else str)
            for name, value in values.items()
        ):
            raise TypeError("a line has texts, and a whole number")
        return cls(**values)

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def expected_digest(self) -> str:
        """Return what `digest` must be, computed from the other fields."""
        fields = self.as_json()
        del fields["digest"]
        return digest_of(fields)


SHORTEST_DIGEST = 16
"""Characters of a head's digest: a print-out shows only the first ones."""


@dataclass(frozen=True, slots=True)
class Head:
    """The last line of a stream at some time, as it was published."""

    stream: str
    sequence: int
    digest: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the head written as `stream sequence digest`; raises ValueError."""
        words = text.split()
        if len(words) != 3 or not words[1].isdecimal():
            raise ValueError("these are other words")
        stream, sequence, digest = words
        if len(digest) < SHORTEST_DIGEST:
            raise ValueError(f"the digest has fewer than {SHORTEST_DIGEST} characters")
        return cls(stream, int(sequence), digest)

    def __str__(self) -> str:
        return f"{self.stream} {self.sequence} {self.digest}"


def next_link(head: Head, *, actor: str, at: datetime, kind: str, payload: Any, rows: Any) -> Link:
    """Return the link of a new line after the last one of its stream."""
    link = Link(
        stream=head.stream,
        sequence=head.sequence + 1,
        previous=head.digest,
        actor=actor,
        at=format_time(at),
        kind=kind,
        payload_digest=digest_of(payload),
        rows_digest=digest_of(rows) if rows else "",
        digest="",
    )
    return replace(link, digest=link.expected_digest())


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


def find_head_errors(links: Sequence[Link], head: Head) -> Iterator[str]:
    """Yield a sentence if a chain does not contain a published head: it was shortened or replaced.

    The chain must be unbroken.
    """
    if head.sequence > len(links):
        yield (
            f"{head.stream}: the chain ends at line {len(links)}, but line {head.sequence} was"
            " published"
        )
    elif head.sequence < 1 or not links[head.sequence - 1].digest.startswith(head.digest):
        yield f"{head.stream} line {head.sequence}: its digest is not the published one"


def find_payload_errors(lines: Sequence[tuple[Link, Mapping[str, Any]]]) -> Iterator[str]:
    """Yield a sentence for each payload, and for rows, whose digest is not the one in its line.

    Beside each line of a stream, in order, is what is there to compare: `payload`, `rows`, both or
    nothing. A payload from which data was erased has the digest that the line of the erasure names.
    """
    bodies = [(link.kind, there.get("payload")) for link, there in lines]
    erased, erased_rows = digests_after_erasure(bodies), digests_after_erasure(bodies, "rows")
    for link, there in lines:
        place = f"{link.stream} line {link.sequence}"
        payload_digest = erased.get(link.sequence, link.payload_digest)
        if "payload" in there and digest_of(there["payload"]) != payload_digest:
            yield f"{place}: the payload is not the one that was sealed"
        if "rows" in there:
            found = "" if there["rows"] is None else digest_of(there["rows"])
            if found != erased_rows.get(link.sequence, link.rows_digest):
                yield f"{place}: the rows are not those that were sealed"


def digests_after_erasure(
    payloads: Iterable[tuple[Any, Any]], member: str = "digests"
) -> dict[int, str]:
    """Return the digests of the payloads from which data was erased, by sequence number.

    `payloads` are the kind and the payload of each line of a stream, in order. The member `rows`
    has the digests of the rows instead.
    """
    digests: dict[int, str] = {}
    for kind, body in payloads:
        named = body.get(member) if kind == PAYLOAD_ERASED and isinstance(body, dict) else None
        if isinstance(named, dict):
            numbered = ((number, text) for number, text in named.items() if SEQUENCE.match(number))
            digests |= {int(number): text for number, text in numbered}
    return digests
