"""A director runs a round in a browser: check, pair, swap, publish, results by keyboard, unpair."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.conftest import Check
from tests.events import make_event, make_players
from tests.people import Person, make_person

PASSWORD = "moons of saturn"


def make_director() -> Person:
    person = make_person("Olga")
    assert person.account is not None
    person.account.set_password(PASSWORD)
    person.account.save()
    return person


def log_in(page: Page) -> None:
    page.get_by_label("Email").fill("olga@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def press_on(page: Page, key: str, role: str, name: str) -> None:
    """Press a key on a control that has the focus, as one who has no mouse does."""
    control = page.get_by_role(role, name=name)  # type: ignore[arg-type]
    control.focus()
    page.keyboard.press(key)


def test_a_director_runs_a_round(open_page: Callable[..., Page], check: Check) -> None:
    event = make_event(make_director(), system="dutch", rounds=2)
    event.enter(*make_players(7))
    event.step("open", "start")
    page = open_page("/login?next=/e/spring/run")
    log_in(page)

    check(page, "run")
    page.get_by_role("link", name="Pair round 1").click()
    button(page, "Check the round")
    assert "The round can be paired" in page.inner_text("main")
    check(page, "run-round-check")
    button(page, "Pair the round")
    assert "only officials see it" in page.inner_text("main")

    press_on(page, "Space", "checkbox", "1 Player 1")
    press_on(page, "Space", "checkbox", "6 Player 6")
    page.get_by_label("Reason").first.fill("they share a car")
    press_on(page, "Enter", "button", "Swap the two players")
    page.get_by_text("these boards would change").wait_for()
    check(page, "run-round-swap")
    button(page, "Change these boards")
    page.get_by_role("link", name="Why these pairings?").click()
    check(page, "run-round-draft")
    button(page, "Publish the round")
    check(page, "run-round-published")

    page.get_by_role("link", name="Enter results").click()
    assert page.evaluate("document.activeElement.id") == "field-line"
    check(page, "run-results")
    page.locator("#field-line").focus()
    for line, missing in (("1 14-7", "2 results are missing"), ("2 0", "1 result is missing")):
        page.keyboard.type(line)
        page.keyboard.press("Enter")
        page.locator("#missing").get_by_text(missing).wait_for()
        assert page.evaluate("document.activeElement.id") == "field-line"
    page.keyboard.type("3 20-20")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("20-20").first.wait_for()
    assert page.locator("#field-line").input_value() == "3 20-20"
    check(page, "run-results-rejected")

    second = open_page("/login?next=/e/spring/run/rounds/1")
    log_in(second)
    page.goto("/e/spring/run/rounds/1")
    second.get_by_text("Withdraw the pairings").first.click()
    second.get_by_label("Reason").last.fill("wrong list")
    second.get_by_role("button", name="Withdraw the pairings").click()
    assert "The pairings are withdrawn" in second.inner_text("main")

    page.get_by_text("Withdraw the pairings").first.click()
    page.get_by_label("Reason").last.fill("wrong list")
    button(page, "Withdraw the pairings")
    assert "Somebody else has changed this meanwhile" in page.get_by_role("alert").inner_text()
    assert "round.unpaired (Olga)" in page.get_by_role("alert").inner_text()
    check(page, "run-round-stale")
    page.get_by_text("Versions of the pairings").click()
    check(page, "run-round-versions")
