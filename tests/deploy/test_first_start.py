"""The first start: what it creates appears together."""

import signal
import weakref
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from deploy.management.commands.up import SIGNALS, Command, where_mails_go
from deploy.samples.first_start import create_organiser
from tests.people import Person


@pytest.mark.django_db(transaction=True)
def test_the_organisers_token_appears_when_it_is_valid(settings: Any, tmp_path: Path) -> None:
    settings.STATE_DIR = tmp_path
    path = tmp_path / "organiser-token"
    with transaction.atomic():
        assert create_organiser()
        assert not path.exists()
    organiser = Person("organiser", secret=path.read_text().strip())
    assert organiser.get("me").status_code == 200

    path.rename(tmp_path / "organiser-token.new")  # killed between the commit and this

    assert create_organiser() is None
    assert path.read_text().strip() == organiser.secret


def test_the_start_says_where_mails_go(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert "reach nobody" in where_mails_go()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "mail.example.org"
    assert where_mails_go() == "mails are sent by mail.example.org"


class InFinalizer(Command):
    """It gets SIGTERM while Python runs a finalizer, from which no exception comes through."""

    def run(self, port_seconds: float) -> None:
        weakref.finalize(StringIO(), signal.raise_signal, signal.SIGTERM)
        self.watch(lambda: False, seconds=10)
        raise AssertionError("it goes on")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_that_a_finalizer_has_dropped_ends_the_start(
    settings: Any, tmp_path: Path
) -> None:
    settings.STATE_DIR = tmp_path
    said, before = StringIO(), {number: signal.getsignal(number) for number in SIGNALS}
    try:
        InFinalizer(stdout=said).handle()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

    assert said.getvalue().splitlines()[-2:] == [
        "perihelion: stopping",
        "perihelion: stopped; all data is saved",
    ]
