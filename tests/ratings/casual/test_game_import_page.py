"""The page on which officers of a pool import casual games."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from games.models import Game, Player
from ratings.models import Pool
from tests.people import Person, player_of
from tests.ratings.casual.test_import_games_endpoint import TWO, written
from tests.tournament.conftest import login

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = "/games/import"


@pytest.fixture
def browser(officer: Person, star: Pool) -> Client:
    return login(officer)


def send(browser: Client, query: str = "", **form: Any) -> HttpResponse:
    return browser.post(PAGE + query, {"action": "import", "pool": "star"} | form)


def test_only_officers_and_staff_see_it(
    client: Client, browser: Client, staff: Person, ada: Person
) -> None:
    Pool.objects.create(code="hex", name="Hex")
    assert client.get(PAGE).headers["Location"] == "/login?next=%2Fgames%2Fimport"
    assert send(client, file=TWO).status_code == 401
    assert login(ada).get(PAGE).status_code == 403
    assert send(login(ada), file=TWO).status_code == 403
    assert [code for code, _ in browser.get(PAGE).context["field"].choices] == ["star"]
    assert send(browser, file=TWO, pool="").status_code == 403
    assert send(browser, file=TWO, pool="hex").status_code == 403
    assert len(login(staff).get(PAGE).context["field"].choices) == 2
    assert f"{PAGE}?pool=star" in browser.get("/officers/pools/star").content.decode()
    assert not Game.objects.exists()


def test_games_are_previewed_and_imported(browser: Client, ada: Person) -> None:
    preview = send(browser, "?dry_run=1", file=TWO)
    assert preview.context["counts"] == {"created": 2}
    assert f'<a href="/players/{player_of(ada).pk}">Ada</a>' in preview.content.decode()
    assert not Game.objects.exists()

    done = send(browser, file=preview.context["text"])
    for game in Game.objects.all():
        assert f'href="/games/{game.pk}"' in done.content.decode()
    assert send(browser, file=TWO).context["counts"] == {"repeated": 2}
    assert Game.objects.count() == 2


def test_ambiguous_players_are_chosen_by_record_and_seat(browser: Client) -> None:
    first, _ = (Player.objects.create(name="Ben", club=club) for club in ("Rooks", "Knights"))
    rejected = send(browser, "?dry_run=1", file=TWO)
    assert [problem["place"] for problem in rejected.context["problems"]] == ["1.Second"]
    assert rejected.context["field"].value == "star"
    for place in ("0.First", "99.First", "1.Third", "x", "1.Second\0"):
        assert send(browser, file=TWO, **{f"choose.{place}": "new"}).status_code == 422
    shown = send(browser, "?dry_run=1", file=TWO, **{"choose.1.Second": str(first.pk)})
    assert send(browser, file=shown.context["text"]).status_code == 200
    assert Game.objects.filter(second=first).count() == 1


def test_the_encoding_is_chosen_by_the_names(browser: Client) -> None:
    upload = SimpleUploadedFile("r.rec", TWO.replace("Ben", "Bén").encode("mac-roman"))
    encodings = send(browser, "?dry_run=1", upload=upload).context["encodings"]
    chosen = {"original": encodings["original"], "encoding": "mac-roman"}
    assert "Bén" in send(browser, "?dry_run=1", **chosen).context["text"]


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"file": written(Date="")}, 422),
        ({"file": "a\0b"}, 400),
    ],
)
def test_a_wrong_file_stores_nothing(browser: Client, form: dict[str, str], status: int) -> None:
    rejected = send(browser, **form)
    assert rejected.status_code == status
    assert not Game.objects.exists()
    assert not Player.objects.exists()
