"""The requests of the demo, by httpx, and why the demo cannot continue."""

import json
import time
from typing import Any

import httpx


class DemoError(Exception):
    """Why the demo cannot continue, in one sentence, and its exit status."""

    def __init__(self, sentence: str, exit_status: int = 1) -> None:
        super().__init__(sentence)
        self.exit_status = exit_status


class DemoClient(httpx.Client):
    """A connection to the service with the organiser's token; a request may use another one."""

    def __init__(self, url: str, token: str, seconds: float = 60.0) -> None:
        """Take an address as `http://127.0.0.1:8000`, and the limit of a response or a task."""
        self.url, self.token, self.seconds = url.rstrip("/"), token, seconds
        try:
            super().__init__(base_url=f"{self.url}/api/v1", timeout=seconds, trust_env=False)
        except httpx.InvalidURL as error:
            raise DemoError(f"{url} is not an address: {error}", 2) from error

    def check(self) -> None:
        """Check that the server is Perihelion and accepts the token; raises DemoError."""
        index, place = self.ask("GET", "/", token=""), f"the server at {self.url}"
        if members(index).get("name") != "Perihelion":
            raise DemoError(f"{place} is not Perihelion ({describe(index)}); is PORT correct?", 2)
        account = self.ask("GET", "/me")
        if account.is_error:
            raise DemoError(f"{self.url} does not accept the token: {describe(account)}", 2)

    def call(self, method: str, path: str, body: Any = None, *, token: str | None = None) -> Any:
        """Send a request that must succeed, wait for its task, and return the body."""
        response = self.ask(method, path, body, token=token)
        if response.is_error:
            raise DemoError(f"{method} {path} was rejected: {describe(response)}")
        is_json = response.headers["Content-Type"] == "application/json"
        found: Any = response.json() if is_json else response.text
        if response.status_code != 202:
            return found
        task, end = found["task"], time.monotonic() + self.seconds
        while task["state"] == "waiting" and time.monotonic() < end:
            time.sleep(0.1)
            task = self.call("GET", f"/tasks/{task['id']}")
        if task["state"] != "done":
            state = f"{task['state']} after {self.seconds:g} s; is the worker running?"
            raise DemoError(f"the task {task['id']} is {state}")
        return {**found, "task": task}

    def ask(
        self, method: str, path: str, body: Any = None, *, token: str | None = None
    ) -> httpx.Response:
        """Send JSON, or a text as a file; repeat the request while the service is busy."""
        is_json = not isinstance(body, str)
        content = json.dumps(body) if is_json and body is not None else body
        content_type = "application/json" if is_json else "application/octet-stream"
        headers = {"Prefer": "wait=10", "Content-Type": content_type}
        if token := self.token if token is None else token:
            headers["Authorization"] = f"Bearer {token}"
        busy = (429, 503) if method == "GET" else (429,)  # after 503 a write may have been made
        for attempt in range(5):
            try:
                response = self.request(method, path, content=content, headers=headers)
            except httpx.HTTPError as error:
                hint = f"({error}); is `make run` running, on the same PORT?"
                raise DemoError(f"no service responds at {self.url} {hint}", 2) from error
            if response.status_code not in busy:
                break
            time.sleep(float(response.headers.get("Retry-After", attempt)))
        return response


def members(response: httpx.Response) -> dict[str, Any]:
    """Return the JSON object of a response, an empty one if the body is something else."""
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def describe(response: httpx.Response) -> str:
    """Return the status of a response, with the code and the detail of a problem."""
    problem = members(response)
    detail = f" {problem.get('code', '')}: {problem['detail']}" if "detail" in problem else ""
    return f"{response.status_code}{detail}"
