"""A director runs a round in a browser: by keys, with previews, beside somebody else."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Check
from tests.events import make_event, make_players
from tests.people import make_person


def button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def press_on(page: Page, key: str, role: str, name: str) -> None:
    """Press a key on a control that has the focus, as one who has no mouse does."""
    control = page.get_by_role(role, name=name)  # type: ignore[arg-type]
    control.focus()
    page.keyboard.press(key)


def test_a_director_runs_a_round(open_page: Callable[..., Page], check: Check) -> None:
    olga = make_person("Olga")
    event = make_event(olga, system="dutch", rounds=2)
    event.enter(*make_players(7))
    event.step("open", "start")
    page = open_page("/e/spring/run", account=olga.account)

    check(page, "run")
    page.get_by_role("link", name="Pair round 1").click()
    button(page, "Check the round")
    expect(page.locator("main")).to_contain_text("The round can be paired")
    check(page, "run-round-check")
    button(page, "Pair the round")
    expect(page.locator("main")).to_contain_text("only officials see it")

    press_on(page, "Space", "checkbox", "1 Player 1")
    press_on(page, "Space", "checkbox", "6 Player 6")
    page.get_by_label("Reason").first.fill("they share a car")
    press_on(page, "Enter", "button", "Preview: Swap the two players")
    page.get_by_text("these boards would change").wait_for()
    check(page, "run-round-swap")
    button(page, "Change these boards")
    page.get_by_role("link", name="Why these pairings?").click()
    check(page, "run-round-draft")
    button(page, "Publish the round")

    page.get_by_role("link", name="Enter results").click()
    line_field = page.locator("#field-line")
    expect(line_field).to_be_focused()
    check(page, "run-results")
    line_field.focus()
    for line, missing in (("1 14-7", "2 results are missing"), ("2 0", "1 result is missing")):
        page.keyboard.type(line)
        page.keyboard.press("Enter")
        page.locator("#missing").get_by_text(missing).wait_for()
        expect(line_field).to_have_value("")  # the stream may be sooner than the answer
        expect(line_field).to_be_focused()
    page.locator("footer").scroll_into_view_if_needed()
    page.keyboard.type("3 20-20")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("add up to 21, not 40").wait_for()
    expect(line_field).to_have_value("3 20-20")
    expect(line_field).to_be_in_viewport()
    check(page, "run-results-rejected")

    second = open_page("/e/spring/run/rounds/1", account=olga.account)
    page.goto("/e/spring/run/rounds/1")
    second.get_by_text("Withdraw the pairings").first.click()
    second.get_by_label("Reason").last.fill("wrong list")
    second.get_by_role("button", name="Withdraw the pairings").click()
    expect(second.locator("main")).to_contain_text("The pairings are withdrawn")

    page.get_by_text("Withdraw the pairings").first.click()
    page.get_by_label("Reason").last.fill("wrong list")
    button(page, "Withdraw the pairings")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Somebody else has changed this meanwhile")
    expect(alert).to_contain_text("Pairings removed (Olga)")
    page.get_by_text("Versions of the pairings").click()
    check(page, "run-round-versions")
