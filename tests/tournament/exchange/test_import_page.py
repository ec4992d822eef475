"""The page that creates an event from a TRF file or a bundle."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from games.models import Player
from tests.events import make_running
from tests.people import Person, make_person
from tests.tournament.conftest import login
from tests.tournament.imports import ADA, HEADER, empty_tables, two_players
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Tournament
from tournament.standings.crosstable import Competitor
from tournament.trf import write_trf

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
BEN = Competitor(number=2, name="Ben", rating=1800, federation="CAN")
PAGE = "/import"
SETTINGS = {"action": "trf", "ruleset": "star-star", "board_size": "10", "rated": "false"}


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


def test_a_file_is_previewed_and_imported(browser: Client, trf: bytes) -> None:
    shown = preview(browser, upload=file(trf))

    assert shown.status_code == 200
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


def test_the_encoding_is_chosen_by_the_names(browser: Client, trf: bytes) -> None:
    named = trf.decode().replace(HEADER.name, "Müller", 1)
    asked = preview(browser, upload=file(named.encode("mac-roman")))
    page = asked.content.decode()
    assert (asked.status_code, 'value="mac-roman"' in page) == (422, True)
    original = asked.context["encodings"]["original"]
    shown = preview(browser, original=original, encoding="mac-roman")
    assert (shown.status_code, shown.context["text"]) == (200, named)


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


def test_a_wrong_setting_is_named_at_its_field(browser: Client, trf: bytes) -> None:
    rejected = preview(browser, upload=file(trf), board_size="", players="many")

    assert rejected.status_code == 422
    wrong = {shown.name for shown in rejected.context["fields"] if shown.errors}
    assert wrong == {"board_size", "players"}
    assert rejected.context["text"] == trf.decode()


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
