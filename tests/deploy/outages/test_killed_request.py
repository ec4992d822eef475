"""A process is killed between a write and its response: the retry acts once and is answered."""

import os
import signal
import subprocess
import sys

import pytest
from django.conf import settings

from games.models import JournalLine
from tests.events import make_event
from tests.people import Person
from tests.processes import ROOT, Worker

pytestmark = [pytest.mark.processes, pytest.mark.long]

KEY = "a key of my own"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("moment", "replayed"), [("before", None), ("after", "true")])
def test_the_retry_of_a_killed_request_acts_once(
    organiser: Person, shared_worker: Worker, moment: str, replayed: str | None
) -> None:
    path = f"{make_event(organiser).path}/open"
    command = [
        sys.executable,
        "-m",
        "tests.deploy.outages.killed_request",
        organiser.secret,
        path,
        KEY,
    ]
    environment = shared_worker.environment | {
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "SECRET_KEY": settings.SECRET_KEY,
        "RATE_LIMIT_ACCOUNT": str(settings.RATE_LIMITS["account"]),
        "RATE_LIMIT_TOKEN": str(settings.RATE_LIMITS["token"]),  # as for the requests before it
    }

    killed = subprocess.run([*command, moment], cwd=ROOT, env=os.environ | environment, check=False)
    opened = JournalLine.objects.filter(kind="tournament.registration")
    lines_before_retry = opened.count()
    retry = organiser.post(path, Idempotency_Key=KEY)

    assert killed.returncode == -signal.SIGKILL
    assert lines_before_retry == (1 if replayed else 0)
    assert (retry.status_code, retry.get("Idempotent-Replayed")) == (200, replayed)
    assert retry.json()["state"] == "registration"
    assert opened.count() == 1
