"""`make screenshots`: the main pages as pictures, light, dark and on a phone, to be looked at.

`ONLY` has the beginnings of the names of those to make.
"""

import os
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from deploy.samples.lantern_masters import load_lantern_masters
from games.core.accounts.services import note_first_staff
from games.models import Account, Game, Player
from games.play.services import rule_game
from ratings.models import Pool
from ratings.pools.services import add_officer
from tests.browser.conftest import LAPTOP, store_screenshot
from tests.events import Event, approve_organiser, make_event, settle
from tests.people import Person, make_person
from tournament.events.announcements import announce
from tournament.rounds.services import complete_round

TALL_PHONE = {"width": 390, "height": 844}
LOOKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("light", {}),
    ("dark", {"color_scheme": "dark"}),
    ("phone", {"viewport": TALL_PHONE}),
)
PEOPLE = (
    ("Wiśniewski, Łukasz", "POL", 2012), ("Quintanilla Ríos, Rafael", "MEX", 2105),
    ("Nguyễn, Thị Hạnh", "VIE", 1830), ("O'Brien, Siobhán", "IRL", 1875),
    ("Zieliński, Piotr", "POL", None), ("Kowalski, Jan", "POL", 1610),
    ("Müller, Jürgen", "GER", 1955), ("李, 小龙", "CHN", 1570),
    ("Ødegård, Åse", "NOR", 1800), ("Smith, Ann", "ENG", 1780),
    ("d'Ávila, João", "POR", 1795), ("Nowak, Anna", "POL", 1925),
    ("Papadopoulos, Eleni", "GRE", 1700), ("Kowalski, Jan", "POL", 1560),
    ("von der Wolkenburg-Oberkirchen, Maria Anna", "AUT", 1640),
)  # fmt: skip
ANNOUNCEMENT = """# Two days of *Star

Five rounds on the large board, **with tea and cake**. Beginners are welcome: we explain the rules
on Saturday at nine.

- Boards and clocks are there
- [Where to sleep](https://sleep.example.org)
"""
RESULTS = "20-31", "26-25", "24-27", "31-20", "18-33", "29-22", "35-16"
PUBLIC = {
    "home": "/", "events": "/events", "rating-list": "/pools/star",
    "rules": "/rules/star-star", "overview-preparation": "/e/coming",
    "overview-running": "/e/autumn", "overview-final": "/e/lantern-masters",
    "pairings": "/e/autumn/rounds/3", "board": "/e/autumn/rounds/2/boards/1",
    "standings": "/e/autumn/standings", "standings-final": "/e/lantern-masters/standings",
    "crosstable": "/e/autumn/crosstable", "crosstable-square": "/e/lantern-masters/crosstable",
    "overview-knockout": "/e/cup", "bracket": "/e/cup/bracket", "players": "/e/autumn/players",
    "card": "/e/autumn/players/3", "game": "/games/{game}", "player": "/players/{player}",
    "apply": "/e/coming/apply", "wall": "/e/autumn/wall", "exports": "/e/autumn/exports",
}  # fmt: skip
OFFICIAL = {
    "new": "/new", "my": "/my", "me": "/e/autumn/me", "messages": "/e/autumn/messages",
    "overview-director": "/e/autumn", "officers": "/officers/pools/star",
    **{
        f"run-{name or 'next'}": f"/e/autumn/run/{path}".rstrip("/")
        for name, path in {
            "": "", "round": "rounds/3", "results": "rounds/3/results", "entries": "entries",
            "links": "links", "corrections": "corrections",
            "setup": "setup", "print": "print", "roles": "roles",
        }.items()
    },
    "run-preparation": "/e/coming/run", "run-check-in": "/e/coming/run/check-in",
    "run-draft": "/e/cup/run/rounds/3",
    "run-final": "/e/lantern-masters/run",
}  # fmt: skip


def play(event: Event, number: int, games: list[Game], *, is_complete: bool = True) -> None:
    """Enter results of a round, from board 2 on."""
    for place, game in enumerate(games[0 if is_complete else 2 :]):
        result = RESULTS[(place + number) % len(RESULTS)]
        rule_game(game, by=event.owner.account, reason="a slip", result=result)
    settle()


def make_events(owner: Person) -> tuple[int, int]:
    """Make an event in preparation, one that is running, a final one and a knockout.

    Return the id of a game with a record, and that of one of its players.
    """
    account = owner.account
    assert isinstance(account, Account)
    note_first_staff(account)
    load_lantern_masters(by=account)
    approve_organiser(owner)
    pool = Pool.objects.get(code="star")
    add_officer(pool, account, by=account)
    people = [
        Player.objects.create(name=name, country=country, seed_rating=rating, club="Star Club")
        for name, country, rating in PEOPLE
    ]
    people[3].account = account
    people[3].save()
    common = {"place": "Praha, Club house", "country": "CZE", "main_minutes": 40}
    autumn = {"starts_on": "2026-11-28", "ends_on": "2026-11-29", "rounds": 5, **common}
    event = make_event(
        owner, slug="autumn", name="Lantern Autumn Open", system="dutch", board_size="10",
        tiebreaks=["PTS", "BH/C1", "BH", "SB"], pool="star", rated=True, **autumn,
    )  # fmt: skip
    event.enter(*people)
    event.step("open", "start")
    for number in 1, 2:
        days = {"starts_on": "2026-11-28", "start_time": f"{6 + 4 * number}:00"}
        event.tournament.round_set.filter(number=number).update(**days)
        play(event, number, event.publish(number))
        complete_round(event.tournament, number, by=account)
    play(event, 3, event.publish(3), is_complete=False)
    coming = make_event(
        owner, slug="coming", name="Winter Weekend", system="monrad", applications="everybody",
        description=ANNOUNCEMENT, venue="Club house, Na Kampě 5, Praha", fee="20",
        map_url="https://maps.example.org/", contact="olga@example.org", currency="EUR", places=30,
        check_in="tournament", **common,
    )  # fmt: skip
    coming.enter(*people[:6])
    coming.step("open")
    announce(coming.tournament, "The hall opens at nine; bring a warm coat.", by=account)
    cup = make_event(
        owner,
        slug="cup",
        name="Lantern Cup",
        system="knockout",
        rounds=3,
        **{"board_size": "10"} | common,
    )
    cup.enter(*people[:8])
    cup.step("open", "start").play(1, "26-25")
    cup.play(2, "20-31")
    cup.draft(3)
    game = Game.objects.filter(record__isnull=False).latest("pk")
    assert game.first is not None
    return game.pk, game.first.pk


@pytest.mark.long
def test_screenshots(transactional_db: None, open_page: Callable[..., Page]) -> None:
    owner = make_person("Olga")
    game, player = make_events(owner)
    for account, pages in ((None, PUBLIC), (owner.account, OFFICIAL)):
        for look, options in LOOKS:
            page = open_page("/", account=account, **({"viewport": LAPTOP} | options))
            for name, path in pages.items():
                if not name.startswith(tuple(os.environ.get("ONLY", "").split()) or ""):
                    continue
                answer = page.goto(path.format(game=game, player=player))
                assert answer is not None
                assert answer.status == 200, path
                store_screenshot(page, f"{name}.{look}")
