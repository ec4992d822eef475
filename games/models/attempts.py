"""The attempts of tasks at rows: a task that fails, or kills its worker, is not tried forever.

An attempt is counted before it begins, because a task that kills its worker cannot count it. It is
taken back if the database ended it: no number of attempts helps while the database is unavailable
or its disk is full, and one is enough afterwards.
"""

import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from django.db import DatabaseError, InterfaceError, OperationalError
from django.db.models import F, QuerySet

log = logging.getLogger(__name__)

MAX_ATTEMPTS: Final = 5
"""Attempts after which the settlement of a game, or an import, is given up."""


@contextmanager
def count_attempt(due: "QuerySet[Any]", pk: int) -> Iterator[bool]:
    """Count an attempt at a row, if it is one of those due; yield whether it is."""
    is_due = due.filter(pk=pk).update(attempts=F("attempts") + 1) > 0
    try:
        yield is_due
    except (OperationalError, InterfaceError):
        if is_due:
            with suppress(DatabaseError, InterfaceError):
                rows = due.model._default_manager.filter(pk=pk, attempts__gt=0)
                rows.update(attempts=F("attempts") - 1)
        raise


def attempt_each(due: Collection[int], attempt: Callable[[int], object], *, what: str) -> int:
    """Call a function with the id of each row that is due; return how many there are.

    A failure is logged, with what the rows are, and does not stop the others.
    """
    for pk in due:
        try:
            attempt(pk)
        except Exception:  # whatever it is, the other rows get their turn
            log.exception("%s %s failed; the others continue", what, pk)
    return len(due)
