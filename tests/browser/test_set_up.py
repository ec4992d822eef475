"""The steps of a new event in a browser: fields that depend on the game, keys, errors."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Check
from tests.people import make_person


def test_a_director_sets_an_event_up(open_page: Callable[..., Page], check: Check) -> None:
    page = open_page("/new", account=make_person("Olga").account)

    page.get_by_label("Name required").fill("Spring Open")
    check(page, "new-event-1")
    page.keyboard.press("Enter")
    page.get_by_label("Hex", exact=True).check()
    page.get_by_label("Board Hex").fill("77x")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("alert").first).to_contain_text("is not a board")
    check(page, "new-event-2")
    page.get_by_label("*Star", exact=True).check()
    expect(page.get_by_label("Board Hex")).to_be_hidden()
    page.get_by_label("Board *Star", exact=True).select_option("6")
    page.get_by_role("button", name="Next").click()
    page.get_by_label("System").select_option("monrad")
    check(page, "new-event-3")
    page.reload()
    with page.expect_popup() as beside:
        page.get_by_role("link", name="The pairing systems").click()
    expect(beside.value.get_by_role("heading", level=1)).to_be_visible()
    page.goto("/systems")
    page.go_back()
    expect(page.get_by_label("System")).to_be_visible()
    page.get_by_role("button", name="Next").click()
    check(page, "new-event-4")
    page.get_by_role("button", name="Create the event").click()
    page.wait_for_url("**/e/spring-open/run/setup?done=create")
