"""The front page and what every answer carries."""

import re

import pytest
from django.test import Client


def test_the_front_page_says_what_runs_and_needs_nothing_from_outside(client: Client, settings):
    answer = client.get("/")
    page = answer.content.decode()

    assert answer.status_code == 200
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


def test_the_front_page_takes_no_post(client: Client):
    assert client.post("/").status_code == 405


@pytest.mark.parametrize("path", ["/", "/health/live", "/nowhere"])
def test_every_answer_has_the_safety_headers(client: Client, path: str):
    headers = client.get(path).headers

    assert headers["Content-Security-Policy"].startswith("default-src 'none';")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("0123abcd-trace.1", True),
        ("", False),
        ("short", False),
        ("x" * 65, False),
        ("line\tbreak-and-more", False),
        ("\N{WHITE STAR}" * 10, False),
    ],
)
def test_a_request_id_is_kept_if_it_has_the_right_form(client: Client, sent: str, kept: bool):
    answered = client.get("/health/live", headers={"X-Request-ID": sent})["X-Request-ID"]

    assert (answered == sent) is kept
    assert re.fullmatch(r"[A-Za-z0-9._-]{8,64}", answered)
