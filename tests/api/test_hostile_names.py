"""Names that are programs: no page, picture or file runs them, wherever they stand."""

import csv
import io
import re
from itertools import cycle

import pytest
from django.test import Client

from deploy.urls import urlpatterns
from games.models import Account, Player
from tests.api.one_of_each import Everything, make_everything
from tests.api.operations import operations
from tests.deploy.test_english_on_pages import VALUES, routes
from tests.people import content_of
from tournament.models import Entry, Tournament

pytestmark = pytest.mark.any_database

TAGS = "<script>x1</script>\"'><img src=q onerror=x1>&amp;{{x1}}"
RUNS = re.compile(r"<script>x1|<img src=q|[\"'](>|&gt;)&lt;img")
FORMULA = "=HYPERLINK(x1)"
BEGINS_FORMULA = re.compile(r"[=+\-@\t\r]")
NUMBER = re.compile(r"[-+]?[\d.]+")
NOT_READ = ("schema",)
"""Public pages that depend on nothing and take long."""


@pytest.fixture(scope="module")
def everything_of_module(rows_of_module: None) -> Everything:
    return make_everything()


@pytest.fixture
def everything(db: None, everything_of_module: Everything) -> Everything:
    return everything_of_module


def rename(name: str) -> None:
    """Give everybody and everything a name that no form accepts, as from an older database."""
    Player.objects.update(name=name, club=name)
    Account.objects.update(name=name)
    Tournament.objects.update(name=name, place=name)
    Entry.objects.update(club=name, category=name[:30])


def test_no_page_runs_a_name(everything: Everything) -> None:
    rename(TAGS)
    clients = []
    for role in ("owner", "staff", "officer", "player"):
        client, account = Client(), everything.people[role].account
        assert account is not None
        client.force_login(account)
        clients.append(client)
    next_client, found, shown = cycle(clients), [], 0
    for route in routes(urlpatterns):
        path = route % (VALUES | everything.values)
        answer = next(next_client).get(path)
        if answer.status_code != 200:
            answer = clients[0].get(path)
        text = content_of(answer).decode(errors="replace")
        shown += "x1" in text
        found += [path] if RUNS.search(text) else []

    assert found == []
    assert shown > 40


@pytest.mark.parametrize("name", [pytest.param(TAGS, marks=pytest.mark.long), FORMULA])
def test_no_file_runs_a_name(everything: Everything, name: str) -> None:
    rename(name)
    owner, found, shown = everything.people["owner"], [], 0
    for operation in operations():
        if not operation.is_read or operation.base in NOT_READ or operation.is_pdf:
            continue
        if name == FORMULA and operation.suffix not in ("", ".csv"):  # for spreadsheets
            continue
        answer = owner.get(everything.path(operation.address))
        text, kind = content_of(answer).decode(errors="replace"), answer.get("Content-Type", "")
        shown += "x1" in text
        if kind.startswith(("text/html", "image/svg")) and RUNS.search(text):
            found.append((operation.address, kind))
        if kind.startswith("text/csv"):
            found += [
                (operation.address, cell)
                for row in csv.reader(io.StringIO(text))
                for cell in row
                if BEGINS_FORMULA.match(cell) and not NUMBER.fullmatch(cell)
            ]
        assert "\n" not in answer.get("Content-Disposition", "")

    assert found == []
    assert shown > 30
