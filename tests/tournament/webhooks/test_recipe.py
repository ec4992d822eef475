"""The bot of the documentation verifies what a webhook sends, and prints the results."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.play.services import rule_game
from tests.deploy.documentation import recipes
from tests.events import Event, settle
from tests.processes import Program, eventually, free_port
from tests.tournament.webhooks.receiver import LOOPBACK
from tournament.webhooks.deliveries import State
from tournament.webhooks.sending import send_due
from tournament.webhooks.services import create_webhook

pytestmark = [pytest.mark.django_db, pytest.mark.processes]


def test_the_bot_prints_a_result(event: Event, settings: Any, tmp_path: Path) -> None:
    settings.WEBHOOK_NETWORKS = LOOPBACK
    by: Any = event.owner.account
    port = free_port()
    webhook = create_webhook(event.stream, f"http://127.0.0.1:{port}/", [], by=by)
    game = event.publish(1)[0]
    rule_game(game, by=by, reason="seen", result="11-10")
    settle()
    log, environment = tmp_path / "bot.log", {"WEBHOOK_SECRET": webhook.secret, "PORT": str(port)}
    bot = Program(
        [sys.executable, "-c", recipes()["bot"]], log=log, environment=environment
    ).start()
    try:
        eventually(lambda: is_listening(port))
        send_due()
    finally:
        bot.kill()

    assert f"{game.first.name} 11-10 {game.second.name}\n" in bot.output()
    states = webhook.deliveries.order_by("pk").values_list("state", "status")
    assert list(states) == [(State.DELIVERED, 204), (State.DELIVERED, 204)]


def is_listening(port: int) -> bool:
    """Return True if a request without a signature is refused."""
    curl = f"curl -s -o /dev/null -w %{{http_code}} -d {{}} http://127.0.0.1:{port}/"
    found = subprocess.run(curl.split(), capture_output=True, text=True, check=False)
    return found.stdout == "401"
