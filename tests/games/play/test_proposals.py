"""`POST /games` and the answers: a player proposes a casual game, another accepts or declines."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.core import mail
from django.utils import timezone

from games import tasks
from games.core.accounts.mail import Kind
from games.core.authentication import remember_language
from games.models import EmailLink, Game, Player
from games.play.queries import expired_games
from tests.events import FIRST_WINS
from tests.people import Person, player_of, problem_in
from tournament.events.verification import verify_stream


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
    body = {"opponent_id": number, "seat": "first", "ruleset": "star-star", "board_size": "4"}
    return body | {"rated": True, "pool": "star"} | changes


def test_a_proposed_game(ada: Person, ben: Person, game: int) -> None:
    for person in (ada, ben):
        body = person.get(f"games/{game}?actions=1").json()
        allowed = [row["operation"] for row in body["allowed_actions"] if row["level"] == "safe"]
        assert allowed == (["cancel_game"] if person is ada else ["accept_game", "decline_game"])
    created_at = Game.objects.get(pk=game).created_at

    names = ("tournament", "ruleset", "board_size", "swap", "handicap")
    assert {name: body[name] for name in names} == {
        "tournament": None,
        "ruleset": "star-star",
        "board_size": "4",
        "swap": True,
        "handicap": None,
    }
    assert [body["first"]["player"]["name"], body["second"]["player"]["name"]] == ["Ada", "Ben"]
    assert (body["rated"], body["pool"], body["state"]) == (True, "star", "proposed")
    assert body["proposed_by"] == "first"
    assert body["answer_by"] == (created_at + timedelta(days=7)).isoformat().replace("+00:00", "Z")
    own = ada.get(f"games?player={player_of(ada).pk}&state=proposed").json()["results"]
    assert [row["id"] for row in own] == [game]


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


REFUSED = [
    ({"opponent_id": 10**6}, 422, "unknown_player", "/opponent_id"),
    ({"opponent_id": "ada"}, 422, "same_player", "/opponent_id"),
    ({"opponent_id": "unclaimed"}, 422, "opponent_without_account", "/opponent_id"),
    ({"ruleset": "queens", "board_size": "10"}, 422, "solitaire", "/ruleset"),
    ({"ruleset": "chess", "board_size": "10"}, 422, "unknown_ruleset", "/ruleset"),
    ({"board_size": "99"}, 422, "unknown_board_size", "/board_size"),
    ({"options": ["fast"]}, 422, "bad_tag", "/options"),
    (
        {"handicap": {"seat": "second", "stones": ["S20", "Q99"]}},
        422,
        "handicap_conflict",
        "/handicap",
    ),
    ({"handicap": "second 2 stones"}, 422, "invalid", "/handicap"),
    ({"handicap": {"seat": "second"}}, 422, "invalid", "/handicap"),
    ({"handicap": {"seat": "second", "stones": ["A1", 5]}}, 422, "invalid", "/handicap/stones/1"),
    ({"handicap": {"seat": "second", "points": 0}}, 422, "invalid", "/handicap/points"),
    ({"handicap": {"seat": "third", "stones": 2}}, 422, "invalid", "/handicap/seat"),
    ({"handicap": {"seat": "second", "stone": 2}}, 422, "unknown_member", "/handicap/stone"),
    ({"pool": "moon"}, 422, "unknown_pool", "/pool"),
    ({"pool": ""}, 422, "pool_needed", "/pool"),
    ({"increment_seconds": 5}, 422, "senseless_time", "/increment_seconds"),
]


HAVE_VALUES = {
    "pool_needed", "solitaire", "unknown_board_size", "unknown_pool", "unknown_ruleset",
}  # fmt: skip


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
    if changes.get("opponent_id") in names:
        changes = {"opponent_id": names[changes["opponent_id"]].pk}

    problem = problem_in(ada.post("games", proposal(ben) | changes), status, code)

    error = problem["errors"][0]
    assert error["pointer"] == pointer
    assert error["code"] != "invalid_choice" or error["valid"] == ["first", "second"]
    assert ("valid" in problem) == (code in HAVE_VALUES)
    assert Game.objects.count() == 1


def test_with_the_first_move_there_is_no_swap(ada: Person, ben: Person, game: int) -> None:
    body = ada.post("games", proposal(ben, handicap={"seat": "first"})).json()

    assert (body["swap"], body["handicap"]) == (False, None)


def test_a_handicap_is_part_of_the_conditions(ada: Person, ben: Person, game: int) -> None:
    body = ada.post(
        "games", proposal(ben, seat="second", handicap={"seat": "second", "stones": 2})
    ).json()
    ben.post(f"games/{body['id']}/accept")

    assert (body["swap"], body["handicap"]) == (False, {"seat": "second", "stones": 2})
    assert body["handicap_text"] == "second 2 stones"
    assert (body["first"]["player"]["name"], body["proposed_by"]) == ("Ben", "second")
    report = ada.post(f"games/{body['id']}/reports", {"record": FIRST_WINS})
    errors = problem_in(report, 422, "conditions_differ")["errors"]
    assert [error["pointer"] for error in errors] == ["/record/swap", "/record/handicap"]


def test_the_seats_of_a_proposal(ada: Person, ben: Person) -> None:
    number = ada.post("games", proposal(ben, seat="second")).json()["id"]
    game = Game.objects.get(pk=number)
    assert (game.first, game.second) == (player_of(ben), player_of(ada))
    assert (game.proposed_by, game.public, game.consented) == ("second", False, False)
    problem_in(ben.post(f"games/{number}/cancel"), 403, "not_your_proposal")
    problem_in(ada.post(f"games/{number}/accept"), 403, "own_proposal")
    assert ben.post(f"games/{number}/accept").status_code == 200
    game.refresh_from_db()
    assert (game.public, game.consented) == (True, True)
    number = ada.post("games", proposal(ben, rated=False, pool="")).json()["id"]
    ben.post(f"games/{number}/accept")
    assert not Game.objects.get(pk=number).consented


def test_a_proposal_goes_to_the_player_that_somebody_was_merged_into(
    ada: Person, ben: Person
) -> None:
    old = Player.objects.create(name="Benjamin", merged_into=player_of(ben))
    body = ada.post("games", proposal(ben) | {"opponent_id": old.pk}).json()
    assert body["second"]["player"]["id"] == player_of(ben).pk
    old = Player.objects.create(name="Adah", merged_into=player_of(ada))
    problem_in(ada.post("games", proposal(ben) | {"opponent_id": old.pk}), 422, "same_player")


MOMENT = timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("state", "age", "expires"),
    [
        ("proposed", timedelta(days=7), True),
        ("proposed", timedelta(days=7) - MOMENT, False),
        ("open", timedelta(days=90), True),
        ("open", timedelta(days=90) - MOMENT, False),
        ("declined", timedelta(days=99), False),
        ("waiting", timedelta(days=99), False),
    ],
)
def test_a_game_expires_at_the_end_of_its_time(
    game: int, state: str, age: timedelta, expires: bool
) -> None:
    now = timezone.now()
    times = {"created_at": now - age, "accepted_at": None}
    if state != "proposed":
        times = {"created_at": now - timedelta(days=99), "accepted_at": now - age}
    Game.objects.update(state=state, **times)
    assert expired_games(now).exists() == expires


def test_an_unanswered_proposal_expires(ada: Person, ben: Person, game: int) -> None:
    assert tasks.expire_casual_games.run() == 0
    Game.objects.update(created_at=timezone.now() - timedelta(days=7))
    problem_in(ben.post(f"games/{game}/accept"), 409, "proposal_expired")

    assert (tasks.expire_casual_games.run(), tasks.expire_casual_games.run()) == (1, 0)

    body = ben.get(f"games/{game}").json()
    assert (body["state"], body["answer_by"]) == ("expired", None)
    assert sent_messages() == []
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
    ((to, _, text),) = sent_messages()
    assert to == ["ben@example.org"]
    assert f"/games/{game}/reports\n" in text

    remember_language(ada.account, "de")
    ben.post(f"games/{game}/accept")

    ((to, subject, text),) = sent_messages()
    assert (to, subject) == (["ada@example.org"], "Ihr Vorschlag einer Partie wurde angenommen")
    assert f"/games/{game}/reports\n" in text
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


def test_a_message_is_revoked_when_the_proposal_is_answered(
    ada: Person, ben: Person, game: int
) -> None:
    unsent = EmailLink.objects.filter(sent_at=None, revoked_at=None)
    assert list(unsent.values_list("kind", flat=True)) == [Kind.PROPOSAL]
    ben.post(f"games/{game}/accept")
    assert list(unsent.all().values_list("kind", flat=True)) == [Kind.ACCEPTANCE]


def test_open_proposals_are_limited(
    ada: Person, ben: Person, game: int, settings: LazySettings
) -> None:
    settings.QUOTAS = settings.QUOTAS | {"proposals": 2}

    # Those of others, and those that were answered, are not one's own open ones.
    assert ben.post("games", proposal(ada)).status_code == 201
    second = ada.post("games", proposal(ben, seat="second")).json()["id"]
    problem_in(ada.post("games", proposal(ben)), 409, "quota_reached")
    ben.post(f"games/{second}/decline")
    assert ada.post("games", proposal(ben)).status_code == 201
