"""No page says anything in English to those who read German or French, unless it is marked so."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver
from django.utils.regex_helper import normalize

from deploy.urls import urlpatterns
from tests.api.one_of_each import Everything, make_everything

ENGLISH = re.compile(
    r"(?<![-\w])(the|of|is|are|with|and|not|from|this|has|have|been|for|by|to|at|than|boards?|"
    r"games?|players?|rounds?|seats?|standings|pairings?|rating|winner|after|"
    r"before)(?![-\w])",
    re.IGNORECASE,
)
SKIPPED = frozenset({"code", "pre", "script", "style", "textarea"})
EMPTY = frozenset({"br", "circle", "col", "hr", "img", "input", "link", "meta", "path", "polygon"})
ATTRIBUTES = frozenset({"alt", "aria-label", "placeholder", "title"})
NOT_PAGES = ("/api", "/health/", "/language/", "/logout", "/rules/check")
FILES = (".%(form)s", "/about")
VISITORS = ("owner", "staff", "officer", "player", "stranger")
VALUES = {"board": 1, "player": 1, "code": "star", "ply": 2, "form": "txt", "language": "de"}
VALUES |= {"key": "x", "uidb36": "1", "pk": 1, "provider_id": "x", "token": "x"}


@pytest.fixture
def start(db: None) -> dict[str, Any]:
    """An event with one object of each kind."""
    return {"everything": make_everything()}


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


def english_of(page: str) -> set[str]:
    """Return the texts of a page that contain English words."""
    return {text for text in Visible(page).texts if ENGLISH.search(text)}


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


@pytest.mark.parametrize("language", ["de", pytest.param("fr", marks=pytest.mark.long)])
def test_no_page_is_in_english(
    start: dict[str, Any], clients: dict[str, Client], language: str
) -> None:
    everything: Everything = start["everything"]
    values = VALUES | everything.values
    found: dict[str, set[str]] = {}
    pages = 0
    for route in routes(urlpatterns):
        path = route % values
        page = opened(path, clients, language)
        pages += page is not None
        if page and (texts := english_of(page)):
            found[path] = texts

    assert not found, "\n".join(f"{path}: {sorted(texts)}" for path, texts in found.items())
    assert pages > 70
