"""Compare the stored responses to a stranger's reads of an event with those computed anew."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

from django.core.cache import caches
from django.db.models import Max
from django.http import HttpResponse
from django.test import Client
from django.test.utils import override_settings

from deploy import public_reads
from tests.people import Person
from tournament.models import Round, Tournament
from tournament.tables.recent import compute_once

API, PAGE = "/api/v1/tournaments/{slug}", "/e/{slug}"
READS = (
    f"{API}/standings", f"{API}/standings.csv", f"{API}/standings.html?round=1",
    f"{API}/standings.trf", f"{API}/standings.ndjson?round=1", f"{API}/crosstable",
    f"{API}/prizes", f"{API}/clubs?by=country", f"{API}/standings.xlsx",
    f"{API}/ties", f"{API}/journal", f"{API}/journal.ndjson", f"{PAGE}/journal",
    f"{API}/rounds/{{last}}/pairings", f"{API}/rounds/1/pairings",
    f"{API}/rounds", f"{API}/rounds/{{last}}", f"{API}/entries",
    f"{API}/rounds/{{last}}/pairings.csv", "/api/v1/games?tournament_slug={slug}",
    PAGE, f"{PAGE}/rounds/{{last}}", f"{PAGE}/rounds/1?by=name", f"{PAGE}/rounds/1/boards/1",
    f"{PAGE}/standings", f"{PAGE}/standings?round=1", f"{PAGE}/crosstable", f"{PAGE}/players",
    f"{PAGE}/players/1", f"{PAGE}/prizes", f"{PAGE}/clubs", f"{PAGE}/games", f"{PAGE}/exports",
    f"{PAGE}/calendar", f"{PAGE}/wall", f"{PAGE}/wall/state",
    "/", "/events", "/players", "/pools/star",
    "/api/v1/tournaments", "/api/v1/players", "/api/v1/pools/star/ratings",
)  # fmt: skip
"""Reads that are stored; `last` is the last round that is paired."""


@contextmanager
def storing(*, is_switched_on: bool = True) -> Iterator[None]:
    """Store responses and tables, which the tests otherwise do not do; forget them at the end.

    No quarter of an hour ends meanwhile, after which responses are computed again.
    """
    now, stored = public_reads.time(), 400 if is_switched_on else 0
    with (
        override_settings(STORED_RESPONSES=stored),
        patch.object(public_reads, "time", lambda: now),
    ):
        if is_switched_on:
            forget_stored_reads()
        yield


def forget_stored_reads() -> None:
    """Delete the stored responses and tables."""
    caches["responses"].clear()
    caches["large_responses"].clear()
    compute_once.cache_clear()


def check_stored_reads(
    slug: str, reads: Sequence[str] = READS, people: Sequence[Person] = ()
) -> None:
    """Assert that a stranger gets the same responses as without stored ones, also a second time.

    So do these people with tokens, from stored tables. Call it again after each change, `storing`:
    it leaves the responses stored.
    """
    client = Client()
    for read in reads:
        address = read.format(slug=slug, last=last_round(slug))
        first, second = client.get(address), client.get(address)
        computed = compute(client, address)
        assert content_of(first) == content_of(second) == content_of(computed), address
        for person in people if address.startswith("/api/") else ():
            own = person.get(address)
            with storing(is_switched_on=False):
                assert content_of(own) == content_of(person.get(address)), (person.name, address)


def compute(client: Client, address: str) -> HttpResponse:
    """Return the response of the view, without a stored response or table."""
    with storing(is_switched_on=False):
        return client.get(address)


def content_of(response: HttpResponse) -> tuple[int, str, bytes]:
    """Return the status, the tag and the content; of a problem, which has an id, the status."""
    if response.status_code != 200:
        return response.status_code, "", b""
    return 200, response["ETag"], response.content


def last_round(slug: str) -> int:
    """Return the last round of an event that is paired, or 1."""
    rounds = Round.objects.filter(tournament=Tournament.objects.filter(slug=slug).first())
    paired = rounds.exclude(state=Round.State.PLANNED)
    return paired.aggregate(last=Max("number"))["last"] or 1
