"""Send a POST with an Idempotency-Key in a process of its own, and kill it with SIGKILL.

The arguments are the token, the path, the key, and when: before or after the commit.
"""

import os
import signal
import sys

import django
from django.db import transaction
from django.db.models.signals import post_save
from django.test.utils import setup_test_environment

django.setup()
setup_test_environment()

from games.models import StoredResponse  # noqa: E402 - needs the settings
from tests.people import Person  # noqa: E402

secret, path, key, moment = sys.argv[1:]


def kill() -> None:
    """End this process at once."""
    os.kill(os.getpid(), signal.SIGKILL)


def kill_at_the_moment(*, created: bool, **_: object) -> None:
    """Kill the process when the response is stored, or when that is committed."""
    if not created:
        kill() if moment == "before" else transaction.on_commit(kill)


post_save.connect(kill_at_the_moment, sender=StoredResponse)
Person("Olga", secret=secret).post(path, Idempotency_Key=key)
