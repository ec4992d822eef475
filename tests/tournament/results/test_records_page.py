"""The page on which directors enter the records of a file."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from games.models import Report
from games.play.services import add_report
from tests.events import FIRST_WINS, Event, make_running, settle
from tests.people import Person, player_of

pytestmark = pytest.mark.django_db
PAGE = "/e/spring/run/records"
RECORD = '[Round "1"]\n[Table "1"]\n' + FIRST_WINS


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event with Ada and three others; round 1 is published."""
    event = make_running(organiser, 3, rounds=2)
    event.enter(player_of(ada))
    event.publish(1)
    return event


def send(browser: Client, query: str = "", **form: Any) -> HttpResponse:
    return browser.post(PAGE + query, {"action": "import"} | form)


def test_only_officials_see_it(client: Client, ada: Person, stranger: Person, event: Event) -> None:
    assert client.get(PAGE).status_code == 303
    for person in (ada, stranger):
        client.force_login(person.account)
        assert client.get(PAGE).status_code == 403
        assert send(client, file=RECORD).status_code == 403


def test_records_are_previewed_and_entered(director: Client, event: Event) -> None:
    preview = send(director, "?dry_run=1", upload=SimpleUploadedFile("r.rec", RECORD.encode()))
    assert preview.status_code == 200, preview.context["form"]
    text = preview.content.decode()
    assert "1 record proves its game" in text
    assert "Round 1, board 1" in text
    assert not Report.objects.exists()

    done = send(director, file=preview.context["text"])
    assert done.headers["Location"] == f"{PAGE}?done=import"
    assert [report.kind for report in Report.objects.all()] == ["ruling"]
    assert "are entered" in director.get(done.headers["Location"]).content.decode()


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({}, 422),
        ({"file": "  "}, 422),
        ({"file": "nonsense"}, 422),
        ({"file": RECORD.replace('"1"', '"9"')}, 422),
        ({"file": RECORD + "\n\n" + RECORD}, 422),
        ({"file": "a\0b"}, 400),
        ({"upload": b"\0"}, 400),
        ({"upload": b"x" * (1024 * 1024 + 1)}, 413),
    ],
)
def test_a_wrong_file_enters_nothing(
    director: Client, event: Event, form: dict[str, Any], status: int
) -> None:
    sent = {
        name: SimpleUploadedFile("r.rec", value) if isinstance(value, bytes) else value
        for name, value in form.items()
    }
    assert send(director, **sent).status_code == status
    assert not Report.objects.exists()


def test_a_record_from_a_file_ends_no_dispute(director: Client, ada: Person, event: Event) -> None:
    game = next(game for game in event.games() if player_of(ada) in (game.first, game.second))
    board = game.pairings.get().board_number
    ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    add_report(game.pk, ada.account, Report.Kind.DISPUTE, seat="second", reason="a slip of the pen")
    settle()
    record = f'[Round "1"]\n[Table "{board}"]\n' + FIRST_WINS

    for query in ("?dry_run=1", ""):
        refused = send(director, query, file=record)
        assert refused.status_code == 422
        assert "only a decision with a reason settles it" in refused.content.decode()
    game.refresh_from_db()
    assert (game.state, game.reports.filter(kind="ruling").count()) == ("disputed", 0)
