"""A connection of the Python client to the service in this process."""

from collections.abc import Callable

import httpx
import pytest

from deploy.client import Client, Retries
from tests.people import Person, make_person, new_client

AT_ONCE = Retries(first_wait=0.0)


class Transport(httpx.BaseTransport):
    """Send requests to the service, in the transaction of the test."""

    def __init__(self) -> None:
        self.service = new_client()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        headers = {**request.headers}
        content_type = headers.pop("content-type", "application/octet-stream")
        del headers["accept-encoding"]
        response = self.service.generic(
            request.method,
            request.url.raw_path.decode(),
            request.read(),
            content_type=content_type,
            headers=headers,
        )
        body = response.getvalue()
        return httpx.Response(response.status_code, headers=dict(response.headers), content=body)


@pytest.fixture
def organiser(db: None) -> Person:
    return make_person("Olga")


@pytest.fixture
def connect() -> Callable[..., Client]:
    def connect(person: Person | None = None) -> Client:
        token = person.secret if person else ""
        return Client("http://testserver", token, transport=Transport(), retries=AT_ONCE)

    return connect
