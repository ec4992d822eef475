"""The id of a request, in its problem, in the lines of the log, and in the tasks that it sends."""

from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the current request, or of the request that sent the current task."""
