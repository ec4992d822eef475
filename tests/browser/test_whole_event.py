"""A whole small event in browsers: an organiser and two players, from creation to the standings."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.events import settle
from tests.people import make_person

NOW = {"extra_http_headers": {"Prefer": "wait=0"}}
"""No worker runs here, so the pages do not wait for one."""

RUN = "/e/duel/run"


def press(page: Page, name: str, *, then: str = "") -> None:
    """Press a button, and wait for the text that the next page has then."""
    page.get_by_role("button", name=name).first.click()
    if then:
        expect(page.locator("main")).to_contain_text(then)


def test_from_creation_to_final_standings(open_page: Callable[..., Page]) -> None:
    olga = open_page("/new", account=make_person("Olga").account)
    olga.get_by_label("Name required").fill("Duel")
    press(olga, "Next")
    olga.get_by_label("Board required").fill("4")
    press(olga, "Next")
    olga.get_by_label("System").select_option("monrad")
    olga.get_by_label("Rounds required").fill("1")
    press(olga, "Next")
    press(olga, "Create the event")
    olga.wait_for_url("**/e/duel/run/setup?done=create")

    olga.goto(f"{RUN}/entries")
    olga.get_by_text("Enter a list").click()
    olga.get_by_label("List", exact=True).fill("name,rating\nAda,1900\nBen,1800\n")
    press(olga, "Enter the players")
    olga.wait_for_url("**/run/entries?done=import")
    olga.goto(RUN)
    press(olga, "Open registration")
    olga.wait_for_url("**?done=open")
    press(olga, "Start the event")
    olga.wait_for_url("**?done=start")
    olga.goto(f"{RUN}/links")
    press(olga, "Create the missing links")
    olga.wait_for_url("**?done=create")
    links = [
        link.get_attribute("href") or "" for link in olga.get_by_role("link", name="open").all()
    ]
    olga.goto(f"{RUN}/rounds/1")
    press(olga, "Pair the round", then="only officials see it")
    press(olga, "Publish the round", then="The round is published.")

    secrets = [link.partition("#")[2] for link in links]
    players = [open_page(f"/e/duel/me#{secret}", viewport=PHONE, **NOW) for secret in secrets]
    ada, ben = players
    ada.get_by_label("Result").select_option("11-10")
    press(ada, "Report the result")
    ada.get_by_text("Your result is reported.").wait_for()
    settle()
    ben.reload()
    press(ben, "Confirm 11–10")
    ben.get_by_text("confirmed").first.wait_for()
    settle()

    olga.goto(f"{RUN}/rounds/1")
    press(olga, "Complete the round", then="The round is complete.")
    olga.goto(RUN)
    press(olga, "Begin the review")
    olga.wait_for_url("**?done=review")
    press(olga, "Make the standings final")
    olga.wait_for_url("**?done=finalise")

    anyone = open_page("/e/duel/standings")
    expect(anyone.locator(".when")).to_contain_text("final")
    rows = [row.inner_text().split() for row in anyone.locator("tbody tr").all()]
    winner = "Ada" if "Ada" in rows[0] else "Ben"
    assert [row[0] for row in rows] == ["1", "2"]
    assert winner in rows[0]
