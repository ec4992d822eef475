"""Log formats: one line per record, as plain text or as JSON, with the id of the request."""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the current request, or of the request that sent the current task."""

FIELDS: Final = ("method", "path", "status", "milliseconds", "task")
"""Attributes (`extra=`) that are written to a JSON line."""


class PlainLines(logging.Formatter):
    """Format `2026-11-21 12:00:00 INFO games.tasks [request id] message`."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s%(trace)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, followed by the lines of a traceback."""
        record.trace = f" [{request_id.get()}]" if request_id.get() else ""
        return super().format(record)


class JsonLines(logging.Formatter):
    """Format a JSON object: time, level, logger, message, request_id, and FIELDS."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; a traceback is a value of the object."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id.get():
            line["request_id"] = request_id.get()
        line |= {name: value for name in FIELDS if (value := getattr(record, name, None))}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def logging_settings(format: str, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: all lines go to the console, as `plain` or `json`."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"plain": {"()": PlainLines}, "json": {"()": JsonLines}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": format}},
        "root": {"handlers": ["console"], "level": level.upper()},
        "loggers": {"django": {"handlers": [], "propagate": True}},
    }
