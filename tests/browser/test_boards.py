"""Boards in a browser: a record entered by clicks, keys, names, touch, as text; its replay."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from games.play.services import rule_game
from tests.browser.conftest import FITS, LAPTOP, PHONE, Check, store_screenshot
from tests.events import make_running, settle
from tests.people import make_person

ZOOMED = {side: length // 2 for side, length in LAPTOP.items()}
REFEREE = "/rules/referee?ruleset=star-star&board_size=4"


def cell(page: Page, name: str) -> Locator:
    return page.locator(f'[role="gridcell"][aria-label^="{name}"]').first


def record_of(turns: str) -> str:
    return f'[Game "star-star"]\n[Board "4"]\n[Swap "yes"]\n\n{turns}\n'


def test_a_game_is_entered_by_clicks_and_keys(open_page: Callable[..., Page], check: Check) -> None:
    page = open_page(REFEREE)
    message, record = page.locator(".message"), page.locator("textarea")

    cell(page, "S40").click()
    expect(message).to_have_text("S40: a new chain, 1 edge cell, now a spark.")
    page.get_by_role("button", name="Swap").click()
    expect(message).to_have_text("swap: the second player takes over the first stone.")
    cell(page, "S40").click(force=True)
    expect(page.locator(".wrong-turn")).to_have_text("Turn 3: S40 was filled at ply 1.")

    # The arrows move by geometry, Enter places, a letter asks about the cell.
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(record).to_have_value(record_of("1. S40 swap 2. S41"))
    expect(page.locator(".state-of-game")).to_have_text("Turn 4: second to move.")
    page.keyboard.press("g")
    page.keyboard.type("t40")
    page.keyboard.press("Enter")
    page.keyboard.press("n")
    expect(message).to_contain_text("Neighbours of T40: ")

    # Several turns by name, and one taken back.
    page.get_by_label("Type cells or words").fill("t41 A40 a41")
    page.keyboard.press("Enter")
    expect(record).to_have_value(record_of("1. S40 swap 2. S41 T41 3. A40 A41"))
    page.get_by_role("button", name="Take back").click()
    expect(record).to_have_value(record_of("1. S40 swap 2. S41 T41 3. A40"))
    check(page, "board-entry")

    page.get_by_role("link", name="Rules", exact=True).first.click()
    page.go_back()
    expect(page.locator(".state-of-game")).to_have_text("Turn 6: second to move.")
    page.get_by_role("button", name="Judge the record").click()
    expect(page.locator("main")).to_contain_text("The record is valid")
    expect(page.locator("main")).to_contain_text("5 turns, unfinished")


def test_a_cell_is_confirmed_on_a_phone(open_page: Callable[..., Page], check: Check) -> None:
    page = open_page(
        "/rules/referee?ruleset=double-star-star&board_size=4", viewport=PHONE, has_touch=True
    )

    cell(page, "S40").tap()
    check(page, "board-entry-confirm")
    for name in ("S40", "T20", "A40"):
        cell(page, name).tap()
        expect(page.locator(".cell-name")).to_have_text(name)
        page.get_by_role("button", name="Place").tap()
        expect(page.locator(".confirm")).to_be_hidden()

    expect(page.locator("textarea")).to_have_value(re.compile(r"\n\n1\. S40 A40,T20\n$"))


LARGE_CELLS = """zoom => {
    const {width, height} = document.querySelector(".chosen").getBBox();
    return Math.min(width, height) * zoom.clientHeight / zoom.viewBox.baseVal.height;
}"""


def test_a_cell_of_a_large_board_is_chosen_on_a_phone(open_page: Callable[..., Page]) -> None:
    page = open_page(
        "/rules/referee?ruleset=star-star&board_size=10", viewport=PHONE, has_touch=True
    )
    name, zoom = page.locator(".cell-name"), page.locator(".zoom")

    cell(page, "S10").tap()  # beside the one with the tab stop, to which browsers move a tap
    expect(name).to_have_text("S10")
    assert zoom.evaluate(LARGE_CELLS) >= 40
    box = zoom.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 + 50)
    expect(name).not_to_have_text("S10")
    shown = name.inner_text()
    page.get_by_role("button", name="Place").tap()
    expect(page.locator("textarea")).to_have_value(re.compile(rf"\n\n1\. {re.escape(shown)}\n$"))


@pytest.mark.django_db(transaction=True)
def test_a_game_is_replayed_by_keys(open_page: Callable[..., Page], check: Check) -> None:
    organiser = make_person("Olga")
    games = make_running(organiser, 4).publish()
    record = record_of("1. S40 A40 2. S41 A41 3. S30 A30 4. S20 A20 resign")
    rule_game(games[0], by=organiser.account, reason="the sheet", record=record)
    settle()
    page = open_page(f"/games/{games[0].pk}")
    message = page.locator(".message")

    expect(message).to_contain_text("8. A20: extends a chain to 4 stones")
    for key, text in ((",", "7. S20: "), ("Home", "Before the "), ("End", "8. A20: ")):
        page.keyboard.press(key)
        expect(message).to_contain_text(text)
    page.keyboard.press("Home")
    expect(message).to_have_text("Before the first turn.")
    page.keyboard.press(".")
    page.keyboard.press(".")
    expect(message).to_have_text("2. A40: a new chain, 1 edge cell, now a spark.")
    expect(page).to_have_url(re.compile(r"/games/\d+/2$"))
    page.get_by_role("link", name="Next").click()
    expect(message).to_contain_text("3. S41: extends a chain to 2 stones")
    page.get_by_role("slider").fill("6")
    play = page.get_by_role("button", name="Play")
    play.click()
    expect(message).to_contain_text("8. A20: ")
    expect(play).to_have_attribute("aria-pressed", "false")
    page.get_by_role("slider").fill("6")
    expect(message).to_contain_text("6. A30: ")
    page.get_by_label("Names of cells").check()
    expect(page).to_have_url(re.compile("names=1"))
    cell(page, "S40").click()
    expect(message).to_have_text("S40, first, chain of 3, 2 edge cells, star of 2 peries")
    page.keyboard.press("e")
    expect(message).to_have_text("The chain of S40: 2 edge cells: S40 S41.")
    page.keyboard.press("c")
    expect(message).to_have_text(
        re.compile("^Chain of 3, 2 edge cells, star of 2 peries: (S[0-9]{2} ?){3}[.]$")
    )
    page.keyboard.press("b")
    expect(message).to_have_text(
        re.compile("^Points on a full board: first [0-9]+ to [0-9]+, second [0-9]+ to [0-9]+[.]")
    )
    page.keyboard.press("l")
    expect(page.get_by_label(re.compile("^A30, second"))).to_be_focused()
    check(page, "game")

    page.goto(f"/games/{games[0].pk}/embed")
    check(page, "game-embed")
    page.goto(f"/games/{games[1].pk}")
    check(page, "game-without-record")


def test_a_page_at_twice_its_size(open_page: Callable[..., Page]) -> None:
    """A zoom of 200 % leaves half of the pixels of the window to the layout, drawn twice as large.

    The text keeps its size in these pixels, nothing needs horizontal scrolling, and the controls of
    the board work.
    """
    page = open_page("/rules/star-star", viewport=ZOOMED, device_scale_factor=2)
    assert page.evaluate("[devicePixelRatio, innerWidth]") == [2, LAPTOP["width"] / 2]

    page.get_by_role("link", name="End", exact=True).click()
    expect(page).to_have_url(re.compile("/rules/star-star/[0-9]+"))
    cell(page, "S54").click()
    expect(page.locator(".message")).to_contain_text("S54, ")

    assert page.evaluate(FITS, ZOOMED["width"])
    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= 14


def test_the_rules_of_a_game(open_page: Callable[..., Page], check: Check) -> None:
    page = open_page("/rules")
    check(page, "rules")
    page.get_by_role("link", name="Havannah", exact=True).click()

    expect(page.locator(".message")).to_have_text("Before the first turn.")
    expect(page.get_by_role("button", name="Show")).to_be_hidden()
    page.get_by_role("link", name="End", exact=True).click()
    expect(page.locator(".message")).to_contain_text("first wins")
    page.get_by_text("All turns").click()
    check(page, "rules-havannah")
    page.locator(".moves a").nth(2).click()
    expect(page.locator(".message")).to_have_text(re.compile("^3. "))
    for code in ("star-star", "twixt", "penta-line", "y"):
        page.goto(f"/rules/{code}/8")
        store_screenshot(page, f"rules-{code}.light")

    # The analysis board: Enter places a stone and leaves the focus where it was.
    page.goto("/analysis/star-star?board_size=4")
    page.locator('[tabindex="0"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "*10, first, single stone")
