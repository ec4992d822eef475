"""Formats are compared in a browser."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Check
from tests.people import make_person
from tournament.models import Plan
from tournament.plans.services import advance_plan

LINES = "\n".join(f"Player {n}, {2000 - 40 * n}" for n in range(12))


def test_formats_are_compared(open_page: Callable[..., Page], check: Check) -> None:
    page = open_page("/plan", account=make_person("Olga").account)
    check(page, "new-plan")
    page.get_by_label("Ratings, one in each line").fill(LINES)
    page.get_by_label("Round robin", exact=True).check()
    page.get_by_label("Numbers of rounds").fill("3, 4")
    page.get_by_label("Simulations of each format").fill("20")
    page.get_by_role("button", name="Simulate").click()
    page.wait_for_url("**/plan/*")
    expect(page.locator("main")).to_contain_text("0 of 20 simulations")
    advance_plan(Plan.objects.get().pk)
    page.get_by_text("Recommendation").wait_for()
    page.locator("img").evaluate("image => image.decode()")
    check(page, "plan")
