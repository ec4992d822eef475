"""The home page and the login in a browser."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from games.models import Account
from tests.browser.conftest import PHONE, Check


def test_the_menu_of_a_phone_opens_and_closes_by_keys(open_page: Callable[..., Page]) -> None:
    page = open_page("/", viewport=PHONE)
    menu, link = page.locator("header .menu"), page.get_by_role("link", name="Ratings", exact=True)
    expect(link).to_be_hidden()

    for _ in range(3):  # the link to the content, the home page, the menu
        page.keyboard.press("Tab")
    expect(menu.locator("summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(link).to_be_visible()
    page.keyboard.press("Space")
    expect(link).to_be_hidden()


def test_an_account_logs_in_and_out(open_page: Callable[..., Page], check: Check) -> None:
    Account.objects.create_user("ada@example.org", "moons of saturn", name="Ada")
    page = open_page("/login?next=/")

    page.get_by_label("Email").fill("ada@example.org")
    page.get_by_label("Password").fill("moons of jupiter")
    page.get_by_role("button", name="Log in", exact=True).click()

    summary = page.get_by_role("alert").first
    expect(summary).to_contain_text("email address or the password is wrong")
    expect(page.locator(".rejected")).to_be_focused()
    expect(page.get_by_label("Email")).to_have_value("ada@example.org")
    check(page, "login")

    # A form is not sent without a connection, and keeps what is in it.
    page.get_by_label("Password").fill("moons of saturn")
    page.context.set_offline(True)
    expect(page.locator("#offline")).to_contain_text("No connection")
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_label("Password")).to_have_value("moons of saturn")
    page.context.set_offline(False)
    expect(page.locator("#offline")).to_be_hidden()
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page).to_have_url(re.compile("/$"))
    expect(page.get_by_role("link", name="Ada")).to_be_visible()

    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
