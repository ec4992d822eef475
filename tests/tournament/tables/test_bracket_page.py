"""The page of a knockout's bracket: ties, results, byes, who comes from where, corrections."""

import re
from typing import Any

import pytest

from games.models import Game
from games.play.services import rule_game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person
from tests.tournament.conftest import OpenPage
from tournament.tables import bracket

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
THIRD = {"third_place": True}
TAGS = re.compile(r"<[^>]*>")


def text_of(page: str) -> str:
    return " ".join(TAGS.sub(" ", page).split())


def make_cup(organiser: Person, players: int, **settings: object) -> Event:
    event = make_event(organiser, system="knockout", slug="cup", name="Cup", **settings)
    event.enter(*make_players(players))
    return event.step("open", "start")


def rule(event: Event, game: Game, winner: str) -> None:
    """Rule that the player wins, whatever the seat."""
    result = "11-10" if game.first.name == winner else "10-11"
    rule_game(game, by=event.owner.account, reason="a slip", result=result)
    settle()


def sides(page: str) -> list[str]:
    """Return each side of the ties, in words."""
    return [text_of(side) for side in re.findall(r'<p class="side.*?</p>', page)]


def test_the_bracket_as_a_sheet(organiser: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_cup(organiser, 5, rounds=3, system_options=THIRD)
    sheet = organiser.client.get("/e/cup/bracket.pdf?paper=letter")
    assert sheet.content.startswith(b"%PDF")
    printed: list[Any] = []
    monkeypatch.setattr(bracket, "print_sheet", lambda *given: printed.append(given) or b"")
    event.play(1)
    organiser.client.get("/e/cup/bracket.pdf")

    ((name, data),) = printed
    assert name == "bracket"
    assert [(stage["name"], len(stage["ties"])) for stage in data["stages"]] == [
        ("Quarter-finals", 4), ("Semi-finals", 2), ("Final", 1),
    ]  # fmt: skip
    bye, played = data["stages"][0]["ties"][:2]
    assert [side["name"] for side in bye["sides"]] == ["Player 1", "bye"]
    assert played == {
        "title": "11-10",
        "sides": [
            {"seed": "4", "name": "Player 4", "points": "1", "wins": True},
            {"seed": "5", "name": "Player 5", "points": "0", "wins": False},
        ],
    }
    assert [tie["title"] for tie in data["third"]] == ["For third place"]
    make_event(organiser, system="knockout", slug="none").step("open")
    assert organiser.client.get("/e/none/bracket.pdf").status_code == 404


def test_a_round_that_is_played(open_page: OpenPage, organiser: Person) -> None:
    event = make_cup(organiser, 5, rounds=3, system_options=THIRD)
    assert sides(open_page("/e/cup/bracket").content.decode())[:2] == [
        "1 Player 1 ✓ advances",
        "bye",
    ]
    (game,) = event.publish(1)
    page = open_page("/e/cup/bracket").content.decode()
    assert f'<a href="/games/{game.pk}">board 1</a>' in page
    assert re.findall(r"<h3>(.*?) <", page) == ["Quarter-finals", "Semi-finals", "Final"]

    rule(event, game, "Player 5")

    page = open_page("/e/cup/bracket").content.decode()
    assert sides(page) == [
        "1 Player 1 ✓ advances", "bye", "4 Player 4 0", "5 Player 5 ✓ advances 1",
        "2 Player 2 ✓ advances", "bye", "3 Player 3 ✓ advances", "bye",
        "1 Player 1", "5 Player 5", "2 Player 2", "3 Player 3",
        "winner of pairing 1", "winner of pairing 2", "loser of pairing 1", "loser of pairing 2",
    ]  # fmt: skip
    assert f'<a href="/games/{game.pk}">10-11</a>' in page  # the upper player is first


def test_a_bracket_that_is_over_and_its_correction(open_page: OpenPage, organiser: Person) -> None:
    event = make_cup(organiser, 4, rounds=2)
    for number in (1, 2):
        for game in event.publish(number):
            better = min(game.first.name, game.second.name)
            rule(event, game, better)
        organiser.post(f"{event.path}/rounds/{number}/complete")
    event.step("review", "finalise")
    page = text_of(open_page("/e/cup/bracket").content.decode())
    assert "1 Player 1 ✓ wins 1" in page

    (final,) = event.games(2)
    result = "10-11" if final.first.name == "Player 1" else "11-10"
    body = {"changes": [{"game_id": final.pk, "result": result}], "reason": "the slip was misread"}
    digest = organiser.post(f"{event.path}/corrections?dry_run=1", body).json()["digest"]
    organiser.post(f"{event.path}/corrections", body | {"digest": digest})

    page = text_of(open_page("/e/cup/bracket").content.decode())
    assert "2 Player 2 ✓ wins 1" in page
    assert "10-11 †" in page


def test_a_bracket_after_groups(open_page: OpenPage, organiser: Person) -> None:
    event = make_event(organiser, system="groups-knockout", slug="cup", rounds=5)
    event.enter(*make_players(8))
    event.step("open", "start").play(1)
    for number in (2, 3):
        for game in event.publish(number):
            rule(event, game, min(game.first.name, game.second.name))
        organiser.post(f"{event.path}/rounds/{number}/complete")
    page = open_page("/e/cup/bracket").content.decode()
    assert re.findall(r'class="quiet">Round (\d)', page) == ["4", "5"]


def test_an_open_has_no_bracket(open_page: OpenPage, organiser: Person) -> None:
    make_event(organiser, slug="cup").step("open")
    assert "/e/cup/bracket" not in open_page("/e/cup/standings").content.decode()
    assert open_page("/e/cup/bracket").status_code == 404


def test_a_round_in_which_no_game_is_left(open_page: OpenPage, organiser: Person) -> None:
    """Both semi-finals, of three games each, are decided after two."""
    event = make_cup(organiser, 4, rounds=6, system_options={"best_of": 3})
    for number in (1, 2):
        for game in event.publish(number):
            rule(event, game, min(game.first.name, game.second.name))
        organiser.post(f"{event.path}/rounds/{number}/complete")
    event.publish(3)
    assert sides(open_page("/e/cup/bracket").content.decode()) == [
        "1 Player 1 ✓ advances 2", "4 Player 4 0", "2 Player 2 ✓ advances 2", "3 Player 3 0",
        "1 Player 1", "2 Player 2",
    ]  # fmt: skip
