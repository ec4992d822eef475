"""When the records were last verified, and when the last backup was made, for the metrics.

The commands note it in the broker, as workers do with their ticks. A broker that has lost its data
knows it again after the next check.
"""

from contextlib import suppress
from typing import Any, Final

from django.core.management.base import CommandError
from django.db import IntegrityError, connection
from redis import RedisError

from games.core.broker import connect

SUCCEEDED: Final = "perihelion:checks:succeeded"
"""The key under which is stored when each check last succeeded, by the clock of the broker."""
FAILED: Final = "perihelion:checks:failed"
"""The key under which is stored whether the last one failed."""


def note_check(name: str, *, is_ok: bool) -> None:
    """Note the result of a check; without a broker, it is not noted."""
    with suppress(RedisError, OSError):
        broker = connect()
        broker.hset(FAILED, name, int(not is_ok))
        if is_ok:
            broker.hset(SUCCEEDED, name, broker.time()[0])


def require_references(name: str) -> None:
    """Raise CommandError, and note that the check has failed, if a row names one that is missing.

    Who changes an SQLite database by other programs leaves such rows, which nothing could read.
    """
    try:
        connection.check_constraints()
    except IntegrityError as error:
        note_check(name, is_ok=False)
        raise CommandError(f"{error}\nNothing else was checked.", returncode=1) from error


def check_ages() -> dict[str, float]:
    """Return the seconds since each check last succeeded; raises RedisError."""
    stored: Any = connect().hgetall(SUCCEEDED)
    now = connect().time()[0]
    return {name.decode(): float(now - int(at)) for name, at in stored.items()}


def failed_checks() -> dict[str, float]:
    """Return 1 for each check that failed when it was last made, else 0; raises RedisError."""
    stored: Any = connect().hgetall(FAILED)
    return {name.decode(): float(value) for name, value in stored.items()}
