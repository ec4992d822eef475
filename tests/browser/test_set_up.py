"""A director sets an event up in a browser: creates it, enters a list, checks players in."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from games.models import Player
from tests.browser.conftest import Check
from tests.people import make_person
from tournament.models import Entry, Tournament

LIST = """Name;Rating;Land
Ada Moon;1900;POR
Ben Ivo;1800;CAN
Eva Sol;1700;SWE
Ivo;1600;
"""


def test_a_director_sets_an_event_up(open_page: Callable[..., Page], check: Check) -> None:
    Player.objects.create(name="Ivo", country="SWE", club="Rooks")
    Player.objects.create(name="Ivo", country="NED", club="Moons")
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
    page.get_by_role("button", name="Next").click()
    check(page, "new-event-4")
    page.get_by_role("button", name="Create the event").click()
    page.wait_for_url("**/e/spring-open/run/setup?done=create")
    page.get_by_text("Rounds", exact=True).first.click()
    check(page, "setup")

    page.get_by_label("Players check in").first.select_option("tournament")
    page.get_by_role("button", name="Store").click()
    page.wait_for_url("**?done=edit")
    assert Tournament.objects.get().check_in == "tournament"

    page.goto("/e/spring-open/run/entries")
    page.get_by_text("Enter a list").click()
    page.get_by_label("List", exact=True).fill(LIST)
    page.get_by_role("button", name="Preview").click()
    check(page, "entries-ambiguous")
    page.get_by_label("Moons").check()
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("main")).to_contain_text("4 lines are right")
    check(page, "entries-preview")
    page.get_by_role("button", name="Enter the players").first.click()
    page.wait_for_url("**/run/entries?done=import&**")
    assert Entry.objects.count() == 4
    check(page, "entries")
    page.get_by_role("link", name="Ada Moon").click()
    check(page, "entry")

    page.goto("/e/spring-open/run")
    page.get_by_role("button", name="Open registration").click()
    page.wait_for_url("**?done=open")
    page.goto("/e/spring-open/run/check-in")
    page.get_by_role("button", name="Check in Ada Moon").click()
    expect(page.get_by_role("button", name="Undo Ada Moon")).to_be_visible()
    check(page, "check-in")
    page.goto("/import")
    check(page, "import")
    for name in ("roles", "links", "points", "separations"):
        page.goto(f"/e/spring-open/run/{name}")
        if name == "links":
            page.get_by_role("button", name="Create the missing links").click()
        check(page, name)
