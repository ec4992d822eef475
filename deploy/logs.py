"""Logs: one line per record, as plain text or as JSON, with the id of the request."""

import logging
import re
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from pythonjsonlogger.core import RESERVED_ATTRS

from games.core.errors import request_id

LINE_BREAKS_AND_CONTROLS: Final = {
    code: f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
    for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)
}
"""Characters that would end a line or move a terminal's cursor, as they are written instead."""

LINK_OF_A_MESSAGE: Final = re.compile(
    r"^(/(?:password|sign-up/confirm|invitations|mail)/)[^/?]{20,}"
)
"""The links of messages, which log somebody in; deploy/nginx.conf and Caddyfile have them, too."""

JSON_LINES: Final = {
    "()": "pythonjsonlogger.json.JsonFormatter",
    "fmt": "%(levelname)s %(name)s %(message)s",
    "rename_fields": {"levelname": "level", "name": "logger", "exc_info": "traceback"},
    "timestamp": "time",
    "reserved_attrs": [*RESERVED_ATTRS, "request"],  # Django's, which is no JSON
}


class RequestIds(logging.Filter):
    """Add the id of the request to a record, if there is one."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass."""
        # Django logs its lines about a request after the middleware that knows the id.
        request = getattr(record, "request", None)
        if identifier := request_id.get() or getattr(request, "request_id", ""):
            record.request_id = identifier
        return True


class WithoutLinks(logging.Filter):
    """Cut the links of messages in what a record says: who reads the log must not use them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass."""
        if isinstance(record.args, tuple):
            record.args = tuple(map(without_link, record.args))
        if hasattr(record, "path"):
            record.path = without_link(record.path)
        return True


def without_link(value: Any) -> Any:
    """Return a text without the key of a link in it, and any other value as it is."""
    return LINK_OF_A_MESSAGE.sub(r"\1…", value) if isinstance(value, str) else value


class PlainLines(logging.Formatter):
    """Format `2026-11-21 12:00:00 INFO games.tasks [request id] message`."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (of the base class)
        """Return the line; `format` adds the lines of a traceback."""
        identifier = getattr(record, "request_id", "")
        record.trace = f" [{identifier}]" if identifier else ""
        return super().formatMessage(record).translate(LINE_BREAKS_AND_CONTROLS)


def logging_settings(format: str, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: all lines go to the console, as `plain` or `json`."""
    plain = "%(asctime)s %(levelname)s %(name)s%(trace)s %(message)s"
    filters = {"request_ids": {"()": RequestIds}, "links": {"()": WithoutLinks}}
    console = {"class": "logging.StreamHandler", "formatter": format, "filters": list(filters)}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": filters,
        "formatters": {"plain": {"()": PlainLines, "fmt": plain}, "json": JSON_LINES},
        "handlers": {"console": console},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "uvicorn": {"handlers": [], "propagate": True, "level": "WARNING"},
            "uvicorn.error": {"level": "WARNING"},
        },
    }


def log_start(program: str, serves: str) -> None:
    """Log the start of a program: its version, database and broker, and what it serves."""
    facts = {
        "program": program,
        "version": settings.VERSION,
        "database": connection.display_name,
        "broker": without_secrets(settings.REDIS_URL),
        "serves": serves,
    }
    text = "%(program)s of version %(version)s starts: %(serves)s; %(database)s, broker %(broker)s"
    logging.getLogger("perihelion.start").info(text, facts, extra=facts)


def without_secrets(address: str) -> str:
    """Return a URL without name, password and parameters, which may contain one."""
    url = urlsplit(address)
    return url._replace(netloc=url.netloc.rpartition("@")[2], query="", fragment="").geturl()


def report_errors(address: str) -> None:
    """Report errors to Sentry, or to what understands its protocol.

    A report has no data of people: no address, no body, no header, no value of a variable.
    """
    try:
        import sentry_sdk

        sentry_sdk.init(
            address,
            release=settings.VERSION,
            send_default_pii=False,
            include_local_variables=False,
            max_request_body_size="never",
            max_breadcrumbs=0,
            before_send=without_request,
        )
    except ImportError as error:
        hint = "install perihelion[errors], or the package sentry-sdk."
        raise ImproperlyConfigured(
            f"SENTRY_DSN is set, but its client is missing: {hint}"
        ) from error
    except ValueError as error:
        hint = "write it as your service of reports shows it: https://key@host/number."
        raise ImproperlyConfigured(f"SENTRY_DSN: {error}: {hint}") from error


def without_request(event: Any, _: dict[str, Any]) -> Any:
    """Return a report without the address of its request, which may be a personal link.

    The pattern of the address is in it as its transaction.
    """
    event.pop("request", None)
    event.setdefault("tags", {})["request_id"] = request_id.get() or "none"
    return event
