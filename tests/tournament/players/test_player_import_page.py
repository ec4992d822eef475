"""The page that registers the players of a list."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from games.models import Player, Upload
from games.tasks import import_players
from tests.games.core.workbooks import open_document, workbook
from tests.people import Person
from tests.tournament.conftest import login

pytestmark = pytest.mark.django_db
PAGE = "/players/import"
LIST = "Name;Verein;Elo\nAda;Rooks;1900\nBen;;\n"


@pytest.fixture
def browser(stranger: Person) -> Client:
    return login(stranger)


def send(browser: Client, query: str = "", **form: Any) -> HttpResponse:
    return browser.post(PAGE + query, {"action": "import"} | form)


def test_it_needs_a_login(client: Client, browser: Client) -> None:
    assert client.get(PAGE).headers["Location"] == "/login?next=%2Fplayers%2Fimport"
    assert send(client, file=LIST).status_code == 401
    assert browser.get(PAGE).status_code == 200
    assert f'href="{PAGE}"' in browser.get("/players").content.decode()


def test_a_list_is_previewed_and_imported(browser: Client) -> None:
    known = Player.objects.create(name="Ben")
    preview = send(browser, "?dry_run=1", upload=SimpleUploadedFile("club.csv", LIST.encode()))
    page = preview.content.decode()
    lines = [(line.number, line.effect) for line in preview.context["checked"].lines]
    assert lines == [(2, "is new"), (3, "is known")]
    for text in (
        "Verein → Club",
        f'<a href="/players/{known.pk}">Ben</a>',
        "Nothing is stored yet",
    ):
        assert text in page
    assert preview.context["text"] == LIST
    assert Player.objects.count() == 1

    done = send(browser, file=preview.context["text"])
    ada = Player.objects.get(name="Ada")
    assert (ada.club, ada.seed_rating) == ("Rooks", 1900)
    assert f'<a href="/players/{ada.pk}">Ada</a>' in done.content.decode()
    assert "The list is imported" in done.content.decode()
    assert done.context["text"] == ""


@pytest.mark.parametrize("kind", ["UTF-16", "xlsx", "ods"])
def test_a_file_of_a_spreadsheet_is_imported_from_the_form(browser: Client, kind: str) -> None:
    rows: list[list[object]] = [["name", "country"], ["Zoë", "POR"], ["Zoë", ""]]
    content = {
        "UTF-16": "name;country\r\nZoë;POR\r\nZoë;\r\n".encode("utf-16"),
        "xlsx": workbook(rows),
        "ods": open_document(rows),
    }[kind]
    preview = send(browser, "?dry_run=1", upload=SimpleUploadedFile("club", content))
    effects = [line.effect for line in preview.context["checked"].lines]
    assert effects == ["is new", "is known"]
    assert "The same person as in line 2." in preview.content.decode()


def test_an_ambiguous_line_is_decided_by_a_choice(browser: Client) -> None:
    first, _ = (Player.objects.create(name="Ada", club=club) for club in ("Rooks", "Knights"))
    text = "name\nAda\n"
    rejected = send(browser, "?dry_run=1", file=text)
    assert rejected.status_code == 422
    assert f'name="choose.2" value="{first.pk}"' in rejected.content.decode()
    links = re.findall(r'href="#([^"]*)"', rejected.content.decode())
    assert set(links) <= set(re.findall(r'id="([^"]*)"', rejected.content.decode()))
    shown = send(browser, "?dry_run=1", file=text, **{"choose.2": str(first.pk)})
    assert shown.context["checked"].lines[0].player == first.pk
    assert send(browser, file=shown.context["text"]).status_code == 200
    assert Player.objects.count() == 2


def test_what_is_right_is_registered_and_the_rest_stays_in_the_form(browser: Client) -> None:
    text = "name,country,rating\nAda,POR,1900\nBen,Atlantis,9999\n\nEva,,\n"
    rejected = send(browser, file=text)
    assert (rejected.status_code, Player.objects.filter(account=None).count()) == (422, 0)
    page = rejected.content.decode()
    assert "1 of 3 lines is wrong; nothing is entered yet." in page
    assert "Mend what is wrong in the box below, or enter the right lines now" in page
    assert rejected.context["text"] == text
    (_, wrong, _) = rejected.context["checked"].lines
    assert [(value, len(problems)) for value, problems in wrong.cells] == [
        ("Ben", 0), ("Atlantis", 1), ("9999", 1),
    ]  # fmt: skip
    done = send(browser, file=text, part="1")
    assert "2 lines are entered." in done.content.decode()
    assert done.context["text"] == "name,country,rating\nBen,Atlantis,9999\n"
    assert [line.number for line in done.context["checked"].lines] == [2]
    names = Player.objects.filter(account=None).values_list("name", flat=True)
    assert sorted(names) == ["Ada", "Eva"]
    assert send(browser, file=text, part="1").context["text"] == done.context["text"]
    assert Player.objects.filter(account=None).count() == 2


def test_a_heading_is_named(browser: Client) -> None:
    text = "Mitglied,Tel\nAda,555\n"
    assert send(browser, file=text).status_code == 422
    chosen = {"column.Mitglied": "name", "column.Tel": "ignore"}
    wrong = send(browser, file=text, **chosen | {"column.Mitglied": "colour"})
    assert wrong.status_code == 422
    assert wrong.context["form"].errors["columns"]
    assert wrong.context["text"] == text
    done = send(browser, file=text, **chosen)
    assert done.context["counts"] == {"created": 1}


def test_a_large_list_is_imported_by_a_task(browser: Client, ada: Person) -> None:
    accepted = send(browser, file="name,club\n" + "Cleo,Rooks\n" * 1001)
    task = accepted.context["task"]["id"]
    assert f'href="?task={task}"' in accepted.content.decode()
    assert "being imported" in browser.get(f"{PAGE}?task={task}").content.decode()
    assert login(ada).get(f"{PAGE}?task={task}").context["task"] is None

    import_players(Upload.objects.get().pk)
    report = browser.get(f"{PAGE}?task={task}")
    assert "The list is imported" in report.content.decode()
    assert report.context["counts"] == {"created": 1, "known": 1000}
    assert "1 more is not listed here" in report.content.decode()
    for odd in ("import-x", "import-99999999", "report-1", "\0"):
        assert browser.get(PAGE, {"task": odd}).context["task"] is None


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"file": "  "}, 422),
        ({"file": "club\nRooks\n"}, 422),
        ({"file": 'name\n"Ada\n'}, 400),
        ({"file": 'name\n"Ada\n', "choose.2": "new"}, 400),
        ({"file": "name\nAda\n", "choose.2": "x", f"choose.{'9' * 50}": "1"}, 422),
        ({"upload": b"x" * (1024 * 1024 + 1)}, 413),
    ],
)
def test_a_wrong_list_stores_nothing(browser: Client, form: dict[str, Any], status: int) -> None:
    sent = {
        name: SimpleUploadedFile("club.csv", value) if isinstance(value, bytes) else value
        for name, value in form.items()
    }
    assert send(browser, **sent).status_code == status
    assert not Player.objects.filter(account=None).exists()
    assert not Upload.objects.exists()
