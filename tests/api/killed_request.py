"""Send a POST with an Idempotency-Key in a process of its own, and kill it with SIGKILL.

The arguments are the token, the path, the key, and when: before or after the commit.
"""

import os
import signal
import sys
from typing import Any

import django
from django.test.utils import setup_test_environment

django.setup()
setup_test_environment()

from games.core.idempotency import KeyedWrite  # noqa: E402 - needs the settings
from tests.people import Person  # noqa: E402


def kill(*_: Any) -> None:
    """End this process at once."""
    os.kill(os.getpid(), signal.SIGKILL)


finish = KeyedWrite.finish


def finish_and_kill(self: KeyedWrite, response: Any) -> None:
    """Commit the write and its response, which nobody receives."""
    finish(self, response)
    kill()


secret, path, key, moment = sys.argv[1:]
if moment == "before":
    KeyedWrite.finish = kill  # type: ignore[method-assign]
else:
    KeyedWrite.finish = finish_and_kill  # type: ignore[method-assign]
Person("Olga", secret=secret).post(path, Idempotency_Key=key)
