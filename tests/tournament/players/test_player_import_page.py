"""The page that registers the players of a list."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from games.models import Player, Upload
from games.tasks import import_players
from tests.games.core.workbooks import workbook
from tests.people import Person
from tests.tournament.conftest import login

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = "/players/import"
LIST = "Name;Verein;Elo\nAda;Rooks;1900\nBen;;\n"


@pytest.fixture
def browser(stranger: Person) -> Client:
    return login(stranger)


def send(browser: Client, query: str = "", **form: Any) -> HttpResponse:
    return browser.post(PAGE + query, {"action": "import"} | form)


def test_a_list_is_previewed_and_imported(browser: Client) -> None:
    Player.objects.create(name="Ben")
    preview = send(browser, "?dry_run=1", upload=SimpleUploadedFile("club.csv", LIST.encode()))
    lines = [(line.number, line.effect) for line in preview.context["checked"].lines]
    assert lines == [(2, "is new"), (3, "is known")]
    assert preview.context["text"] == LIST
    assert Player.objects.count() == 1

    done = send(browser, file=preview.context["text"])
    ada = Player.objects.get(name="Ada")
    assert (ada.club, ada.seed_rating) == ("Rooks", 1900)
    assert done.context["text"] == ""


def test_a_file_of_a_spreadsheet_is_imported_from_the_form(browser: Client) -> None:
    rows: list[list[object]] = [["name", "country"], ["Zoë", "POR"], ["Zoë", ""]]
    content = workbook(rows)
    preview = send(browser, "?dry_run=1", upload=SimpleUploadedFile("club", content))
    effects = [line.effect for line in preview.context["checked"].lines]
    assert effects == ["is new", "is known"]


def test_an_ambiguous_line_is_decided_by_a_choice(browser: Client) -> None:
    first, _ = (Player.objects.create(name="Ada", club=club) for club in ("Rooks", "Knights"))
    text = "name\nAda\n"
    rejected = send(browser, "?dry_run=1", file=text)
    assert rejected.status_code == 422
    assert f'name="choose.2" value="{first.pk}"' in rejected.content.decode()
    shown = send(browser, "?dry_run=1", file=text, **{"choose.2": str(first.pk)})
    assert shown.context["checked"].lines[0].player == first.pk
    assert send(browser, file=shown.context["text"]).status_code == 200
    assert Player.objects.count() == 2


def test_a_large_list_is_imported_by_a_task(browser: Client, ada: Person) -> None:
    accepted = send(browser, file="name,club\n" + "Cleo,Rooks\n" * 1001)
    task = accepted.context["task"]["id"]
    assert f'href="?task={task}"' in accepted.content.decode()
    assert login(ada).get(f"{PAGE}?task={task}").context["task"] is None

    import_players(Upload.objects.get().pk)
    report = browser.get(f"{PAGE}?task={task}")
    assert report.context["counts"] == {"created": 1, "known": 1000}
