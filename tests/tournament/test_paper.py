"""Sheets to print: they are PDFs for who may see them, every name readable or said not to be."""

import pytest

from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in, statuses
from tournament.exports.paper import printing
from tournament.exports.paper.printing import lost_letters, script_of

NAMES = [
    "Łukasz Ødegård",
    "Ωμέγα Νίκη",
    "Жанна Щербакова",
    "=1+1 #panic *b* $x$ @ref",
    "Ñandú",
    "O'Neil",
]
SHEETS = [
    "standings.pdf",
    "crosstable.pdf",
    "crosstable.pdf?shape=square",
    "cards.pdf",
    "rounds/1/pairings.pdf",
    "rounds/1/pairings.pdf?by=name",
    "rounds/1/slips.pdf",
]


@pytest.fixture
def event(organiser: Person) -> Event:
    """Five players of three scripts, the first round played, the second drafted."""
    event = make_event(organiser)
    players = make_players(5)
    for player, name in zip(players, NAMES, strict=False):
        player.name = name
        player.save()
    event.enter(*players)
    event.step("open", "start").play(1)
    assert organiser.post(f"{event.path}/rounds/2/pair").status_code == 200
    return event


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_sheet_is_a_pdf(anonymous: Person, event: Event, sheet: str) -> None:
    answer = anonymous.get(f"{event.path}/{sheet}")

    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer.content.startswith(b"%PDF-")
    assert answer["Content-Disposition"].startswith('inline; filename="spring.')
    assert answer.content == anonymous.get(f"{event.path}/{sheet}").content


@pytest.mark.parametrize("name", NAMES)
def test_latin_greek_and_cyrillic_need_no_font(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = printing.typst.compile
    monkeypatch.setattr(
        printing.typst, "compile", lambda *a, **k: real(*a, **k, ignore_system_fonts=True)
    )
    lost_letters.cache_clear()

    assert lost_letters(name) == frozenset()

    lost_letters.cache_clear()


def test_what_no_font_has_is_said_and_not_shown_as_a_box(
    monkeypatch: pytest.MonkeyPatch, anonymous: Person, event: Event
) -> None:
    entry = event.tournament.entries.first()
    entry.player.name = "春日 Tarō"
    entry.player.save()
    real = printing.typst.compile
    seen: list[str] = []

    def without_fonts(*args: object, **options: object) -> bytes:
        seen.append(str(options["sys_inputs"]))
        return real(*args, **options, ignore_system_fonts=True)  # type: ignore[arg-type]

    monkeypatch.setattr(printing.typst, "compile", without_fonts)
    lost_letters.cache_clear()

    assert anonymous.get(f"{event.path}/standings.pdf").status_code == 200

    assert "?? Tarō" in seen[-1]
    assert "no font here can print: CJK" in seen[-1]
    lost_letters.cache_clear()


@pytest.mark.parametrize(
    ("letter", "script"), [("春", "CJK"), ("Ω", "Greek"), ("ж", "Cyrillic"), ("한", "Hangul")]
)
def test_the_script_of_a_letter(letter: str, script: str) -> None:
    assert script_of(letter) == script


def test_a_draft_is_printed_for_its_directors_alone(
    everyone: dict[str, Person], event: Event
) -> None:
    for sheet in ("pairings", "slips"):
        assert statuses(everyone, "GET", f"{event.path}/rounds/2/{sheet}.pdf") == {
            "organiser": 200,
            "player": 404,
            "stranger": 404,
            "anonymous": 404,
        }


def test_sheets_that_are_not_there(anonymous: Person, event: Event) -> None:
    problem_in(anonymous.get(f"{event.path}/rounds/9/slips.pdf"), 404)
    problem_in(anonymous.get(f"{event.path}/rounds/1/pairings.pdf?by=colour"), 422, "unknown_by")
    problem_in(anonymous.get("tournaments/none/cards.pdf"), 404)


def test_an_event_without_players_prints_an_empty_table(
    organiser: Person, anonymous: Person
) -> None:
    event = make_event(organiser, slug="empty").step("open")

    for sheet in ("standings.pdf", "crosstable.pdf", "cards.pdf"):
        assert anonymous.get(f"{event.path}/{sheet}").status_code == 200
