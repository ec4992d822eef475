"""What the demo adds to the client of the API: its messages, tokens by request, tasks awaited."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import httpx

from deploy.client import Client as ApiClient
from deploy.client import Operation, Problem, Retries
from deploy.client import Unreachable as NoResponse

DEMO_TIMEOUT = 60.0
"""Seconds for a response, and for a task."""

ANONYMOUS = "-"
"""In place of a token: send none."""

JSON = "application/json"
TEXT_TYPE = "text/plain; charset=utf-8"
CSV_TYPE = "text/csv; charset=utf-8"


class DemoError(Exception):
    """Why the demo cannot continue, in one sentence."""

    exit_status = 1


class Unreachable(DemoError):
    """No server responds, or it is not Perihelion."""

    exit_status = 2


class BadToken(DemoError):
    """There is no token, or the service does not accept it."""

    exit_status = 2


@dataclass(frozen=True, slots=True)
class DemoResponse:
    """A response; `body` is the JSON value, or the text of another format."""

    status: int
    body: Any

    @property
    def is_problem(self) -> bool:
        """Return True if the service rejected the request."""
        return self.status >= 400

    def __str__(self) -> str:
        if not isinstance(self.body, Mapping) or "detail" not in self.body:
            return str(self.status)
        return f"{self.status} {self.body.get('code', '')}: {self.body['detail']}"


class Rejected(DemoError):
    """The service rejected a request that the demo needs."""

    def __init__(self, request: str, response: DemoResponse) -> None:
        super().__init__(f"{request} was rejected: {response}")


class DemoClient:
    """A connection to the service with one token; a call may use another one."""

    def __init__(self, url: str, token: str) -> None:
        """Take an address such as `http://127.0.0.1:8000`; raises Unreachable if it is invalid."""
        self.url = url.rstrip("/")
        self._token = token
        try:
            address = httpx.URL(self.url)
        except httpx.InvalidURL as error:
            raise Unreachable(f"{url} is not an address: {error}") from error
        if address.scheme not in ("http", "https") or not address.host or address.path != "/":
            raise Unreachable(f"{url} is not an address; write it as http://127.0.0.1:8000")
        retries = Retries(attempts=5, connections=1)
        self._api = ApiClient(self.url, retries=retries, timeout=DEMO_TIMEOUT, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._api.close()

    def connect(self) -> None:
        """Check that the server is Perihelion and accepts the token.

        Raises Unreachable or BadToken.
        """
        index = self.send("GET", "/", token=ANONYMOUS)
        if not isinstance(index.body, Mapping) or index.body.get("name") != "Perihelion":
            raise Unreachable(
                f"the server at {self.url} is not Perihelion ({index}); is PORT correct?"
            )
        account = self.send("GET", "/me")
        if account.is_problem:
            raise BadToken(f"{self.url} does not accept the token: {account}")

    def get(self, path: str) -> Any:
        """Return the body at a path; raises Rejected."""
        return self.call("GET", path)

    def post(
        self, path: str, body: Any = None, *, token: str = "", content_type: str = JSON
    ) -> Any:
        """Send a POST request and return the body of its response; raises Rejected."""
        return self.call("POST", path, body, token=token, content_type=content_type)

    def call(
        self, method: str, path: str, body: Any = None, *, token: str = "", content_type: str = JSON
    ) -> Any:
        """Send a request that must succeed, wait for its task, and return the body.

        Raises Rejected for a problem, Unreachable if there is no response.
        """
        response = self.send(method, path, body, token=token, content_type=content_type)
        if response.is_problem:
            raise Rejected(f"{method} {path}", response)
        if response.status != 202:
            return response.body
        return {**response.body, "task": self._finished_task(response.body["task"]["id"])}

    def send(
        self, method: str, path: str, body: Any = None, *, token: str = "", content_type: str = JSON
    ) -> DemoResponse:
        """Send a request and return its response; repeat it while the database is busy."""
        headers = {"Prefer": "wait=10"}
        if token != ANONYMOUS:
            headers["Authorization"] = f"Bearer {token or self._token}"
        media_type = content_type if content_type != JSON else ""
        request: Operation[Any] = Operation(
            method, path, headers=headers, body=body, content_type=media_type
        )
        try:
            response = self._api.send(request)
        except Problem as problem:
            return DemoResponse(problem.status, problem.body)
        except NoResponse as error:
            raise Unreachable(
                f"no service responds at {self.url} ({error}); "
                "is `make run` running, on the same PORT?"
            ) from error
        return DemoResponse(response.status, response.body)

    def _finished_task(self, task_id: str) -> Any:
        """Return a task when it is done; raises DemoError if it fails or takes too long."""
        deadline = time.monotonic() + DEMO_TIMEOUT
        while (task := self.get(f"/tasks/{task_id}"))["state"] == "waiting":
            if time.monotonic() > deadline:
                break
            time.sleep(0.2)
        if task["state"] != "done":
            raise DemoError(
                f"the task {task_id} is {task['state']} after {DEMO_TIMEOUT:.0f} s; "
                "is the worker running?"
            )
        return task
