"""`/e/{slug}/journal`: what happened, when and by whom, in pages."""

import re
from html import unescape

import pytest

from games.models import JournalLine, Report
from tests.api.one_of_each import make_everything
from tests.events import Event, make_event, make_players
from tests.people import Person
from tests.tournament.conftest import OpenPage
from tournament.core.texts import KIND_TEXTS
from tournament.messages.kinds import KINDS, kinds_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
NUMBERS = re.compile(r'<tr id="line-(\d+)">')


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(2))
    return event.step("open", "start")


def test_every_kind_of_an_event_has_words() -> None:
    everything = make_everything(slug="whole")
    kinds = set(JournalLine.objects.filter(stream__startswith="tournament/").values_list("kind"))
    public = {(KINDS[kind].line,) for kind in kinds_of("tournament/")}
    reports = {(f"report.{kind}",) for kind in Report.Kind}

    assert everything
    assert {kind for (kind,) in kinds | public | reports} - set(KIND_TEXTS) == set()
    assert len(kinds) > 10


def test_only_officials_read_the_names_of_accounts(
    open_page: OpenPage, organiser: Person, stranger: Person, event: Event
) -> None:
    number = f"<td>account {organiser.account.pk}</td>"
    pages = {
        name: open_page("/e/spring/journal", person).content.decode()
        for name, person in (("anonymous", None), ("stranger", stranger), ("organiser", organiser))
    }
    own = {name: (number in page, "<td>Olga</td>" in page) for name, page in pages.items()}

    assert own == {
        "anonymous": (True, False), "stranger": (True, False), "organiser": (False, True)
    }  # fmt: skip
    head = JournalLine.objects.filter(stream=event.stream).latest("sequence").digest
    assert all(f"<code>{head[:16]}</code>" in page for page in pages.values())


def test_the_journal_has_pages(open_page: OpenPage, event: Event) -> None:
    found, address = [], "/e/spring/journal?limit=2"
    while address:
        page = open_page(address).content.decode()
        found.append([int(number) for number in NUMBERS.findall(page)])
        following = re.search(r'rel="next" href="([^"]*)"', page)
        address = unescape(following[1]) if following else ""

    assert found == [[5, 4], [3, 2], [1]]
    assert open_page("/e/spring/journal?cursor=after_x").status_code == 422
