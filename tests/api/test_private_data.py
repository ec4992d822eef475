"""What is private stands in no answer to an outsider: on every address, suffix, stream and page."""

import re
from collections.abc import Iterator
from itertools import cycle

import pytest
from django.test import Client

from deploy.urls import urlpatterns
from games.models import Player
from tests.api.one_of_each import Everything, make_everything
from tests.api.operations import operations
from tests.api.role_matrix import ANONYMOUS, ELSEWHERE, OTHER_DIRECTOR, OTHER_LINK, REPORTER
from tests.deploy.test_english_on_pages import VALUES, routes
from tests.people import Person, content_of
from tournament.entries.links import token_of, working_links
from tournament.models import Bye, Entry, Webhook

pytestmark = pytest.mark.any_database

OUTSIDERS = ("stranger", OTHER_DIRECTOR, OTHER_LINK, ELSEWHERE, REPORTER, ANONYMOUS)
NOT_READ = ("schema",)
"""Public pages that depend on nothing and take long."""
COUNTS = {"Content-Length", "RateLimit"}
YEAR, CATEGORY, REASON = 1887, "Zweitagegruppe", "a sore throat"


@pytest.fixture(scope="module")
def everything_of_module(rows_of_module: None) -> Everything:
    """A public event whose player has private data."""
    everything = make_everything()
    player = everything.values["player_id"]
    Player.objects.filter(pk=player).update(birth_year=YEAR, sex="w")
    Entry.objects.filter(player=player).update(birth_year=YEAR, sex="w", category=CATEGORY)
    Bye.objects.update(reason=REASON)
    return everything


@pytest.fixture
def everything(db: None, everything_of_module: Everything) -> Everything:
    return everything_of_module


def secrets_of(everything: Everything) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield what no outsider may read, with its name."""
    yield "year of birth", re.compile(rf"\b{YEAR}\b")
    for name, text in {
        "category": CATEGORY,
        "reason of a bye": REASON,
        "secret of a webhook": Webhook.objects.get().secret,
        "address of a webhook": Webhook.objects.get().url,
    }.items():
        yield name, re.compile(re.escape(text))
    for link in working_links(everything.event.tournament):
        yield "link", re.compile(re.escape(token_of(link)))
    for name, person in everything.people.items():
        if person.secret:
            yield f"token of the {name}", re.compile(re.escape(person.secret))
        if person.account is not None and person.account.email:
            yield f"address of the {name}", re.compile(re.escape(person.account.email))


def found_in(text: str, secrets: list[tuple[str, re.Pattern[str]]], reader: Person) -> list[str]:
    """Return which secrets a text has, besides the reader's own address."""
    own = (reader.account.email or "") if reader.account else ""
    return [
        name for name, pattern in secrets if pattern.pattern != re.escape(own)
        and pattern.search(text)
    ]  # fmt: skip


@pytest.mark.parametrize("is_short", [True, pytest.param(False, marks=pytest.mark.long)])
def test_no_read_shows_an_outsider_what_is_private(everything: Everything, is_short: bool) -> None:
    """Let each outsider read each address, also with a filter that is about it; in short, one."""
    secrets, next_one, found = [*secrets_of(everything)], cycle(OUTSIDERS), []
    read = 0
    for operation in operations():
        if not operation.is_read or operation.base in NOT_READ or operation.is_pdf:
            continue
        path = everything.path(operation.address)
        for name in (next(next_one),) if is_short else OUTSIDERS:
            person = everything.people[name]
            answer = person.get(path)
            read += answer.status_code == 200
            text = content_of(answer).decode(errors="replace")
            found += [(path, name, secret) for secret in found_in(text, secrets, person)]
            headers = str({n: v for n, v in answer.headers.items() if n not in COUNTS})
            found += [(path, name, secret) for secret in found_in(headers, secrets, person)]

    assert found == []
    assert read > 80


@pytest.mark.parametrize("is_short", [True, pytest.param(False, marks=pytest.mark.long)])
def test_no_page_shows_an_outsider_what_is_private(everything: Everything, is_short: bool) -> None:
    secrets, found, pages = [*secrets_of(everything)], [], 0
    clients = []
    for name in (ANONYMOUS, "stranger", OTHER_DIRECTOR):
        person, client = everything.people[name], Client()
        if person.account is not None:
            client.force_login(person.account)
        clients.append((person, client))
    next_one = cycle(clients)
    for route in routes(urlpatterns):
        path = route % (VALUES | everything.values)
        for person, client in (next(next_one),) if is_short else clients:
            answer = client.get(path)
            pages += answer.status_code == 200
            text = content_of(answer).decode(errors="replace")
            found += [(path, person.name, secret) for secret in found_in(text, secrets, person)]

    assert found == []
    assert pages > 40


def test_its_people_do_see_it(everything: Everything) -> None:
    """The secrets of these tests are those that the addresses have."""
    secrets, owner = [*secrets_of(everything)], everything.people["owner"]
    paths = ("entries", "byes", "links", "invitations", "roles")
    texts = [content_of(owner.get(f"tournaments/spring/{path}")).decode() for path in paths]
    texts.append(content_of(owner.get("webhooks")).decode())

    found = {name for text in texts for name in found_in(text, secrets, owner)}

    assert found >= {
        "year of birth", "category", "reason of a bye", "link", "address of the player",
        "address of a webhook",
    }  # fmt: skip
