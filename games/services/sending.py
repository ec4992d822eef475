"""Sending a task as a hint, after the commit, without ever failing the request that sends it."""

import logging
from functools import partial

from celery import current_app
from celery.exceptions import CeleryError
from django.db import transaction
from kombu.exceptions import KombuError

log = logging.getLogger(__name__)


def send_on_commit(task: str, *args: int) -> None:
    """Send the task of this name once the transaction at hand has committed.

    A broker that is away is only logged: the rows say what is due and the sweep finds it.
    """
    transaction.on_commit(partial(_send, task, args))


def _send(task: str, args: tuple[int, ...]) -> None:
    try:
        current_app.send_task(task, args=args, retry=False)
    except (KombuError, CeleryError, OSError) as error:
        log.warning("%s%s was not sent (%s); the sweep will find it", task, args, error)
