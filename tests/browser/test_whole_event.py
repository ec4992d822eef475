"""A whole event in browsers: a two-day open with all that goes wrong in it.

The director, the scorer, an applicant, two players and a spectator press buttons by their words, in
English on a laptop, in German on a phone, in French without scripts in dark colours, and by keys
alone. No page is wider than its window.
"""

import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

import pytest
from django.db.models import F
from django.utils.translation import gettext, override
from playwright.sync_api import Locator, Page, TimeoutError, expect

from games.models import Account, Game, Role
from tests.browser.appearance import FOCUS
from tests.browser.conftest import FITS, LAPTOP
from tests.events import Event, settle
from tests.people import make_person
from tests.processes import eventually
from tests.tournament.entries.test_applications import link_in, mail_to
from tournament.entries.links import token_of
from tournament.models import Pairing, PersonalLink, Tournament

pytestmark = pytest.mark.long

PHONE = {"width": 390, "height": 844}
ON_LAPTOP = {"viewport": LAPTOP, "locale": "en-GB"}
ON_PHONE = {"viewport": PHONE, "locale": "de-DE", "has_touch": True, "is_mobile": True}
WITHOUT_SCRIPTS = {"viewport": LAPTOP, "locale": "fr-FR", "java_script_enabled": False}
NOW = {"extra_http_headers": {"Prefer": "wait=0"}}
"""No worker runs here, so the pages do not wait for one."""

MOST_STEPS = 200
"""Presses of Tab until a control has the focus: all of the longest page, and round to the first."""

STEP = f"""target => {{
    const element = document.activeElement;
    return {{
        ...({FOCUS})(),
        isReached: element === target,
        isSkip: element.matches(".skip"),
        isOutside: element === document.body,
        isOutOfOrder: element.tabIndex > 0,
    }};
}}"""

LIST = "name,rating\nAda,1900\nBen,1800\nCid,1700\n"


@dataclass(slots=True)
class Visitor:
    """Somebody in a browser, who finds controls by their words in its language."""

    page: Page
    language: str
    has_mouse: bool = True

    def words(self, text: str, **values: object) -> str:
        """Return a text of the pages in the language, with values."""
        with override(self.language):
            return gettext(text) % values if values else gettext(text)

    def go(self, path: str) -> None:
        """Open a page, which is no wider than the window."""
        self.page.goto(path)
        self.fits()

    def fits(self) -> None:
        """Wait for the elements of the page, which is no wider than the window then.

        Where scripts are off no timer runs, so that `wait_for_function` looks only once.
        """
        eventually(self.fits_within_a_second)

    def fits_within_a_second(self) -> bool:
        size = self.page.viewport_size
        assert size
        try:
            self.page.wait_for_function(FITS, arg=size["width"], timeout=1000)
        except TimeoutError:
            return False
        return True

    def press(self, text: str, *, done: str = "", **values: object) -> None:
        """Press a button whose name begins with a text, and wait for what the page says then."""
        words = self.words(text, **values).replace("\u00a0", " ")  # as browsers name a control
        name = re.compile(rf"^{re.escape(words)}")
        self.use(self.page.get_by_role("button", name=name).first)
        if done:
            self.sees(self.words(done))
        self.fits()

    def use(self, control: Locator, key: str = "Enter") -> None:
        """Press a link, a button or a box: what leads to another page has then led there."""
        if not self.has_mouse:
            self.reach(control)
        leads = control.evaluate("element => element.matches('a, button')")
        with self.page.expect_navigation() if leads else nullcontext():
            control.click() if self.has_mouse else self.page.keyboard.press(key)

    def reach(self, control: Locator) -> None:
        """Press Tab until a control has the focus, which is visible on the way there.

        The link to the content is used where it comes first.
        """
        target = control.element_handle()
        step = self.page.evaluate(STEP, target)
        for _ in range(MOST_STEPS):
            if step["isReached"]:
                return
            self.page.keyboard.press("Enter" if step["isSkip"] else "Tab")
            step = self.page.evaluate(STEP, target)
            if not step["isOutside"] and not (step["isShown"] and step["isMarked"]):
                pytest.fail(f"no visible focus on {self.page.url}: {step}")
            assert not step["isOutOfOrder"], step
        pytest.fail(f"no key leads to {control} on {self.page.url}")

    def unfold(self, text: str) -> None:
        self.use(self.page.locator("summary").get_by_text(self.words(text)).first)

    def field(self, name: str) -> Locator:
        """Return a control that can be seen, by its name in the form."""
        return self.page.locator(f'main [name="{name}"]:visible').first

    def fill(self, **values: str) -> None:
        for name, value in values.items():
            self.fill_in(self.field(name), value)

    def fill_in(self, field: Locator, value: str) -> None:
        if self.has_mouse:
            field.fill(value)
            return
        self.reach(field)
        if field.get_attribute("type") == "date":
            value = "".join(reversed(value.split("-")))  # day, month, year, as it is shown
        else:
            self.page.keyboard.press("Control+A")
        self.page.keyboard.type(value)

    def choose(self, name: str, value: str) -> None:
        self.choose_in(self.field(name), value)

    def choose_in(self, field: Locator, value: str) -> None:
        if self.has_mouse:
            field.select_option(value)
            return
        self.reach(field)
        self.page.keyboard.press("Home")
        while field.input_value() != value:
            before = field.input_value()
            self.page.keyboard.press("ArrowDown")
            assert field.input_value() != before, f"{value} cannot be chosen"

    def tick(self, box: Locator) -> None:
        self.use(box, "Space")
        expect(box).to_be_checked()

    def send(self, name: str) -> None:
        """Press Enter in a field that is filled."""
        if self.has_mouse:
            self.field(name).press("Enter")
        else:
            self.page.keyboard.press("Enter")

    def sees(self, text: str) -> None:
        expect(self.page.locator("main")).to_contain_text(text)

    def opens(self, text: str, path: str) -> None:
        """Press the next step of the event and wait for the page where it leads."""
        self.press(text)
        self.page.wait_for_url(f"**{path}")


@pytest.fixture(
    params=[
        pytest.param(("en", ON_LAPTOP, True), id="English on a laptop"),
        pytest.param(("de", ON_PHONE, True), id="German on a phone"),
        pytest.param(
            ("fr", WITHOUT_SCRIPTS | {"color_scheme": "dark"}, True), id="French without scripts"
        ),
        pytest.param(("en", ON_LAPTOP, False), id="by keys alone"),
    ],
)
def visit(request: pytest.FixtureRequest, open_page: Callable[..., Page]) -> Callable[..., Visitor]:
    """Open a browser with an account, or with a personal link."""
    language, options, has_mouse = request.param

    def visit(path: str, account: Account | None = None, **others: object) -> Visitor:
        page = open_page(path, account=account, **options, **others)
        visitor = Visitor(page, language, has_mouse)
        visitor.fits()
        return visitor

    return visit


LINKED = "Every player has a personal link now."
DRAFT = "This is a draft: only officials see it. Change boards below, then publish it."


def boards_of(number: int) -> list[tuple[int, int]]:
    """Return the pairing numbers of the players of each board of a round."""
    boards = Pairing.objects.filter(
        round__number=number, version=F("round__version"), second__isnull=False
    )
    numbers = ("first__pairing_number", "second__pairing_number")
    return list(boards.order_by("board_number").values_list(*numbers))


BAR_LACKS = """missing => {
    const bar = document.querySelector("#progress progress");
    return bar?.max - bar?.value === missing;
}"""


def enter(scorer: Visitor, line: str, *, path: str = "", missing: int = 0) -> None:
    """Type a result as the scorer, after which so many are missing."""
    if path:
        scorer.go(path)
    scorer.fill(line=line)
    scorer.send("line")
    expect(scorer.page.locator("#missing a.number")).to_have_count(missing)
    expect(scorer.page.locator("#last")).to_contain_text(line.partition(" ")[2])
    eventually(lambda: scorer.page.evaluate(BAR_LACKS, missing))
    scorer.page.wait_for_load_state()  # without scripts, it is another page


def test_a_two_day_open_from_creation_to_prizes(visit: Callable[..., Visitor]) -> None:
    owner, sam = make_person("Olga"), make_person("Sam")
    olga = visit("/new", owner.account)
    olga.fill(name="Harbour", starts_on="2026-05-01", ends_on="2026-05-02")
    olga.press("Next")
    olga.choose_in(olga.page.locator("main select:visible").first, "4")
    olga.press("Next")
    olga.choose("system", "dutch")
    olga.fill(rounds="3")
    olga.press("Next")
    olga.press("Create the event", done="The event is created.")
    event = Event(Tournament.objects.get(), owner)
    run = "/e/harbour/run"

    olga.go(f"{run}/prizes")
    olga.choose("currency", "EUR")
    olga.fill(**{"prizes.0.name": "Open", "prizes.0.amounts": "300,00 200,00"})
    olga.press("Save the prizes", done="The prizes are saved.")
    olga.go(f"{run}/entries")
    olga.unfold("Enter a list: paste it, or select a file")
    olga.fill(file=LIST)
    olga.press("Enter the players")
    olga.page.wait_for_url("**done=import**")
    olga.go(f"{run}/setup")
    olga.unfold("Announcement")
    olga.choose("applications", "everybody")
    olga.press("Store", done="The settings are stored.")
    olga.go(run)
    olga.press("Open registration", done="Registration is open.")
    applicant = visit("/e/harbour/apply")
    applicant.fill(email="dag@example.org", name="Dag", seed_rating="1600")
    applicant.press("Apply")
    applicant.go(link_in(mail_to("dag@example.org")))
    applicant.press("Yes, I apply")
    applicant.sees(applicant.words("applied; the organiser decides"))
    olga.go(f"{run}/entries")
    olga.press("Accept")
    olga.sees(olga.words("%(name)s is accepted.", name="Dag"))
    assert "Dag" in mail_to("dag@example.org")
    olga.go(run)
    olga.press("Start the event", done="The event has started; its rounds are planned.")
    olga.go(f"{run}/links")
    olga.press("Create the missing links", done=LINKED)
    Role.objects.create(stream=event.stream, account=sam.account, role="scorer")

    # Round 1: a player reports, the other one confirms; the scorer types a slip.
    olga.go(f"{run}/rounds/1")
    olga.press("Pair the round", done=DRAFT)
    olga.press("Publish the round", done="The round is published.")
    first, second = players_of(visit, event.games(1)[0])
    report(first, "14-7")
    confirm(second, "14–7")
    scorer = visit(f"{run}/rounds/1/results", sam.account)
    enter(scorer, "2 10-11")
    spectator = visit("/e/harbour/rounds/1")
    for result in ("14-7", "10-11"):
        spectator.sees(result)
    olga.go(f"{run}/rounds/1")
    olga.press("Complete the round", done="The round is complete.")

    # Round 2: a late entry, a half-point bye, a swap, a dispute that the director decides.
    olga.go(f"{run}/entries")
    olga.unfold("Register a new player")
    olga.fill(name="Nils", seed_rating="1650")
    olga.press("Register and enter", done="The player is registered and entered.")
    olga.go(f"{run}/links")
    olga.press("Create the missing links", done=LINKED)
    olga.go(f"{run}/rounds/2")
    olga.unfold("Byes requested for this round")
    olga.fill(player="1")
    olga.press("Grant the bye", done="The bye is granted.")
    olga.go(f"{run}/rounds/2")
    olga.press("Pair the round", done=DRAFT)
    one, other = (numbers[0] for numbers in boards_of(2))
    for number in (one, other):
        olga.tick(olga.page.get_by_role("checkbox", name=re.compile(rf"^{number} ")))
    olga.fill(reason="Auto")
    olga.press("Swap the two players", done="The boards are changed.")
    assert {numbers[0] for numbers in boards_of(2)} == {one, other}
    for broken_rule in olga.page.locator('main [name="accept[]"]').all():
        olga.tick(broken_rule)
    olga.press("Publish the round", done="The round is published.")
    enter(scorer, "2 14-7", path=f"{run}/rounds/2/results", missing=1)
    first, second = players_of(visit, event.games(2)[0])
    report(first, "14-7")
    second.page.reload()
    second.unfold("This is not right")
    second.fill(reason="10-11")
    second.press("Dispute it")
    settle()
    olga.go(run)
    olga.use(olga.page.get_by_role("link", name=olga.words("Decide the dispute")))
    olga.fill(result="10-11", reason="Zettel")
    olga.press("Rule the game", done="The game is ruled.")
    olga.go(f"{run}/rounds/2")
    olga.press("Complete the round", done="The round is complete.")

    # Round 3, then a correction of round 1: the standings say so.
    olga.go(f"{run}/rounds/3")
    olga.press("Pair the round", done=DRAFT)
    olga.press("Publish the round", done="The round is published.")
    enter(scorer, "1 14-7", path=f"{run}/rounds/3/results", missing=1)
    enter(scorer, "2 14-7")
    olga.go(f"{run}/rounds/3")
    olga.press("Complete the round", done="The round is complete.")
    olga.go(f"{run}/corrections")
    olga.fill(results="1 2 11-10", reason="Zettel")
    olga.press("Preview the effect")
    olga.press("Make this correction", done="The correction is made.")
    olga.go(run)
    olga.press("Begin the review", done="The event is in review.")
    olga.press("Make the standings final", done="The event is final.")

    spectator.go("/e/harbour/standings")
    expect(spectator.page.locator(".when")).to_contain_text(spectator.words("final"))
    assert spectator.page.locator("tbody tr").count() == 5
    for page, words in (("rounds/1", "11-10"), ("prizes", "300"), ("crosstable", "Nils")):
        spectator.go(f"/e/harbour/{page}")
        spectator.sees(words)


def players_of(visit: Callable[..., Visitor], game: Game) -> list[Visitor]:
    """Return both players of a game, who have typed their personal links."""
    links = [PersonalLink.objects.get(entry__player=player) for player in (game.first, game.second)]
    visitors = []
    for link in links:
        visitor = visit("/e/harbour/me", **NOW)
        visitor.fill(link=f"https://example.org/e/harbour/me#{token_of(link)}")
        visitor.press("Open")
        visitors.append(visitor)
    return visitors


def report(player: Visitor, result: str) -> None:
    player.choose("claim.result", result)
    player.press("Report the result", done="Your result is reported.")
    settle()


def confirm(player: Visitor, result: str) -> None:
    player.page.reload()
    player.press("Confirm %(result)s", result=result)
    settle()
