"""Speaking with the service: one kept-alive connection, JSON, and problems as exceptions.

A request whose connection was closed while it lay idle is sent once more on a new one.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Self
from urllib.parse import urlsplit

BASE = "/api/v1"
PATIENCE = 60.0
"""Seconds for one answer, and for one task."""

NOBODY = "-"
"""In the place of a token: ask as anybody can."""

JSON = "application/json"
TEXT = "text/plain; charset=utf-8"
CSV = "text/csv; charset=utf-8"


class DemoError(Exception):
    """Why the demo cannot go on, in a sentence for the person who started it."""

    exit_status = 1


class Unreachable(DemoError):
    """Nothing answers, or something that is not Perihelion."""

    exit_status = 2


class BadToken(DemoError):
    """There is no token, or the service does not know it."""

    exit_status = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: `body` is the JSON value, or the text of any other form."""

    status: int
    body: Any
    location: str = ""

    @property
    def is_problem(self) -> bool:
        """Whether the service refused."""
        return self.status >= 400

    def __str__(self) -> str:
        """The status and, of a problem, its code and what it says."""
        if not isinstance(self.body, Mapping) or "detail" not in self.body:
            return str(self.status)
        return f"{self.status} {self.body.get('code', '')}: {self.body['detail']}"


class Refused(DemoError):
    """The service refused what the demo needs; `answer` says why."""

    def __init__(self, request: str, answer: Answer) -> None:
        super().__init__(f"{request} was refused: {answer}")
        self.answer = answer


class Service:
    """The service at an address, spoken to with one person's token unless a call names another."""

    def __init__(self, url: str, token: str) -> None:
        """Take the address as `http://127.0.0.1:8000`; raises Unreachable for what is none."""
        self.url = url.rstrip("/")
        self._token = token
        try:
            parts = urlsplit(self.url)
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise Unreachable(f"{url} is no address: {error}") from error
        if parts.scheme not in ("http", "https") or not host or parts.path:
            raise Unreachable(f"{url} is no address; write it as http://127.0.0.1:8000")
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(host, port, timeout=PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def meet(self) -> None:
        """Make sure that this is Perihelion and that it knows the token.

        Raises Unreachable or BadToken.
        """
        index = self.ask("GET", "/", token=NOBODY)
        if not isinstance(index.body, Mapping) or index.body.get("name") != "Perihelion":
            raise Unreachable(
                f"what answers at {self.url} is not Perihelion ({index}); is PORT the right one?"
            )
        me = self.ask("GET", "/me")
        if me.is_problem:
            raise BadToken(f"{self.url} does not take the token: {me}")

    def get(self, path: str) -> Any:
        """The body at a path; raises Refused."""
        return self.call("GET", path).body

    def post(self, path: str, body: Any = None, *, token: str = "", form: str = JSON) -> Answer:
        """Send something and wait for what follows from it; raises Refused."""
        return self.call("POST", path, body, token=token, form=form)

    def call(
        self, method: str, path: str, body: Any = None, *, token: str = "", form: str = JSON
    ) -> Answer:
        """Make one request that has to succeed; a task that it begins is waited for.

        Raises Refused with the service's own words, Unreachable when it has gone away.
        """
        answer = self.ask(method, path, body, token=token, form=form)
        if answer.is_problem:
            raise Refused(f"{method} {path}", answer)
        return self._finished(answer) if answer.status == 202 else answer

    def ask(
        self, method: str, path: str, body: Any = None, *, token: str = "", form: str = JSON
    ) -> Answer:
        """Make one request and return whatever is answered; a busy database is asked again."""
        headers = {"Accept": "*/*", "Prefer": "wait=10"}
        if token != NOBODY:
            headers["Authorization"] = f"Bearer {token or self._token}"
        content = None
        if body is not None:
            content = json.dumps(body) if form == JSON else body
            headers["Content-Type"] = form
        for _ in range(5):
            answer, pause = self._exchange(method, BASE + path, content, headers)
            if answer.status != 503:
                break
            time.sleep(pause)
        return answer

    def _exchange(
        self, method: str, path: str, content: str | None, headers: Mapping[str, str]
    ) -> tuple[Answer, float]:
        """One request and its answer, with the seconds the service asks to wait, if it does."""
        body = content.encode() if content is not None else b"" if method != "GET" else None
        was_open = self._connection.sock is not None
        try:
            self._connection.request(method, path, body, dict(headers))
            response = self._connection.getresponse()
            text = response.read().decode()
        except (OSError, HTTPException, UnicodeDecodeError) as error:
            self._connection.close()
            if was_open and isinstance(error, ConnectionError):  # closed while it lay idle
                return self._exchange(method, path, content, headers)
            raise Unreachable(
                f"no service answers at {self.url} ({error or type(error).__name__}); "
                "is `make run` running, on the same PORT?"
            ) from error
        answer = Answer(
            status=response.status,
            body=_read(text, response.getheader("Content-Type", "")),
            location=response.getheader("Location", ""),
        )
        wait = response.getheader("Retry-After", "")
        return answer, float(wait) if wait.isdecimal() else 1.0

    def _finished(self, accepted: Answer) -> Answer:
        """The accepted answer with its task done; raises DemoError for one that is not done."""
        path = accepted.location.removeprefix(BASE)
        until = time.monotonic() + PATIENCE
        while (task := self.get(path))["state"] == "waiting" and time.monotonic() < until:
            time.sleep(0.2)
        if task["state"] != "done":
            raise DemoError(
                f"the task at {accepted.location} is {task['state']} after {PATIENCE:.0f} s; "
                "does the worker run?"
            )
        return Answer(200, {**accepted.body, "task": task}, accepted.location)


def _read(text: str, content_type: str) -> Any:
    if not content_type.split(";")[0].endswith("json"):
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
