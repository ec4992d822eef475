"""Pages speak the language of the reader and of a club: no English in German, nothing technical."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver
from django.utils.regex_helper import normalize

from deploy.urls import urlpatterns
from games.models import Player
from tests.api.one_of_each import Everything, make_everything
from tests.events import make_event
from tests.people import player_of
from tournament.rounds.services import publish_round

pytestmark = pytest.mark.any_database

ENGLISH = re.compile(
    r"(?<![-\w])(the|of|is|are|with|and|not|from|this|has|have|been|for|by|to|at|than|boards?|"
    r"(?-i:first)|games?|players?|rounds?|seats?|standings|pairings?|rating|winner|after|"
    r"before)(?![-\w])",
    re.IGNORECASE,
)
TECHNICAL = re.compile(
    r"`|\b(?!peri_)[a-z]+(_[a-z0-9]+)+\b|\b(null|undefined|NaN|UTC|CES?T|sha256)\b|"
    r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{8,}\b|"
    r"\b(Europe|America|Asia|Etc)/\w+|\d{4}-\d\d-\d\dT\d\d"
)
"""Back quotes, code words, values of JSON, time zones, digests (tokens show their first letters),
moments for programs."""
OF_PYTHON = re.compile(r"\b(None|True|False)\b")
"""Values that are also English words."""
PLACES = re.compile(r"Isle of Man|Port of Spain|\(AND\)")
"""Names of places in every language, and the code of Andorra."""
SKIPPED = frozenset({"code", "pre", "script", "style", "textarea"})
EMPTY = frozenset({"br", "circle", "col", "hr", "img", "input", "link", "meta", "path", "polygon"})
ATTRIBUTES = frozenset({"alt", "aria-label", "placeholder", "title"})
NOT_PAGES = ("/api", "/docs/", "/health/", "/language/", "/logout", "/rules/check")
FILES = (".%(form)s", "/about")
VISITORS = ("owner", "staff", "officer", "player", "stranger")
VALUES = {"board": 1, "player": 1, "code": "star", "ply": 2, "form": "txt", "language": "de"}
VALUES |= {"key": "x", "uidb36": "1", "pk": 1, "provider_id": "x", "token": "x"}


@pytest.fixture
def start(db: None, settings: Any) -> dict[str, Any]:
    """An event in Warsaw with one object of each kind, on a site in Paris."""
    settings.SITE_TIME_ZONE = "Europe/Paris"
    return {"everything": make_everything(time_zone="Europe/Warsaw")}


@pytest.fixture
def clients(start: dict[str, Any]) -> dict[str, Client]:
    """A client of each visitor."""
    clients = {}
    for name in VISITORS:
        account = start["everything"].people[name].account
        clients[name] = Client()
        clients[name].force_login(account)
    return clients


def routes(patterns: list[URLPattern | URLResolver], start: str = "/") -> Iterator[str]:
    """Yield the address of each page, with %(name)s for a parameter."""
    for pattern in patterns:
        address = start + normalize(pattern.pattern.regex.pattern)[-1][0]
        if address.startswith(NOT_PAGES) or address.endswith(FILES):
            continue
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, address)
        else:
            yield address


class Visible(HTMLParser):
    """The texts that a page shows or reads aloud, without those in another language."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.skipped: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        is_marked = "lang" in values and tag != "html"
        if tag not in EMPTY and (self.skipped or is_marked or tag in SKIPPED):
            self.skipped.append(tag)
        if not self.skipped:
            self.texts += [text for name, text in attrs if name in ATTRIBUTES and text]

    def handle_endtag(self, tag: str) -> None:
        if self.skipped and tag in self.skipped:
            while self.skipped.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not self.skipped and data.strip():
            self.texts.append(" ".join(data.split()))


def wrong_in(page: str, language: str) -> set[str]:
    """Return the texts of a page that no reader of the language understands."""
    patterns = (TECHNICAL,) if language == "en" else (TECHNICAL, OF_PYTHON, ENGLISH)
    return {
        text
        for text in Visible(page).texts
        if any(pattern.search(PLACES.sub("", text)) for pattern in patterns)
    }


def opened(path: str, clients: dict[str, Client], language: str) -> str | None:
    """Return the page or the picture at an address, as the first visitor sees it who may.

    A picture of ratings is that of the pool; None is returned for another file.
    """
    path += "?pool=star" if path.endswith("ratings.svg") else ""
    path += "?board_size=5x6" if path.endswith("board.svg") else ""
    for client in clients.values():
        answer = client.get(path, headers={"Accept-Language": language, "Accept": "text/html"})
        if answer.status_code == 200:
            break
    is_page = answer.headers["Content-Type"].startswith(("text/html", "image/svg+xml"))
    return answer.content.decode() if is_page else None


LANGUAGES = pytest.mark.parametrize(
    "language",
    [pytest.param("en", marks=pytest.mark.long), "de", pytest.param("fr", marks=pytest.mark.long)],
)


def check_pages(
    clients: dict[str, Client], values: dict[str, Any], language: str, start: str = "/"
) -> int:
    """Check all pages whose addresses have this start; return their number."""
    found: dict[str, set[str]] = {}
    pages = 0
    for route in routes(urlpatterns):
        path = route % values
        page = opened(path, clients, language) if route.startswith(start) else None
        pages += page is not None
        if page and (texts := wrong_in(page, language)):
            found[path] = texts
    assert not found, "\n".join(f"{path}: {sorted(texts)}" for path, texts in found.items())
    return pages


@LANGUAGES
def test_readers_understand_every_page(
    start: dict[str, Any], clients: dict[str, Client], language: str
) -> None:
    everything: Everything = start["everything"]
    assert check_pages(clients, VALUES | everything.values, language) > 70


@pytest.mark.long
@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("system", ["dutch", "knockout"])
def test_readers_understand_the_pages_of_an_event_from_draft_to_final(
    start: dict[str, Any], clients: dict[str, Client], language: str, system: str
) -> None:
    everything: Everything = start["everything"]
    owner, ada = (everything.people[name] for name in ("owner", "player"))
    others = [Player.objects.create(name=name) for name in ("Bea", "Cid", "Dag")]
    event = make_event(owner, slug="autumn", system=system, rounds=2, time_zone="Europe/Warsaw")
    entry, *_ = event.enter(player_of(ada), *others)
    values = VALUES | everything.values | {"slug": "autumn", "entry_id": entry.pk}
    stages: list[Callable[[], Any]] = [
        partial(event.step, "open"),
        partial(event.step, "start"),
        partial(event.draft, 1),
        partial(publish_round, event.tournament, 1, by=owner.account),
        partial(event.finish, 1),
        partial(event.play, 2),
        partial(event.step, "review"),
        partial(event.step, "finalise"),
    ]
    for stage in stages:
        stage()
        if games := event.games(1):
            values["game_id"] = games[0].pk
        assert check_pages({"owner": clients["owner"]}, values, language, "/e/") > 20
        check_pages({"player": clients["player"]}, values, language, "/e/%(slug)s/me")
