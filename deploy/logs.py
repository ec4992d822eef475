"""Log formats: one line per record, as plain text or as JSON."""

import json
import logging
from datetime import UTC, datetime
from typing import Final

from deploy.request_id import request_id

FIELDS: Final = ("method", "path", "status", "milliseconds", "task")
"""Attributes (`extra=`) that are written to a JSON line."""


class PlainLines(logging.Formatter):
    """Format `2026-11-21 12:00:00 INFO games.tasks [request id] message`."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s%(trace)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, followed by the lines of a traceback."""
        record.trace = f" [{request_id()}]" if request_id() else ""
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
        if request_id():
            line["request_id"] = request_id()
        line |= {name: value for name in FIELDS if (value := getattr(record, name, None))}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
