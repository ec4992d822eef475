"""The errors that the API reports, one class for each status, and what errors of the system mean.

All three apps raise them; `games.core.problems` renders them as problems (RFC 9457).

An error of the database passes if it is locked, took too long, or has no connection; each driver
has codes for them. SQLite has several codes for a full disk: `SQLITE_FULL` follows from ENOSPC; a
quota or a limit of the file's size gives `SQLITE_IOERR_WRITE`. A file beside the database that
cannot be created or extended gives codes that have other causes too: then the free space decides.
"""

import errno
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from django.conf import settings
from django.db import OperationalError, connection

from games.rules.messages import gettext_noop
from games.rules.text import Text, Word

Found = TypeVar("Found")
SQLITE_BUSY: Final = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL", "SQLITE_CANTOPEN")
"""The beginnings of SQLite's names: another connection writes, or the file cannot be opened."""
POSTGRESQL_BUSY: Final = ("08", "40", "53", "55P03", "57")
"""The beginnings of PostgreSQL's codes (Appendix A of its manual).

In this order: connections, transactions that were rolled back, resources, locks, timeouts.
"""
FULL_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FULL_SQLSTATE: Final = "53100"
ALWAYS_FULL: Final = ("SQLITE_FULL", "SQLITE_IOERR_WRITE")
SOMETIMES_FULL: Final = ("SQLITE_IOERR", "SQLITE_CANTOPEN")
SMALLEST_EXTENSION: Final = 64 << 10
"""Bytes; SQLite extends a file beside the database by 32 KiB."""
LONGEST_MEMBER: Final = 40
"""Characters of the name of a member that an error repeats."""
LISTED: Final[tuple[str, ...]] = ("valid", "min", "max")
"""The members that say what would be right, in a problem and in its error."""
request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the current request, or of the request that sent the current task."""


class ApiError(Exception):
    """A request that is understood and rejected; nothing is changed.

    `code` is stable; `detail` says what is wrong and what would be right. `at` is the JSON pointer
    (RFC 6901) of the wrong value, `valid` the values that are right, as `min` and `max` are among
    the `extra` members, which are added to the problem; so is the `parameter` of an address that is
    wrong. Where several values are
    wrong, `errors` lists them instead, as dicts with `code`, `detail` and, where known, `pointer`,
    `ply`, `move`, `cell`, `line`, `column`.
    """

    status = 422

    def __init__(
        self,
        code: str,
        detail: str,
        errors: Sequence[Mapping[str, Any]] = (),
        *,
        at: str = "",
        valid: Sequence[str] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        if valid:
            extra = {**extra, "valid": [*valid]}
        if at or ("parameter" in extra and not errors):
            listed = {name: extra[name] for name in LISTED if name in extra}
            place = {"pointer": at} if at else {"parameter": extra["parameter"]}
            errors = [{**place, "code": code, "detail": detail, **listed}]
        self.errors = [dict(error) for error in errors]
        self.extra = extra

    def as_json(self) -> dict[str, Any]:
        """Return the error as JSON; `from_json` is the inverse."""
        problem = {"status": self.status, "code": self.code, "detail": self.detail}
        return {**problem, "errors": self.errors, **self.extra}

    @classmethod
    def from_json(cls, problem: Mapping[str, Any]) -> Self:
        """Return the error that was stored as JSON."""
        error = cls(**{name: value for name, value in problem.items() if name != "status"})
        error.status = problem["status"]
        return error


class Unprocessable(ApiError):
    """The content breaks a rule (422)."""


class Conflict(ApiError):
    """The content is valid, but the current state does not allow it (409)."""

    status = 409


class Forbidden(ApiError):
    """The account may not do this (403)."""

    status = 403


class NotFound(ApiError):
    """The object does not exist, or the account may not see it (404)."""

    status = 404


def require_found(found: Found | None, detail: str) -> Found:
    """Return an object; raise NotFound with the detail if there is none."""
    if found is None:
        raise NotFound("not_found", detail)
    return found


class NoSuchFormat(ApiError):
    """The object has no such format (406)."""

    status = 406


class Busy(ApiError):
    """The process does as much of this as it may at once (503)."""

    status = 503


class BadRequest(ApiError):
    """The content cannot be read at all (400)."""

    status = 400


MEMBER_LABELS: Final = {
    "advice": gettext_noop("Advice"),
    "board": gettext_noop("The board"),
    "board_size": gettext_noop("The board"),
    "game": gettext_noop("Game"),
    "handicap": gettext_noop("Handicap"),
    "options": gettext_noop("Options"),
    "pool": gettext_noop("Pool"),
    "round": gettext_noop("Round"),
    "ruleset": gettext_noop("Game"),
    "swap": gettext_noop("Pie rule"),
    "system": gettext_noop("Pairing"),
}
"""What pages call members of bodies and parameters that a refusal names."""


def named_member(name: str) -> str:
    """Return the name of a member or a parameter, for readers of pages with its label."""
    return Word(name, MEMBER_LABELS[name]) if name in MEMBER_LABELS else name


def unknown_key(field: str, value: object, valid: Sequence[str], *, at: str = "") -> Unprocessable:
    """Return the error of a key that is not in its dict; it lists the valid keys.

    `at` is the pointer to it, if it is not that of the field.
    """
    detail = none_of(valid, field, value)
    return Unprocessable(f"unknown_{field}", detail, at=at or f"/{field}", valid=list(valid))


def shown_value(value: object) -> str:
    """Return a wrong value as a text repeats it: one that is no text as JSON."""
    return repr(value[:60]) if isinstance(value, str) else json.dumps(value, default=str)[:60]


def none_of(valid: Sequence[str], field: str, value: object) -> Text:
    """Return that a value is not one of the valid ones, or that no value is valid."""
    shown = shown_value(value)
    if not valid:
        return Text(
            "%(field)s is %(value)s; there is none that is valid",
            field=named_member(field),
            value=shown,
        )
    return Text(
        "%(field)s is %(value)s; valid are: %(names)s",
        field=named_member(field),
        value=shown,
        names=list(valid),
    )


def invalid_parameter(
    name: str, detail: str, valid: Sequence[str] | None = None, **limits: int | None
) -> Unprocessable:
    """Return the error of a wrong value of a parameter of an address.

    It has the valid values, unless these cannot be listed, and the limits `min` and `max`.
    """
    stated: dict[str, Any] = {side: limit for side, limit in limits.items() if limit is not None}
    return Unprocessable("invalid_parameter", detail, valid=valid, parameter=name, **stated)


def missing_parameter(name: str, valid: Sequence[str] | None = None) -> Unprocessable:
    """Return the error of a parameter that an operation needs."""
    detail = Text("%(field)s is needed", field=named_member(name))
    return invalid_parameter(name, detail, valid)


def unknown_value(name: str, value: object, valid: Sequence[str]) -> Unprocessable:
    """Return the error of a parameter whose value is not one of the valid ones."""
    return invalid_parameter(name, none_of(valid, name, value), valid)


def unknown_parameter(name: str, valid: Sequence[str]) -> Unprocessable:
    """Return the error of a parameter that an operation does not have, with those that it has."""
    shown = f"{name[:40]!r}"
    detail = Text("%(name)s is not a parameter; there are none", name=shown)
    if valid:
        detail = Text(
            "%(name)s is not a parameter; valid are: %(names)s", name=shown, names=", ".join(valid)
        )
    return Unprocessable("unknown_parameter", detail, valid=valid, parameter=name[:40])


def check_all(*checks: Callable[[], object]) -> list[Any]:
    """Run checks that do not depend on each other, and return what they return.

    Raises the errors of all that find something wrong at once, the first one of each parameter,
    else the first conflict.
    """
    found: list[Any] = []
    raised: list[Unprocessable] = []
    conflicts: list[Conflict] = []
    for check in checks:
        try:
            found.append(check())
        except Unprocessable as error:
            raised.append(error)
        except Conflict as error:
            conflicts.append(error)
    if not raised and conflicts:
        raise conflicts[0]
    if not raised:
        return found
    first = raised[0]
    if len(raised) > 1:
        all_errors: dict[object, dict[str, Any]] = {}
        for each in raised:
            for named in each.errors or [{"code": each.code, "detail": each.detail}]:
                all_errors.setdefault(named.get("parameter", len(all_errors)), named)
        first.errors = [*all_errors.values()]
    raise first


def pointer_step(name: object) -> str:
    """Return a name as a step of a JSON pointer (RFC 6901)."""
    return str(name)[:LONGEST_MEMBER].replace("~", "~0").replace("/", "~1")


def is_database_busy(error: BaseException | None) -> bool:
    """Return True if the error passes, so that the request can be sent again."""
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return str(getattr(cause, "sqlite_errorname", "")).startswith(SQLITE_BUSY)
    code = getattr(cause, "sqlstate", None)  # psycopg has none if there is no connection
    return code is None or code.startswith(POSTGRESQL_BUSY)


def data_folders() -> dict[str, Path]:
    """Return the folders that grow, by what they are called."""
    found = {"the state folder": settings.STATE_DIR}
    if connection.vendor == "sqlite":
        found["the folder of the database"] = Path(connection.settings_dict["NAME"]).parent
    return {name: folder for name, folder in found.items() if folder.is_dir()}


def disk_full_detail(error: BaseException) -> str | None:
    """Return what is full if an error was caused by a full disk, otherwise None."""
    if isinstance(error, OSError):
        return _detail("a file") if error.errno in FULL_ERRNOS else None
    cause = error.__cause__
    if getattr(cause, "sqlstate", None) == FULL_SQLSTATE:
        return Text("the disk of the database server is full")
    code = getattr(cause, "sqlite_errorname", None) or ""
    free = min((shutil.disk_usage(folder).free for folder in data_folders().values()), default=0)
    is_full = code.startswith(SOMETIMES_FULL) and free < SMALLEST_EXTENSION
    return _detail("the database") if code in ALWAYS_FULL or is_full else None


def _detail(what: str) -> str:
    folders = data_folders() | {"the folder for temporary files": Path(tempfile.gettempdir())}
    free = ", ".join(
        f"{shutil.disk_usage(folder).free >> 20} MiB in {name}" for name, folder in folders.items()
    )
    return (
        f"{what} cannot be extended: free are {free};"
        f" at least {settings.LOW_DISK >> 20} MiB are needed"
    )
