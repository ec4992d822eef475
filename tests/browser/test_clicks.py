"""How many clicks a director needs for the work of a day, from the page of the event."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from games.play.services import rule_game
from tests.browser.conftest import Check
from tests.events import Event, make_event, make_players, settle
from tests.people import make_person
from tournament.models import Bye, Entry, Pairing

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


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def mouse(request: pytest.FixtureRequest, open_page: Callable[..., Page]) -> Mouse:
    """A director on the page of an event of six players whose first round has all results."""
    olga = make_person("Olga")
    event = make_event(olga, system="dutch", check_in="round", half_byes=1)
    event.enter(*make_players(6, by=olga))
    event.step("open", "start")
    Entry.objects.update(checked_in_round=1)
    for game in event.publish(1):
        rule_game(game, by=olga.account, reason="a slip", result="11-10")
    settle()
    page = open_page(EVENT, account=olga.account, java_script_enabled=request.param)
    return Mouse(page, event)


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


def test_one_click_checks_everybody_in(mouse: Mouse) -> None:
    mouse.button("Complete round 1")
    mouse.page.goto(EVENT)
    mouse.clicks = 0

    mouse.button("Check in all 6 missing players")
    mouse.says("All players are checked in.")
    mouse.says("0 players are missing.")
    assert mouse.clicks == 1
    assert set(Entry.objects.values_list("checked_in_round", flat=True)) == {2}


def test_three_clicks_for_a_late_entry(mouse: Mouse) -> None:
    mouse.link("Players", within=".sections")
    mouse.click(mouse.page.get_by_text("Register a new player"))
    mouse.page.get_by_label("Name").last.fill("Nils Late")
    mouse.button("Register and enter")
    mouse.says("The player is registered and entered.")
    assert mouse.clicks == 3
    entry = Entry.objects.get(player__name="Nils Late")
    assert (entry.state, entry.first_round) == (Entry.State.ACCEPTED, 2)


def test_three_clicks_for_a_late_entry_of_a_known_player(mouse: Mouse) -> None:
    (late,) = make_players(1, first_rating=1200)
    late.name = "Nils Known"
    late.save()

    mouse.link("Players", within=".sections")
    mouse.page.get_by_label("Find a registered player").fill("Nils")
    mouse.button("Find")
    mouse.button("Enter Nils Known")
    mouse.says("The player is entered.")
    assert mouse.clicks == 3


def test_three_clicks_for_a_half_point_bye(mouse: Mouse) -> None:
    mouse.button("Complete round 1")
    mouse.page.goto(EVENT)
    mouse.clicks = 0

    mouse.link("Round 2", within=".sections")
    mouse.click(mouse.page.get_by_text("Byes requested for this round"))
    mouse.page.get_by_label("Player", exact=True).fill("4")
    mouse.button("Grant the bye")
    mouse.says("The bye is granted.")
    assert mouse.clicks == 3
    bye = Bye.objects.get()
    assert (bye.entry.pairing_number, bye.round, bye.kind) == (4, 2, "half-bye")


def test_four_clicks_swap_two_players(mouse: Mouse) -> None:
    checked_in(mouse.event, 2)
    mouse.button("Complete round 1")
    mouse.button("Pair the round")
    mouse.page.goto(EVENT)
    mouse.clicks = 0

    mouse.link("Round 2", within=".sections")
    drafted = Pairing.objects.filter(round__number=2).order_by("board_number")
    first, second = (row.first for row in drafted[:2])
    for entry in (first, second):
        name = f"{entry.pairing_number} {entry.player.name}"
        mouse.click(mouse.page.get_by_role("checkbox", name=name))
    mouse.page.get_by_label("Reason").first.fill("they share a car")
    mouse.button("Swap the two players")
    mouse.says("The boards are changed.")
    assert mouse.clicks == 4
    current = Pairing.objects.filter(round__number=2, version=2).order_by("board_number")
    assert {row.first for row in current[:2]} == {first, second}


def test_at_most_four_clicks_correct_an_old_result(mouse: Mouse) -> None:
    mouse.button("Complete round 1")
    mouse.page.goto(EVENT)
    mouse.clicks = 0

    mouse.link("Corrections", within=".sections")
    mouse.page.get_by_label("Results: round, board").fill("1 2 10-11")
    mouse.page.get_by_label("Reason").fill("the slip was read wrongly")
    mouse.button("Preview the effect")
    mouse.button("Make this correction")
    mouse.says("The correction is made.")
    assert mouse.clicks == 3
    assert mouse.event.games(1)[1].score_first == 10
