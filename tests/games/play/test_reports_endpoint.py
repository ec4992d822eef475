"""`/games/{id}/reports`, `confirm` and `dispute`: the reports of both sides, and the result."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.core.errors import Conflict
from games.models import Game, JournalLine, Report, Role
from games.play.services import confirm
from games.rules.records.record import Record
from tests.events import (
    FILLED_TWICE,
    FIRST_WINS,
    FIRST_WINS_OTHERWISE,
    TAGS,
    UNFINISHED,
    Event,
    make_published,
    make_running,
    settle,
)
from tests.people import URL, Person, make_person, make_player, player_of, problem_in
from tournament.models import Entry

pytestmark = pytest.mark.django_db
RECORD = {"record": FIRST_WINS}
CLAIM = {"claim": {"result": "11-10"}}
OTHER_CLAIM = {"claim": {"result": "10-11"}}
ANSWERS = {"reports": RECORD, "confirm": {}, "dispute": {"reason": "no"}}


@pytest.fixture(scope="module")
def published(rows_of_module: None) -> Event:
    people = make_person("Olga"), make_player("Ada", 2100), make_player("Ben", 1900)
    return make_published(*people)


@pytest.fixture
def event(db: None, published: Event) -> Event:
    return published.again()


@pytest.fixture
def game(event: Event) -> Game:
    """A game between Ada in the first seat and Ben."""
    (game,) = event.games()
    assert game.first.name == "Ada"
    return game


def report(person: Person, game: Game, body: dict[str, Any], word: str = "reports") -> Any:
    """Return the report that the answer has."""
    response = person.post(f"games/{game.pk}/{word}", body)
    assert response.status_code == 202, response.content
    return response.json()["report"]


def kinds(stream: str) -> list[str]:
    lines = JournalLine.objects.filter(stream=stream).order_by("sequence")
    return [line.kind for line in lines if line.kind.startswith(("report.", "game.", "record."))]


def outcome_of(game: Game) -> tuple[str, str, str]:
    game.refresh_from_db()
    return game.state, game.basis, game.winner


def test_a_record_is_stored_as_it_was_sent(ada: Person, game: Game) -> None:
    response = ada.post(f"games/{game.pk}/reports", RECORD)

    stored = Report.objects.get()
    assert response.status_code == 202
    assert response["Location"] == f"{URL}tasks/report-{stored.pk}"
    body = response.json()
    assert body["task"] == {
        "id": f"report-{stored.pk}",
        "kind": "report",
        "state": "waiting",
        "url": f"{URL}tasks/report-{stored.pk}",
        "progress": None,
        "response": None,
        "problem": None,
        "since": body["report"]["received_at"],
        "reason": body["task"]["reason"],
        "retry_after": body["task"]["retry_after"],
    }
    sent = {
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
    }
    shown = sent | {"settled_at": None, "record_text": str(Record.parse(FIRST_WINS))}
    assert {k: v for k, v in body["report"].items() if k not in ("id", "received_at")} == shown
    payload = JournalLine.objects.get(kind="report.record").payload.body
    del payload["salt"]
    assert payload == sent | {"game": game.pk, "reason": ""}


def test_text_and_json_are_the_same_record(ada: Person, ben: Person, game: Game) -> None:
    ada.post(f"games/{game.pk}/reports", FIRST_WINS, content_type="text/plain")
    ben.post(f"games/{game.pk}/reports", {"record": Record.parse(FIRST_WINS).as_json()})
    settle()

    assert outcome_of(game) == ("confirmed", "proof", "first")
    assert kinds(game.stream) == ["report.record", "report.record", "game.confirmed"]
    versions = ada.get(f"games/{game.pk}/reports").json()["results"]
    assert [(row["version"], row["seat"]) for row in versions] == [(1, "first"), (2, "second")]
    assert all(row["settled_at"] for row in versions)


def personal(organiser: Person, game: Game, player: Person) -> Person:
    """Return who uses the token that the organiser issued to a player."""
    entry = Entry.objects.get(tournament__slug="spring", player=player_of(player))
    issued = organiser.post(f"tournaments/spring/entries/{entry.pk}/token").json()
    return Person("the holder of the token", secret=issued["token"])


@pytest.mark.parametrize(
    ("logins", "devices", "basis"),
    [
        (["issued", "issued"], ["director"] * 2, "links"),
        (["issued", "own"], ["director", "player"], "proof"),
        (["scorer", "issued"], ["director"] * 2, "links"),
    ],
)
def test_what_a_director_could_have_sent_proves_nothing(
    organiser: Person, ada: Person, ben: Person, game: Game, logins: list[str],
    devices: list[str], basis: str,
) -> None:  # fmt: skip
    """A director knows the secrets of the tokens that directors issue."""
    if "scorer" in logins:
        Role.objects.create(stream=game.stream, account=ada.account, role="scorer")
    senders = [
        personal(organiser, game, player) if login == "issued" else player
        for player, login in zip((ada, ben), logins, strict=True)
    ]
    report(senders[0], game, RECORD)
    report(senders[1], game, {"version": 1}, "confirm")
    settle()

    assert outcome_of(game) == ("confirmed", basis, "first")
    reports = organiser.get(f"games/{game.pk}/reports").json()["results"]
    assert [row["device"] for row in reports] == devices


ILLEGAL = {
    "a cell twice": (FILLED_TWICE, {"code": "occupied", "ply": 3, "move": "S10", "cell": "S10"}),
    "a broken tag": ('[Game "star-star"\n\nS10\n', {"code": "unreadable", "line": 1}),
}


@pytest.mark.parametrize(("record", "expected"), ILLEGAL.values(), ids=ILLEGAL)
def test_an_illegal_record_adds_one_line_to_the_journal(
    ada: Person, game: Game, record: str, expected: dict[str, Any]
) -> None:
    before = JournalLine.objects.count(), Game.objects.values().get(pk=game.pk)
    path, body = f"games/{game.pk}/reports", {"record": record}

    problem_in(ada.post(f"{path}?dry_run=1", body), 422)
    assert JournalLine.objects.count() == before[0]
    problem = problem_in(ada.post(path, body), 422, expected["code"])
    (error,) = problem["errors"]
    assert {**error, **expected, "pointer": "/record"} == error
    assert not Report.objects.exists()
    assert JournalLine.objects.count() == before[0] + 1
    assert Game.objects.values().get(pk=game.pk) == before[1]
    line = JournalLine.objects.order_by("-pk").select_related("payload")[0]
    assert (line.kind, line.actor) == ("report.refused", f"account/{ada.account.pk}")
    assert (line.payload.body["game"], line.payload.body["seat"]) == (game.pk, "first")
    assert line.payload.body["errors"][0]["code"] == expected["code"]


def test_a_record_of_another_game_is_rejected(ada: Person, game: Game) -> None:
    path = f"games/{game.pk}/reports"
    advised = FIRST_WINS.replace("\n\n", '\n[Advice "first"]\n\n')
    problem = problem_in(ada.post(path, {"record": advised}), 422, "conditions_differ")
    assert [error["pointer"] for error in problem["errors"]] == ["/record/advice"]
    problem_in(ada.post(path, {"record": UNFINISHED}), 422, "record_unfinished")
    assert not Report.objects.exists()


def test_a_report_is_either_a_record_or_a_possible_claim(ada: Person, game: Game) -> None:
    path = f"games/{game.pk}/reports"
    for body in ({}, RECORD | CLAIM):
        problem = problem_in(ada.post(path, body), 422, "invalid")
        assert problem["errors"][0]["pointer"] == ""
    problem_in(ada.post(path, {"claim": {"result": "1/2"}}), 422, "impossible_result")
    assert not Report.objects.exists()
    resigned = report(ada, game, {"claim": {"result": "0-1", "termination": "resigned"}})
    assert (resigned["kind"], resigned["outcome"]["termination"]) == ("claim", "resigned")


def test_a_token_needs_the_scope_of_what_it_sends(ada: Person, game: Game) -> None:
    path, other = f"games/{game.pk}/reports", RECORD | {"seat": "second"}
    problem_in(ada.post(path, other), 403, "not_your_game")
    for scope, body, status in (
        ("record:write", RECORD, 200),
        ("result:write", RECORD, 403),
        ("result:write", CLAIM, 200),
        ("record:write", CLAIM, 403),
    ):
        answer = ada.with_token(scope).post(f"{path}?dry_run=1", body)
        assert (scope, body, answer.status_code) == (scope, body, status)


def test_who_holds_both_seats_says_for_which_one_they_report(ada: Person, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(second=game.first)
    assert report(ada, game, RECORD)["seat"] == "first"
    assert report(ada, game, RECORD | {"seat": "second"})["seat"] == "second"


def test_only_the_last_report_of_the_other_side_is_answered(
    ada: Person, ben: Person, game: Game
) -> None:
    for word in ("confirm", "dispute"):
        answer = ada.post(f"games/{game.pk}/{word}", ANSWERS[word])
        problem_in(answer, 409, "nothing_to_answer")
    report(ada, game, CLAIM)
    report(ada, game, OTHER_CLAIM)
    for version in (1, 3):
        answer = ben.post(f"games/{game.pk}/confirm", {"version": version})
        problem = problem_in(answer, 409, "report_superseded")
        assert [error["pointer"] for error in problem["errors"]] == ["/version"]
    assert report(ben, game, {}, "confirm")["confirms"] == 2
    problem_in(ada.post(f"games/{game.pk}/confirm", {}), 409, "nothing_to_answer")


def test_only_an_arbiter_changes_a_settled_game(ada: Person, ben: Person, game: Game) -> None:
    for person in (ada, ben):
        report(person, game, CLAIM)
    settle()
    for word, body in ANSWERS.items():
        problem_in(ada.post(f"games/{game.pk}/{word}", body), 409, "game_settled")
    game.refresh_from_db()
    report_of_ben = game.reports.get(version=2)
    with pytest.raises(Conflict) as refused:
        confirm(game, by=ada.account, version=report_of_ben.version)
    assert refused.value.code == "game_settled"


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_reports_takes_a_fixed_number_of_queries(
    ada: Person, game: Game, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for result in ("11-10", "10-11", "12-9")[:count]:
        report(ada, game, {"claim": {"result": result}})

    with django_assert_num_queries(4):  # the token, the game, the roles, the reports
        assert len(ada.get(f"games/{game.pk}/reports").json()["results"]) == count


# --- reports that repeat, and quotas ------------------------------------------------------------


def set_quota(settings: Any, **quotas: int) -> None:
    settings.QUOTAS = {**settings.QUOTAS, **quotas}


def quota_in(response: Any) -> tuple[str, int, str]:
    """Return the quota that a problem names, its limit and its setting."""
    problem = problem_in(response, 409, "quota_reached")
    assert problem["detail"].startswith(f"the limit is {problem['limit']} ")
    return problem["quota"], problem["limit"], problem["setting"]


REPEATED = {
    "a record": ([RECORD, {"record": FIRST_WINS + "\n"}], [1, 1]),
    "another record": ([RECORD, {"record": FIRST_WINS_OTHERWISE}], [1, 2]),
    "a claim for a record": ([RECORD, CLAIM], [1, 2]),
    "an earlier claim again": ([CLAIM, OTHER_CLAIM, CLAIM], [1, 2, 3]),
}


@pytest.mark.parametrize(("bodies", "versions"), REPEATED.values(), ids=REPEATED)
def test_identical_reports_count_once(
    ada: Person, game: Game, bodies: list[Any], versions: list[int]
) -> None:
    assert [report(ada, game, body)["version"] for body in bodies] == versions
    lines = JournalLine.objects.filter(stream=game.stream, kind__startswith="report.")
    assert game.reports.count() == lines.count() == max(versions)


def test_the_other_side_and_its_answers_are_not_repetitions(
    ada: Person, ben: Person, game: Game
) -> None:
    versions = [
        report(ada, game, RECORD)["version"],
        report(ben, game, RECORD)["version"],
        *(report(ada, game, {"reason": why}, "dispute")["version"] for why in "aab"),
    ]
    assert versions == [1, 2, 3, 3, 4]


def test_a_player_reports_a_game_a_limited_number_of_times(
    settings: Any, ada: Person, ben: Person, organiser: Person, game: Game
) -> None:
    set_quota(settings, reports=2)
    path = f"games/{game.pk}/reports"

    responses = [ada.post(path, body) for body in (CLAIM, OTHER_CLAIM, OTHER_CLAIM, CLAIM)]

    assert [response.status_code for response in responses] == [202, 202, 202, 409]
    assert quota_in(responses[3]) == ("reports", 2, "QUOTA_REPORTS")
    assert ben.post(path, CLAIM).status_code == 202
    ruling = {"result": "1-0", "reason": "both agree"}
    assert organiser.post(f"games/{game.pk}/rule", ruling).status_code == 202


def test_what_another_account_has_sent_for_the_seat_does_not_count(
    settings: Any, ada: Person, stranger: Person, game: Game
) -> None:
    """The player was another account's before a merge."""
    settings.QUOTAS = settings.QUOTAS | {"reports": 1}
    Report.objects.create(game=game, by=stranger.account, version=1, seat="first", kind="claim")
    assert ada.post(f"games/{game.pk}/reports", CLAIM).status_code == 202


def test_the_records_of_a_player_have_a_total_size(settings: Any, ada: Person, game: Game) -> None:
    records = [FIRST_WINS, FIRST_WINS_OTHERWISE]
    limit = sum(len(str(Record.parse(record)).encode()) for record in records) - 1
    set_quota(settings, record_bytes=limit)
    path = f"games/{game.pk}/reports"

    responses = [ada.post(path, body) for body in (RECORD, {"record": records[1]}, CLAIM)]

    assert [response.status_code for response in responses] == [202, 409, 202]
    assert quota_in(responses[1]) == ("record_bytes", limit, "QUOTA_RECORD_BYTES")
    set_quota(settings, record_bytes=limit + 1)
    assert ada.post(path, {"record": records[1]}).status_code == 202


def refused_lines(game: Game) -> int:
    return JournalLine.objects.filter(stream=game.stream, kind="report.refused").count()


def test_a_rejected_record_is_journalled_once_and_within_a_quota(
    settings: Any, ada: Person, ben: Person, event: Event, game: Game
) -> None:
    set_quota(settings, rejected_records=2)
    path = f"games/{game.pk}/reports"
    lines = []
    for record in (FILLED_TWICE, FILLED_TWICE, TAGS + "S10 Z99\n", TAGS + "S10 Z98\n"):
        problem_in(ada.post(path, {"record": record}), 422)
        lines.append(refused_lines(game))
    problem_in(ben.post(path, {"record": FILLED_TWICE}), 422)

    assert lines == [1, 1, 2, 2]
    assert refused_lines(game) == 3
    set_quota(settings, rejected_records=9)
    Game.objects.update(closed=True)
    problem_in(ben.post(path, {"record": TAGS + "S10 Z97\n"}), 422)
    problem_in(ben.post(path, CLAIM), 409, "tournament_final")
    assert refused_lines(game) == 3


# --- records that several games have ------------------------------------------------------------


def repeated() -> list[tuple[str, int, list[int]]]:
    lines = JournalLine.objects.filter(kind="record.repeated").order_by("pk")
    return [(line.actor, line.payload.body["game"], line.payload.body["games"]) for line in lines]


def test_a_record_that_other_games_have_is_flagged(organiser: Person, stranger: Person) -> None:
    event = make_running(organiser, 6, slug="repeated", rounds=1)
    first, second, third = event.publish()
    other = {}
    for slug, public in (("autumn", True), ("hidden", False)):
        elsewhere = make_running(stranger, 2, slug=slug, rounds=1, public=public)
        (other[slug],) = elsewhere.publish()
        elsewhere.rule(other[slug])
    assert [game for _, game, _ in repeated()] == [other["hidden"].pk]  # autumn is public

    event.rule(first, FIRST_WINS_OTHERWISE)
    event.rule(second, f'[First "Player 2"]\n{FIRST_WINS}')
    event.rule(third)

    assert repeated()[1:] == [
        ("system", second.pk, [other["autumn"].pk]),
        ("system", third.pk, [second.pk, other["autumn"].pk]),
    ]
    organiser.post(f"games/{second.pk}/annul", {"reason": "wrong seats"})
    stranger.post(f"games/{other['autumn'].pk}/annul", {"reason": "wrong seats"})
    settle()
    event.rule(first)
    assert repeated()[3:] == [("system", first.pk, [third.pk])]
