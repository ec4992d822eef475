"""A new SECRET_KEY: what the earlier one has signed stays valid while it is a fallback."""

from typing import Any

import httpx
import pytest
from allauth.account.forms import default_token_generator

from games.core.accounts.mail import links_of
from games.core.accounts.mail import token_of as mail_token
from games.core.roles.services import offer_role
from games.models import EmailLink
from tests.deploy.clients import post, start_event
from tests.deploy.outages.test_rolling_restart import WebServer
from tests.deploy.service import Service
from tests.events import make_event
from tests.people import Person, player_of
from tests.processes import eventually
from tournament.entries.links import create_links, find_link
from tournament.entries.links import token_of as personal_token
from tournament.models import PersonalLink

NEW_KEY = "another k3y of many different characters"


@pytest.mark.parametrize("is_fallback", [True, False])
def test_links_of_the_earlier_key(
    organiser: Person, ada: Person, settings: Any, is_fallback: bool
) -> None:
    event = make_event(organiser)
    event.enter(player_of(ada))
    create_links(event.tournament, by=organiser.account)
    printed = personal_token(PersonalLink.objects.get())
    offer_role(event.stream, "a@example.org", "scorer", name="", by=organiser.account)
    mailed = mail_token(EmailLink.objects.get())
    reset = default_token_generator.make_token(organiser.account)

    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY] if is_fallback else []
    settings.SECRET_KEY = NEW_KEY

    slug = event.tournament.slug
    assert (find_link(slug, printed) is not None) is is_fallback
    assert links_of(mailed, EmailLink.Kind.INVITATION).exists() is is_fallback
    assert default_token_generator.check_token(organiser.account, reset) is is_fallback
    # What is signed from now on does not depend on the earlier key.
    again = personal_token(PersonalLink.objects.get())
    settings.SECRET_KEY_FALLBACKS = []
    assert find_link(slug, again) is not None


EVENT = "/api/v1/tournaments/away"
KEYED = {"Idempotency-Key": "once"}


class Browser:
    """Somebody who has a login, a printed link, a token, and a request that may be repeated."""

    def __init__(self, service: Service, server: WebServer) -> None:
        start_event(service)
        links = post(service, "tournaments/away/links")["results"]
        self.link = links[0]["address"].partition("#")[2]
        self.headers = {"Authorization": f"Bearer {service.token}"}
        self.jar = httpx.Cookies()
        with self.client(server) as http:
            service.log_in(http)
            self.jar = http.cookies
        (self.player, is_again) = self.keyed_request(server)
        assert not is_again

    def client(self, server: WebServer) -> httpx.Client:
        """A client of one of the web servers, which are one site for the browser."""
        address = f"http://localhost:{server.port}"
        return httpx.Client(base_url=address, cookies=self.jar, trust_env=False, timeout=60)

    def keyed_request(self, server: WebServer) -> tuple[Any, bool]:
        """Register a player, once however often it is sent; the answer, and if it is the stored."""
        with self.client(server) as http:
            http.cookies.clear()
            response = http.post(
                "/api/v1/players", json={"name": "Keyed"}, headers=self.headers | KEYED
            )
        return response.json(), response.headers.get("Idempotent-Replayed") == "true"

    def is_known(self, server: WebServer) -> bool:
        """Whether the login is valid."""
        with self.client(server) as http:
            is_in = http.get("/account").status_code == 200
            self.jar = http.cookies
        return is_in

    def link_works(self, server: WebServer) -> bool:
        """Whether the printed link is."""
        with self.client(server) as http:
            http.cookies.clear()
            answer = http.post(f"{EVENT}/links/session", json={"link": self.link})
        assert answer.status_code in (201, 422), answer.text
        return answer.status_code == 201

    def token_works(self, server: WebServer) -> bool:
        """Whether the token is, which no key has signed."""
        with self.client(server) as http:
            return http.get("/api/v1/tokens", headers=self.headers).status_code == 200


@pytest.mark.processes
@pytest.mark.long
def test_a_rotation_on_a_running_service_of_two_web_servers(service: Service) -> None:
    """As the handbook says; then, the earlier key is taken away."""
    old = (service.folder / "secret-key").read_text().strip()
    servers = [
        WebServer(service, SECRET_KEY=old, SECRET_KEY_FALLBACKS=NEW_KEY),
        WebServer(service, SECRET_KEY=NEW_KEY, SECRET_KEY_FALLBACKS=old),
        WebServer(service, SECRET_KEY=NEW_KEY),
    ]
    try:
        for server in servers:
            server.start()
        for server in servers:
            eventually(server.answers)
        first, second, last = servers
        browser = Browser(service, first)
        for server in (second, first, second, first):
            assert browser.is_known(server)
            assert browser.link_works(server)
            assert browser.token_works(server)
            assert browser.keyed_request(server) == (browser.player, True)

        assert not browser.link_works(last)
        assert browser.token_works(last)
        lost, is_again = browser.keyed_request(last)
        assert (lost["code"], is_again) == ("idempotent_response_lost", False)
        assert not browser.is_known(last)
    finally:
        for server in servers:
            server.kill()
