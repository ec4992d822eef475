"""A whole game that is kept on a phone while the network is cut and the server is killed."""

import time
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from games.rules.conditions import Conditions
from games.rules.registry import find_game
from tests.browser.conftest import running_chromium
from tests.deploy.service import Service
from tests.events import SET_UP
from tests.processes import eventually

pytestmark = [pytest.mark.processes, pytest.mark.long]

GAME = {"ruleset": "star-star", "board_size": "10", "swap": False, "rounds": 1}
TURNS = 105
"""With the resignation at the end."""
CUTS, RELOADS, KILLS = (15, 35, 55, 75, 95), (20, 57, 90), (30, 80)
"""After which turns the network is cut, the page is loaded again, the server is killed."""
CUT_SECONDS, SEEN_SECONDS = 10.0, 2.0


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


@pytest.fixture
def organiser(service: Service) -> Iterator[httpx.Client]:
    """A client with the organiser's token, and with the cookies of a login."""
    with httpx.Client(base_url=service.address, trust_env=False, timeout=60) as client:
        service.log_in(client)
        client.headers.update({"Authorization": f"Bearer {service.token}", "If-Match": "*"})
        yield client


def publish_game(organiser: httpx.Client) -> int:
    """Create an event of two players, and return its game."""
    event = "/api/v1/tournaments/phone"
    settings = SET_UP | GAME | {"slug": "phone"}
    organiser.post("/api/v1/tournaments", json=settings).raise_for_status()
    for name in ("Ada", "Ben"):
        player = organiser.post("/api/v1/players", json={"name": name, "country": "POR"}).json()
        body = {"player_id": player["id"]}
        organiser.post(f"{event}/entries", json=body).raise_for_status()
    for step in ("open", "start", "rounds/1/pair", "rounds/1/publish"):
        organiser.post(f"{event}/{step}", json={}).raise_for_status()
    (row,) = organiser.get(f"{event}/rounds/1/pairings").json()["rows"]
    number: int = row["game_id"]
    return number


def place(page: Page, name: str) -> None:
    """Tap a cell, and confirm it."""
    page.locator(f'[role="gridcell"][aria-label^="{name}"]').first.tap()
    expect(page.locator(".cell-name")).to_have_text(name)
    page.get_by_role("button", name="Place").tap()


def test_a_whole_game_is_kept_on_a_phone(
    service: Service, organiser: httpx.Client, chromium: Browser
) -> None:
    game = publish_game(organiser)
    conditions = Conditions(game="star-star", board="10", swap=False)
    cells = find_game("star-star").start(conditions).board.names
    turns = Random(1).sample(cells, TURNS - 1)

    options: dict[str, Any] = {"base_url": service.address, "locale": "en-GB"}
    phone = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, **options)
    phone.add_cookies(
        [
            {"name": cookie.name, "value": cookie.value or "", "url": service.address}
            for cookie in organiser.cookies.jar
        ]
    )
    page, follower = phone.new_page(), chromium.new_context(**options).new_page()
    page.goto(f"/games/{game}/live")
    page.get_by_role("button", name="Keep the record").click()
    follower.goto(f"/games/{game}")
    state, seen = page.locator(".state-of-game"), follower.locator(".slider label").first

    late = []
    is_cut_until = 0.0
    for ply, turn in enumerate(turns, 1):
        place(page, turn)
        if is_cut_until:
            if time.monotonic() < is_cut_until and ply < TURNS - 1:
                continue
            page.wait_for_timeout(max(0.0, is_cut_until - time.monotonic()) * 1000)
            phone.set_offline(False)
        expect(state).to_contain_text(f"Turn {ply + 1}")
        answered = time.monotonic()
        expect(seen).to_have_text(f"Turn {ply} of {ply}")
        if not is_cut_until and ply - 1 not in (0, *KILLS) and ply > 1:
            late += [ply] if time.monotonic() - answered > SEEN_SECONDS else []
        is_cut_until = 0.0
        if ply in CUTS:
            phone.set_offline(True)
            is_cut_until = time.monotonic() + CUT_SECONDS
        if ply in RELOADS:
            page.reload()
        if ply in KILLS:
            service.child("web server").kill()
    page.locator('[data-word="resign"]').tap()
    page.get_by_role("button", name="Yes, resign").tap()
    page.wait_for_url(f"**/games/{game}")

    def settled() -> Any:
        found = organiser.get(f"/api/v1/games/{game}").json()
        return found if found["state"] == "confirmed" else None

    found = eventually(settled)
    assert (found["termination"], found["winner"]) == ("resigned", "second")
    record = organiser.get(f"/api/v1/games/{game}/record.json").json()
    assert record["moves"] == [*turns, "resign"]
    expect(follower.locator("main")).to_contain_text("signed slip")
    assert late == []
