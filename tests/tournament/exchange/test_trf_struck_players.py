"""TRF files of round robins with players whose results do not count: a comment names them."""

import csv
import io
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.events import Event, make_event, make_players, settle
from tests.people import Person
from tests.tournament.exchange.test_trf_gacrux import confirms
from tests.tournament.imports import import_trf
from tournament.events.verification import verify_tournament
from tournament.trf import read_trf

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
__all__ = ["confirms"]
COMMENT = "### not in the standings, less than half of the games played (FIDE C.05 6.6): 4"
TIEBREAKS = ["PTS", "SB", "WIN"]


@pytest.fixture(params=["forfeit", "bye"])
def event(organiser: Person, request: pytest.FixtureRequest) -> Event:
    """A round robin of five; player 4 leaves after round 1, and is not in the tables."""
    event = make_event(
        organiser, system="round-robin", rounds=5, tiebreaks=TIEBREAKS,
        system_options={"absence": request.param},
    )  # fmt: skip
    event.enter(*make_players(5))
    event.step("open", "start")
    for number in range(1, 6):
        event.publish(number)
        settle()
        for game in event.games(number):
            if game.state == "open":
                body = {"result": "1-0" if game.pk % 2 else "0-1", "reason": "seen"}
                assert organiser.post(f"games/{game.pk}/rule", body).status_code == 202
        settle()
        assert organiser.post(f"{event.path}/rounds/{number}/complete").status_code == 200
        if number == 1:
            entry = event.tournament.entries.get(pairing_number=4)
            answer = organiser.post(f"{event.path}/entries/{entry.pk}/withdraw", {"reason": "ill"})
            assert answer.status_code == 200
    return event


def own_table(person: Person, event: Event) -> list[list[str]]:
    rows = person.get(f"{event.path}/standings").json()["rows"]
    return [
        [str(row["rank"]), str(row["number"]), *(row["values"][code] for code in TIEBREAKS)]
        for row in rows
    ]


def export(person: Person, event: Event, suffix: str) -> bytes:
    answer = person.get(f"{event.path}/standings.{suffix}")
    assert answer.status_code == 200
    return answer.content


def test_files_keep_them_out_of_the_table(organiser: Person, event: Event, tmp_path: Path) -> None:
    """The command that ranks a file, and the import."""
    source = tmp_path / "event.trf"
    source.write_bytes(export(organiser, event, "trf26"))
    assert source.read_text().splitlines().count(COMMENT) == 1

    out, errors = StringIO(), StringIO()
    options: dict[str, Any] = {"stdout": out, "stderr": errors, "format": "csv"}
    call_command("standings", str(source), **options)

    header, *rows = csv.reader(io.StringIO(out.getvalue()))
    assert header == ["rank", "number", "name", *TIEBREAKS]
    assert [[*row[:2], *row[3:]] for row in rows] == own_table(organiser, event)
    assert "not in the standings, as the file says (C.05 6.6): 4" in errors.getvalue()

    text = export(organiser, event, "trf")
    file = read_trf(text)
    assert (file.struck, file.unknown_lines) == ((4,), ())
    copied = import_trf(text, by=organiser.account, slug="copy")
    assert (copied.ranks, copied.left_out) == ([], [])
    copy = Event(copied.tournament, organiser)
    assert own_table(organiser, copy) == own_table(organiser, event)
    assert export(organiser, copy, "trf") == text
    assert verify_tournament(copy.stream) == []


def test_other_comments_and_numbers_are_left_alone() -> None:
    lines = ["001    1      Ada", "001    2      Ben", "### a remark: 1", f"{COMMENT} 9"]
    file = read_trf("\n".join(lines))
    assert file.struck == ()
    assert [line.text for line in file.unknown_lines] == ["### a remark: 1"]
