"""Rows are compared with the lines of the journal that describe them."""

from typing import Any

import pytest

from games.models import Game, JournalLine, JournalPayload, Player, Report
from games.play.verification import (
    JournalledRows,
    find_differences,
    find_misfolded,
    find_unsettled_results,
    fold_lines,
    verify_casual_game,
    verify_site,
)
from tests.events import FIRST_WINS, make_published, settle
from tests.people import Person, player_of

pytestmark = pytest.mark.django_db


def journalled(*rows: tuple[int, str, dict[str, Any] | None]) -> JournalledRows:
    found = JournalledRows()
    for sequence, key, row in rows:
        found.apply(sequence, "game", key, row)
    return found


LINES = journalled((3, "1", {"state": "open", "round": "1"}), (5, "1", {"state": "confirmed"}))


@pytest.mark.parametrize(
    ("expected", "stored", "sentences"),
    [
        (LINES, {"1": {"state": "confirmed", "round": "1"}}, []),
        (LINES, {}, ["game 1 is missing; the journal has it (line 5)"]),
        (
            LINES,
            {"1": {"state": "open", "round": "2"}},
            [
                "game 1: state is open, the journal has confirmed (line 5)",
                "game 1: round is 2, the journal has 1 (line 3)",
            ],
        ),
        (
            LINES,
            {"1": {"state": "confirmed", "pool": ""}},
            ["game 1: no line of the journal names pool"],
        ),
        (journalled(), {"2": {"state": "open"}}, ["game 2 is not in the journal"]),
        (journalled((3, "1", {"state": "open"}), (4, "1", None)), {}, []),
        (
            journalled((3, "1", {"round": None})),
            {"1": {"round": "x" * 99}},
            [f"game 1: round is {'x' * 99}, the journal has None (line 3)"],
        ),
        (
            journalled((3, "1", {"round": "1"})),
            {"1": {"round": "1\n\x1b[2J"}},
            ["game 1: round is '1\\n\\x1b[2J', the journal has 1 (line 3)"],
        ),
    ],
)
def test_rows_that_differ_from_the_journal_are_named(
    expected: JournalledRows, stored: dict[str, Any], sentences: list[str]
) -> None:
    assert list(find_differences(expected, {"game": stored})) == sentences


def test_lines_are_folded_in_their_order_and_those_without_rows_are_named() -> None:
    line = JournalLine(sequence=7, kind="game.confirmed", rows_digest="a" * 64)
    found, errors = fold_lines([line], before={"game": {"1": {"state": "open"}}})
    assert errors == ["line 7 (game.confirmed) has no rows to compare with"]
    assert found.rows == {"game": {"1": {"state": "open"}}}
    line.rows_digest = ""
    assert fold_lines([line])[1] == []
    line.rows_digest = "a" * 64
    line.payload = JournalPayload(body={}, rows=None)
    assert len(fold_lines([line])[1]) == 1


@pytest.fixture
def start(organiser: Person, ada: Person, ben: Person) -> dict[str, Any]:
    (game,) = make_published(organiser, ada, ben).games()
    for person in (ada, ben):
        person.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    settle()
    return {"game": game}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, []),
        ({"winner": "second"}, ["winner is second, the reports give first"]),
        ({"state": "waiting"}, ["state is waiting, the reports give confirmed"]),
        ({"record_id": None}, ["record is None, the reports give "]),
        ({"confirm_by": "2026-01-01T00:00Z"}, ["confirm_by is "]),
    ],
)
def test_a_result_that_the_reports_do_not_give_is_named(
    start: dict[str, Any], change: dict[str, Any], words: list[str]
) -> None:
    games = Game.objects.all()
    if change:
        games.update(**change)
    found = list(find_unsettled_results(games))
    assert len(found) == len(words)
    assert all(word in sentence for word, sentence in zip(words, found, strict=True))


def test_a_report_that_was_altered_is_named(start: dict[str, Any]) -> None:
    games = Game.objects.all()
    Report.objects.filter(version=2).update(record=FIRST_WINS.replace("T10", "A10"))
    (found,) = find_unsettled_results(games)
    assert found.endswith("/2: digest is not that of its record")
    Report.objects.filter(version=2).update(record="nonsense")
    (found,) = find_unsettled_results(games)
    assert found.endswith("/2: digest is not that of its record")
    Report.objects.filter(version=2).update(record=FIRST_WINS, outcome={"winner": "black"})
    Report.objects.filter(version=1).update(outcome={"winner": "black"})
    assert "its reports cannot be read" in next(iter(find_unsettled_results(games)))


def test_a_report_that_no_task_has_settled_does_not_count(start: dict[str, Any]) -> None:
    Report.objects.filter(version=2).update(settled_at=None)
    found = list(find_unsettled_results(Game.objects.all()))
    # The first record alone was confirmed, as if its deadline had passed.
    assert found == []
    Report.objects.update(settled_at=None)
    assert "the reports give open" in next(iter(find_unsettled_results(Game.objects.all())))


def test_a_casual_game_is_compared_with_its_own_stream(ada: Person, ben: Person) -> None:
    body = {"opponent_id": player_of(ben).pk, "seat": "first", "ruleset": "hex", "board_size": "5"}
    number = ada.post("games", body | {"rated": False, "pool": ""}).json()["id"]
    stream = f"game/{number}"
    lines = JournalLine.objects.filter(stream=stream).order_by("sequence")
    assert verify_casual_game(stream, lines) == []
    Game.objects.filter(pk=number).update(board="6")
    (found,) = verify_casual_game(stream, lines)
    assert found.startswith("game: board is 6, the journal has 5 (line ") or "board is 6" in found
    Game.objects.filter(pk=number).update(board="5", stream="tournament/spring")
    assert "is missing" in verify_casual_game(stream, lines)[0]
    assert verify_casual_game("game/x", JournalLine.objects.none()) == []


def test_the_players_and_staff_of_the_site_are_those_of_its_journal(
    staff: Person, organiser: Person
) -> None:
    number = organiser.post("players", {"name": "Cleo"}).json()["id"]
    lines = JournalLine.objects.filter(stream="site").order_by("sequence")
    assert verify_site(lines) == []
    Player.objects.filter(pk=number).update(country="POR")
    assert "country is POR" in verify_site(lines)[0]
    Player.objects.filter(pk=number).update(country="", name="Dora")
    assert len(verify_site(lines)) == 3  # the name, and two columns that are folded from it
    Player.objects.filter(pk=number).delete()
    assert "is missing" in verify_site(lines)[0]
    organiser.account.is_staff = True
    organiser.account.save()
    assert any("is not in the journal" in found for found in verify_site(lines))


def test_a_folded_column_is_that_of_its_source(ada: Person) -> None:
    players = Player.objects.all()
    assert list(find_misfolded(players)) == []
    Player.objects.update(name="Zoë")
    found = list(find_misfolded(players.all()))
    assert len(found) == 2
    assert found[0].endswith("is not that of name")
