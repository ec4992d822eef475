"""The page that creates an event from a TRF file or a bundle."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from games.models import Player
from tests.events import make_running
from tests.people import Person, make_person, make_player
from tests.tournament.conftest import login
from tests.tournament.imports import ADA, HEADER, empty_tables, two_players
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Tournament
from tournament.standings.crosstable import Competitor
from tournament.trf import write_trf

pytestmark = pytest.mark.django_db
BEN = Competitor(number=2, name="Ben", rating=1800, federation="CAN")
PAGE = "/import"
SETTINGS = {"action": "trf", "ruleset": "star-star", "board_size": "10", "rated": "false"}


@pytest.fixture
def ada(db: None) -> Person:
    return make_player("Eda", 1700)


@pytest.fixture
def browser(organiser: Person) -> Client:
    return login(organiser)


@pytest.fixture
def trf() -> bytes:
    """A file of one game."""
    return write_trf(two_players(ADA, BEN)).encode()


def file(content: bytes, name: str = "event.trf") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def preview(browser: Client, **form: Any) -> HttpResponse:
    return browser.post(f"{PAGE}?dry_run=1", SETTINGS | form)


def test_who_may_open_it(client: Client, browser: Client, ada: Person) -> None:
    assert client.get(PAGE).headers["Location"] == "/login?next=%2Fimport"
    assert client.post(PAGE, SETTINGS).status_code == 401
    for person in (browser, login(ada)):
        page = person.get(PAGE).content.decode()
        assert "A TRF file" in page
        assert "only site staff" in page


def test_a_file_is_previewed_and_imported(browser: Client, trf: bytes) -> None:
    shown = preview(browser, upload=file(trf))

    page = shown.content.decode()
    assert shown.status_code == 200
    assert "Nothing is stored yet" in page
    assert "2 players" in page
    assert shown.context["text"] == trf.decode()
    assert Tournament.objects.count() == 0

    done = browser.post(PAGE, SETTINGS | {"file": shown.context["text"], "slug": "mine"})
    assert done.status_code == 200
    assert 'href="/e/mine/run"' in done.content.decode()
    tournament = Tournament.objects.get(slug="mine")
    assert (tournament.name, tournament.board) == (HEADER.name, "10")
    assert browser.get("/e/mine/run").status_code == 200

    again = browser.post(PAGE, SETTINGS | {"file": shown.context["text"], "slug": "mine"})
    assert again.status_code == 409


def test_an_ambiguous_player_is_chosen(browser: Client, trf: bytes) -> None:
    first, _ = (Player.objects.create(name="Ada", country="POR", club=c) for c in "AB")
    rejected = preview(browser, upload=file(trf))

    page = rejected.content.decode()
    assert rejected.status_code == 422
    number = rejected.context["problems"][0]["number"]
    assert f'name="choose.{number}" value="{first.pk}"' in page
    text = rejected.context["text"]
    chosen = {f"choose.{problem['number']}": str(first.pk) if problem["number"] == number else "new"
              for problem in rejected.context["problems"]}  # fmt: skip
    shown = preview(browser, file=text, **chosen)
    assert shown.status_code == 200, shown.context["form"]
    fields = {field.name: field.value for field in shown.context["fields"]}
    assert f"{number}:{first.pk}" in fields["players"]
    done = browser.post(PAGE, SETTINGS | {"file": text, "players": fields["players"]})
    assert done.status_code == 200
    assert Tournament.objects.get().entries.filter(player=first).exists()


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"file": "  "}, 422),
        ({"file": "nothing of the kind"}, 422),
        ({"upload": b""}, 422),
        ({"upload": b"\0\0"}, 400),
        ({"upload": b"x" * (1024 * 1024 + 1)}, 413),
        ({"action": "bundle"}, 403),
    ],
)
def test_a_wrong_file_stores_nothing(browser: Client, form: dict[str, Any], status: int) -> None:
    form = {
        name: file(value) if isinstance(value, bytes) else value for name, value in form.items()
    }
    answer = browser.post(PAGE, SETTINGS | form)

    assert answer.status_code == status
    assert Tournament.objects.count() == 0
    assert Player.objects.count() == 0


@pytest.mark.parametrize(
    ("values", "field", "detail"),
    [
        ({"board_size": ""}, "board_size", "required"),
        ({"players": "many"}, "players", "is not a pairing number"),
    ],
)
def test_a_wrong_setting_is_named_at_its_field(
    browser: Client, trf: bytes, values: dict[str, str], field: str, detail: str
) -> None:
    rejected = preview(browser, upload=file(trf), **values)

    assert rejected.status_code == 422
    errors = {shown.name: shown.errors for shown in rejected.context["fields"]}
    assert detail in errors[field][0]
    assert rejected.context["text"] == trf.decode()


def test_a_large_file_is_imported_by_a_task(browser: Client, stranger: Person, trf: bytes) -> None:
    padded = trf + b"### a remark of this program\n" * 1000
    accepted = browser.post(PAGE, SETTINGS | {"upload": file(padded)})

    task = accepted.context["preview"]["task"]["id"]
    assert f'href="?task={task}"' in accepted.content.decode()
    assert "being imported" in browser.get(f"{PAGE}?task={task}").content.decode()
    assert login(stranger).get(f"{PAGE}?task={task}").context["task"] is None
    for odd in ("import-x", "import-99999999", "report-1", "\0"):
        assert browser.get(PAGE, {"task": odd}).context["task"] is None


def test_staff_import_a_bundle(browser: Client, organiser: Person) -> None:
    event = make_running(organiser, 2, rounds=1)
    content = write_bundle(event.tournament)
    staff = login(make_person("Site", is_staff=True))
    taken = staff.post(PAGE, {"action": "bundle", "bundle": file(content)})
    assert taken.status_code == 409

    empty_tables()
    shown = staff.post(f"{PAGE}?dry_run=1", {"action": "bundle", "bundle": file(content)})
    assert "The bundle is valid" in shown.content.decode(), shown.context["form"]
    assert Tournament.objects.count() == 0
    done = staff.post(PAGE, {"action": "bundle", "bundle": file(content)})
    assert 'href="/e/spring"' in done.content.decode()
    form = {"action": "bundle", "bundle": file(content[:200])}
    wrong = staff.post(PAGE, form, headers={"Accept-Language": "de"})
    assert wrong.status_code == 422
    assert "Das ist keine vollständige ZIP-Datei" in wrong.content.decode()
