"""A director's day in a browser: rounds, results by keyboard, disputes, corrections, prizes."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from games.play.services import state_record, submit
from tests.browser.conftest import Check
from tests.events import (
    FIRST_WINS,
    FIRST_WINS_OTHERWISE,
    make_event,
    make_players,
    make_running,
    settle,
)
from tests.people import make_person, make_player, player_of
from tournament.models import Tournament


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
        expect(line_field).to_be_focused()
    page.keyboard.type("3 20-20")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("add up to 21, not 40").wait_for()
    expect(line_field).to_have_value("3 20-20")
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


def test_a_director_corrects_a_result(open_page: Callable[..., Page], check: Check) -> None:
    olga = make_person("Olga")
    event = make_running(olga, 7, rounds=3, prizes=[{"name": "Open", "amounts": [30]}])
    event.play(1)
    event.play(2)
    event.publish(3)
    page = open_page("/e/spring/run/corrections", account=olga.account)

    page.get_by_label("Results: round, board").fill("1 1 7-14")
    page.get_by_label("Reason").fill("the slip was read wrongly")
    button(page, "Preview the effect")
    expect(page.locator("main")).to_contain_text("nothing is changed yet")
    check(page, "run-correction-preview")
    button(page, "Make this correction")
    expect(page.locator("main")).to_contain_text("The correction is made.")
    page.get_by_label("Reason").fill("it was right")
    button(page, "Preview the undo")
    button(page, "Undo the correction")
    expect(page.locator("main")).to_contain_text("The correction is undone.")
    page.get_by_role("link", name="All corrections").click()
    check(page, "run-corrections")

    page.goto("/e/spring/run/prizes")
    page.get_by_label("Name").last.fill("Under 12")
    page.get_by_label("Prizes for places").last.fill("many")
    button(page, "Save the prizes")
    check(page, "run-prizes-rejected")
    page.goto("/e/spring/run/print")
    check(page, "run-print")

    plain = open_page(
        "/e/spring/run/rounds/3/results", account=olga.account, java_script_enabled=False
    )
    for line, missing in (("1 14-7", "2 results are missing"), ("2 0", "1 result is missing")):
        plain.locator("#field-line").fill(line)
        plain.locator("#field-line").press("Enter")
        plain.get_by_text(missing).wait_for()
        plain.wait_for_load_state()


def test_an_arbiter_rules_a_disputed_game(open_page: Callable[..., Page], check: Check) -> None:
    ada, ben = make_player("Ada", 2100), make_player("Ben", 1900)
    olga = make_person("Olga")
    event = make_event(olga, system="dutch", rounds=1)
    event.enter(player_of(ada), player_of(ben))
    (game,) = event.step("open", "start").publish(1)
    for person, record in ((ada, FIRST_WINS), (ben, FIRST_WINS_OTHERWISE)):
        submit(state_record(game, record, by=person.account, token=person.token))
    settle()
    page = open_page("/e/spring/run", account=olga.account)

    expect(page.locator("main")).to_contain_text("1 game is disputed")
    page.get_by_role("link", name="1 game is disputed").click()
    check(page, "run-disputes")
    page.get_by_role("link", name="Compare and rule").click()
    check(page, "run-game")
    page.get_by_label("By the record").select_option(label="Ada")
    page.get_by_label("Reason").first.fill("the scorer saw it")
    button(page, "Rule the game")
    expect(page.locator("main")).to_contain_text("The game is ruled.")
    page.goto("/e/spring/run")
    button(page, "Complete round 1")
    expect(page.locator("main")).to_contain_text("The round is complete.")
    page.goto("/e/spring/run")
    button(page, "Begin the review")
    button(page, "Make the standings final")
    expect(page.locator("main")).to_contain_text("The event is final")
    check(page, "run-final")


def test_a_director_decides_a_tie(open_page: Callable[..., Page], check: Check) -> None:
    olga = make_person("Olga")
    event = make_running(olga, 4, rounds=1, tiebreaks=["PTS"])
    event.publish(1)
    event.finish(1)
    page = open_page("/e/spring/run/ties", account=olga.account)
    check(page, "ties")

    tie = page.locator("section.panel").first
    places = tie.get_by_role("spinbutton")
    places.nth(0).fill("2")
    places.nth(1).fill("1")
    tie.get_by_label("Decided").select_option("lot")
    tie.get_by_label("Reason").fill("drawn before witnesses")
    tie.get_by_role("button", name="Decide the tie").click()

    expect(page.get_by_text("decided by lot")).to_be_visible()
    assert Tournament.objects.get().decided_ties[0]["by"] == "lot"
