"""Apps of others: one in a browser on another site, and the pages on which they are allowed."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from games.core.broker import clear
from games.models import Account, Report
from tests.browser.conftest import Check
from tests.events import make_event
from tests.games.core.oauth import make_program
from tests.people import make_person, make_player, player_of

pytestmark = pytest.mark.django_db(transaction=True)
POCKET = Path(__file__).parent / "pocket"


@pytest.fixture(autouse=True)
def no_limits() -> None:
    clear()


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Write nothing."""


@pytest.fixture
def other_site() -> Iterator[str]:
    """The address of a site of its own, with the files of the app."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=POCKET))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_an_app_on_another_site_logs_in_and_reports_a_game(
    open_page: Callable[..., Page], check: Check, live_server: Any, other_site: str, settings: Any
) -> None:
    settings.OAUTH2_PROVIDER = {**settings.OAUTH2_PROVIDER, "OIDC_ISS_ENDPOINT": live_server.url}
    ada, ben = make_player("Ada"), make_player("Ben")
    password = "moons of saturn"
    ada_account = Account.objects.get(pk=ada.account.pk)
    ada_account.set_password(password)
    ada_account.save()
    ada_account.emailaddress_set.create(email=ada_account.email, verified=True, primary=True)
    event = make_event(make_person("Olga"), name="Harbour Open")
    event.enter(player_of(ada), player_of(ben))
    (game,) = event.step("open", "start").publish()
    program = make_program(make_person("Author"), back=f"{other_site}/")
    asked = {"service": live_server.url, "client": program.app.client_id, "game": game.pk}
    page = open_page("about:blank")
    start = f"{other_site}/?{urlencode(asked)}"

    page.goto(start)
    page.get_by_role("button", name="Log in").click()
    page.get_by_label("Email").fill(ada_account.email or "")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_role("heading", name="Allow Pocket?")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Harbour Open only this one")
    check(page, "allow-app")
    page.get_by_role("button", name="Do not allow").click()
    expect(page.get_by_role("status")).to_have_text("Not allowed: access_denied")

    page.goto(start)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Logged in as Ada, for spring")
    page.get_by_role("button", name="Report that I won").click()
    expect(page.get_by_role("status")).to_have_text(
        re.compile(r"The report got 20[12], with .token")
    )

    assert Report.objects.get(game=game).by_id == ada.account.pk
    page.goto(f"{live_server.url}/account/apps")
    row = page.get_by_role("region", name="Pocket")
    expect(row).to_contain_text("spring")
    check(page, "apps")
    row.get_by_role("button", name="Revoke Pocket").click()
    expect(page.get_by_role("status")).to_have_text(
        "The app has no access to your account any more."
    )
