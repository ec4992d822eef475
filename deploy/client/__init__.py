"""A typed client of Perihelion's REST API, for synchronous and asynchronous programs.

    from perihelion_client import Client
    from perihelion_client.operations import tournaments

    with Client("https://example.org", token="peri_...") as client:
        standings = client.call(tournaments.standings("spring-open"))
        for entry in client.rows(tournaments.entries("spring-open")):
            print(entry["player"]["name"])

Each function in `operations` describes one request; a client sends it. `operations` and `types` are
written from the OpenAPI description of the service (`make schema`).
"""

from .async_client import AsyncClient
from .client import Client
from .errors import ClientError, InvalidSignature, Problem, Unreachable
from .events import Event
from .operation import Listing, Operation, Response
from .retries import Retries
from .webhooks import verify_webhook

__all__ = [
    "AsyncClient",
    "Client",
    "ClientError",
    "Event",
    "InvalidSignature",
    "Listing",
    "Operation",
    "Problem",
    "Response",
    "Retries",
    "Unreachable",
    "verify_webhook",
]
