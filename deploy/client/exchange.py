"""What both clients do with a request and its response, without sending anything."""

import json
import ssl
from collections.abc import Mapping
from typing import Any
from urllib.request import getproxies
from uuid import uuid4

import httpx

from .errors import Problem
from .operation import Operation, Response, Value

BASE = "/api/v1"
USER_AGENT = "perihelion-client"


def connection_options(
    url: str, token: str, timeout: float, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what both kinds of httpx clients need besides these options.

    To read the certificates of all authorities takes 20 ms, so a client that never needs them, as
    it follows no redirects, has none.
    """
    headers = {"User-Agent": USER_AGENT}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    found = {"base_url": url.rstrip("/") + BASE, "headers": headers, "timeout": timeout}
    is_direct = not (getproxies() if options.get("trust_env", True) else ())
    if url.lower().startswith("http://") and is_direct and not options.keys() - {"trust_env"}:
        found["verify"] = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # it trusts nobody
    return found


def prepare(http: httpx.Client | httpx.AsyncClient, operation: Operation[Any]) -> httpx.Request:
    """Return the request of an operation; a write that takes a key gets a new one."""
    headers = {name: value for name, value in operation.headers.items() if value is not None}
    names = {name.lower() for name in headers}
    if operation.takes_key and "idempotency-key" not in names and _has_token(http, names):
        headers["Idempotency-Key"] = uuid4().hex
    query = operation.query
    content: bytes | None = None
    if operation.content_type:
        body = operation.body
        content = body.encode() if isinstance(body, str) else body
        headers["Content-Type"] = operation.content_type
    elif operation.body is not None:
        content = json.dumps(operation.body).encode()
        headers["Content-Type"] = "application/json"
    return http.build_request(
        operation.method,
        operation.path,
        params={name: _as_text(value) for name, value in query.items() if value is not None},
        content=content,
        headers=headers,
    )


def _has_token(http: httpx.Client | httpx.AsyncClient, names: set[str]) -> bool:
    return "authorization" in names or "authorization" in http.headers


def _as_text(value: Value) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)


def is_repeatable(request: httpx.Request) -> bool:
    """Return True if a second request has no further effect."""
    return request.method != "POST" or "idempotency-key" in request.headers


def read(response: httpx.Response) -> Response[Any]:
    """Return a response with its body: JSON, text or bytes; raises Problem."""
    body = _body_of(response)
    if response.status_code >= 400:
        problem = body if isinstance(body, Mapping) else {"detail": response.text[:200]}
        raise Problem(response.status_code, problem)
    return Response(response.status_code, body, response.headers)


def _body_of(response: httpx.Response) -> Any:
    if not response.content:
        return None
    media_type = response.headers.get("content-type", "").partition(";")[0]
    if media_type.endswith("json") and not media_type.endswith("ndjson"):
        try:
            return response.json()
        except ValueError:
            return response.text
    is_text = media_type.startswith("text/") or media_type.endswith(("ndjson", "xml"))
    return response.text if is_text else response.content
