"""The front page and the headers of all responses."""

import re

import pytest
from django.test import Client


def test_the_front_page_shows_the_version_and_loads_nothing_external(client: Client, settings):
    response = client.get("/")
    page = response.content.decode()

    assert response.status_code == 200
    assert f"version {settings.VERSION}" in page
    links = re.findall(r'(?:href|src)="([^"]+)"', page)
    assert {
        "/api/v1/tournaments/lantern-masters/standings",
        "/api/v1/docs",
        "/api/v1/schema",
        "/readme",
    } <= set(links)
    assert [link for link in links if not link.startswith("/")] == []
    assert "<script" not in page
    assert "style=" not in page


def test_the_front_page_rejects_post(client: Client):
    assert client.post("/").status_code == 405


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
