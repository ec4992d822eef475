"""`/games/{id}/rule` and `annul`: an arbiter overrides the reports of the sides."""

from typing import Any

import pytest

from games.models import Game, JournalLine, Report, Role
from tests.events import (
    FILLED_TWICE,
    FIRST_WINS,
    SECOND_WINS,
    UNFINISHED,
    Event,
    make_published,
    settle,
)
from tests.people import Person, problem_in

pytestmark = pytest.mark.django_db
REASON = {"reason": "seen by the arbiter"}


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    return make_published(organiser, ada, ben, rounds=1)


@pytest.fixture
def game(event: Event) -> Game:
    """A game between Ada in the first seat and Ben."""
    (game,) = event.games()
    assert game.first.name == "Ada"
    return game


OUTCOMES = {
    "a score": ({"result": "11-10"}, ("first", False, 11, 10, "ruled", False)),
    "first wins": ({"result": "1-0"}, ("first", False, None, None, "ruled", False)),
    "second wins": ({"result": "0-1"}, ("second", False, None, None, "ruled", False)),
    "a forfeit": (
        {"result": "0-1", "termination": "forfeit"},
        ("second", False, None, None, "forfeit", False),
    ),
    "a double forfeit": (
        {"result": "0-0", "termination": "forfeit"},
        ("", False, None, None, "double-forfeit", False),
    ),
    "on time": (
        {"result": "1-0", "termination": "time"},
        ("first", False, None, None, "time", False),
    ),
    "a record": ({"record": FIRST_WINS}, ("first", False, 11, 10, "agreed", True)),
    "a record over the result": (
        {"record": SECOND_WINS, "result": "1-0"},
        ("second", False, 10, 11, "agreed", True),
    ),
    "a record that proves nothing, and a result": (
        {"record": UNFINISHED, "result": "1-0"},
        ("first", False, None, None, "ruled", True),
    ),
}


@pytest.mark.parametrize(("body", "expected"), OUTCOMES.values(), ids=OUTCOMES)
def test_a_ruling_gives_the_result(
    organiser: Person, game: Game, body: dict[str, Any], expected: tuple[object, ...]
) -> None:
    response = organiser.post(f"games/{game.pk}/rule", REASON | body)
    settle()

    assert response.status_code == 202
    game.refresh_from_db()
    assert (game.state, game.basis) == ("confirmed", "ruling")
    assert (
        game.winner,
        game.draw,
        game.score_first,
        game.score_second,
        game.termination,
        game.record is not None,
    ) == expected


def test_a_ruling_overrides_the_reports_which_stay(
    organiser: Person, ada: Person, ben: Person, game: Game
) -> None:
    ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    ben.post(f"games/{game.pk}/reports", {"record": SECOND_WINS})
    settle()

    organiser.post(f"games/{game.pk}/rule", REASON | {"result": "0-1"})
    settle()

    game.refresh_from_db()
    assert (game.state, game.winner, game.dispute) == ("confirmed", "second", "")
    assert [report.kind for report in game.reports.order_by("version")] == [
        "record",
        "record",
        "ruling",
    ]


def test_an_annulled_game_counts_for_nothing_and_can_be_ruled_again(
    organiser: Person, ada: Person, game: Game
) -> None:
    organiser.post(f"games/{game.pk}/rule", REASON | {"result": "1-0"})
    settle()

    assert organiser.post(f"games/{game.pk}/annul", REASON).status_code == 202
    settle()
    game.refresh_from_db()
    assert (game.state, game.basis, game.winner) == ("annulled", "ruling", "")
    problem_in(ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS}), 409, "game_settled")

    organiser.post(f"games/{game.pk}/rule", REASON | {"result": "0-1"})
    settle()
    game.refresh_from_db()
    assert (game.state, game.winner) == ("confirmed", "second")


@pytest.mark.parametrize(("word", "more"), [("rule", {"result": "1-0"}), ("annul", {})])
def test_officials_may_rule_and_annul(
    everyone: dict[str, Person], game: Game, word: str, more: dict[str, str]
) -> None:
    path = f"games/{game.pk}/{word}"

    found = {name: person.post(path, REASON | more) for name, person in everyone.items()}

    assert {name: response.status_code for name, response in found.items()} == {
        "organiser": 202,
        "player": 403,
        "stranger": 403,
        "anonymous": 401,
    }
    assert Report.objects.count() == 1


def test_a_scorer_may_rule(stranger: Person, game: Game) -> None:
    Role.objects.create(stream=game.stream, account=stranger.account, role=Role.Name.SCORER)

    response = stranger.post(f"games/{game.pk}/rule", REASON | {"result": "1-0"})

    assert response.status_code == 202


@pytest.mark.parametrize(
    ("scopes", "stream", "status"),
    [
        (["result:write"], "", 202),
        (["tournament:write"], "", 202),
        (["record:write", "tournament:read"], "", 403),
        (["result:write"], "tournament/spring", 202),
        (["result:write"], "tournament/autumn", 403),
    ],
)
def test_the_token_needs_a_scope_and_the_stream(
    organiser: Person, game: Game, scopes: list[str], stream: str, status: int
) -> None:
    arbiter = organiser.with_token(*scopes, stream=stream)

    response = arbiter.post(f"games/{game.pk}/rule", REASON | {"result": "1-0"})

    assert response.status_code == status


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"result": "1-0"}, "/reason"),
        (REASON, ""),
        (REASON | {"result": "won"}, "/result"),
        (REASON | {"result": 10}, "/result"),
        (REASON | {"result": "1-0", "termination": "magic"}, "/termination"),
        (REASON | {"record": []}, "/record"),
        ({"reason": "x" * 2001, "result": "1-0"}, "/reason"),
        ({"reason": " ", "result": "1-0"}, "/reason"),
        ({"reason": {}, "result": "1-0"}, "/reason"),
    ],
)
def test_an_invalid_body_is_rejected(
    organiser: Person, game: Game, body: object, pointer: str
) -> None:
    problem = problem_in(organiser.post(f"games/{game.pk}/rule", body), 422, "invalid")

    assert problem["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"record": FILLED_TWICE}, 422, "occupied"),
        ({"record": FIRST_WINS.replace('"4"', '"6"')}, 422, None),
        ({"record": UNFINISHED}, 422, "record_unfinished"),
        ({"result": "26-25"}, 422, "impossible_result"),
        ({"result": "10-10"}, 422, "impossible_result"),
        ({"result": "1/2"}, 422, "impossible_result"),
        ({"result": "11-10", "termination": "forfeit"}, 422, "impossible_result"),
    ],
)
def test_an_impossible_ruling_is_rejected(
    organiser: Person, game: Game, body: dict[str, str], status: int, code: str | None
) -> None:
    lines = JournalLine.objects.count()

    problem_in(organiser.post(f"games/{game.pk}/rule", REASON | body), status, code or "")

    assert not Report.objects.exists()
    assert JournalLine.objects.count() == lines


def test_a_draw_can_be_ruled_where_the_game_has_draws(organiser: Person, game: Game) -> None:
    path, body = f"games/{game.pk}/rule", REASON | {"result": "1/2"}
    problem = problem_in(organiser.post(path, body), 422, "impossible_result")
    assert (problem["errors"][0]["pointer"], problem["detail"]) == (
        "/result",
        "a game of *Star cannot end in a draw",
    )

    Game.objects.update(game="twixt", board="24")

    assert organiser.post(path, body).status_code == 202
    settle()
    game.refresh_from_db()
    assert (game.state, game.draw, game.termination) == ("confirmed", True, "ruled")


@pytest.mark.parametrize(("word", "more"), [("rule", {"result": "1-0"}), ("annul", {})])
def test_a_dry_run_changes_nothing(
    organiser: Person, game: Game, word: str, more: dict[str, str]
) -> None:
    lines = JournalLine.objects.count()

    response = organiser.post(f"games/{game.pk}/{word}?dry_run=1", REASON | more)

    assert (response.status_code, "task" in response.json()) == (200, False)
    assert not Report.objects.exists()
    assert JournalLine.objects.count() == lines


@pytest.mark.parametrize(("word", "more"), [("rule", {"result": "0-1"}), ("annul", {})])
def test_a_final_event_accepts_no_rulings(
    organiser: Person, event: Event, word: str, more: dict[str, str]
) -> None:
    event.finish(1)
    event.step("review", "finalise")
    (game,) = event.games(1)

    problem_in(organiser.post(f"games/{game.pk}/{word}", REASON | more), 409, "tournament_final")


def test_finalising_settles_the_last_rulings(organiser: Person, event: Event) -> None:
    """The games filed for rating include every ruling, whether a task has settled it or not."""
    event.finish(1)
    event.step("review")
    (game,) = event.games(1)
    assert organiser.post(f"games/{game.pk}/rule", REASON | {"result": "0-1"}).status_code == 202

    event.step("finalise")

    game.refresh_from_db()
    assert (game.winner, game.closed) == ("second", True)
    assert settle() == 0
