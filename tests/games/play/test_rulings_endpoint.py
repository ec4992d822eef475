"""`/games/{id}/rule`, `annul` and `adjourn`: an arbiter overrides the reports of the sides."""

from typing import Any

import pytest

from games.models import Game, JournalLine, Report, Role
from tests.events import (
    FILLED_TWICE,
    FIRST_WINS,
    FIRST_WINS_OTHERWISE,
    SECOND_WINS,
    UNFINISHED,
    Event,
    make_published,
    settle,
)
from tests.people import Person, make_person, make_player, problem_in
from tournament.events.verification import verify_tournament
from tournament.rounds.services import complete_round, reopen_round

pytestmark = pytest.mark.django_db
REASON = {"reason": "seen by the arbiter"}


@pytest.fixture(scope="module")
def published(rows_of_module: None) -> Event:
    people = make_person("Olga"), make_player("Ada", 2100), make_player("Ben", 1900)
    return make_published(*people, rounds=1)


@pytest.fixture
def event(db: None, published: Event) -> Event:
    return published.again()


@pytest.fixture
def game(event: Event) -> Game:
    """A game between Ada in the first seat and Ben."""
    (game,) = event.games()
    assert game.first.name == "Ada"
    return game


OUTCOMES = {
    "a score": ({"result": "11-10"}, ("first", False, 11, 10, "ruled", False)),
    "a double forfeit": (
        {"result": "0-0", "termination": "forfeit"},
        ("", False, None, None, "double_forfeit", False),
    ),
    "a double forfeit in one word": (
        {"result": "--"},
        ("", False, None, None, "double_forfeit", False),
    ),
    "a played game that both lose": ({"result": "0-0"}, ("", False, None, None, "ruled", False)),
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


def test_the_points_of_a_handicap_are_added_to_what_was_counted(
    organiser: Person, game: Game
) -> None:
    Game.objects.update(handicap={"seat": "second", "points": 2})
    for number, (before, result) in enumerate([(False, "12-9"), (True, "12-9")]):
        body = REASON | {"result": result, "before_handicap": before}
        assert organiser.post(f"games/{game.pk}/rule", body).status_code == 202
        settle()
        game.refresh_from_db()
        assert (game.score_first, game.winner) == [(12, "first"), (10, "second")][number]


def test_an_annulled_game_counts_for_nothing_and_can_be_ruled_again(
    organiser: Person, ada: Person, game: Game
) -> None:
    organiser.post(f"games/{game.pk}/rule", REASON | {"result": "1-0"})
    settle()

    assert organiser.post(f"games/{game.pk}/annul", REASON).status_code == 202
    settle()
    game.refresh_from_db()
    assert (game.state, game.basis, game.winner) == ("annulled", "ruling", "")
    assert game.confirmed_at is None
    problem_in(ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS}), 409, "game_settled")

    organiser.post(f"games/{game.pk}/rule", REASON | {"result": "0-1"})
    settle()
    game.refresh_from_db()
    assert (game.state, game.winner) == ("confirmed", "second")


def test_an_adjourned_game_begins_without_its_reports(
    organiser: Person, ada: Person, ben: Person, game: Game
) -> None:
    path = f"games/{game.pk}"
    ada.post(f"{path}/reports", {"record": FIRST_WINS})
    settle()
    assert organiser.post(f"{path}/adjourn", REASON).status_code == 202
    settle()

    body = ada.get(path).json()
    assert (body["state"], body["adjourned"], body["confirm_by"]) == ("open", True, None)
    assert JournalLine.objects.order_by("-pk")[0].kind == "game.adjourned"
    for word, more in (("confirm", {}), ("dispute", REASON)):
        problem_in(ben.post(f"{path}/{word}", more), 409, "nothing_to_answer")
    again = organiser.post(f"{path}/adjourn", {"reason": "again"})
    problem_in(again, 409, "nothing_to_do")

    ada.post(f"{path}/reports", {"record": FIRST_WINS})
    settle()
    assert JournalLine.objects.order_by("-pk")[0].kind == "game.waiting"
    assert ada.get(path).json()["adjourned"]
    ben.post(f"{path}/confirm", {})
    settle()
    assert not ada.get(path).json()["adjourned"]
    problem_in(organiser.post(f"{path}/adjourn", {"reason": "late"}), 409, "game_settled")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"record": FILLED_TWICE}, "occupied"),
        ({"record": UNFINISHED}, "record_unfinished"),
        ({"result": "11-10", "termination": "forfeit"}, "impossible_result"),
    ],
)  # fmt: skip
def test_an_impossible_ruling_is_rejected(
    organiser: Person, game: Game, body: dict[str, str], code: str
) -> None:
    lines = JournalLine.objects.count()

    problem_in(organiser.post(f"games/{game.pk}/rule", REASON | body), 422, code)

    assert not Report.objects.exists()
    assert JournalLine.objects.count() == lines


def test_a_result_of_a_complete_round_is_corrected_and_not_ruled(
    organiser: Person, event: Event, game: Game
) -> None:
    path, reports = f"games/{game.pk}", Report.objects.all()
    organiser.post(f"{path}/rule", REASON | {"result": "1-0"})
    settle()
    complete_round(event.tournament, 1, by=organiser.account)
    known = list(reports.values_list("pk", flat=True))

    for word, body in (
        ("rule", {"result": "0-1"}),
        ("rule", {"result": "11-10"}),
        ("rule", {"record": SECOND_WINS}),
        ("annul", {}),
    ):
        refused = problem_in(organiser.post(f"{path}/{word}", REASON | body), 409)
        assert (refused["code"], "a correction" in refused["detail"]) == ("correction_needed", True)
    assert list(reports.values_list("pk", flat=True)) == known
    shown = organiser.get(f"{path}?actions=1").json()["allowed_actions"]
    levels = {row["operation"]: row["level"] for row in shown}
    assert (levels["rule_game"], levels["annul_game"]) == ("forbidden", "forbidden")

    assert organiser.post(f"{path}/rule", REASON | {"record": FIRST_WINS}).status_code == 202
    settle()
    game.refresh_from_db()
    assert (game.winner, game.score_first, game.record is not None) == ("first", 11, True)
    other = organiser.post(f"{path}/rule", REASON | {"record": FIRST_WINS_OTHERWISE})
    problem_in(other, 409, "correction_needed")  # its stars would be other ones
    reopen_round(event.tournament, 1, reason="a wrong slip", by=organiser.account)
    assert organiser.post(f"{path}/annul", REASON).status_code == 202
    settle()
    assert verify_tournament(event.stream) == []


def test_the_first_result_of_an_adjourned_game_is_ruled_after_the_round(
    organiser: Person, event: Event, game: Game
) -> None:
    organiser.post(f"games/{game.pk}/adjourn", REASON)
    settle()
    complete_round(event.tournament, 1, by=organiser.account)

    for result, status in (("1-0", 202), ("0-1", 409)):
        ruled = organiser.post(f"games/{game.pk}/rule", REASON | {"result": result})
        assert ruled.status_code == status
        settle()
    assert verify_tournament(event.stream) == []


def test_a_scorer_does_not_overrule_what_both_players_have_reported(
    organiser: Person, ada: Person, ben: Person, event: Event, game: Game
) -> None:
    scorer, path = make_person("Sten"), f"games/{game.pk}"
    Role.objects.create(stream=event.stream, account=scorer.account, role="scorer")
    ada.post(f"{path}/reports", {"record": FIRST_WINS})
    settle()
    assert annuls(scorer, game)
    ben.post(f"{path}/confirm", {})
    # Before a task has settled it, too: no report would count after an adjournment.
    problem_in(scorer.post(f"{path}/adjourn", REASON), 403, "role_missing")
    settle()

    assert not annuls(scorer, game)
    for word, body in (("rule", {"result": "0-1"}), ("annul", {})):
        refused = problem_in(scorer.post(f"{path}/{word}", REASON | body), 403, "role_missing")
        assert "director" in refused["detail"]
    assert scorer.post(f"{path}/rule", REASON | {"result": "11-10"}).status_code == 202
    assert organiser.post(f"{path}/rule", REASON | {"result": "0-1"}).status_code == 202
    settle()
    game.refresh_from_db()
    assert game.winner == "second"


def annuls(person: Person, game: Game) -> bool:
    rows = person.get(f"games/{game.pk}?actions=1").json()["allowed_actions"]
    return {row["operation"]: row["level"] for row in rows}["annul_game"] != "forbidden"


def test_finalising_settles_the_last_rulings(organiser: Person, event: Event) -> None:
    """The games filed for rating include every ruling, whether a task has settled it or not."""
    event.finish(1)
    event.step("review")
    (game,) = event.games(1)
    proof = REASON | {"record": FIRST_WINS}
    assert organiser.post(f"games/{game.pk}/rule", proof).status_code == 202

    event.step("finalise")

    game.refresh_from_db()
    assert (game.winner, game.record is not None, game.closed) == ("first", True, True)
    assert settle() == 0
    for word, more in (("rule", {"result": "0-1"}), ("annul", {}), ("adjourn", {})):
        refused = organiser.post(f"games/{game.pk}/{word}", {"reason": "too late"} | more)
        problem_in(refused, 409, "tournament_final")
