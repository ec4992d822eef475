"""Problems that the server itself reports, and their line in the log."""

import json
import logging
import uuid
from http import HTTPStatus

from deploy.api import PROBLEM_JSON, problem_body
from deploy.logs import request_id
from deploy.middleware import REQUEST_ID

log = logging.getLogger("perihelion.requests")

Headers = list[tuple[str, str]]


def describe(
    status: int, code: str, detail: str, *, address: str, method: str = "-", path: str = "-"
) -> tuple[Headers, bytes]:
    """Return the headers and the body of a problem, and log it like any other request."""
    identifier = uuid.uuid4().hex
    token = request_id.set(identifier)
    try:
        body = json.dumps(problem_body(status, code, detail)).encode()
        fields = {"method": method, "path": path, "status": status, "address": address}
        log.info("%s %s %s %s account=-", *fields.values(), extra=fields)
    finally:
        request_id.reset(token)
    headers = [
        ("Content-Type", PROBLEM_JSON),
        ("Content-Length", str(len(body))),
        (REQUEST_ID, identifier),
    ]
    return headers, body


def format_problem(status: int, code: str, detail: str, *, address: str) -> bytes:
    """Return the bytes of a problem that closes the connection."""
    headers, body = describe(status, code, detail, address=address)
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body
