"""What can be taken back offers it in the notice, with and without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Check
from tests.events import Event, make_event, make_players
from tests.people import make_person
from tournament.models import Bye, Entry


@pytest.fixture
def event() -> Event:
    olga = make_person("Olga")
    event = make_event(olga, system="dutch", check_in="round", half_byes=1)
    event.enter(*make_players(6, by=olga))
    return event.step("open", "start")


def undo(page: Page, done: str) -> None:
    """Press the button in the notice that says what was done."""
    notice = page.locator(".done")
    expect(notice).to_contain_text(done)
    notice.get_by_role("button", name="Undo").click()


def test_a_director_undoes_a_slip_of_the_hand(
    event: Event, open_page: Callable[..., Page], check: Check
) -> None:
    page = open_page("/e/spring/run/check-in", account=event.owner.account)
    page.get_by_role("button", name="Check in Player 2").click()
    undo(page, "Player 2 is checked in.")
    expect(page.locator(".done")).to_contain_text("Player 2 is missing again.")
    expect(page.locator("main")).to_contain_text("6 players are missing.")
    page.get_by_role("button", name="Check in all 6 missing players").click()
    expect(page.locator(".done")).to_contain_text("All players are checked in.")

    page.goto("/e/spring/run/rounds/1")
    page.get_by_text("Byes requested for this round").click()
    page.get_by_label("Player", exact=True).fill("4")
    page.get_by_role("button", name="Grant the bye").click()
    undo(page, "The bye is granted.")
    expect(page.locator(".done")).to_contain_text("The bye is cancelled.")
    assert not Bye.objects.exists()

    page.goto("/e/spring/run/entries")
    page.get_by_role("button", name="Withdraw Player 3").click()
    check(page, "run-entries-undo")
    undo(page, "Player 3 is withdrawn.")
    expect(page.locator(".done")).to_contain_text("Player 3 is back in the event.")
    assert set(Entry.objects.values_list("state", flat=True)) == {Entry.State.ACCEPTED}


@pytest.mark.parametrize("script", [True, False])
def test_a_scorer_undoes_a_typed_line_and_types_it_again(
    event: Event, open_page: Callable[..., Page], script: bool
) -> None:
    Entry.objects.update(checked_in_round=1)
    event.publish(1)
    page = open_page(
        "/e/spring/run/rounds/1/results", account=event.owner.account, java_script_enabled=script
    )
    line = page.get_by_label("Board and result")
    for typed in ("1 11-10", "2 10-11"):
        line.fill(typed)
        line.press("Enter")
        expect(page.locator("main")).to_contain_text(f"Board {typed[0]}: ")
        page.wait_for_load_state()
    undo(page, "The results are entered.")
    expect(page.locator(".done")).to_contain_text("taken back")
    page.wait_for_load_state()
    line.fill("2 11-10")
    line.press("Enter")
    expect(page.locator("main")).to_contain_text("1 result is missing")
    expect(page.locator("main tr", has_text="11-10")).to_have_count(2)
