"""The opening explorer in a browser: by links on the board, by keys, without scripts."""

import re
from collections.abc import Callable

import pytest
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
    expect(page).to_have_url(re.compile("moves=%2A40$"))
    page.get_by_label("First turns").fill("S40 S40")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("S40 was filled at ply 1")


@pytest.mark.long
def test_the_explorer_works_without_scripts_and_in_other_languages(
    open_page: Callable[..., Page], check: Check
) -> None:
    make_games()
    page = open_page(START, java_script_enabled=False)
    page.locator('.choice[data-cell="S40"]').click()
    page.get_by_role("link", name="swap").click()
    page.get_by_role("link", name="replay").first.click()
    expect(page).to_have_url(re.compile(r"/games/\d+/2$"))
    page.get_by_role("link", name="Games with this opening").click()
    expect(page).to_have_url(re.compile("moves=S40.swap$"))

    for locale, word in (("de-DE", "Eröffnungen"), ("fr-FR", "Ouvertures")):
        page = open_page(f"{START}&moves=S40", locale=locale)
        expect(page.get_by_role("heading", level=1)).to_contain_text(word)
        check(page, f"explorer-{locale[:2]}")


def test_a_pattern_is_set_without_scripts(open_page: Callable[..., Page], check: Check) -> None:
    page = open_page("/explorer/pattern?ruleset=star-star&board_size=4", java_script_enabled=False)
    page.locator('.choice[data-cell="S40"]').click()
    expect(page).to_have_url(re.compile("stones=first%3AS40"))
    expect(page.get_by_label("Pattern", exact=True)).to_have_value("first:S40")

    check(open_page("/explorer/pattern?ruleset=star-star&board_size=4&stones=first:S40"), "pattern")
