"""Pages of accounts in a browser: sign-up, an authenticator app, a passkey, the pages of staff."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from django.core import mail
from playwright.sync_api import Page, expect

from games import tasks
from games.core.broker import clear
from games.models import Account
from tests.browser.conftest import Check
from tests.oauth import make_program
from tests.people import code_of_app, make_person

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "moons of saturn"


@pytest.fixture(autouse=True)
def no_limits() -> None:
    clear()


def log_in(page: Page, following: str = "/account") -> None:
    page.goto(f"/login?next={following}")
    page.get_by_label("Email").fill("kim@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()


def confirm_password(page: Page) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


def on_this_host(page: Page, path: str) -> str:
    """The address of a page by the name for which browsers allow passkeys without https."""
    port = urlsplit(page.url).port
    return f"http://localhost:{port}{path}"


def test_a_person_signs_up_without_scripts(open_page: Callable[..., Page], check: Check) -> None:
    page = open_page("/sign-up", java_script_enabled=False)
    page.get_by_label("Name").fill("Kim")
    page.get_by_label("Email").fill("Kim@Example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create the account").click()
    expect(page.locator("main")).to_contain_text("message with a link is on its way")

    tasks.send_due_links.run()
    (link,) = re.findall(r"/sign-up/confirm/\S+", str(mail.outbox[0].body))
    page.goto(link)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("link", name="Kim")).to_be_visible()


def test_an_app_is_added_and_used(open_page: Callable[..., Page], check: Check) -> None:
    Account.objects.create_superuser("kim@example.org", PASSWORD, name="Kim")
    page = open_page("about:blank")
    log_in(page, "/staff")
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    check(page, "second-factor")
    page.get_by_role("link", name="Add an app").click()
    check(page, "confirm-password")
    confirm_password(page)
    secret = page.locator(".secret").inner_text()
    check(page, "add-app")
    code = code_of_app(secret, seconds=10)
    page.get_by_label("Authenticator code").fill(code)
    page.get_by_role("button", name="Add the app").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    check(page, "recovery-codes")
    page.goto("/staff")
    page.goto(f"/staff/accounts/{Account.objects.get(name='Kim').pk}")
    check(page, "staff-account")
    make_program(make_person("Author"))
    page.goto("/staff/apps")
    check(page, "staff-apps")
    page.get_by_role("button", name="Disable Pocket").click()
    expect(page.get_by_role("status")).to_have_text("The app is disabled.")
    page.goto("/account")
    check(page, "account-with-factor")

    clear()
    page = open_page("about:blank")
    log_in(page)
    check(page, "second-step")
    code = code_of_app(secret, seconds=10)
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_role("heading", name="Tokens")).to_be_visible()
    page.goto("/account/sessions")
    check(page, "sessions")
    page.goto("/account/email")
    check(page, "change-address")
    page.goto("/account/close")
    confirm_password(page)
    check(page, "close-account")


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
