"""The recipes, as they stand in their page, against a live server."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from standardwebhooks import Webhook

from games.models import Account
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.deploy.documentation import recipes
from tests.events import Event, make_event, make_players
from tests.games.core.oauth import BACK, make_program
from tests.people import make_person
from tests.processes import eventually, free_port
from tests.ratings.factories import day, file_event, make_game
from tests.ratings.factories import make_players as make_rated

pytestmark = pytest.mark.django_db(transaction=True)
RECIPES = recipes()
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture
def event() -> Event:
    """An event with two players, Ada and Ben."""
    event = make_event(make_person("Olga"))
    event.enter(*make_players(2))
    return event.step("open")


@pytest.fixture
def variables(event: Event, live_server: Any) -> dict[str, str]:
    """The environment of a recipe."""
    addresses = {"PERIHELION_URL": live_server.url, "PERIHELION_TOKEN": event.owner.secret}
    return os.environ | addresses | {"NO_PROXY": "*"}


@pytest.fixture
def start(variables: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen]]:
    """Start the program of a recipe; it is ended after the test."""
    started = []

    def start(name: str, *arguments: str, **more: str) -> "subprocess.Popen[str]":
        (tmp_path / f"{name}.py").write_text(RECIPES[name])
        command = [sys.executable, f"{name}.py", *arguments]
        program = subprocess.Popen(
            command, cwd=tmp_path, env=variables | more, stdout=subprocess.PIPE, text=True
        )
        started.append(program)
        return program

    yield start
    for program in started:
        program.kill()
        program.wait()
        program.stdout.close()


def test_curl(event: Event, variables: dict[str, str]) -> None:
    event.step("start").publish(1)
    for _ in range(2):
        command = ["bash", "-ec", RECIPES["curl"]]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
        assert done.stdout.startswith("rank,number,name,PTS")
        assert '"1-0"' in done.stdout


@pytest.mark.long
def test_an_outsider_recomputes_a_pool(variables: dict[str, str], tmp_path: Path) -> None:
    star = Pool.objects.get(code="star")
    ann, bo, cy = make_rated(3)
    file_event(star, "cup", day(1), [make_game(ann, bo), make_game(bo, cy, "1/2")])
    file_event(star, "cup-2", day(2), [make_game(cy, ann), make_game(ann, bo, public=False)])
    advance_pool(star.pk)
    command = ["bash", "-ec", RECIPES["recompute"]]
    done = subprocess.run(
        command, env=variables, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    listed = star.ratings.order_by("-rating", "player").values_list("player", "rating", "games")
    assert done.stderr == ""
    assert done.stdout.splitlines()[-4:] == [
        "player,rating,games",
        *(
            f"{player},{rating // 1000}.{rating % 1000:03},{games}"
            for player, rating, games in listed
        ),
    ]
    digest = star.runs.get().input_digest
    assert done.stdout.count(f'"input_digest":"{digest}"') == 2


@pytest.mark.parametrize(
    ("recipe", "kinds", "sent"),
    [("webhook", ["game.confirmed"], "object"), ("channel", [], "mattermost")],
)
def test_a_webhook(
    event: Event, variables: dict[str, str], recipe: str, kinds: list[str], sent: str
) -> None:
    command = ["bash", "-ec", RECIPES[recipe]]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    webhook = json.loads(done.stdout)
    found = [webhook[name] for name in ("tournament", "kinds", "format")]
    assert found == [{"slug": "spring", "name": event.tournament.name}, kinds, sent]


def test_a_spreadsheet_formula(event: Event, live_server: Any) -> None:
    (address,) = re.findall(r'^=IMPORTDATA\("([^"]*)"\)$', RECIPES["spreadsheet"], re.MULTILINE)
    path = address.removeprefix("https://perihelion.example")
    response = httpx.get(live_server.url + path, trust_env=False, timeout=60)
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.text.startswith("rank,number,name,PTS")


@pytest.mark.long
def test_a_bot(start: Callable[..., Any]) -> None:
    port = free_port()
    program = start("bot", PORT=str(port), WEBHOOK_SECRET=SECRET)
    names = {"first": "Ada", "second": "Ben"}
    seats = {seat: {"player": {"name": name}} for seat, name in names.items()}
    game = {**seats, "result": "1-0"}
    body = json.dumps({"type": "game.confirmed", "data": game})
    now = datetime.now(UTC)
    headers = {
        "webhook-id": "tournament/spring/7",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(SECRET).sign("tournament/spring/7", now, body),
    }

    def send(content: str) -> int | None:
        try:
            url = f"http://127.0.0.1:{port}"
            return httpx.post(url, content=content, headers=headers, trust_env=False).status_code
        except httpx.ConnectError:
            return None

    assert eventually(lambda: send(body)) == 204
    assert send(body) == 204
    assert send(body + " ") == 401
    program.terminate()
    assert program.stdout.read() == "Ada 1-0 Ben\n"


@pytest.mark.long
def test_an_overlay(event: Event, start: Callable[..., Any], tmp_path: Path) -> None:
    event.step("start").publish(1)
    start("overlay")
    file = tmp_path / "overlay.txt"
    text = eventually(lambda: file.exists() and file.read_text())
    assert text.splitlines()[0].startswith("1. ")


def test_seeds_from_another_list(event: Event, start: Callable[..., Any], tmp_path: Path) -> None:
    first, second = event.tournament.entries.select_related("player").order_by("pk")
    (tmp_path / "ratings.csv").write_text(f"name,rating\n{second.player.name},2345\n")
    output, _ = start("seeds", "ratings.csv").communicate(timeout=180)
    assert output == f"{second.player.name} {second.seed_rating} -> 2345\n"
    first.refresh_from_db()
    second.refresh_from_db()
    assert (second.seed_rating, first.seed_rating != 2345) == (2345, True)


def test_an_app_gets_renews_and_gives_back_tokens(variables: dict[str, str]) -> None:
    program, ada = make_program(make_person("Author")), make_person("Ada")

    def run(name: str, **more: str) -> dict[str, Any]:
        known = {"CLIENT_ID": program.app.client_id, "REDIRECT_URI": BACK, **more}
        command = ["bash", "-ec", RECIPES[name]]
        done = subprocess.run(
            command, env=variables | known, capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout or "{}")

    code = program.code(ada.account, "tournament:read")
    first = run("tokens", CODE=code, VERIFIER=program.verifier)
    second = run("renew", REFRESH_TOKEN=first["refresh_token"])
    assert second["expires_in"] == 3600
    assert run("revoke", REFRESH_TOKEN=second["refresh_token"]) == {}
    assert program.renew(second["refresh_token"]).status_code == 400


def test_an_installed_app_logs_in(
    start: Callable[..., Any], live_server: Any, settings: Any
) -> None:
    """The person is a browser without scripts: cookies, forms, redirects."""
    issuer = {"OIDC_ISS_ENDPOINT": live_server.url}  # as PUBLIC_URL of a real service
    settings.OAUTH2_PROVIDER = settings.OAUTH2_PROVIDER | issuer
    password = "moons of saturn"
    author = make_person("Author")
    Account.objects.create_user("ada@example.org", password, name="Ada")
    native = make_program(author, "native", back="http://127.0.0.1/back")
    program = start("login", CLIENT_ID=native.app.client_id)
    address = program.stdout.readline().removeprefix("open ").strip()

    with httpx.Client(follow_redirects=True, trust_env=False, timeout=60) as browser:

        def submit(page: httpx.Response, **fields: str) -> httpx.Response:
            (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text))
            return browser.post(page.url, data=fields | {"csrfmiddlewaretoken": token})

        login = browser.get(address)
        assert login.url.path == "/login"
        consent = submit(login, login="ada@example.org", password=password)
        assert "Allow Pocket?" in consent.text
        closing = submit(consent, answer="allow")

    assert closing.text == "You can close this page."
    assert program.stdout.read() == "logged in as Ada\n"
    assert program.wait() == 0
