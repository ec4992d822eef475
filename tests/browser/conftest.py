"""Fixtures of the browser tests: Debian's Chromium, driven by Playwright against a live server.

Without Chromium these tests are skipped; `.ci/run` installs it. `make test-long` stores screenshots
of every page, in light and dark and on a phone, in build/screenshots.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings as django_settings
from django.test import Client
from hypothesis import settings
from playwright.sync_api import Browser, Page, TimeoutError, expect, sync_playwright

from games.models import Account
from tests.browser.appearance import check_appearance
from tests.processes import ROOT

NAMES = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable",
    "google-chrome",
)  # fmt: skip
"""Programs of the browser; the first has no windows and takes less time."""
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
ARGUMENTS = ["--no-sandbox", "--js-flags=--single-threaded"]
"""V8's threads compile scripts that end soon: without them, axe takes less of the CPU."""
SCREENSHOTS = ROOT / "build" / "screenshots"
LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 320, "height": 640}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPEN_MENUS = "isOpen => document.querySelectorAll('.menu').forEach(menu => menu.open = isOpen)"
"""They are folded on a phone; axe sees nothing in what is folded."""

FITS = "width => document.documentElement?.scrollWidth <= width"
FOLD_MENUS_IF_IT_FITS = f"width => ({FITS})(width) && (({OPEN_MENUS})(false), true)"

Check = Callable[..., None]

PATIENCE = 60_000
"""Milliseconds that a test waits for anything: a busy machine may need many seconds."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """A browser for the tests of this folder."""
    with running_chromium() as browser:
        yield browser


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """Run a browser; the tests are skipped if there is none.

    Until its end, Playwright runs an event loop in this thread, so tests of other folders could not
    run one.
    """
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    with pytest.MonkeyPatch.context() as patch:
        # In an event loop, Django would refuse its queries.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            yield browser
            browser.close()


@pytest.fixture
def open_page(chromium: Browser, live_server: Any) -> Iterator[Callable[..., Page]]:
    """Open a page of the live server in a new session; it must log no error.

    With an account, the session is one of it: to log in by the form loads two pages more.
    Options are those of Playwright's contexts, such as `java_script_enabled=False`.
    """
    contexts, errors = [], []

    def open_page(path: str = "/", *, account: Account | None = None, **options: Any) -> Page:
        options = {"viewport": LAPTOP, "locale": "en-GB"} | options
        context = chromium.new_context(base_url=live_server.url, **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        if account is not None:
            name = django_settings.SESSION_COOKIE_NAME
            context.add_cookies(
                [{"name": name, "value": session_key(account), "url": live_server.url}]
            )
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: _note(errors, message))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def _note(errors: list[str], message: Any) -> None:
    """Note what the console reports, but the statuses of rejected forms."""
    is_status = "the server responded with a status of 4" in message.text
    if message.type in ("error", "warning") and not is_status:
        errors.append(message.text)


@pytest.fixture
def check() -> Check:
    """Check the width of a page on a phone; in `make test-long`, also by axe."""
    return check_page


def check_page(page: Page, name: str) -> None:
    """Check that a page fits on a phone, and has at most one main button.

    `make test-long` also checks it by axe, light on a laptop and dark on a phone, and its zoom,
    focus and print (tests/browser/appearance.py), and stores how it looks.

    After a key that leads to another page, wait for its address first.
    """
    size = page.viewport_size
    page.wait_for_load_state()
    shown = page.locator("main :is(button, a).main:visible").all_inner_texts()
    assert len(shown) < 2, f"{name} has several main buttons: {shown}"
    is_long = settings.get_current_profile_name() == "long"
    if is_long:
        page.evaluate(OPEN_MENUS, True)
        assert find_problems(page) == [], name
        store_screenshot(page, f"{name}.light")
        page.emulate_media(color_scheme="dark")
        store_screenshot(page, f"{name}.dark")
    page.set_viewport_size(PHONE)
    try:  # scripts, as the wall view's, may need a moment after a change of the size
        page.wait_for_function(FOLD_MENUS_IF_IT_FITS, arg=PHONE["width"])
    except TimeoutError:
        pytest.fail(f"{name} is wider than {PHONE['width']} pixels on a phone")
    if is_long:
        store_screenshot(page, f"{name}.phone")
        page.evaluate(OPEN_MENUS, True)
        assert find_problems(page) == [], f"{name}, dark, on a phone"
        page.evaluate(OPEN_MENUS, False)
        page.emulate_media(color_scheme="light")
    page.set_viewport_size(size or LAPTOP)
    if is_long:
        check_appearance(page, name)


def find_problems(page: Page) -> list[str]:
    """Return what axe finds on a page."""
    rules = {"type": "tag", "values": RULES}
    found = Axe().run(page, options={"runOnly": rules, "resultTypes": ["violations"]})
    return [
        f"{rule['id']}: {node['failureSummary']}: {node['html'][:200]}"
        for rule in found.response["violations"]
        for node in rule["nodes"]
    ]


def store_screenshot(page: Page, name: str) -> None:
    """Store how the whole page looks, in `make test-long`."""
    if settings.get_current_profile_name() == "long":
        page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)  # makes the folder


def session_key(account: Account) -> str:
    """Return the key of a new session of an account, which is the value of its cookie."""
    client = Client()
    client.force_login(account)
    return client.cookies[django_settings.SESSION_COOKIE_NAME].value
