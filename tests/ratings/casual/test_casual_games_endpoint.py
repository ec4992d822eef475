"""`POST /games` and the answers: a player proposes a casual game, another accepts or declines."""

from datetime import timedelta
from itertools import cycle
from typing import Any

import pytest
from django.conf import LazySettings
from django.core import mail
from django.utils import timezone

from games import tasks
from games.core.authentication import remember_language
from games.core.permissions import SCOPES
from games.models import EmailLink, Game, JournalLine, Player
from ratings.batches.queries import batches_as_json
from ratings.models import BatchGame, Pool
from ratings.tasks import sweep_pools
from tests.events import FIRST_WINS, FIRST_WINS_OTHERWISE, settle
from tests.people import Person, make_person, player_of, problem_in, statuses
from tournament.events.verification import verify_stream
from tournament.exchange.journal import public_heads


@pytest.fixture
def start(ada: Person, ben: Person) -> dict[str, Any]:
    """Ada has proposed a game to Ben."""
    response = ada.post("games", proposal(ben))
    assert response.status_code == 201, response.content
    return {"ada": ada, "ben": ben, "game": response.json()["id"]}


@pytest.fixture
def game(start: dict[str, Any]) -> int:
    return start["game"]


def proposal(opponent: Person, **changes: Any) -> dict[str, Any]:
    """A proposal of a rated game in which the opponent moves second."""
    number = player_of(opponent).pk
    body = {"opponent": number, "seat": "first", "ruleset": "star-star", "board_size": "4"}
    return body | {"rated": True, "pool": "star"} | changes


def test_a_proposed_game(ada: Person, ben: Person, game: int) -> None:
    for person in (ada, ben):
        body = person.get(f"games/{game}").json()
        allowed = [row["action"] for row in body["allowed_actions"] if row["level"] == "safe"]
        assert allowed == (["cancel"] if person is ada else ["accept", "decline"])
    created_at = Game.objects.get(pk=game).created_at

    names = ("tournament", "ruleset", "board_size", "swap", "handicap")
    assert {name: body[name] for name in names} == {
        "tournament": None,
        "ruleset": "star-star",
        "board_size": "4",
        "swap": True,
        "handicap": None,
    }
    assert [body["first"]["name"], body["second"]["name"]] == ["Ada", "Ben"]
    assert (body["rated"], body["pool"], body["state"]) == (True, "star", "proposed")
    assert body["proposed_by"] == "first"
    assert body["answer_by"] == (created_at + timedelta(days=7)).isoformat().replace("+00:00", "Z")
    own = ada.get(f"games?player={player_of(ada).pk}&state=proposed").json()["results"]
    assert [row["id"] for row in own] == [game]


def test_an_accepted_game_is_reported_settled_and_rated(
    ada: Person, ben: Person, game: int
) -> None:
    Pool.objects.update(policy="open")
    accepted = ben.post(f"games/{game}/accept").json()
    assert (accepted["state"], accepted["answer_by"]) == ("open", None)
    for person in (ada, ben):
        person.post(f"games/{game}/reports", {"record": FIRST_WINS})
    settle()

    sweep_pools.run()

    filed = BatchGame.objects.get(game=game)
    assert (filed.pool.code, filed.exclusion, filed.batch.kind) == ("star", "", "game")
    (batch,) = batches_as_json(filed.pool, [filed.batch])
    assert (batch["tournament"], batch["game"]) == (None, game)
    assert ada.get(f"games/{game}").json()["basis"] == "proof"
    (rating,) = ada.get(f"games/{game}/rating-changes").json()["results"]
    assert (rating["pool"], rating["state"], len(rating["changes"])) == ("star", "rated", 2)
    kinds = JournalLine.objects.filter(stream=f"game/{game}").values_list("kind", flat=True)
    assert list(kinds) == [
        "game.proposed", "game.accepted", "report.record", "report.record", "game.confirmed",
    ]  # fmt: skip
    assert verify_stream(f"game/{game}") == []


@pytest.mark.parametrize(
    ("person", "action", "state"), [("ben", "decline", "declined"), ("ada", "cancel", "cancelled")]
)
def test_a_proposal_ends(
    start: dict[str, Any], game: int, person: str, action: str, state: str
) -> None:
    assert start[person].post(f"games/{game}/{action}").json()["state"] == state

    for call in ("accept", "decline", "cancel", "reports"):
        sender = start["ada"] if call == "cancel" else start["ben"]
        body = {"claim": {"result": "11-10"}} if call == "reports" else {}
        code = "game_not_accepted" if call == "reports" else "not_proposed"
        problem = problem_in(sender.post(f"games/{game}/{call}", body), 409, code)
        assert {row["level"] for row in problem["allowed_actions"]} == {"forbidden"}
    assert verify_stream(f"game/{game}") == []


def test_who_may_answer(
    everyone: dict[str, Person], ben: Person, officer: Person, game: int
) -> None:
    people = everyone | {"ben": ben, "officer": officer}
    others = {"organiser": 404, "stranger": 404, "anonymous": 404, "officer": 404}

    for action, of_ada, of_ben in (
        ("accept", 403, 200),
        ("decline", 403, 200),
        ("cancel", 200, 403),
    ):
        found = statuses(people, "POST", f"games/{game}/{action}?dry_run=1")
        assert (action, found) == (action, others | {"player": of_ada, "ben": of_ben})
    assert Game.objects.get(pk=game).state == "proposed"


def test_who_may_propose(everyone: dict[str, Person], ben: Person) -> None:
    assert statuses(everyone, "POST", "games?dry_run=1", proposal(ben)) == {
        "organiser": 403, "player": 200, "stranger": 403, "anonymous": 401,
    }  # fmt: skip
    assert not Game.objects.exists()
    reader = everyone["player"].with_token("tournament:read")
    problem_in(reader.post("games", proposal(ben)), 403, "scope_missing")
    elsewhere = everyone["player"].with_token(*SCOPES, stream="tournament/spring")
    problem_in(elsewhere.post("games", proposal(ben)), 403, "token_elsewhere")


@pytest.mark.parametrize("is_short", [True, pytest.param(False, marks=pytest.mark.long)])
@pytest.mark.parametrize("end", ["", "decline"])
def test_strangers_see_nothing_of_a_proposal(
    everyone: dict[str, Person], ben: Person, officer: Person, game: int, end: str, is_short: bool
) -> None:
    """Let each of the others send each request; in short, one of them in turn."""
    if end:
        ben.post(f"games/{game}/{end}")
    player = player_of(ben).pk
    others = [everyone["organiser"], everyone["stranger"], everyone["anonymous"], officer]
    next_other = cycle(others)

    def people() -> list[Person]:
        return [next(next_other)] if is_short else others

    for path in ("", "/record", "/record.svg", "/reports", "/ratings"):
        for person in people():
            problem_in(person.get(f"games/{game}{path}"), 404)
    for query in ("", f"?player={player}", "?state=proposed", "?state=declined", "?pool=star"):
        for person in people():
            assert person.get(f"games{query}").json()["results"] == []
    for call in ("reports", "confirm", "dispute", "rule", "annul", "accept"):
        for person in people():
            problem_in(person.post(f"games/{game}/{call}", {}), 404)
    assert f"game/{game}" not in [head.stream for head in public_heads()]


REFUSED = [
    ({"opponent": 10**6}, 422, "unknown_player", "/opponent"),
    ({"opponent": "ada"}, 422, "same_player", "/opponent"),
    ({"opponent": "unclaimed"}, 422, "opponent_without_account", "/opponent"),
    ({"seat": "third"}, 422, "invalid", "/seat"),
    ({"ruleset": "chess"}, 422, "unknown_ruleset", "/ruleset"),
    ({"ruleset": "queens", "board_size": "10"}, 422, "solitaire", "/ruleset"),
    ({"board_size": "7"}, 422, "unknown_board_size", "/board_size"),
    ({"options": ["fast"]}, 422, "bad_tag", "/options"),
    ({"handicap": "3 stones"}, 422, "handicap_conflict", "/handicap"),
    ({"handicap": "second 3 stones", "swap": True}, 422, "handicap_conflict", "/handicap"),
    ({"handicap": "second 9 points"}, 422, "handicap_conflict", "/handicap"),
    ({"handicap": "second 2 stones, 9 points"}, 422, "handicap_conflict", "/handicap"),
    ({"handicap": "second S20 Q99"}, 422, "handicap_conflict", "/handicap"),
    ({"handicap": "second S20 S20"}, 422, "handicap_conflict", "/handicap"),
    ({"handicap": f"second{' S20' * 99}"}, 422, "invalid", "/handicap"),
    ({"pool": "moon"}, 422, "unknown_pool", "/pool"),
    ({"pool": ""}, 422, "pool_needed", "/pool"),
    ({"ruleset": "hex", "board_size": "11"}, 422, "ruleset_not_rated", "/ruleset"),
    ({"increment_seconds": 5}, 422, "senseless_time", "/increment_seconds"),
    ({"main_minutes": 0}, 422, "senseless_time", "/main_minutes"),
    ({"main_minutes": 1441}, 422, "invalid", "/main_minutes"),
    ({"colour": "red"}, 422, "unknown_member", "/colour"),
]


def test_a_rated_game_on_a_board_that_the_pool_does_not_rate_is_refused(
    ada: Person, ben: Person, game: int
) -> None:
    Pool.objects.update(rated_games={"star-star": ["6"]})
    problem = problem_in(ada.post("games", proposal(ben)), 422, "board_size_not_rated")
    assert problem["errors"][0]["pointer"] == "/board_size"
    assert ada.post("games", proposal(ben, rated=False)).status_code == 201


def test_all_that_a_pool_does_not_rate_is_said_at_once(ada: Person, ben: Person) -> None:
    Pool.objects.update(time_classes=["rapid"])
    other = {"ruleset": "hex", "board_size": "11"}
    problem = problem_in(ada.post("games", proposal(ben, **other)), 422, "ruleset_not_rated")
    assert [error["pointer"] for error in problem["errors"]] == ["/ruleset", "/main_minutes"]


def test_a_rated_game_has_a_time_class_of_the_pool(ada: Person, ben: Person, game: int) -> None:
    Pool.objects.update(time_classes=["rapid"])
    for times in ({}, {"main_minutes": 3}, {"main_minutes": 50, "increment_seconds": 10}):
        problem = problem_in(ada.post("games", proposal(ben, **times)), 422, "time_class_not_rated")
        assert problem["errors"][0]["pointer"] == "/main_minutes"
        assert problem["valid"] == ["rapid"]
        assert ada.post("games", proposal(ben, rated=False, **times)).status_code == 201

    rapid = {"main_minutes": 15, "increment_seconds": 10}
    body = ada.post("games", proposal(ben, **rapid)).json()
    assert {name: body[name] for name in rapid} == rapid
    assert body["time_class"] == "rapid"
    line = JournalLine.objects.get(stream=f"game/{body['id']}")
    assert line.payload.body | rapid == line.payload.body


@pytest.mark.parametrize(("changes", "status", "code", "pointer"), REFUSED)
def test_an_impossible_proposal_is_refused(
    ada: Person,
    ben: Person,
    game: int,
    changes: dict[str, Any],
    status: int,
    code: str,
    pointer: str,
) -> None:
    names = {"ada": player_of(ada), "unclaimed": Player.objects.create(name="Cleo")}
    if changes.get("opponent") in names:
        changes = {"opponent": names[changes["opponent"]].pk}

    problem = problem_in(ada.post("games", proposal(ben) | changes), status, code)

    assert problem["errors"][0]["pointer"] == pointer
    assert Game.objects.count() == 1


def test_a_closed_pool_takes_no_proposal(ada: Person, ben: Person, game: int) -> None:
    Pool.objects.update(policy=Pool.Policy.CLOSED)

    problem_in(ada.post("games", proposal(ben)), 409, "pool_closed")
    assert ada.post("games", proposal(ben, rated=False)).status_code == 201


def test_a_handicap_is_part_of_the_conditions(ada: Person, ben: Person, game: int) -> None:
    body = ada.post("games", proposal(ben, seat="second", handicap="second 2 stones")).json()
    ben.post(f"games/{body['id']}/accept")

    assert (body["swap"], body["handicap"]) == (False, {"seat": "second", "stones": 2})
    assert (body["first"]["name"], body["proposed_by"]) == ("Ben", "second")
    report = ada.post(f"games/{body['id']}/reports", {"record": FIRST_WINS})
    errors = problem_in(report, 422, "conditions_differ")["errors"]
    assert [error["pointer"] for error in errors] == ["/record/swap", "/record/handicap"]


def test_an_unanswered_proposal_expires(ada: Person, ben: Person, game: int) -> None:
    assert tasks.expire_casual_games.run() == 0
    Game.objects.update(created_at=timezone.now() - timedelta(days=7))
    problem_in(ben.post(f"games/{game}/accept"), 409, "proposal_expired")

    assert (tasks.expire_casual_games.run(), tasks.expire_casual_games.run()) == (1, 0)

    body = ben.get(f"games/{game}").json()
    assert (body["state"], body["answer_by"]) == ("expired", None)
    (moved,) = verify_stream(f"game/{game}")  # the time that this test has moved
    assert moved.startswith("game: created_at is ")


@pytest.mark.parametrize("is_reported", [False, True], ids=["not reported", "reported"])
def test_an_accepted_game_without_a_report_expires(
    ada: Person, ben: Person, stranger: Person, game: int, is_reported: bool
) -> None:
    body = ben.post(f"games/{game}/accept").json()
    accepted_at = Game.objects.get(pk=game).accepted_at
    assert accepted_at is not None
    deadline = accepted_at + timedelta(days=90)
    assert body["report_by"] == deadline.isoformat().replace("+00:00", "Z")
    if is_reported:
        ada.post(f"games/{game}/reports", {"claim": {"result": "11-10"}})
    assert tasks.expire_casual_games.run() == 0
    Game.objects.update(accepted_at=timezone.now() - timedelta(days=90))

    assert tasks.expire_casual_games.run() == (0 if is_reported else 1)

    if is_reported:
        settle()
        assert ada.get(f"games/{game}").json()["state"] == "waiting"
        return
    body = ada.get(f"games/{game}").json()
    assert (body["state"], body["report_by"]) == ("expired", None)
    problem_in(stranger.get(f"games/{game}"), 404)
    response = ada.post(f"games/{game}/reports", {"record": FIRST_WINS})
    problem_in(response, 409, "game_not_accepted")
    (moved,) = verify_stream(f"game/{game}")  # the time that this test has moved
    assert moved.startswith("game: accepted_at is ")


def sent_messages() -> list[tuple[list[str], str, str]]:
    """Send what is due; return the recipients, the subjects and the texts."""
    mail.outbox.clear()
    tasks.send_due_links.run()
    return [(message.to, message.subject, message.body) for message in mail.outbox]


def test_the_other_player_gets_an_email(ada: Person, ben: Person, game: int) -> None:
    ((to, subject, text),) = sent_messages()
    assert (to, subject) == (["ben@example.org"], "Proposal of a game")
    assert text.startswith("Ada proposes a game to you. Accept or decline it until ")
    assert f"/games/{game}/reports\n\nIf you want no messages that others send you" in text

    remember_language(ada.account, "de")
    ben.post(f"games/{game}/accept")

    ((to, subject, text),) = sent_messages()
    assert (to, subject) == (["ada@example.org"], "Ihr Vorschlag einer Partie wurde angenommen")
    assert text.startswith("Ben hat die von Ihnen vorgeschlagene Partie angenommen. Melden Sie ")
    assert f"/games/{game}/reports\n\nMöchten Sie keine Nachrichten" in text
    assert sent_messages() == []


def test_no_email_about_a_proposal_that_ended_or_that_repeats_one_of_the_day(
    ada: Person, ben: Person, game: int
) -> None:
    ada.post(f"games/{game}/cancel")
    assert sent_messages() == []
    ada.post("games", proposal(ben))
    assert sent_messages() == []

    EmailLink.objects.update(created_at=timezone.now() - timedelta(days=1))
    ada.post("games?dry_run=1", proposal(ben))
    assert sent_messages() == []
    ada.post("games", proposal(ben))
    assert len(sent_messages()) == 1


def test_open_proposals_are_limited(
    ada: Person, ben: Person, game: int, settings: LazySettings
) -> None:
    settings.QUOTAS = settings.QUOTAS | {"proposals": 1}

    problem_in(ada.post("games", proposal(ben)), 409, "quota_reached")
    assert ben.post("games", proposal(ada)).status_code == 201


def test_officers_of_the_pool_rule_on_a_dispute(
    everyone: dict[str, Person], ada: Person, ben: Person, officer: Person, game: int
) -> None:
    Pool.objects.update(policy="open")
    ben.post(f"games/{game}/accept")
    ada.post(f"games/{game}/reports", {"record": FIRST_WINS})
    ben.post(f"games/{game}/reports", {"record": FIRST_WINS_OTHERWISE})
    settle()
    ruling = {"result": "11-10", "reason": "both scores agree"}

    people = everyone | {"officer": officer, "staff": make_person("Site", is_staff=True)}
    assert statuses(people, "POST", f"games/{game}/rule?dry_run=1", ruling) == {
        "organiser": 403, "player": 403, "stranger": 403, "anonymous": 401, "officer": 200,
        "staff": 200,
    }  # fmt: skip
    assert officer.get(f"games/{game}").json()["dispute"].startswith("the two records differ")
    assert everyone["stranger"].get(f"games/{game}").json()["dispute"] is None
    assert len(officer.get(f"games/{game}/reports").json()["results"]) == 2

    accepted = officer.post(f"games/{game}/rule", ruling)
    settle()
    assert officer.get(accepted["Location"]).json()["result"] == {
        "game": game,
        "state": "confirmed",
    }
    sweep_pools.run()
    assert BatchGame.objects.get(game=game).exclusion == ""


def test_an_unrated_game_is_not_filed(ada: Person, ben: Person, game: int) -> None:
    number = ada.post("games", proposal(ben, rated=False, pool="")).json()["id"]
    ben.post(f"games/{number}/accept")
    for person in (ada, ben):
        person.post(f"games/{number}/reports", {"claim": {"result": "11-10"}})
    settle()
    sweep_pools.run()

    assert Game.objects.get(pk=number).state == "confirmed"
    assert not BatchGame.objects.exists()
