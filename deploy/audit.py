"""Audit the lock files: `python -m deploy.audit LOCK...` fails if a pin has a known advisory.

The advisories are those of OSV (https://osv.dev), which include the Python Packaging Advisory
Database and GitHub's; AUDIT_URL names another server with the same API. All pins are sent in one
request, together with a release that is known to be bad: if the answer names no advisory for that
one, the server has no data. Then, as without an answer, nothing is audited, and the command says so
instead of passing the pins as good.

The command was chosen over pip-audit, which would add some thirty packages to the lock, and which
reports a package as good if its index has no advisory data.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from ssl import SSLContext
from typing import Any, Final

import httpx

OSV: Final = "https://api.osv.dev"
AUDIT_TIMEOUT: Final = httpx.Timeout(20, connect=5)
PIN: Final = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, order=True)
class Pin:
    """A release of a package."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}=={self.version}"


KNOWN_BAD: Final = Pin("django", "1.2")


@dataclass(frozen=True, slots=True)
class Page:
    """Ids of advisories of a pin, and the token of the next page, empty after the last."""

    ids: list[str]
    next_token: str


class NotAudited(Exception):
    """There is no advisory data; the message says why."""


def read_pins(lock: str) -> set[Pin]:
    """Return the pins of a lock file."""
    return {Pin(name.lower(), version) for name, version in PIN.findall(lock)}


def find_advisories(pins: Iterable[Pin], url: str) -> dict[Pin, list[str]]:
    """Return the ids of the advisories of each pin that has any; raises NotAudited."""
    queries = [(pin, "") for pin in sorted({KNOWN_BAD, *pins})]
    found: dict[Pin, list[str]] = {}
    with httpx.Client(base_url=url, timeout=AUDIT_TIMEOUT, verify=_read_certificates()) as client:
        while queries:
            pages = zip(queries, _send(client, queries), strict=True)
            queries = []
            for (pin, _), page in pages:
                if page.ids:
                    found.setdefault(pin, []).extend(page.ids)
                if page.next_token:
                    queries.append((pin, page.next_token))
    if KNOWN_BAD not in found:
        raise NotAudited(f"{url} has no advisory data, not even about {KNOWN_BAD}")
    return {pin: ids for pin, ids in found.items() if pin in set(pins)}


@cache
def _read_certificates() -> SSLContext:
    """Return the certificates of all authorities, which takes 20 ms."""
    return httpx.create_ssl_context()


def _send(client: httpx.Client, queries: Sequence[tuple[Pin, str]]) -> list[Page]:
    """Return the page of each query, a pin and the token of a page; raises NotAudited."""
    body = [
        {
            "package": {"ecosystem": "PyPI", "name": pin.name},
            "version": pin.version,
            **({"page_token": token} if token else {}),
        }
        for pin, token in queries
    ]
    try:
        response = client.post("/v1/querybatch", json={"queries": body})
        response.raise_for_status()
        pages = [_parse_page(result) for result in response.json()["results"]]
        if len(pages) != len(queries):
            raise ValueError(f"{len(pages)} results for {len(queries)} pins")
    except httpx.HTTPStatusError as error:
        status = error.response.status_code
        raise NotAudited(f"{client.base_url} answered with status {status}") from error
    except httpx.HTTPError as error:
        raise NotAudited(f"{client.base_url} cannot be reached ({error})") from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NotAudited(f"{client.base_url} sent no advisories ({error!r})") from error
    return pages


def _parse_page(result: dict[str, Any]) -> Page:
    ids = [str(advisory["id"]) for advisory in result.get("vulns", ())]
    return Page(ids, str(result.get("next_page_token") or ""))


def report_lines(locks: Sequence[str], pins: Sequence[set[Pin]], url: str) -> Iterator[str]:
    """Yield a line for each bad pin; raises NotAudited."""
    advisories = find_advisories(set().union(*pins), url)
    for pin in sorted(advisories):
        places = ", ".join(lock for lock, own in zip(locks, pins, strict=True) if pin in own)
        yield f"{pin} in {places}: {', '.join(advisories[pin])}"


def main(locks: Sequence[str]) -> int:
    """Print the result; return 1 if a pin has an advisory."""
    url = os.environ.get("AUDIT_URL") or OSV
    pins = [read_pins(Path(lock).read_text()) for lock in locks]
    count = len(set().union(*pins))
    try:
        if not count:
            raise NotAudited("there are no pins in the lock files")
        lines = list(report_lines(locks, pins, url))
    except NotAudited as error:
        print(f"not audited: {error}")
        return 0
    for line in lines:
        print(line)
    print(f"{len(lines)} of {count} pins have a known advisory ({url})")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
