"""`/tournaments/{slug}/rounds/{n}/results`: results by board, all or none, by officials."""

import re
from typing import Any

import pytest
from django.test import Client

from games.models import Game, JournalLine, Report, Role
from games.play.services import ReportStatement, add_report, rule_game
from games.rules.game_outcome import GameOutcome
from games.rules.outcome import Termination
from tests.events import FIRST_WINS, Event, make_event, make_players, make_running, settle
from tests.people import Person, make_person, player_of, problem_in
from tests.tournament.imports import empty_tables
from tournament.events.verification import verify_tournament
from tournament.exchange.bundle import import_bundle
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Tournament

pytestmark = pytest.mark.django_db
RULING = {"basis": "ruling", "reason": "seen by the arbiter"}


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    """Six players; round 1 is published, and Ada plays at board 1 or 2."""
    event = make_event(organiser, system="dutch", rounds=2)
    event.enter(player_of(ada), player_of(ben), *make_players(4))
    event.step("open", "start").publish(1)
    return event


def enter(person: Person, event: Event, *results: dict[str, Any], **members: Any) -> Any:
    body = {"results": list(results), "basis": "slip", **members}
    return person.post(f"{event.path}/rounds/1/results", body)


def found(body: dict[str, Any]) -> list[tuple[Any, ...]]:
    names = ("board", "result", "basis", "termination")
    return [tuple(row[name] for name in names) for row in body["results"]]


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
    kinds = list(JournalLine.objects.order_by("sequence").values_list("kind", flat=True))
    assert kinds[-4:] == ["report.slip", "report.ruling", "game.confirmed", "game.confirmed"]
    assert settle() == 0
    assert verify_tournament(event.stream) == []


OUTCOMES = [
    ({"result": "1-0"}, {}, (1, "1-0", "slip", "agreed")),
    ({"result": "7-14"}, {}, (1, "7-14", "slip", "agreed")),
    ({"result": "7-14"}, RULING, (1, "7-14", "ruling", "ruled")),
    ({"result": "0-1"}, RULING, (1, "0-1", "ruling", "ruled")),
    ({"result": "0-0f"}, RULING, (1, "0-0f", "ruling", "double-forfeit")),
    ({"result": "0-0"}, {}, (1, "0-0f", "ruling", "double-forfeit")),
]


@pytest.mark.parametrize(("result", "members", "expected"), OUTCOMES)
def test_results_by_basis(
    organiser: Person,
    event: Event,
    result: dict[str, Any],
    members: dict[str, str],
    expected: tuple[Any, ...],
) -> None:
    response = enter(organiser, event, {"board": 1, **result}, **members)

    assert found(response.json())[0] == expected


def test_missing_results_are_listed(anonymous: Person, organiser: Person, event: Event) -> None:
    enter(organiser, event, {"board": 2, "result": "1-0"})

    body = anonymous.get(f"{event.path}/rounds/1/results?missing=1").json()

    assert (body["round"], body["state"], body["missing"]) == (1, "published", 2)
    assert [row["board"] for row in body["results"]] == [1, 3]
    whole = anonymous.get(f"{event.path}/rounds/1/results").json()
    assert [row["board"] for row in whole["results"]] == [1, 2, 3]
    problem_in(anonymous.get(f"{event.path}/rounds/2/results"), 404, "not_published")


@pytest.mark.parametrize("text", ["1/2", "½", "½-½", "1/2-1/2", "0.5-0.5", "0,5-0,5", "="])
def test_a_draw_is_read_as_people_write_it(organiser: Person, text: str) -> None:
    event = make_event(organiser, system="dutch", rounds=1, game="twixt", board="24")
    event.enter(*make_players(2))
    event.step("open", "start").publish(1)

    body = enter(organiser, event, {"board": 1, "result": text}).json()

    assert found(body) == [(1, "1/2", "slip", "agreed")]


WRONG: dict[str, tuple[list[dict[str, Any]], list[tuple[str, str]]]] = {
    "a draw in *Star": (
        [{"board": 1, "result": "1-0"}, {"board": 2, "result": "1/2"}],
        [("impossible_result", "/results/1/result")],
    ),
    "20-20 of 21": (
        [{"board": 1, "result": "20-20"}],
        [("impossible_result", "/results/0/result")],
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


@pytest.mark.parametrize(("results", "expected"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("members", [{}, RULING], ids=["slip", "ruling"])
def test_one_wrong_result_refuses_all(
    organiser: Person,
    event: Event,
    results: list[dict[str, Any]],
    expected: list[tuple[str, str]],
    members: dict[str, str],
) -> None:
    lines = JournalLine.objects.count()

    problem = problem_in(enter(organiser, event, *results, **members), 422, expected[0][0])

    assert [(error["code"], error["pointer"]) for error in problem["errors"]] == expected
    assert (Report.objects.count(), JournalLine.objects.count()) == (0, lines)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"results": [], "basis": "slip"}, "/results"),
        ({"results": [{"board": 1}], "basis": "slip"}, "/results/0/result"),
        ({"results": [{"board": 1, "result": "won"}], "basis": "slip"}, "/results/0/result"),
        ({"results": [{"board": 1, "result": "14-7f"}], "basis": "slip"}, "/results/0/result"),
        ({"results": [{"board": 0, "result": "1-0"}], "basis": "slip"}, "/results/0/board"),
        ({"results": [{"board": 1, "result": "1-0"}]}, "/basis"),
        ({"results": [{"board": 1, "result": "1-0"}], "basis": "rumour"}, "/basis"),
        ({"results": [{"board": 1, "result": "1-0"}], "basis": "ruling"}, "/reason"),
    ],
)
def test_an_invalid_body_is_rejected(
    organiser: Person, event: Event, body: dict[str, Any], pointer: str
) -> None:
    problem = problem_in(organiser.post(f"{event.path}/rounds/1/results", body), 422, "invalid")

    assert problem["errors"][0]["pointer"] == pointer


def test_a_known_result_stays(organiser: Person, event: Event) -> None:
    """The same result again changes nothing; a different one is rejected, and so is the rest."""
    enter(organiser, event, {"board": 1, "result": "14-7"}, {"board": 2, "result": "1-0f"})
    lines = JournalLine.objects.count()

    again = enter(organiser, event, {"board": 1, "result": "1-0"}, {"board": 2, "result": "1-0f"})
    assert again.status_code == 200
    assert JournalLine.objects.count() == lines

    for board, result in [(1, "0-1"), (1, "13-8"), (1, "1-0f"), (2, "1-0"), (2, "0-0")]:
        for members in ({}, RULING):
            response = enter(
                organiser, event, {"board": 3, "result": "1-0"}, {"board": board, "result": result},
                **members,
            )  # fmt: skip
            problem = problem_in(response, 409, "result_differs")
            assert problem["errors"][0]["board"] == board
            assert problem["errors"][0]["pointer"] == "/results/1/result"
    assert JournalLine.objects.count() == lines


def test_a_slip_settles_what_a_player_reported(
    organiser: Person, ada: Person, event: Event
) -> None:
    """A record that gives the result of the slip proves its score."""
    game = next(game for game in event.games() if player_of(ada) in (game.first, game.second))
    board = game.pairings.get().board_number
    assert ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS}).status_code == 202

    enter(organiser, event, {"board": board, "result": "1-0"})

    game.refresh_from_db()
    assert (game.state, game.basis, game.winner) == ("confirmed", "slip", "first")
    assert (game.score_first, game.score_second, game.record is not None) == (11, 10, True)
    problem_in(
        ada.post(f"games/{game.pk}/reports", {"claim": {"result": "10-11"}}), 409, "game_settled"
    )
    assert verify_tournament(event.stream) == []


@pytest.mark.parametrize("result", ["1-0", "1-0f"])
def test_only_a_decision_with_a_reason_ends_a_dispute(
    organiser: Person, ada: Person, event: Event, result: str
) -> None:
    game = next(game for game in event.games() if player_of(ada) in (game.first, game.second))
    board = game.pairings.get().board_number
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
    event = make_event(organiser, system="dutch", games_per_pairing=2)
    event.enter(*make_players(2))
    event.step("open", "start").publish(1)

    body = enter(
        organiser, event,
        {"board": 1, "result": "1-0"}, {"board": 1, "return_game": True, "result": "7-14"},
    ).json()  # fmt: skip

    rows = [
        (row["return_game"], row["first"]["player"]["name"], row["result"])
        for row in body["results"]
    ]
    first, second = (row["first"]["player"]["name"] for row in body["results"])
    assert rows == [(False, first, "1-0"), (True, second, "7-14")]
    assert {first, second} == {"Player 1", "Player 2"}


@pytest.mark.parametrize(
    ("language", "boards"),
    [
        ("en", ["board 2", "board 1, return game"]),
        ("de", ["Brett 2", "Brett 1, Rückspiel"]),
        ("fr", ["table 2", "table 1, partie retour"]),
    ],
)
def test_a_refused_board_is_named_in_the_language_of_the_page(
    client: Client, organiser: Person, event: Event, language: str, boards: list[str]
) -> None:
    client.force_login(organiser.account)
    body = {"action": "lines", "lines": "2 =\n1r 1-0", "basis": "slip"}

    page = client.post(
        "/e/spring/run/rounds/1/results", body, headers={"Accept-Language": language}
    ).content.decode()

    assert [board for board in boards if not re.search(rf"{board}\s?: ", page)] == []


def test_results_need_a_published_round_of_an_open_event(organiser: Person, event: Event) -> None:
    result = {"board": 1, "result": "1-0"}
    body = {"results": [result], "basis": "slip"}
    problem_in(organiser.post(f"{event.path}/rounds/2/results", body), 409, "wrong_state")
    problem_in(organiser.post(f"{event.path}/rounds/9/results", body), 404, "not_found")
    event.step("cancel")

    problem_in(enter(organiser, event, result), 409, "wrong_state")


def test_a_draft_has_no_results(organiser: Person) -> None:
    event = make_running(organiser, 4)
    event.draft(1)
    path = f"{event.path}/rounds/1/results"
    result = {"board": 1, "result": "1-0"}
    problem_in(organiser.post(path, {"results": [result], "basis": "slip"}), 409)
    problem_in(organiser.post(path, {"results": [], "basis": "slip"}), 422, "invalid")


def test_officials_enter_results(
    everyone: dict[str, Person], stranger: Person, event: Event
) -> None:
    result = {"board": 1, "result": "1-0"}

    answers = {name: enter(person, event, result) for name, person in everyone.items()}

    assert {name: answer.status_code for name, answer in answers.items()} == {
        "organiser": 200, "player": 403, "stranger": 403, "anonymous": 401,
    }  # fmt: skip
    Role.objects.create(stream=event.stream, account=stranger.account, role=Role.Name.SCORER)
    assert enter(stranger, event, {"board": 2, "result": "0-1"}).status_code == 200


def test_a_dry_run_changes_nothing(organiser: Person, event: Event) -> None:
    lines = JournalLine.objects.count()
    body = {"results": [{"board": 1, "result": "1-0"}], "basis": "slip"}

    response = organiser.post(f"{event.path}/rounds/1/results?dry_run=1", body)

    assert found(response.json())[0] == (1, "1-0", "slip", "agreed")
    assert (Report.objects.count(), JournalLine.objects.count()) == (0, lines)
    assert not Game.objects.filter(state="confirmed").exists()


def test_a_bundle_has_the_slips(staff: Person, organiser: Person, event: Event) -> None:
    enter(organiser, event, {"board": 1, "result": "14-7"}, {"board": 2, "result": "0-1f"})
    content = write_bundle(event.tournament)
    empty_tables()

    import_bundle(content, by=staff.account)

    imported = Tournament.objects.get(slug=event.tournament.slug)
    body = staff.get(f"{event.path}/rounds/1/results").json()
    assert found(body)[:2] == [
        (1, "14-7", "slip", "agreed"),
        (2, "0-1f", "ruling", "forfeit"),
    ]
    assert write_bundle(imported) == content
    assert verify_tournament(imported.stream) == []


@pytest.fixture
def scorer(event: Event) -> Person:
    person = make_person("Sten")
    Role.objects.create(stream=event.stream, account=person.account, role="scorer")
    return person


def claimed(result: str) -> ReportStatement:
    return ReportStatement(GameOutcome.from_result(result, Termination.AGREED))


def revoke(person: Person, event: Event, *boards: int) -> Any:
    games = {game.place.split("/")[2]: game.pk for game in event.games()}
    body = {"games": [games[str(board)] for board in boards]}
    return person.post(f"{event.path}/rounds/1/results/revoke", body)


def test_nobody_takes_back_the_results_of_others(
    organiser: Person, event: Event, scorer: Person, ada: Person
) -> None:
    enter(organiser, event, {"board": 1, "result": "14-7"}, {"board": 2, "result": "0-1f"})

    problem = problem_in(revoke(scorer, event, 1, 2, 3), 409, "report_superseded")

    assert [error["pointer"] for error in problem["errors"]] == [f"/games/{at}" for at in range(3)]
    assert problem["errors"][0]["detail"] == (
        "board 1: its last report is not a result that you entered; decide the game instead"
    )
    problem_in(revoke(ada, event, 1), 403)
    assert enter(scorer, event, {"board": 3, "result": "14-7"}).status_code == 200
    assert revoke(scorer, event, 3).json()["missing"] == 1


def test_who_entered_results_takes_them_back(organiser: Person, event: Event) -> None:
    enter(organiser, event, {"board": 1, "result": "14-7"}, {"board": 2, "result": "0-1f"})

    response = revoke(organiser, event, 1, 2)

    assert found(response.json()) == [(board, None, None, None) for board in (1, 2, 3)]
    kinds = list(JournalLine.objects.order_by("sequence").values_list("kind", flat=True))
    assert kinds[-4:] == ["report.revocation", "report.revocation", "game.open", "game.open"]
    assert verify_tournament(event.stream) == []
    problem_in(revoke(organiser, event, 1), 409, "report_superseded")
    again = enter(organiser, event, {"board": 1, "result": "7-14"})
    assert found(again.json())[0] == (1, "7-14", "slip", "agreed")


def test_a_game_has_its_earlier_result_again(organiser: Person, event: Event, ada: Person) -> None:
    (game,) = (game for game in event.games() if player_of(ada) in (game.first, game.second))
    board = int(game.place.split("/")[2])
    add_report(game.pk, None, Report.Kind.CLAIM, seat="first", statement=claimed("14-7"))
    settle()
    enter(organiser, event, {"board": board, "result": "7-14"})
    rule_game(game, by=organiser.account, reason="seen", result="14-7")
    settle()

    row = revoke(organiser, event, board).json()["results"][board - 1]

    assert (row["result"], row["basis"]) == ("7-14", "slip")
    problem_in(revoke(organiser, event, board), 409, "report_superseded")


def test_a_report_of_a_player_waits_again(organiser: Person, event: Event) -> None:
    game = event.games()[0]
    add_report(game.pk, None, Report.Kind.CLAIM, seat="first", statement=claimed("14-7"))
    settle()
    enter(organiser, event, {"board": 1, "result": "7-14"})

    row = revoke(organiser, event, 1).json()["results"][0]

    assert (row["state"], row["result"]) == ("waiting", None)
    assert verify_tournament(event.stream) == []


def test_results_of_a_complete_round_are_not_taken_back(organiser: Person, event: Event) -> None:
    enter(organiser, event, *({"board": board, "result": "1-0"} for board in (1, 2, 3)))
    game = event.games()[0]
    organiser.post(f"{event.path}/rounds/1/complete")
    problem_in(revoke(organiser, event, 1), 409, "wrong_state")
    change = {"changes": [{"game": game.pk, "result": "0-1"}], "reason": "a wrong slip"}
    path = f"{event.path}/corrections"
    digest = organiser.post(f"{path}?dry_run=1", change).json()["digest"]
    assert organiser.post(path, change | {"digest": digest}).status_code == 200
    organiser.post(f"{event.path}/rounds/1/reopen", {"reason": "one is missing"})

    problem_in(revoke(organiser, event, 1, 2), 409, "report_superseded")
    assert revoke(organiser, event, 2).status_code == 200
    assert verify_tournament(event.stream) == []


@pytest.mark.parametrize("games", [[], None, ["x"], [0], [10**30], [1] * 10_001, [999_999_999]])
def test_only_games_of_the_round_are_taken_back(
    organiser: Person, event: Event, games: Any
) -> None:
    enter(organiser, event, {"board": 1, "result": "1-0"})

    problem_in(organiser.post(f"{event.path}/rounds/1/results/revoke", {"games": games}), 422)

    assert event.games()[0].state == "confirmed"
