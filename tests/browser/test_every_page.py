"""Every page that the URL configuration knows, with long names: its width on a phone, and axe."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page

from deploy.urls import urlpatterns
from games.models import Player
from tests.api.one_of_each import Everything, make_everything
from tests.browser.conftest import FITS, find_problems
from tests.deploy.test_english_on_pages import VALUES, VISITORS, routes
from tests.events import make_event
from tests.people import player_of
from tournament.events.announcements import announce

PHONE = {"width": 390, "height": 844}
LONG_NAMES = (
    "Taumatawhakatangihangakoauauotamateaturipukakapikimaungahoro",
    "Maria Anna Sophia Cecilia von und zu der Wolkenburg-Oberkirchen y Ortega de la Vega",
    "Ng Ó",
)
NOT_OPENED = "/.well-known", "/static", "/metrics", "/robots.txt", "/sw.js"
HANGS = (
    "() => [...document.querySelectorAll('main *, header *, footer *')].filter(element =>"
    " element.getBoundingClientRect().right > innerWidth + 1 && element.checkVisibility()"
    " && !element.closest('.scroll, .tables, pre, svg, .hidden')).map(element =>"
    " element.outerHTML.slice(0, 120)).slice(0, 3)"
)
"""What hangs over the edge of the window, outside of what scrolls."""
OUT_OF_SIGHT = (
    "() => [...document.querySelectorAll('.scroll td button')].filter(button =>"
    " button.getBoundingClientRect().right > innerWidth + 1 && button.checkVisibility()).map("
    "button => button.closest('td').innerHTML.slice(0, 160)).slice(0, 3)"
)
"""The buttons in tables that are reached only by scrolling sideways."""
ALONE = r"""() => [...document.querySelectorAll("main .stone")].filter(stone => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    texts.currentNode = stone;
    let text, first = -1;
    while (first < 0 && (text = texts.nextNode())) first = text.data.search(/[^\s\u00a0]/);
    const letter = document.createRange(), drawn = stone.getBoundingClientRect();
    letter.setStart(text, first);
    letter.setEnd(text, first + 1);
    return stone.checkVisibility() && letter.getBoundingClientRect().top > drawn.bottom - 4;
}).map(stone => stone.parentElement.outerHTML.slice(0, 160)).slice(0, 3)"""
"""The stones that end a line, away from the name that follows."""


@pytest.fixture
def start(transactional_db: None) -> tuple[Everything, dict[str, Any]]:
    """One object of each kind, an event of players with long names, and the values of addresses."""
    everything = make_everything(time_zone="Europe/Warsaw")
    owner, ada = (everything.people[name] for name in ("owner", "player"))
    event = make_event(owner, slug="long", name=LONG_NAMES[0], place=LONG_NAMES[1])
    player = player_of(ada)
    others = [Player.objects.create(name=name, club=LONG_NAMES[1]) for name in LONG_NAMES]
    Player.objects.filter(pk=player.pk).update(name=LONG_NAMES[0], club=LONG_NAMES[0])
    entry, *_ = event.enter(player, *others)
    event.step("open", "start").play(1)
    games = event.publish(2)
    announce(event.tournament, " ".join(LONG_NAMES), by=event.owner.account)
    values = VALUES | everything.values | {"slug": "long", "entry_id": entry.pk}
    values |= {"number": 2, "game_id": games[0].pk}
    return everything, values


def pages(everything: Everything, values: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each address of a page with the account of the first visitor who may see it."""
    clients = {None: Client()}
    for name in VISITORS:
        account = everything.people[name].account
        clients[account] = Client()
        clients[account].force_login(account)
    for route in routes(urlpatterns):
        path = route % values
        if route.startswith(NOT_OPENED):
            continue
        for account, client in clients.items():
            answer = client.get(path, headers={"Accept": "text/html"})
            is_page = answer.headers.get("Content-Type", "").startswith("text/html")
            if answer.status_code == 200 and is_page:
                yield path, account
                break


@pytest.mark.long
def test_every_page_fits_on_a_phone(
    start: tuple[Everything, dict[str, Any]], open_page: Callable[..., Page]
) -> None:
    found, wrong, opened = list(pages(*start)), [], {}
    for path, account in found:
        if account not in opened:
            opened[account] = open_page("about:blank", account=account, viewport=PHONE)
        page = opened[account]
        page.goto(path)
        if not page.evaluate(FITS, PHONE["width"]):
            wrong.append((path, page.evaluate(HANGS)))
        wrong += [(path, names) for names in map(page.evaluate, (OUT_OF_SIGHT, ALONE)) if names]

    assert wrong == [], "\n".join(map(str, wrong))
    assert len(found) > 70


@pytest.mark.long
@pytest.mark.parametrize(
    "options", [{}, {"color_scheme": "dark"}, {"color_scheme": "dark", "viewport": PHONE}]
)
def test_axe_finds_nothing_on_every_page(
    start: tuple[Everything, dict[str, Any]],
    open_page: Callable[..., Page],
    options: dict[str, Any],
) -> None:
    wrong, opened = {}, {}
    for path, account in pages(*start):
        if account not in opened:
            opened[account] = open_page("about:blank", account=account, **options)
        page = opened[account]
        page.goto(path)
        if problems := find_problems(page):
            wrong[path] = problems

    assert wrong == {}
