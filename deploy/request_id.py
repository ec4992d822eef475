"""The request id: one word that follows a request through the logs, its answer and its tasks."""

import re
import uuid
from contextvars import ContextVar
from typing import Final

HEADER: Final = "X-Request-ID"
FORM: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")

_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """The id of the request (or the task it sent) now being worked on; empty outside of any."""
    return _current.get()


def begin(given: str = "") -> str:
    """Set the id: the one given if it has the right form, else a new one."""
    identifier = given if FORM.fullmatch(given) else uuid.uuid4().hex
    _current.set(identifier)
    return identifier


def end() -> None:
    """Forget the id."""
    _current.set("")
