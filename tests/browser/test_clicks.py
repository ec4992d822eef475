"""How many clicks a director needs for the work of a day, from the page of the event."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from games.play.services import rule_game
from tests.browser.conftest import Check
from tests.events import Event, make_event, make_players, settle
from tests.people import make_person
from tournament.models import Entry

EVENT = "/e/spring"


@dataclass(slots=True)
class Mouse:
    """A director who clicks; typing and the key Tab are no clicks."""

    page: Page
    event: Event
    clicks: int = 0

    def click(self, found: Locator) -> None:
        found.click()
        self.clicks += 1

    def link(self, name: str, *, within: str = "body") -> None:
        self.click(self.page.locator(within).get_by_role("link", name=name, exact=True))

    def button(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def says(self, text: str) -> None:
        expect(self.page.locator("main")).to_contain_text(text)


@pytest.fixture
def mouse(open_page: Callable[..., Page]) -> Mouse:
    """A director on the page of an event of six players whose first round has all results."""
    olga = make_person("Olga")
    event = make_event(olga, system="dutch", check_in="round", half_byes=1)
    event.enter(*make_players(6, by=olga))
    event.step("open", "start")
    Entry.objects.update(checked_in_round=1)
    for game in event.publish(1):
        rule_game(game, by=olga.account, reason="a slip", result="11-10")
    settle()
    return Mouse(open_page(EVENT, account=olga.account), event)


def checked_in(event: Event, number: int) -> None:
    Entry.objects.filter(tournament=event.tournament).update(checked_in_round=number)


def test_three_clicks_from_the_last_result_to_the_next_round(
    mouse: Mouse, open_page: Callable[..., Page], check: Check
) -> None:
    checked_in(mouse.event, 2)
    check(open_page(EVENT, account=mouse.event.owner.account), "event-of-director")

    mouse.button("Complete round 1")
    mouse.says("The round is complete.")
    mouse.button("Pair the round")
    mouse.button("Publish the round")
    mouse.says("The round is published.")
    assert mouse.clicks == 3


def test_two_clicks_to_the_printed_pairings(mouse: Mouse) -> None:
    mouse.link("Print")
    printed = mouse.page.get_by_role("link", name="Pairings by board")
    address = printed.get_attribute("href") or ""
    assert mouse.clicks + 1 == 2
    assert mouse.page.request.get(address).headers["content-type"] == "application/pdf"
