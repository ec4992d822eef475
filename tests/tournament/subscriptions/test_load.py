"""2,000 readers of an event hear of a round by a real mail server, though a worker is killed."""

import os
import re
import signal
import socketserver
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from django.utils import timezone

from games.core.broker import connect
from games.models import Account, Player
from tests.conftest import _database_address
from tests.events import make_event, make_players
from tests.people import make_person
from tests.processes import eventually
from tournament.messages.feed import last_number
from tournament.models import Notice, Subscription
from tournament.subscriptions.mails import SENDER
from tournament.subscriptions.notices import GATHERING, queue_notices

pytestmark = [pytest.mark.long, pytest.mark.processes, pytest.mark.django_db(transaction=True)]

READERS = 2000
SEND = """
import django
django.setup()
from tournament.tasks import send_messages
while True:
    send_messages()
"""


class Sink(socketserver.ThreadingTCPServer):
    """A mail server that keeps the address and the Message-ID of what it takes."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        self.taken: list[tuple[str, str]] = []
        super().__init__(("127.0.0.1", 0), Conversation)


class Conversation(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.say("220 sink")
        to = ""
        while line := self.rfile.readline().decode().strip():
            word = line.split()[0].upper()
            if word == "RCPT":
                to = re.findall(r"<(.*?)>", line)[0]
            if word == "DATA":
                self.say("354 go on")
                content = b""
                while not content.endswith(b"\r\n.\r\n"):
                    content += self.rfile.readline()
                number = re.findall(rb"^Message-ID: (<.*?>)", content, re.M)[0].decode()
                server: Any = self.server
                server.taken.append((to, number))
            self.say("221 bye" if word == "QUIT" else "250 fine")

    def say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def sending(port: int, rate: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker that sends what is due, until it is killed."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "DATABASE_URL": _database_address(),
        "REDIS_URL": settings.REDIS_URL,
        "EMAIL_URL": f"smtp://127.0.0.1:{port}",
        "MAIL_RATE": str(rate),
    }
    worker = subprocess.Popen([sys.executable, "-c", SEND], env=environment)
    try:
        yield worker
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.wait()


def test_a_killed_worker_loses_no_mail_and_only_one_comes_twice() -> None:
    event = make_event(make_person("Olga"))
    players = make_players(READERS, 3000)
    event.enter(*players)
    accounts = [
        Account(name=player.name, email=f"player{number}@example.org")
        for number, player in enumerate(players)
    ]
    for player, account in zip(players, Account.objects.bulk_create(accounts), strict=True):
        player.account = account
    Player.objects.bulk_update(players, ["account"], batch_size=500)
    event.step("open", "start")
    queued = last_number(event.stream)
    Subscription.objects.bulk_create(
        Subscription(
            tournament=event.tournament,
            account=account,
            kinds=["paired"],
            by_mail=number % 10 > 0,
            queued=queued,
        )
        for number, account in enumerate(accounts)
    )
    wanted = {account.email for number, account in enumerate(accounts) if number % 10}
    event.publish(1)
    published = timezone.now()
    queue_notices()
    due = Notice.objects.earliest("next_attempt_at").next_attempt_at
    assert published + GATHERING < due < timezone.now() + GATHERING
    Notice.objects.update(next_attempt_at=timezone.now())
    connections.close_all()

    with Sink() as sink:
        threading.Thread(target=sink.serve_forever, daemon=True).start()
        with sending(sink.server_address[1], 50):
            eventually(lambda: len(sink.taken) > READERS // 20)
        killed_after = len(sink.taken)
        # What the killed worker had begun, and its place as the only one, are free a minute later.
        later = timezone.now() - timedelta(seconds=1)
        Notice.objects.filter(attempts=1).update(next_attempt_at=later)
        connect().delete(SENDER)
        began = timezone.now()
        with sending(sink.server_address[1], 200):
            eventually(lambda: not Notice.objects.exists(), seconds=300)
        took = (timezone.now() - began).total_seconds()
        sink.shutdown()

    assert {to for to, _ in sink.taken} == wanted
    twice = [mail for mail, times in Counter(sink.taken).items() if times > 1]
    assert len(sink.taken) - len(wanted) == len(twice) <= 1
    assert took > (len(wanted) - killed_after) / 200 - 2
