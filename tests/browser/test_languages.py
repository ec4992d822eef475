"""The pages in German and French: the reader's choice, dates, and long words on a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OPEN_MENUS, PHONE, store_screenshot
from tests.browser.test_event import PAGES, make_open

GERMAN, FRENCH = {"locale": "de-DE"}, {"locale": "fr-FR"}
OTHER_PAGES = ("/events", "/pools", "/rules", "/rules/star-star", "/login", "/password", "/nowhere")
PAGES_TO_RUN = (
    "",
    "/setup",
    "/points",
    "/separations",
    "/entries",
    "/rounds/2",
    "/rounds/2/results",
    "/rounds/3",
    "/disputes",
    "/corrections",
    "/prizes",
    "/print",
    "/links",
    "/roles",
)

WIDTH_AND_LANGUAGE = f"""() => {{
    ({OPEN_MENUS})(true);
    return [document.documentElement.scrollWidth, document.documentElement.lang];
}}"""


def expect_language(page: Page, language: str) -> None:
    expect(page.locator("html")).to_have_attribute("lang", language)


def assert_fits_on_a_phone(page: Page, path: str) -> None:
    page.goto(path)
    width, language = page.evaluate(WIDTH_AND_LANGUAGE)
    store_screenshot(page, f"{language}{path.replace('/', '-')}.phone")
    assert width <= PHONE["width"], f"{path} in {language} is {width} pixels wide"


def test_a_reader_selects_a_language(open_page: Callable[..., Page]) -> None:
    make_open(9)
    page = open_page("about:blank", timezone_id="America/New_York")
    page.clock.set_fixed_time("2026-05-01T14:25:00Z")
    page.goto("/e/spring")
    expect_language(page, "en-gb")
    # The time of the event, that of the reader, and the clock of the round.
    text = "1 May 2026, 14:00 (10:00 your time) 25 min played"
    expect(page.locator(".when")).to_contain_text(text)
    size = page.viewport_size
    page.set_viewport_size(PHONE)
    is_whole = "head => [...head.children].every(part => part.scrollWidth <= part.clientWidth)"
    assert page.locator(".when").evaluate(is_whole)
    page.set_viewport_size(size)

    page.get_by_role("link", name="Deutsch").click()
    expect(page).to_have_url(re.compile("/e/spring$"))
    expect_language(page, "de")
    expect(page.locator("main")).to_contain_text("1. Mai 2026")

    page.get_by_role("link", name="Français").click()
    expect_language(page, "fr")
    expect(page.locator("main")).to_contain_text("1 mai 2026")
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()


@pytest.mark.long
def test_long_words_fit_on_a_phone(open_page: Callable[..., Page]) -> None:
    event = make_open(9)
    page = open_page("about:blank", viewport=PHONE, **GERMAN)
    for path in (*OTHER_PAGES, *(f"/e/spring{path}" for path in PAGES)):
        assert_fits_on_a_phone(page, path)
    page = open_page("about:blank", viewport=PHONE, **FRENCH)
    for path in ("/rules", "/e/spring", "/e/spring/crosstable"):
        assert_fits_on_a_phone(page, path)

    page = open_page("about:blank", account=event.owner.account, viewport=PHONE, **GERMAN)
    paths = [f"/e/spring/run{path}" for path in PAGES_TO_RUN]
    for path in ("/account", "/my", "/new", "/import", *paths):
        assert_fits_on_a_phone(page, path)
