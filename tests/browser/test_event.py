"""The public pages of an event and its wall view in a browser."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from games.models import Player
from games.play.services import rule_game
from tests.browser.conftest import Check
from tests.events import Event, make_event, make_players, run_due, settle
from tests.people import make_person, make_player, player_of
from tournament.models import Forecast

PAGES = {
    "": "event",
    "/rounds/2": "round",
    "/rounds/2/boards/2": "board",
    "/standings": "standings",
    "/crosstable": "crosstable",
    "/players": "event-players",
    "/players/2": "card",
    "/forecast": "forecast",
    "/prizes": "prizes",
    "/clubs": "clubs",
    "/games": "event-games",
    "/exports": "files",
    "/calendar": "calendar",
}


def make_open(count: int) -> Event:
    """Return an event after one of five rounds, with a second one that has one result."""
    organiser, ada = make_person("Olga"), make_player("Ada Lovelace-Quintanilla Ríos", 1700)
    prizes = [{"name": "Open", "amounts": [50000, 30000]}]
    fields = {"tiebreaks": ["PTS", "BH/C1", "BH", "SB"], "prizes": prizes, "rounds": 5}
    event = make_event(
        organiser, name="Harbour Open 2026", system="dutch", place="Lisbon", **fields
    )
    players = make_players(count - 1)
    for number, player in enumerate(players):
        player.club = ("Rooks", "Harbour Star Club", "Peri")[number % 3]
        player.save()
    event.enter(player_of(ada), *players)
    event.step("open", "start").play(1)
    start = {"starts_on": "2026-05-01", "start_time": "14:00"}
    event.tournament.round_set.filter(number=2).update(**start)
    rule_game(event.publish(2)[0], by=organiser.account, reason="seen", result="11-10")
    settle()
    return event


def test_the_pages_of_an_event(open_page: Callable[..., Page], check: Check) -> None:
    """Visit each page; the forecast is computed by few simulations."""
    event = make_open(9)
    page = open_page("/")
    check(page, "home")
    page.locator(".events").get_by_role("link", name="Harbour Open").click()
    expect(page.locator("nav.rounds [aria-current]")).to_contain_text("Round 2")

    page.goto(f"/e/{event.tournament.slug}/forecast")
    check(page, "forecast-not-asked-for")
    page.get_by_role("button", name="Compute the forecast").click()
    check(page, "forecast-waiting")
    Forecast.objects.update(simulations=200)
    run_due()
    for path, name in PAGES.items():
        page.goto(f"/e/{event.tournament.slug}{path}")
        check(page, name)
    page.goto("/events")
    check(page, "events")
    page.get_by_label("Search for a player or an event").fill("lovelace")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=lovelace")
    check(page, "search")

    page.goto(f"/e/{event.tournament.slug}/standings")
    page.get_by_role("button", name="Name").click()
    first = page.locator("tbody tr").first
    expect(first).to_contain_text("Ada")
    first.get_by_role("link").nth(2).click()
    page.wait_for_url("**#value-2")
    expect(page.get_by_role("heading", name="BH/C1 =")).to_be_in_viewport()

    page.goto(f"/e/{event.tournament.slug}/rounds/2")
    page.emulate_media(media="print", color_scheme="dark")
    for role in ("navigation", "search", "textbox"):
        expect(page.get_by_role(role)).to_have_count(0)  # what is hidden has no role
    expect(page.get_by_role("table")).to_contain_text("Ada Lovelace-Quintanilla Ríos (1)")
    expect(page.locator("body")).to_have_css("color", "rgb(0, 0, 0)")


def test_the_wall_view_shows_a_result_that_comes_in(
    open_page: Callable[..., Page], check: Check
) -> None:
    event = make_open(40)
    page = open_page("/e/spring/wall?seconds=600", viewport={"width": 1920, "height": 1080})

    expect(page.get_by_role("heading", name="Pairings and results 1/2")).to_be_visible()
    rows = page.locator("tbody tr")
    expect(rows.nth(0)).to_contain_text("11-10")
    expect(rows.nth(1)).to_contain_text("–")
    size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('td')).fontSize)")
    assert size >= 1080 / 30
    check(page, "wall-boards")

    game = event.games(2)[1]
    rule_game(game, by=event.owner.account, reason="seen", result="10-11")
    settle()
    expect(rows.nth(1)).to_contain_text("10-11")
    expect(page.get_by_role("heading", name="Pairings and results 1/2")).to_be_visible()

    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Where do I play?")).to_be_visible()
    check(page, "wall-names")
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("heading", name="Pairings and results 2/2")).to_be_visible()
    page.goto("/e/spring/wall?show=standings")
    check(page, "wall-standings")


def test_the_wall_view_without_scripts(open_page: Callable[..., Page]) -> None:
    make_open(4)
    page = open_page("/e/spring/wall", java_script_enabled=False)

    for name in ("Pairings and results", "Where do I play?", "Standings"):
        expect(page.get_by_role("heading", name=name)).to_be_visible()

    # With them, letters are as large as a small table permits.
    Player.objects.filter(name__startswith="Ada").update(name="Ada")
    page = open_page("/e/spring/wall", viewport={"width": 1920, "height": 1080})
    expect(page.get_by_role("heading", name="Pairings and results")).to_be_visible()
    expect(page.locator("main")).to_have_class("huge")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_long_names_leave_room_for_the_values_on_a_phone(open_page: Callable[..., Page]) -> None:
    owner = make_person("Olga")
    event = make_event(owner, slug="long")
    event.enter(*(Player.objects.create(name=name) for name in (60 * "a", "Bea", "Cid", "Dag")))
    event.step("open", "start").play(1)
    page = open_page("/e/long/standings", viewport={"width": 390, "height": 844})

    points = page.locator("tbody tr").first.locator("td").nth(3)
    box, frame = points.bounding_box(), page.locator(".named").bounding_box()
    assert box
    assert frame
    assert box["x"] + box["width"] <= frame["x"] + frame["width"]
    page.locator(".named").evaluate("element => { element.scrollLeft = 9999; }")
    name = page.locator("tbody tr").first.locator("td").nth(2).bounding_box()
    assert name
    assert name["x"] >= frame["x"]
