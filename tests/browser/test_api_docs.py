"""The documentation of the API in a browser: nothing inline, nothing from other hosts."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_documentation_loads_only_from_this_service(
    open_page: Callable[..., Page], live_server: Any
) -> None:
    page = open_page("about:blank")
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    response = page.goto("/api/v1/docs")

    assert response is not None
    assert "unsafe" not in response.headers["content-security-policy"]
    expect(page.get_by_role("link", name="problem code")).to_have_attribute(
        "href", "/api/v1/problems.html"
    )
    expect(page.locator("#operations-tag-players")).to_be_visible()
    assert [url for url in addresses if not url.startswith((live_server.url, "data:"))] == []


@pytest.mark.long
def test_an_operation_is_shown_with_its_answers(open_page: Callable[..., Page]) -> None:
    """Swagger resolves the whole schema for it, which takes seconds."""
    page = open_page("/api/v1/docs")
    page.locator("#operations-tag-players").click()
    operation = page.locator("#operations-players-claim_player")
    operation.locator(".opblock-summary").click()
    expect(operation.get_by_text("The request is readable")).to_be_visible()
