"""Log formats: one line per record, as plain text or as JSON, with the id of the request."""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the current request, or of the request that sent the current task."""

LOG_FIELDS: Final = ("method", "path", "status", "milliseconds", "address", "account", "task")
"""Attributes (`extra=`) that are written to a JSON line."""

LINE_BREAKS_AND_CONTROLS: Final = {
    code: f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
    for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)
}
"""Characters that would end a line or move a terminal's cursor, as they are written instead."""


class PlainLines(logging.Formatter):
    """Format `2026-11-21 12:00:00 INFO games.tasks [request id] message`."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s%(trace)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """Return the line; `format` adds the lines of a traceback."""
        record.trace = f" [{request_id.get()}]" if request_id.get() else ""
        return super().formatMessage(record).translate(LINE_BREAKS_AND_CONTROLS)


class JsonLines(logging.Formatter):
    """Format a JSON object: time, level, logger, message, request_id, and LOG_FIELDS."""

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
        line |= {name: value for name in LOG_FIELDS if (value := getattr(record, name, None))}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def logging_settings(format: str, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: all lines go to the console, as `plain` or `json`."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"plain": {"()": PlainLines}, "json": {"()": JsonLines}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": format}},
        "root": {"handlers": ["console"], "level": level.upper()},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "uvicorn": {"handlers": [], "propagate": True, "level": "WARNING"},
            "uvicorn.error": {"level": "WARNING"},
        },
    }
