"""`/tournaments/{slug}/rounds/{n}/results`: results by board, all or none, by officials."""

from csv import DictReader
from io import StringIO
from typing import Any

import pytest

from games.models import Game, JournalLine, Report, Role
from games.play.outcomes import claimed_outcome
from games.play.services import ReportStatement, add_report, annul_game, rule_game
from games.rules.game_outcome import GameOutcome
from games.rules.outcome import Termination
from tests.events import FIRST_WINS, Event, make_event, make_players, make_running, settle
from tests.people import Person, make_person, make_player, player_of, problem_in
from tests.tournament.handicaps import publish_ten_points
from tests.tournament.trf.files import trf_of
from tournament.events.verification import verify_tournament

pytestmark = pytest.mark.django_db
RULING = {"basis": "ruling", "reason": "seen by the arbiter"}


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """Six players; round 1 is published, and Ada plays at board 1 or 2."""
    event = make_event(make_person("Olga"), system="dutch", rounds=2)
    people = make_player("Ada", 2100), make_player("Ben", 1900)
    event.enter(*map(player_of, people), *make_players(4))
    event.step("open", "start").publish(1)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


def enter(person: Person, event: Event, *results: dict[str, Any], **members: Any) -> Any:
    body = {"results": list(results), "basis": "slip", **members}
    return person.post(f"{event.path}/rounds/1/results", body)


def found(body: dict[str, Any]) -> list[tuple[Any, ...]]:
    names = ("board", "result", "basis", "termination")
    return [tuple(row[name] for name in names) for row in body["rows"]]


def test_slips_are_no_rulings_and_forfeits_are(organiser: Person, event: Event) -> None:
    response = enter(
        organiser, event,
        {"board": 1, "result": "1-0", "score": "14-7"},
        {"board": 2, "result": "0-1f"},
    )  # fmt: skip

    assert (response.status_code, response.json()["missing"]) == (200, 1)
    assert found(response.json()) == [
        (1, "14-7", "slip", "agreed"),
        (2, "0-1f", "ruling", "forfeit"),
        (3, None, None, None),
    ]
    lines = JournalLine.objects.order_by("sequence")
    kinds = list(lines.values_list("kind", flat=True))
    assert kinds[-4:] == ["report.slip", "report.ruling", "game.confirmed", "game.confirmed"]
    assert settle() == 0
    assert verify_tournament(event.stream) == []


def test_results_by_basis(organiser: Person, event: Event) -> None:
    enter(organiser, event, {"board": 1, "result": "1-0"}, {"board": 3, "result": "0-0f"})
    response = enter(organiser, event, {"board": 2, "result": "7-14"}, **RULING)

    assert found(response.json()) == [
        (1, "1-0", "slip", "agreed"),
        (2, "7-14", "ruling", "ruled"),
        (3, "0-0f", "ruling", "double_forfeit"),
    ]
    assert {report.reason for report in Report.objects.filter(kind="ruling")} == {
        "", RULING["reason"],
    }  # fmt: skip


def test_missing_results_are_listed(anonymous: Person, organiser: Person, event: Event) -> None:
    enter(organiser, event, {"board": 2, "result": "1-0"})

    body = anonymous.get(f"{event.path}/rounds/1/results?missing=1").json()

    assert (body["round"], body["state"], body["missing"]) == (1, "published", 2)
    assert [row["board"] for row in body["rows"]] == [1, 3]
    whole = anonymous.get(f"{event.path}/rounds/1/results").json()
    assert [row["board"] for row in whole["rows"]] == [1, 2, 3]
    problem_in(anonymous.get(f"{event.path}/rounds/2/results"), 404, "not_published")


def test_an_annulled_game_misses_no_result(organiser: Person, event: Event) -> None:
    annul_game(event.games()[0], by=organiser.account, reason="power cut")
    settle()

    assert organiser.get(f"{event.path}/rounds/1/results").json()["missing"] == 2


def test_the_table_of_results(organiser: Person, anonymous: Person, event: Event) -> None:
    enter(organiser, event, {"board": 1, "result": "14-7"})
    game = event.games()[0]
    numbers = dict(event.tournament.entries.values_list("player", "pairing_number"))

    text = anonymous.get(f"{event.path}/rounds/1/results.csv").content.decode()

    first, second, _ = DictReader(StringIO(text))
    assert first == {
        "round": "1", "board": "1", "game": str(game.pk),
        "first_number": str(numbers[game.first_id]), "first_player": str(game.first_id),
        "first": game.first.name, "second_number": str(numbers[game.second_id]),
        "second_player": str(game.second_id), "second": game.second.name, "result": "14-7",
        "termination": "agreed", "basis": "slip", "state": "confirmed", "corrections": "",
    }  # fmt: skip
    assert (second["result"], second["state"]) == ("", "open")


FORMS: dict[str, tuple[str, str]] = {
    "1": ("1-0", "ruled"), "0": ("0-1", "ruled"), "=": ("1/2", "ruled"), "½-½": ("1/2", "ruled"),
    "+": ("1-0f", "forfeit"), "-": ("0-1f", "forfeit"), "--": ("0-0f", "double_forfeit"),
    "0-0f": ("0-0f", "double_forfeit"), "0-0": ("0-0", "ruled"),
}  # fmt: skip


def test_the_forms_of_the_error_are_read(organiser: Person) -> None:
    fields = {"slug": "other", "rounds": 1, "game": "twixt", "board": "24"}
    event = make_running(organiser, 2 * len(FORMS), **fields)
    event.publish(1)

    refused = enter(organiser, event, {"board": 1, "result": "2"}, **RULING)
    detail = problem_in(refused, 422)["errors"][0]["detail"]
    assert detail == (
        "board 1: a result of this game is 1-0 for a win of the first seat, 0-1 of the second; 1/2"
        " for a draw; 1-0f, 0-1f, 0-0f for a forfeit; 0-0 for a played game that both lose"
    )
    rows = [{"board": board, "result": typed} for board, typed in enumerate(FORMS, 1)]
    assert [row[1::2] for row in found(enter(organiser, event, *rows, **RULING).json())] == list(
        FORMS.values()
    )


def test_both_players_of_a_played_game_lose_by_a_ruling(organiser: Person, event: Event) -> None:
    row = {"board": 1, "result": "0-0", "before_handicap": True}
    problem_in(enter(organiser, event, row), 422, "impossible_result")

    assert found(enter(organiser, event, row, **RULING).json())[0] == (1, "0-0", "ruling", "ruled")
    enter(organiser, event, *({"board": board, "result": "1-0"} for board in (2, 3)))
    settle()
    assert organiser.post(f"{event.path}/rounds/1/complete").status_code == 200
    lines = trf_of(event.tournament, through=1).splitlines()
    results = sorted(line.split()[-1] for line in lines if line.startswith("001"))
    assert results == ["0", "0", "0", "0", "1", "1"]


WRONG: dict[str, tuple[list[dict[str, Any]], list[tuple[str, str]]]] = {
    "a draw in *Star": (
        [{"board": 1, "result": "1-0"}, {"board": 2, "result": "1/2"}],
        [("impossible_result", "/results/1/result")],
    ),
    "a score for the other side": (
        [{"board": 1, "result": "1-0", "score": "7-14"}],
        [("impossible_result", "/results/0/score")],
    ),
    "an impossible score": (
        [{"board": 1, "result": "1-0", "score": "30-7"}],
        [("impossible_result", "/results/0/score")],
    ),
    "a forfeit with a score": (
        [{"board": 1, "result": "1-0f", "score": "14-7"}],
        [("impossible_result", "/results/0/score")],
    ),
    "two wrong boards": (
        [{"board": 4, "result": "1-0"}, {"board": 1, "result": "1/2"}],
        [("no_such_board", "/results/0/board"), ("impossible_result", "/results/1/result")],
    ),
    "a board twice": (
        [{"board": 1, "result": "1-0"}, {"board": 1, "result": "1-0"}],
        [("board_listed_twice", "/results/1/board")],
    ),
    "a return game": (
        [{"board": 1, "result": "1-0", "return_game": True}],
        [("no_such_board", "/results/0/board")],
    ),
}


def test_one_wrong_result_refuses_all(organiser: Person, event: Event) -> None:
    lines = JournalLine.objects.count()
    for case, (results, expected) in WRONG.items():
        problem = problem_in(enter(organiser, event, *results), 422, expected[0][0])

        errors = [(error["code"], error["pointer"]) for error in problem["errors"]]
        assert errors == expected, case
    assert (Report.objects.count(), JournalLine.objects.count()) == (0, lines)


def test_a_ruling_needs_a_reason(organiser: Person, event: Event) -> None:
    refused = enter(organiser, event, {"board": 1, "result": "1-0"}, basis="ruling")

    assert [error["pointer"] for error in problem_in(refused, 422)["errors"]] == ["/reason"]


def test_a_known_result_stays(organiser: Person, event: Event) -> None:
    """The same result again changes nothing; a different one is rejected, and so is the rest."""
    enter(organiser, event, {"board": 1, "result": "14-7"}, {"board": 2, "result": "1-0f"})
    lines = JournalLine.objects.count()

    again = enter(organiser, event, {"board": 1, "result": "1-0"}, {"board": 2, "result": "1-0f"})
    assert again.status_code == 200
    assert JournalLine.objects.count() == lines

    for board, result in [(1, "0-1"), (1, "13-8"), (1, "1-0f"), (2, "1-0"), (2, "0-0f")]:
        response = enter(
            organiser, event, {"board": 3, "result": "1-0"}, {"board": board, "result": result},
            **RULING,
        )  # fmt: skip
        (error,) = problem_in(response, 409, "result_differs")["errors"]
        assert (error["board"], error["pointer"]) == (board, "/results/1/result")
    assert JournalLine.objects.count() == lines


def test_an_annulled_game_has_another_result(organiser: Person, event: Event) -> None:
    annul_game(event.games()[0], by=organiser.account, reason="power cut")

    problem_in(enter(organiser, event, {"board": 1, "result": "1-0"}), 409, "result_differs")


def game_of(event: Event, person: Person) -> tuple[Game, int]:
    """Return the game of a person in round 1, and its board."""
    (game,) = (game for game in event.games() if player_of(person) in (game.first, game.second))
    return game, int(game.place.split("/")[2])


def test_a_slip_settles_what_a_player_reported(
    organiser: Person, ada: Person, event: Event
) -> None:
    """A record that gives the result of the slip proves its score."""
    game, board = game_of(event, ada)
    assert ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS}).status_code == 202

    enter(organiser, event, {"board": board, "result": "1-0"})

    game.refresh_from_db()
    assert (game.state, game.basis, game.winner) == ("confirmed", "slip", "first")
    assert (game.score_first, game.score_second, game.record is not None) == (11, 10, True)
    assert verify_tournament(event.stream) == []


CONTRADICTIONS = {
    "the opposite winner": ("14-7", "0-1"),
    "another score": ("14-7", "13-8"),
    "a forfeit": ("14-7", "1-0f"),
}


@pytest.mark.parametrize(("reported", "result"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_result_that_contradicts_a_report_is_asked_once(
    organiser: Person, event: Event, reported: str, result: str
) -> None:
    game = event.games()[0]
    statement = ReportStatement(claimed_outcome(game, reported))
    add_report(game.pk, None, Report.Kind.CLAIM, seat="first", statement=statement)
    settle()
    rows = {"board": 1, "result": result}, {"board": 2, "result": "1-0"}

    problem = problem_in(enter(organiser, event, *rows), 409, "acceptance_needed")

    (error,) = problem["errors"]
    assert (error["code"], error["pointer"]) == ("report_differs", "/results/0/result")
    assert f"{game.first.name} has reported 14-7" in error["detail"]
    assert problem["accept"] == ["report_differs"]
    assert Report.objects.count() == 1
    accepted = enter(organiser, event, *rows, accept=problem["accept"])
    assert found(accepted.json())[0][1] == result
    assert verify_tournament(event.stream) == []


def test_a_report_without_the_score_of_the_slip_is_no_contradiction(
    organiser: Person, event: Event
) -> None:
    (game, *_) = event.games()
    resigned = ReportStatement(GameOutcome.from_result("1-0", Termination.RESIGNED))
    add_report(game.pk, None, Report.Kind.CLAIM, seat="second", statement=resigned)
    settle()
    assert enter(organiser, event, {"board": 1, "result": "14-7"}).status_code == 200


@pytest.mark.parametrize("result", ["1-0", "1-0f"])
def test_only_a_decision_with_a_reason_ends_a_dispute(
    organiser: Person, ada: Person, event: Event, result: str
) -> None:
    game, board = game_of(event, ada)
    ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    add_report(game.pk, ada.account, Report.Kind.DISPUTE, seat="second", reason="a slip of the pen")
    settle()
    reports = Report.objects.count()
    other = {"board": 3 - board, "result": "1-0"}

    refused = enter(organiser, event, other, {"board": board, "result": result})
    (error,) = problem_in(refused, 409, "game_disputed")["errors"]
    assert (error["board"], error["pointer"]) == (board, "/results/1/board")
    game.refresh_from_db()
    assert (game.state, Report.objects.count()) == ("disputed", reports)

    enter(organiser, event, {"board": board, "result": result}, **RULING)
    game.refresh_from_db()
    assert (game.state, game.basis, game.winner) == ("confirmed", "ruling", "first")


def test_both_games_of_a_pairing(organiser: Person) -> None:
    event = make_running(organiser, 2, slug="other", games_per_pairing=2)
    event.publish(1)
    body = enter(
        organiser, event,
        {"board": 1, "result": "1-0"}, {"board": 1, "return_game": True, "result": "7-14"},
    ).json()  # fmt: skip

    rows = [
        (row["return_game"], row["first"]["player"]["name"], row["result"]) for row in body["rows"]
    ]
    first, second = (row["first"]["player"]["name"] for row in body["rows"])
    assert rows == [(False, first, "1-0"), (True, second, "7-14")]
    assert {first, second} == {"Player 1", "Player 2"}
    twice = {"board": 1, "return_game": True, "result": "1-0"}
    (error,) = problem_in(enter(organiser, event, twice), 409, "result_differs")["errors"]
    assert error["detail"].startswith("board 1, return game: ")


def test_the_points_of_a_handicap(organiser: Person) -> None:
    """The second player of board 1 has ten points, in the return game the first."""
    event = publish_ten_points(organiser, games_per_pairing=2, slug="other")
    counted = {"board": 1, "before_handicap": True}

    body = enter(
        organiser, event,
        {"result": "0-1", "score": "19-12", **counted},
        {"result": "19-12", "return_game": True, **counted},
    ).json()  # fmt: skip

    assert [(row["result"], row["handicap_text"]) for row in body["rows"]] == [
        ("9-22", "second 10 points"),
        ("29-2", "first 10 points"),
    ]
    final = {"board": 1, "result": "9-22"}  # with the points, as programs send it
    assert enter(organiser, event, final).status_code == 200


def test_results_need_a_published_round_of_an_open_event(organiser: Person, event: Event) -> None:
    result = {"board": 1, "result": "1-0"}
    body = {"results": [result], "basis": "slip"}
    problem_in(organiser.post(f"{event.path}/rounds/2/results", body), 409, "wrong_state")
    event.step("cancel")

    problem_in(enter(organiser, event, result), 409, "wrong_state")


def test_a_dry_run_changes_nothing(organiser: Person, event: Event) -> None:
    lines = JournalLine.objects.count()
    body = {"results": [{"board": 1, "result": "1-0"}], "basis": "slip"}

    response = organiser.post(f"{event.path}/rounds/1/results?dry_run=1", body)

    assert found(response.json())[0] == (1, "1-0", "slip", "agreed")
    assert (Report.objects.count(), JournalLine.objects.count()) == (0, lines)
    assert not Game.objects.filter(state="confirmed").exists()


def claimed(result: str) -> ReportStatement:
    return ReportStatement(GameOutcome.from_result(result, Termination.AGREED))


def revoke(person: Person, event: Event, *boards: int) -> Any:
    games = {int(game.place.split("/")[2]): game.pk for game in event.games()}
    body = {"game_ids": [games[board] for board in boards]}
    return person.post(f"{event.path}/rounds/1/results/revoke", body)


def test_nobody_takes_back_the_results_of_others(organiser: Person, event: Event) -> None:
    scorer = make_person("Sten")
    Role.objects.create(stream=event.stream, account=scorer.account, role="scorer")
    enter(organiser, event, {"board": 1, "result": "14-7"}, {"board": 2, "result": "0-1f"})

    problem = problem_in(revoke(scorer, event, 1, 2, 3), 409, "report_superseded")

    assert [error["pointer"] for error in problem["errors"]] == [
        f"/game_ids/{at}" for at in range(3)
    ]
    assert problem["errors"][0]["detail"].startswith("board 1: ")
    assert enter(scorer, event, {"board": 3, "result": "14-7"}).status_code == 200
    assert revoke(scorer, event, 3).json()["missing"] == 1


def test_who_entered_results_takes_them_back(organiser: Person, event: Event) -> None:
    enter(organiser, event, {"board": 1, "result": "14-7"}, {"board": 2, "result": "0-1f"})

    response = revoke(organiser, event, 1, 2, 1)  # a game that is named twice is taken back once

    assert found(response.json()) == [(board, None, None, None) for board in (1, 2, 3)]
    kinds = list(JournalLine.objects.order_by("sequence").values_list("kind", flat=True))
    assert kinds[-4:] == ["report.revocation", "report.revocation", "game.open", "game.open"]
    assert verify_tournament(event.stream) == []
    problem_in(revoke(organiser, event, 1), 409, "report_superseded")
    again = enter(organiser, event, {"board": 1, "result": "7-14"})
    assert found(again.json())[0] == (1, "7-14", "slip", "agreed")


def test_an_annulment_is_taken_back(organiser: Person, event: Event) -> None:
    annul_game(event.games()[0], by=organiser.account, reason="the wrong board")
    settle()

    assert revoke(organiser, event, 1).json()["rows"][0]["state"] == "open"


def test_a_game_has_its_earlier_result_again(organiser: Person, event: Event, ada: Person) -> None:
    game, board = game_of(event, ada)
    add_report(game.pk, None, Report.Kind.CLAIM, seat="first", statement=claimed("14-7"))
    settle()
    enter(organiser, event, {"board": board, "result": "7-14"}, accept=["report_differs"])
    rule_game(game, by=organiser.account, reason="seen", result="14-7")
    settle()

    row = revoke(organiser, event, board).json()["rows"][board - 1]

    assert (row["result"], row["basis"]) == ("7-14", "slip")
    problem_in(revoke(organiser, event, board), 409, "report_superseded")


def test_a_report_of_a_player_waits_again(organiser: Person, event: Event) -> None:
    game = event.games()[0]
    add_report(game.pk, None, Report.Kind.CLAIM, seat="first", statement=claimed("14-7"))
    settle()
    enter(organiser, event, {"board": 1, "result": "7-14"}, accept=["report_differs"])

    row = revoke(organiser, event, 1).json()["rows"][0]

    assert (row["state"], row["result"]) == ("waiting", None)
    assert verify_tournament(event.stream) == []


def test_results_of_a_complete_round_are_not_taken_back(organiser: Person, event: Event) -> None:
    enter(organiser, event, *({"board": board, "result": "1-0"} for board in (1, 2, 3)))
    game = event.games()[0]
    organiser.post(f"{event.path}/rounds/1/complete")
    problem_in(revoke(organiser, event, 1), 409, "wrong_state")
    assert enter(organiser, event, {"board": 1, "result": "1-0"}).status_code == 200
    refused = problem_in(enter(organiser, event, {"board": 1, "result": "0-1"}), 409)
    assert [error["code"] for error in refused["errors"]] == ["correction_needed"]
    change = {"changes": [{"game_id": game.pk, "result": "0-1"}], "reason": "a wrong slip"}
    path = f"{event.path}/corrections"
    digest = organiser.post(f"{path}?dry_run=1", change).json()["digest"]
    assert organiser.post(path, change | {"digest": digest}).status_code == 201
    organiser.post(f"{event.path}/rounds/1/reopen", {"reason": "one is missing"})

    problem_in(revoke(organiser, event, 1, 2), 409, "report_superseded")
    assert revoke(organiser, event, 2).status_code == 200
    assert verify_tournament(event.stream) == []


def test_only_games_of_the_round_are_taken_back(organiser: Person, event: Event) -> None:
    enter(organiser, event, {"board": 1, "result": "1-0"})
    games = [event.games()[0].pk, 999_999_999]

    refused = organiser.post(f"{event.path}/rounds/1/results/revoke", {"game_ids": games})

    (error,) = problem_in(refused, 422, "no_such_game")["errors"]
    assert error["pointer"] == "/game_ids/1"
    assert event.games()[0].state == "confirmed"
