"""The home page, errors, and the headers of all responses."""

import re
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.django_db
def test_the_home_page_shows_the_version_and_loads_nothing_external(client: Client, settings):
    response = client.get("/")
    page = response.content.decode()

    assert response.status_code == 200
    assert f"Perihelion {settings.VERSION}" in page
    links = re.findall(r'(?:href|src|action)="([^"]+)"', page)
    assert [link for link in links if not link.startswith(("/", "#"))] == []
    assert "style=" not in page
    assert "<script>" not in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("POST", "/", 405),
    ],
)
def test_an_error_in_a_browser_is_a_page(client: Client, method: str, path: str, status: int):
    response = client.generic(method, path, headers=BROWSER)

    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert response.status_code == status
    assert "tell them this number: <code>" in response.content.decode()


@pytest.fixture
def outage(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The database does not respond."""
    connection.close()
    with monkeypatch.context() as patch:
        for name, value in {"NAME": "/nowhere/a", "HOST": "/nowhere", "OPTIONS": {}}.items():
            patch.setitem(connection.settings_dict, name, value)
        yield
        connection.close()


@pytest.mark.parametrize(
    ("path", "cookie"),
    [
        ("/e/spring", ""),
        ("/events", "x" * 32),
        ("/login", "x" * 32),
    ],
)
def test_without_the_database_a_browser_gets_a_page(
    outage: None, client: Client, path: str, cookie: str
):
    if cookie:
        client.cookies[settings.SESSION_COOKIE_NAME] = cookie
    client.raise_request_exception = False

    response = client.get(path, headers={**BROWSER, "Accept-Language": "de"})
    page = response.content.decode()

    assert (response.status_code, response["Retry-After"]) == (503, "2")
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert "Die Datenbank hat nicht rechtzeitig geantwortet" in page
    assert "nennen Sie ihnen diese Nummer" in page


def test_without_the_database_a_program_gets_a_problem(outage: None, client: Client):
    client.raise_request_exception = False

    response = client.get("/api/v1/players")

    assert (response.status_code, response["Retry-After"]) == (503, "2")
    assert response.json()["code"] == "database_busy"


@pytest.mark.django_db
def test_the_pages_link_to_the_documentation_if_it_is_published(client: Client, settings):
    settings.DOCS_URL = ""
    assert "Help" not in client.get("/").content.decode()
    settings.DOCS_URL = "https://docs.example.org/"

    for language, word in (("en", "Help"), ("de", "Hilfe")):
        page = client.get("/", headers={"Accept-Language": language}).content.decode()
        assert f'<a href="https://docs.example.org/">{word}</a>' in page


def test_the_service_serves_the_documentation(client: Client, settings, tmp_path):
    settings.DOCS_ROOT = tmp_path
    (tmp_path / "howto").mkdir()
    (tmp_path / "howto" / "index.html").write_text(
        "<style>p {}</style><script>f()</script><script src='x.js'></script><p style='' "
        ' style="top: 0">Read</p>'
    )

    response = client.get("/docs/howto/")

    assert b"".join(response.streaming_content).endswith(b"Read</p>")
    policy = response.headers["Content-Security-Policy"]
    hashed = [b64encode(sha256(part).digest()).decode() for part in (b"f()", b"p {}", b"top: 0")]
    assert [found for found in hashed if f"'sha256-{found}'" in policy] == hashed
    assert "'unsafe-inline'" not in policy
    assert client.get("/docs/../manage.py").status_code == 400
    for address in ("/docs/", "/docs/none.html", "/docs/howto"):
        assert client.get(address).status_code == 404, address
    assert client.post("/docs/howto/").status_code == 405


@pytest.mark.django_db
def test_a_form_without_its_token_is_rejected(settings):
    client = Client(enforce_csrf_checks=True)
    response = client.post("/login", {"login": "a@example.org", "password": "x"}, headers=BROWSER)

    assert response.status_code == 403
    assert "load the page again" in response.content.decode()


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("PUT", "/health/live", 405, "method_not_allowed"),
        ("POST", "/static/nothing.css", 404, "not_found"),
        ("GET", "/nowhere", 404, "not_found"),
        ("GET", "/a%0Ab", 404, "not_found"),
    ],
)
def test_every_error_is_a_problem(client: Client, method: str, path: str, status: int, code: str):
    response = client.generic(method, path)

    assert response["Content-Type"] == "application/problem+json"
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert ("Allow" in response) == (status == 405)


def test_a_name_that_is_not_the_services_is_named_with_the_right_one(client: Client, settings):
    response = client.get("/", headers={"host": "other.example"})

    assert (response.status_code, response.json()["code"]) == (400, "unreadable")
    assert "'other.example'" in response.json()["detail"]
    assert settings.PUBLIC_URL in response.json()["detail"]
    assert "ALLOWED_HOSTS" in response.json()["detail"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "following"),
    [
        ("/", "/"),
        ("/explorer?ruleset=hex&board_size=11", "/explorer%3Fruleset%3Dhex%26board_size%3D11"),
        ("/nowhere?x=a%26b&y=%22%3E", "/nowhere%3Fx%3Da%2526b%26y%3D%2522%253E"),
    ],
)
def test_the_login_returns_to_the_page_with_its_query(client: Client, path: str, following: str):
    page = client.get(path, headers=BROWSER).content.decode()

    assert f'"/login?next={following}"' in page
    assert client.get("/login").content.decode().count('href="/login"') == 1


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/health/live", "/nowhere"])
def test_every_response_has_the_security_headers(client: Client, path: str):
    headers = client.get(path).headers

    assert headers["Content-Security-Policy"].startswith("default-src 'none';")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("sent", "is_reused"),
    [
        ("0123abcd-trace.1", True),
        ("", False),
        ("short", False),
        ("x" * 65, False),
        ("line\tbreak-and-more", False),
        ("\N{WHITE STAR}" * 10, False),
    ],
)
def test_a_valid_request_id_is_reused(client: Client, sent: str, is_reused: bool):
    returned = client.get("/health/live", headers={"X-Request-ID": sent})["X-Request-ID"]

    assert (returned == sent) is is_reused
    assert re.fullmatch(r"[A-Za-z0-9._-]{8,64}", returned)


def test_the_contact_for_weaknesses_is_in_a_file(client: Client, settings):
    path = "/.well-known/security.txt"
    assert client.get(path).status_code == 404
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    settings.DOCS_URL = "https://docs.example.org/"

    response = client.get(path)

    assert response["Content-Type"] == "text/plain; charset=utf-8"
    contact, expires, canonical, policy = response.content.decode().splitlines()
    assert contact == "Contact: mailto:security@example.org"
    until = datetime.fromisoformat(expires.removeprefix("Expires: "))
    assert timedelta(days=28) < until - datetime.now(UTC) < timedelta(days=31)
    assert canonical == f"Canonical: {settings.PUBLIC_URL}{path}"
    assert policy == "Policy: https://docs.example.org/howto/security.html"
