"""A passkey in a browser: it is added, logs in alone, and is a second factor."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from games.core.broker import clear
from games.models import Account
from tests.browser.conftest import Check

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "moons of saturn"


@pytest.fixture(autouse=True)
def no_limits() -> None:
    clear()


def confirm_password(page: Page) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


def on_this_host(page: Page, path: str) -> str:
    """The address of a page by the name for which browsers allow passkeys without https."""
    port = urlsplit(page.url).port
    return f"http://localhost:{port}{path}"


def test_a_passkey_is_added_and_logs_in(open_page: Callable[..., Page], check: Check) -> None:
    """Chromium's virtual authenticator holds the key."""
    Account.objects.create_user("kim@example.org", PASSWORD, name="Kim")
    page = open_page("/login")
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    page.goto(on_this_host(page, "/login"))
    page.get_by_label("Email").fill("kim@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_role("link", name="Kim")).to_be_visible()

    page.goto(on_this_host(page, "/account/second-factor/webauthn/add/"))
    confirm_password(page)
    check(page, "add-passkey")
    page.get_by_label("Name").fill("Laptop")
    page.get_by_label("A passkey, which logs in").check()
    page.get_by_role("button", name="Add the key").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto(on_this_host(page, "/account/second-factor/webauthn/"))
    expect(page.locator("main")).to_contain_text("Laptop")
    check(page, "passkeys")

    page.get_by_role("button", name="Log out").click()
    page.goto(on_this_host(page, "/login"))
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_role("link", name="Kim")).to_be_visible()
    page.get_by_role("button", name="Log out").click()

    page.goto(on_this_host(page, "/login"))
    page.get_by_label("Email").fill("kim@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    page.wait_for_load_state()  # the button needs its script
    page.get_by_role("button", name="Use a passkey or a security key").click()
    expect(page.get_by_role("link", name="Kim")).to_be_visible()
