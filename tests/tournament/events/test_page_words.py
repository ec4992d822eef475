"""The pages speak as a club does, in the language of the reader: a walk over a whole event."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from games.models import Player
from tests.api.one_of_each import make_everything
from tests.people import Person
from tests.tournament.conftest import OpenPage
from tests.tournament.events.test_page_leaks import crawl

READ = ("aria-label", "alt", "placeholder", "title", "data-text")
"""Attributes that are read to somebody."""
UNREAD = frozenset({"script", "style", "textarea", "code", "kbd", "samp", "pre"})
"""Elements without sentences: scripts, examples of what is typed, what programs read."""
FOR_PROGRAMS = re.compile(r"/(journal|exports|tokens|proof)\b")
"""Pages that show digests, names of fields and addresses on purpose."""

NOT_OF_A_CLUB = re.compile(
    r"""`[^`]*`                              # back quotes
    |\b(?:null|None|True|False|undefined)\b(?![:.])
    |\b[a-z]+_[a-z_]+\b                      # names of fields
    |\b(?=[0-9a-f]*[0-9])[0-9a-f]{12,}\b     # digests
    |\b(?:Europe|America|Asia|Etc)/\w+       # keys of time zones
    |\d{4}-\d\d-\d\dT\d\d                    # moments for programs
    """,
    re.VERBOSE,
)
ENGLISH = re.compile(r"\b(?:the|of|is|are|was|were|with|has|have|and|not|this|that|by)\b")


class Words(HTMLParser):
    """The texts of a page that somebody reads."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the attributes say."""
        if tag in UNREAD:
            self.hidden.append(tag)
        self.texts += [value for name, value in attrs if name in READ and value]

    def handle_endtag(self, tag: str) -> None:
        """Note the end of what is not read."""
        if self.hidden and tag == self.hidden[-1]:
            self.hidden.pop()

    def handle_data(self, data: str) -> None:
        """Note a text."""
        if not self.hidden and (text := " ".join(data.split())):
            self.texts.append(text)


def texts_of(page: str) -> list[str]:
    words = Words()
    words.feed(page)
    return words.texts


@pytest.fixture
def people(db: None) -> dict[str, Person | None]:
    """The people of an event with everything."""
    people = make_everything(slug="spring").people
    Player.objects.filter(name="Carl").update(name="Ada")
    return {name: people[name] for name in ("owner", "player", "officer")} | {"stranger": None}


def walk(open_page: OpenPage, person: Person | None, language: str) -> Iterator[tuple[str, str]]:
    """Yield the address of each page and a text on it."""

    def in_language(path: str, person: Person | None) -> object:
        return open_page(path, person, headers={"accept-language": language})

    pages = crawl(in_language, person)  # type: ignore[arg-type]  # it passes nothing else
    assert len(pages) > 20
    for address, page in pages.items():
        if "</html>" in page and not FOR_PROGRAMS.search(address):
            yield from ((address, text) for text in texts_of(page))


@pytest.mark.parametrize("name", ["stranger", "player", "owner", "officer"])
def test_no_page_speaks_as_a_program_does(
    open_page: OpenPage, people: dict[str, Person | None], name: str
) -> None:
    texts = walk(open_page, people[name], "en")
    assert {text: address for address, text in texts if NOT_OF_A_CLUB.search(text)} == {}


def test_no_page_in_german_or_french_has_an_english_sentence(
    open_page: OpenPage, people: dict[str, Person | None]
) -> None:
    walks = [list(walk(open_page, people["owner"], language)) for language in ("en", "de", "fr")]
    english = {text for _, text in walks[0] if len(set(ENGLISH.findall(text))) > 1}
    assert len(english) > 100
    assert {
        text: address for pages in walks[1:] for address, text in pages if text in english
    } == {}
