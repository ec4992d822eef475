"""`/games/{id}/reports`, `confirm` and `dispute`: the reports of both sides, and the result."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games import tasks
from games.models import Game, JournalLine, Report, Role
from games.rules.records.record import Record
from tests.events import (
    FILLED_TWICE,
    FIRST_WINS,
    FIRST_WINS_OTHERWISE,
    SECOND_WINS,
    TAGS,
    UNFINISHED,
    Event,
    make_published,
    settle,
)
from tests.people import Person, player_of, problem_in
from tournament.models import Entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    return make_published(organiser, ada, ben)


@pytest.fixture
def game(event: Event) -> Game:
    """A game between Ada in the first seat and Ben."""
    (game,) = event.games()
    assert game.first.name == "Ada"
    return game


def kinds(stream: str) -> list[str]:
    lines = JournalLine.objects.filter(stream=stream).order_by("sequence")
    return [line.kind for line in lines if line.kind.startswith(("report.", "game."))]


def outcome_of(game: Game) -> tuple[str, str, str]:
    game.refresh_from_db()
    return game.state, game.basis, game.winner


def test_a_record_is_stored_as_it_was_sent(ada: Person, game: Game) -> None:
    response = ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})

    report = Report.objects.get()
    assert response.status_code == 202
    assert response["Location"] == f"/api/v1/tasks/report-{report.pk}"
    body = response.json()
    assert body["task"] == {
        "id": f"report-{report.pk}",
        "kind": "report",
        "state": "waiting",
        "progress": 0,
        "result": None,
        "since": body["report"]["received_at"],
        "reason": body["task"]["reason"],
        "retry_after": body["task"]["retry_after"],
    }
    assert {k: v for k, v in body["report"].items() if k not in ("id", "received_at")} == {
        "version": 1,
        "kind": "record",
        "seat": "first",
        "device": "player",
        "outcome": {
            "winner": "first",
            "draw": False,
            "score": {"first": 11, "second": 10},
            "termination": "agreed",
            "detail": {
                seat: {"peries": 0, "quarks": 0, "stars": 0} for seat in ("first", "second")
            },
        },
        "digest": Record.parse(FIRST_WINS).replay().digest,
        "confirms": None,
        "reason": None,
        "settled_at": None,
        "record": str(Record.parse(FIRST_WINS)),
    }


@pytest.mark.parametrize("content_type", ["text/plain", "application/octet-stream"])
def test_text_and_json_are_the_same_record(
    ada: Person, ben: Person, game: Game, content_type: str
) -> None:
    ada.post(f"games/{game.pk}/reports", FIRST_WINS, content_type=content_type)
    ben.post(f"games/{game.pk}/reports", {"record": Record.parse(FIRST_WINS).as_json()})
    settle()

    assert outcome_of(game) == ("confirmed", "proof", "first")
    assert kinds(game.stream) == ["report.record", "report.record", "game.confirmed"]


REPORTS = {
    "record": ({"record": FIRST_WINS}, {"record": FIRST_WINS}, "confirmed", "proof"),
    "claim": (
        {"claim": {"result": "11-10"}},
        {"claim": {"result": "11-10"}},
        "confirmed",
        "agreement",
    ),
    "record and claim": (
        {"record": FIRST_WINS},
        {"claim": {"result": "11-10"}},
        "confirmed",
        "agreement",
    ),
    "contradicting records": (
        {"record": FIRST_WINS},
        {"record": FIRST_WINS_OTHERWISE},
        "disputed",
        "",
    ),
    "contradicting results": ({"record": FIRST_WINS}, {"record": SECOND_WINS}, "disputed", ""),
    "contradicting claims": (
        {"claim": {"result": "11-10"}},
        {"claim": {"result": "0-1", "termination": "resigned"}},
        "disputed",
        "",
    ),
    "a record against a claim": (
        {"claim": {"result": "11-10"}},
        {"record": SECOND_WINS},
        "disputed",
        "",
    ),
}


@pytest.mark.parametrize(("first", "second", "state", "basis"), REPORTS.values(), ids=REPORTS)
def test_two_reports_give_a_state(
    ada: Person,
    ben: Person,
    game: Game,
    first: dict[str, Any],
    second: dict[str, Any],
    state: str,
    basis: str,
) -> None:
    path = f"games/{game.pk}/reports"

    assert [ada.post(path, first).status_code, ben.post(path, second).status_code] == [202, 202]
    settle()

    winner = "first" if state == "confirmed" else ""
    assert outcome_of(game) == (state, basis, winner)
    versions = ada.get(path).json()["results"]
    assert [(row["version"], row["seat"]) for row in versions] == [(1, "first"), (2, "second")]
    assert all(row["settled_at"] for row in versions)


def test_the_other_side_can_confirm(ada: Person, ben: Person, game: Game) -> None:
    ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    settle()
    assert outcome_of(game)[0] == "waiting"

    response = ben.post(f"games/{game.pk}/confirm", {"version": 1})
    settle()

    assert response.status_code == 202
    assert response.json()["report"]["confirms"] == 1
    assert outcome_of(game) == ("confirmed", "proof", "first")


def test_the_other_side_can_dispute(ada: Person, ben: Person, game: Game) -> None:
    ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})

    response = ben.post(f"games/{game.pk}/dispute", {"reason": "we never played ply 2"})
    settle()

    assert response.status_code == 202
    assert outcome_of(game)[0] == "disputed"


def test_a_report_without_a_reply_is_confirmed_at_the_deadline(ada: Person, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(confirm_hours=0)
    ada.post(f"games/{game.pk}/reports", {"claim": {"result": "11-10"}})

    settle()

    assert outcome_of(game) == ("confirmed", "undisputed", "first")


def personal(organiser: Person, game: Game, player: Person) -> Person:
    """Return who uses the token that the organiser issued to a player."""
    entry = Entry.objects.get(tournament__slug="spring", player=player_of(player))
    issued = organiser.post(f"tournaments/spring/entries/{entry.pk}/token").json()
    return Person("the holder of the token", secret=issued["token"])


CONFIRMATION = ("confirm", {"version": 1})
REPORTED_BY = {
    "both with issued tokens": (["issued", "issued"], None, ["director"] * 2, "links"),
    "one confirms with an issued token": (
        ["issued", "issued"],
        CONFIRMATION,
        ["director"] * 2,
        "links",
    ),
    "one with their own login": (["issued", "own"], None, ["director", "player"], "proof"),
    "one confirms with their own login": (
        ["issued", "own"],
        CONFIRMATION,
        ["director", "player"],
        "proof",
    ),
    "both with their own logins": (["own", "own"], None, ["player"] * 2, "proof"),
    "nobody answers an issued token": (["issued"], None, ["director"], "ruling"),
    "nobody answers an own login": (["own"], None, ["player"], "proof"),
}


@pytest.mark.parametrize(
    ("logins", "answer", "devices", "basis"), REPORTED_BY.values(), ids=REPORTED_BY
)
def test_what_a_director_could_have_sent_proves_nothing(
    organiser: Person,
    ada: Person,
    ben: Person,
    game: Game,
    logins: list[str],
    answer: tuple[str, dict[str, int]] | None,
    devices: list[str],
    basis: str,
) -> None:
    """A director knows the secrets of the tokens that directors issue."""
    Game.objects.filter(pk=game.pk).update(confirm_hours=0 if len(logins) == 1 else 24)
    requests = [("reports", {"record": FIRST_WINS}), answer or ("reports", {"record": FIRST_WINS})]
    for player, login, (action, body) in zip((ada, ben), logins, requests, strict=False):
        sender = personal(organiser, game, player) if login == "issued" else player
        assert sender.post(f"games/{game.pk}/{action}", body).status_code == 202
    settle()

    assert outcome_of(game) == ("confirmed", basis, "first")
    reports = organiser.get(f"games/{game.pk}/reports").json()["results"]
    assert [report["device"] for report in reports] == devices
    lines = JournalLine.objects.filter(stream=game.stream, kind__startswith="report.")
    assert [line.payload.body["device"] for line in lines.order_by("sequence")] == devices


@pytest.mark.parametrize(("role", "basis"), [("scorer", "links"), (None, "proof")])
def test_an_official_who_plays_needs_the_answer_of_the_other_side(
    organiser: Person, ada: Person, ben: Person, game: Game, role: str | None, basis: str
) -> None:
    if role:
        Role.objects.create(stream=game.stream, account=ada.account, role=role)
    ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})

    personal(organiser, game, ben).post(f"games/{game.pk}/confirm")
    settle()

    assert outcome_of(game) == ("confirmed", basis, "first")


def test_settling_twice_changes_nothing(ada: Person, ben: Person, game: Game) -> None:
    for person in (ada, ben):
        person.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    settle()
    before = Game.objects.values().get(pk=game.pk), kinds(game.stream)

    tasks.settle_game.run(game.pk)
    tasks.settle_due.run()

    assert (Game.objects.values().get(pk=game.pk), kinds(game.stream)) == before
    assert kinds(game.stream).count("game.confirmed") == 1


ILLEGAL = {
    "a cell twice": (FILLED_TWICE, {"code": "occupied", "ply": 3, "move": "S10", "cell": "S10"}),
    "an unknown cell": (
        TAGS + "S10 Z99\n",
        {"code": "unknown_cell", "ply": 2, "move": "Z99", "cell": "Z99"},
    ),
    "a late swap": (TAGS + "S10 T10 swap\n", {"code": "swap_not_allowed", "ply": 3}),
    "moves after the end": (TAGS + "S10 T10 resign A10\n", {"code": "after_end"}),
    "a score beyond the bounds": (TAGS + "S10 agreed 21-0\n", {"code": "claim_out_of_bounds"}),
    "a score of another board": (TAGS + "S10 agreed 26-25\n", {"code": "claim_contradicts"}),
    "a broken tag": ('[Game "star-star"\n\nS10\n', {"code": "unreadable", "line": 1}),
    "an unknown game": ('[Game "chess"]\n[Board "8"]\n\ne4\n', {"code": "unknown_game"}),
    "an unknown board": ('[Game "star-star"]\n[Board "5"]\n\nS10\n', {"code": "unknown_board"}),
    "nonsense": ("\u2654\u2655\u2656", {"code": "unreadable"}),
}


@pytest.mark.parametrize(("record", "expected"), ILLEGAL.values(), ids=ILLEGAL)
@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/octet-stream", "application/json"]
)
def test_an_illegal_record_adds_one_line_to_the_journal(
    ada: Person, game: Game, record: str, expected: dict[str, Any], content_type: str
) -> None:
    before = JournalLine.objects.count(), Game.objects.values().get(pk=game.pk)
    body = {"record": record} if content_type == "application/json" else record

    response = ada.post(f"games/{game.pk}/reports", body, content_type=content_type)

    problem = problem_in(response, 422, expected["code"])
    (error,) = problem["errors"]
    assert {**error, **expected} == error
    assert not Report.objects.exists()
    assert JournalLine.objects.count() == before[0] + 1
    assert Game.objects.values().get(pk=game.pk) == before[1]
    line = JournalLine.objects.order_by("-pk").select_related("payload").first()
    assert line is not None
    assert (line.kind, line.actor) == ("report.refused", f"account/{ada.account.pk}")
    assert line.payload.body["game"] == game.pk
    assert line.payload.body["errors"][0]["code"] == expected["code"]


MALFORMED_RECORDS = [
    {"game": "star-star"},
    {"game": "star-star", "board": "4", "moves": "S10"},
    {"game": "star-star", "board": "4", "moves": [1, 2]},
    {"game": "star-star", "board": "4", "moves": [["S10"]]},
    {"game": "star-star", "board": "4", "moves": {"1": "S10"}},
    {"game": ["star-star"], "board": "4", "moves": []},
    {"game": "star-star", "board": 4, "moves": []},
    {"game": "star-star", "board": "4", "moves": [], "swap": "maybe"},
    {"game": "star-star", "board": "4", "moves": [], "options": 7},
    {"game": "star-star", "board": "4", "moves": [], "handicap": {"seat": "second"}},
    {"game": "star-star", "board": "4", "moves": [], "handicap": {"seat": [], "stones": {}}},
    {
        "game": "star-star",
        "board": "4",
        "moves": [],
        "handicap": {"seat": "second", "stones": 10**3000},
    },
    {"game": "star-star", "board": "4", "moves": ["agreed"], "result": 10**3000},
    {"game": "star-star", "board": "4", "moves": ["agreed"], "result": "9" * 5000 + "-0"},
    {"game": "star-star", "board": "4", "moves": [], "tags": ["First", "Ada"]},
    {"game": "star-star", "board": "4", "moves": [], "tags": {"First": {"Ada": 1}}},
    {"game": "star-star", "board": "4", "moves": [], "comments": [{"ply": "x"}]},
    {"moves": ["S10"] * 100_000, "game": "star-star", "board": "4"},
]


@pytest.mark.parametrize("record", MALFORMED_RECORDS, ids=range(len(MALFORMED_RECORDS)))
def test_a_malformed_record_is_rejected(ada: Person, game: Game, record: Any) -> None:
    problem_in(ada.post(f"games/{game.pk}/reports", {"record": record}), 422)

    assert not Report.objects.exists()


def test_a_record_that_proves_nothing_is_rejected(ada: Person, game: Game) -> None:
    path = f"games/{game.pk}/reports"

    problem_in(ada.post(path, {"record": UNFINISHED}), 422, "record_unfinished")

    assert not Report.objects.exists()


OTHER_GAMES = {
    "board": FIRST_WINS.replace('"4"', '"6"').replace("agreed 11-10", "resign"),
    "swap": FIRST_WINS.replace("\n\n", '\n[Swap "no"]\n\n'),
    "handicap": TAGS.replace("\n\n", '\n[Handicap "second 2 points"]\n\n') + "S10 resign\n",
    "advice": FIRST_WINS.replace("\n\n", '\n[Advice "first"]\n\n'),
    "First": FIRST_WINS.replace("\n\n", '\n[First "Ben"]\n[Second "Ada"]\n\n'),
}


@pytest.mark.parametrize(("name", "record"), OTHER_GAMES.items(), ids=OTHER_GAMES)
def test_a_record_of_another_game_is_rejected(
    ada: Person, game: Game, name: str, record: str
) -> None:
    response = ada.post(f"games/{game.pk}/reports", {"record": record})

    problem = problem_in(response, 422, "conditions_differ")
    assert name in [error["pointer"].rsplit("/", 1)[1] for error in problem["errors"]]
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, ""),
        ({"record": FIRST_WINS, "claim": {"result": "11-10"}}, ""),
        ({"record": ""}, "/record"),
        ({"record": {}}, "/record"),
        ({"record": None}, "/record"),
        ({"record": 17}, "/record"),
        ({"record": [FIRST_WINS]}, "/record"),
        ({"record": FIRST_WINS, "seat": "third"}, "/seat"),
        ({"record": FIRST_WINS, "seat": ["first"]}, "/seat"),
        ({"record": FIRST_WINS, "seat": {"first": 1}}, "/seat"),
        ({"claim": "11-10"}, "/claim"),
        ({"claim": {}}, "/claim/result"),
        ({"claim": {"result": "won"}}, "/claim/result"),
        ({"claim": {"result": ["11-10"]}}, "/claim/result"),
        ({"claim": {"result": "99999-1"}}, "/claim/result"),
        ({"claim": {"result": "11-10\n"}}, None),
        ({"claim": {"result": "11-10", "termination": "boredom"}}, "/claim/termination"),
        ({"claim": {"result": "11-10", "termination": ["agreed"]}}, "/claim/termination"),
        ([], ""),
        (17, ""),
    ],
)
def test_an_invalid_body_is_rejected(
    ada: Person, game: Game, body: object, pointer: str | None
) -> None:
    response = ada.post(f"games/{game.pk}/reports", body)

    if pointer is None:
        assert response.status_code == 202  # white space around a value is allowed
        return
    problem = problem_in(response, 422, "invalid")
    assert problem["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize("result", ["21-0", "26-25", "1/2", "1-0", "0-1", "-4-25", "11--10"])
def test_an_impossible_claim_is_rejected(ada: Person, game: Game, result: str) -> None:
    response = ada.post(f"games/{game.pk}/reports", {"claim": {"result": result}})

    problem_in(response, 422, "impossible_result")
    assert not Report.objects.exists()


class TestPermissions:
    ACTIONS = {
        "reports": {"record": FIRST_WINS},
        "confirm": {},
        "dispute": {"reason": "no"},
    }

    @pytest.mark.parametrize(("word", "body"), ACTIONS.items(), ids=ACTIONS)
    def test_only_the_players_may_report(
        self,
        everyone: dict[str, Person],
        ben: Person,
        game: Game,
        word: str,
        body: dict[str, Any],
    ) -> None:
        ben.post(f"games/{game.pk}/reports", {"claim": {"result": "10-11"}})
        path = f"games/{game.pk}/{word}"

        found = {name: person.post(path, body) for name, person in everyone.items()}

        assert {name: response.status_code for name, response in found.items()} == {
            "organiser": 403,
            "player": 202,
            "stranger": 403,
            "anonymous": 401,
        }
        problem_in(found["stranger"], 403, "role_missing")

    def test_a_player_cannot_report_for_the_other_seat(self, ada: Person, game: Game) -> None:
        body = {"record": FIRST_WINS, "seat": "second"}

        problem_in(ada.post(f"games/{game.pk}/reports", body), 403, "not_your_game")

    @pytest.mark.parametrize(
        ("scopes", "body", "status"),
        [
            (["record:write"], {"record": FIRST_WINS}, 202),
            (["result:write"], {"record": FIRST_WINS}, 403),
            (["result:write"], {"claim": {"result": "11-10"}}, 202),
            (["record:write"], {"claim": {"result": "11-10"}}, 403),
            (["tournament:write", "tournament:read"], {"record": FIRST_WINS}, 403),
        ],
    )
    def test_a_token_needs_the_scope(
        self, ada: Person, game: Game, scopes: list[str], body: dict[str, Any], status: int
    ) -> None:
        response = ada.with_token(*scopes).post(f"games/{game.pk}/reports", body)

        assert response.status_code == status
        if status == 403:
            problem_in(response, 403, "scope_missing")

    def test_a_token_of_another_event_is_rejected(self, ada: Person, game: Game) -> None:
        elsewhere = ada.with_token("record:write", stream="tournament/autumn")
        here = ada.with_token("record:write", stream=game.stream)
        body = {"record": FIRST_WINS}

        problem_in(elsewhere.post(f"games/{game.pk}/reports", body), 403, "token_elsewhere")
        assert here.post(f"games/{game.pk}/reports", body).status_code == 202

    def test_players_and_officials_read_the_reports(
        self, everyone: dict[str, Person], game: Game
    ) -> None:
        path = f"games/{game.pk}/reports"

        found = {name: person.get(path).status_code for name, person in everyone.items()}

        assert found == {"organiser": 200, "player": 200, "stranger": 403, "anonymous": 401}


class TestStates:
    @pytest.mark.parametrize(("word", "body"), [("confirm", {}), ("dispute", {"reason": "no"})])
    def test_nothing_is_reported_yet(
        self, ada: Person, game: Game, word: str, body: dict[str, str]
    ) -> None:
        response = ada.post(f"games/{game.pk}/{word}", body)

        problem_in(response, 409, "nothing_to_answer")

    def test_a_superseded_report_cannot_be_confirmed(
        self, ada: Person, ben: Person, game: Game
    ) -> None:
        for result in ("11-10", "12-9"):
            ada.post(f"games/{game.pk}/reports", {"claim": {"result": result}})

        response = ben.post(f"games/{game.pk}/confirm", {"version": 1})

        problem_in(response, 409, "report_superseded")

    @pytest.mark.parametrize("version", [0, -1, 2**31, 10**30, "one", [1], True, 1.5])
    def test_an_invalid_version_is_rejected(
        self, ada: Person, ben: Person, game: Game, version: object
    ) -> None:
        ada.post(f"games/{game.pk}/reports", {"claim": {"result": "11-10"}})

        response = ben.post(f"games/{game.pk}/confirm", {"version": version})

        problem_in(response, 422, "invalid")

    @pytest.mark.parametrize(("word", "body"), TestPermissions.ACTIONS.items())
    def test_only_an_arbiter_changes_a_settled_game(
        self, ada: Person, ben: Person, game: Game, word: str, body: dict[str, Any]
    ) -> None:
        for person in (ada, ben):
            person.post(f"games/{game.pk}/reports", {"claim": {"result": "11-10"}})
        settle()

        problem_in(ada.post(f"games/{game.pk}/{word}", body), 409, "game_settled")

    @pytest.mark.parametrize("number", ["0", "99999999", "9" * 30])
    def test_an_unknown_game_is_404(self, ada: Person, number: str) -> None:
        for word, body in TestPermissions.ACTIONS.items():
            problem_in(ada.post(f"games/{number}/{word}", body), 404, "not_found")


@pytest.mark.parametrize(
    ("word", "body"),
    [("reports", {"record": FIRST_WINS}), ("confirm", {}), ("dispute", {"reason": "no"})],
)
def test_a_dry_run_stores_nothing(
    ada: Person, ben: Person, game: Game, word: str, body: dict[str, str]
) -> None:
    ben.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    before = Report.objects.count(), JournalLine.objects.count()

    response = ada.post(f"games/{game.pk}/{word}?dry_run=1", body)

    assert response.status_code == 200
    assert response.json()["report"]["version"] == 2
    assert (Report.objects.count(), JournalLine.objects.count()) == before


def test_a_dry_run_of_an_illegal_record_adds_no_line(ada: Person, game: Game) -> None:
    before = JournalLine.objects.count()

    problem_in(ada.post(f"games/{game.pk}/reports?dry_run=1", {"record": FILLED_TWICE}), 422)

    assert JournalLine.objects.count() == before


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_reports_takes_a_fixed_number_of_queries(
    ada: Person, game: Game, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for result in ("11-10", "10-11", "12-9")[:count]:
        ada.post(f"games/{game.pk}/reports", {"claim": {"result": result}})

    with django_assert_num_queries(4):  # the token, the game, the roles, the reports
        assert len(ada.get(f"games/{game.pk}/reports").json()["results"]) == count
