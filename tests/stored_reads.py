"""Compare the stored responses to a stranger's reads of an event with those computed anew."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db.models import Max
from django.http import HttpResponse
from django.test import Client

from deploy.public_reads import responses
from tests.people import new_client
from tournament.models import Round, Tournament

API, PAGE = "/api/v1/tournaments/{slug}", "/e/{slug}"
READS = (
    f"{API}/standings", f"{API}/standings.csv", f"{API}/standings.html?round=1",
    f"{API}/standings.trf", f"{API}/standings.ndjson?current=1&round=1", f"{API}/crosstable",
    f"{API}/crosstable.svg", f"{API}/prizes", f"{API}/clubs?by=federation",
    f"{API}/rounds/{{last}}/pairings", f"{API}/rounds/1/pairings",
    f"{API}/rounds/{{last}}/pairings.csv", "/api/v1/games?stream=tournament/{slug}",
    PAGE, f"{PAGE}/rounds/{{last}}", f"{PAGE}/rounds/1?by=name", f"{PAGE}/rounds/1/boards/1",
    f"{PAGE}/standings", f"{PAGE}/standings?round=1", f"{PAGE}/crosstable", f"{PAGE}/players",
    f"{PAGE}/players/1", f"{PAGE}/prizes", f"{PAGE}/clubs", f"{PAGE}/games", f"{PAGE}/exports",
    f"{PAGE}/calendar", f"{PAGE}/wall", f"{PAGE}/wall/state",
)  # fmt: skip
"""Reads that are stored; `last` is the last round that is paired."""


@contextmanager
def storing(capacity: int = 32 << 20) -> Iterator[None]:
    """Store responses, which the tests otherwise do not do, and forget them at the end."""
    responses.capacity = capacity
    try:
        yield
    finally:
        responses.capacity = 0
        responses.clear()


def check_stored_reads(slug: str, reads: Sequence[str] = READS) -> None:
    """Assert that a stranger gets the same responses as without stored ones, also a second time.

    Call it again after each change, `storing`: it leaves the responses stored.
    """
    client = new_client()
    for read in reads:
        address = read.format(slug=slug, last=last_round(slug))
        first, second = client.get(address), client.get(address)
        computed = compute(client, address)
        assert content_of(first) == content_of(second) == content_of(computed), address


def compute(client: Client, address: str) -> HttpResponse:
    """Return the response of the view, without the stored one."""
    capacity, responses.capacity = responses.capacity, 0
    try:
        return client.get(address)
    finally:
        responses.capacity = capacity


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
