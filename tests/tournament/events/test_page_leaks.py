"""No page shows what is not published: a private event, and the links of a public one."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver

from games.models import Player, Role
from tests.api.one_of_each import Everything, make_everything
from tests.events import make_event, make_players
from tests.people import Person, make_person, make_player, player_of
from tests.tournament.conftest import OpenPage
from tournament.entries.services import withdraw_entry
from tournament.urls import pages

pytestmark = pytest.mark.any_database

NAME = "Hidden Harbour"
LATE = "Una Nannounced"
NEUTRAL = ("/apply", "/me")
"""Pages that are the same for every address, with or without an event."""

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
LINK = re.compile(r'href="(/(?:e|games|players)[/"?][^"]*)"')


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> dict[str, Any]:
    """A private event with everything; and a public one, in which round 2 is a draft.

    After the publication of round 1, a late player has entered and Player 3 has withdrawn.
    """
    everything = make_everything(slug="hidden", name=NAME, public=False)
    owner, ada = make_person("Otis"), make_player("Eda", 1700)
    event = make_event(owner, slug="spring", rounds=3, tiebreaks=["PTS", "BH"])
    players = make_players(3)
    event.enter(player_of(ada), *players)
    event.step("open", "start").play(1)
    event.enter(Player.objects.create(name=LATE))
    withdraw_entry(event.tournament.entries.get(player=players[2]), by=owner.account)
    event.draft(2)
    scorer = everything.people["scorer"]
    Role.objects.create(stream=event.stream, account=scorer.account, role="scorer")
    people = {"stranger": None, "player": ada, "scorer": scorer}
    return {"everything": everything, "event": event, "people": people}


@pytest.fixture
def start(db: None, played: dict[str, Any]) -> dict[str, Any]:
    return played


def addresses(patterns: list[URLPattern | URLResolver], start: str = "") -> Iterator[str]:
    """Yield the addresses of the pages below an event."""
    for pattern in patterns:
        address = f"{start}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, address)
        elif address.startswith("e/<slug:slug>"):
            yield f"/{address}"


def test_every_page_of_a_private_event_is_404_for_others(
    open_page: OpenPage, start: dict[str, Any]
) -> None:
    everything: Everything = start["everything"]
    found, tried = [], 0
    for address in addresses(pages):
        values = {"board": 1, "player": 1, **everything.values}
        path = PARAMETER.sub(lambda name, values=values: str(values.get(name[1], 1)), address)
        for person in (None, everything.people["stranger"]):
            answer = open_page(path, person)
            tried += 1
            expected = {200} if address.endswith(NEUTRAL) else {303, 404}
            if answer.status_code not in expected or NAME in answer.content.decode():
                found.append((path, answer.status_code))

    assert found == []
    assert tried > 30


def test_the_pages_of_officials_are_403_for_players_and_strangers(
    open_page: OpenPage, start: dict[str, Any]
) -> None:
    people = [start["people"]["player"], start["everything"].people["stranger"]]
    found, tried = [], 0
    for address in addresses(pages):
        if "/run" not in address:
            continue
        values = {"slug": "spring"}
        path = PARAMETER.sub(lambda name, values=values: str(values.get(name[1], 1)), address)
        for person in people:
            for form in (None, {"action": "save"}):
                tried += 1
                status = open_page(path, person, form).status_code
                if status not in (403, 404, 405):
                    found.append((path, form, status))

    assert found == []
    assert tried > 60


def crawl(open_page: OpenPage, person: Person | None) -> dict[str, str]:
    """Return the pages that the links of an event lead to, by address."""
    pages: dict[str, str] = {}
    waiting = ["/e/spring"]
    while waiting:
        address = waiting.pop()
        if address in pages:
            continue
        answer = open_page(address, person)
        pages[address] = answer.content.decode(errors="replace")
        for link in LINK.findall(pages[address]):
            waiting.append(unescape(link).partition("#")[0])
    return pages


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("stranger", {LATE, "withdrawn"}),
        ("scorer", {LATE, "withdrawn", "/e/spring/rounds/2"}),
    ],
)
def test_drafts_are_on_no_page_that_is_linked(
    open_page: OpenPage, start: dict[str, Any], name: str, expected: set[str]
) -> None:
    pages = crawl(open_page, start["people"][name])

    assert len(pages) > 25
    found = {
        text
        for text in (LATE, "withdrawn", "/e/spring/rounds/2")
        for page in pages.values()
        if text in page
    }
    assert found == expected
