"""The request id: an identifier of a request in the logs, in its response and in its tasks."""

import re
import uuid
from contextvars import ContextVar
from typing import Final

HEADER: Final = "X-Request-ID"
VALID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")

_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """Return the id of the current request, or of the request that sent the current task."""
    return _current.get()


def begin(given: str = "") -> str:
    """Set and return the current id: the given one if it is valid, else a new one."""
    identifier = given if VALID.fullmatch(given) else uuid.uuid4().hex
    _current.set(identifier)
    return identifier


def end() -> None:
    """Clear the current id."""
    _current.set("")
