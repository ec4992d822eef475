"""The opening explorer in a browser: by links on the board, by keys, without scripts."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from games import tasks
from tests.browser.conftest import Check
from tests.events import make_running
from tests.games.study.test_search_endpoint import prove
from tests.people import make_person

START = "/explorer?ruleset=star-star&board_size=4"
GAMES = (
    "S40 T41 A20 A30 resign", "T40 A41 R20 R10 resign", "S40 swap T41 resign",
    "S30 T30 resign", "S40 T20 A20 resign",
)  # fmt: skip


def make_games() -> None:
    organiser = make_person("Oona")
    event = make_running(organiser, 10)
    for game, moves in zip(event.publish(), GAMES, strict=True):
        prove(game, organiser, moves)
    tasks.index_games.run()


def test_openings_are_followed_on_the_board_and_by_keys(
    open_page: Callable[..., Page], check: Check
) -> None:
    make_games()
    page = open_page(START)
    check(page, "explorer-start")

    page.locator('.choice[data-cell="T40"]').click()
    expect(page).to_have_url(re.compile("moves=%2A40$"))
    page.get_by_role("link", name="A43").click()
    expect(page.locator(".message")).to_contain_text("2 public games begin like this.")
    check(page, "explorer")

    page.goto(START)
    page.locator('[role="gridcell"][tabindex="0"]').focus()
    page.keyboard.press("g")
    page.keyboard.type("a40")
    for _ in range(2):  # go there, then follow its link
        page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("moves=%2A40#A40$"))
    page.get_by_label("First turns").fill("S40 S40")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("S40 was filled at ply 1")
