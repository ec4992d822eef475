"""`rounds/{n}/versions`, `unpair`, `restore`, `reopen`: nothing published is lost."""

from typing import Any

import pytest

from games.models import Game
from ratings.models import BatchGame
from tests.events import FIRST_WINS, Event, make_event, make_players, settle
from tests.people import Person, make_person, make_player, player_of, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.models import Round
from tournament.rounds.services import complete_round

pytestmark = pytest.mark.django_db
WHY = {"reason": "the wrong round"}


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """Return a running, rated event of Ada and three others; round 1 is complete."""
    event = make_event(make_person("Olga"), pool="star", system="dutch")
    event.enter(player_of(make_player("Ada", 2100)), *make_players(3))
    event.step("open", "start").play(1)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


def post(who: Person, event: Event, action: str, number: int = 1, **body: Any) -> Any:
    return who.post(f"{event.path}/rounds/{number}/{action}", WHY | body)


def states(event: Event) -> list[tuple[str, int]]:
    """Return the state and the version of each round."""
    return list(event.tournament.round_set.order_by("number").values_list("state", "version"))


def void_games(event: Event) -> list[bool]:
    """Return whether each game of the event is void, in the order of their ids."""
    games = Game.objects.filter(stream=event.stream).order_by("pk")
    return list(games.values_list("void", flat=True))


def test_an_unpaired_round_is_restored_with_its_results(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    before = anonymous.get(f"{event.path}/rounds/1/pairings").json()
    standings = anonymous.get(f"{event.path}/standings").json()["rows"]

    assert post(organiser, event, "unpair").json()["state"] == "planned"

    assert (states(event)[0], void_games(event)) == (("planned", 2), [True, True])
    problem_in(anonymous.get(f"{event.path}/rounds/1/pairings"), 404)
    assert anonymous.get("games").json()["results"] == []
    event.publish(1)
    assert void_games(event) == [True, True, False, False]

    answer = post(organiser, event, "restore", version=1)

    assert answer.json() == before | {"state": "published"}
    assert void_games(event) == [False, False, True, True]
    complete_round(event.tournament, 1, by=organiser.account)
    assert anonymous.get(f"{event.path}/standings").json()["rows"] == standings
    assert states(event)[0] == ("complete", 1)
    assert verify() == []


def test_what_is_not_published_any_more_holds_nothing(organiser: Person, event: Event) -> None:
    """The time of the publication says whether earlier rounds can be reopened."""
    event.draft(2)
    event.draft(2)
    organiser.post(f"{event.path}/rounds/2/publish")
    assert post(organiser, event, "restore", 2, version=1).json()["state"] == "drafted"
    assert Round.objects.get(number=2).published_at is None
    assert post(organiser, event, "restore", 2, version=2).json()["state"] == "published"
    assert Round.objects.get(number=2).published_at is not None
    problem_in(post(organiser, event, "unpair", 2, reason=""), 422, "reason_needed")
    assert post(organiser, event, "unpair", 2).json()["state"] == "planned"
    this_round = Round.objects.get(number=2)
    assert (this_round.published_at, this_round.system, this_round.reason) == (None, "", "")
    assert void_games(event) == [False, False, True, True]
    assert post(organiser, event, "reopen").json()["state"] == "published"
    first = Round.objects.get(number=1)
    assert (first.completed_at, first.published_at is None) == (None, False)
    assert verify() == []


def test_a_league_keeps_its_later_drafts(organiser: Person) -> None:
    options = {"schedule": "league"}
    fields = {"system": "round-robin", "rounds": 3, "system_options": options}
    event = make_event(organiser, slug="league", **fields)
    event.enter(*make_players(4))
    event.step("open", "start")
    post(organiser, event, "unpair", 2)
    event.draft(2)
    post(organiser, event, "unpair", 1)
    assert [state for state, _ in states(event)] == ["planned", "drafted", "published"]


def test_versions_name_who_set_them_when_why_and_their_state(
    organiser: Person, event: Event
) -> None:
    post(organiser, event, "reopen", reason="a late report")
    (version,) = organiser.get(f"{event.path}/rounds/1/versions").json()["results"]
    assert version["state"] == "published"
    post(organiser, event, "unpair")
    post(organiser, event, "pair", reason="")
    post(organiser, event, "restore", version=1, reason="the players agreed")

    versions = organiser.get(f"{event.path}/rounds/1/versions").json()["results"]

    by = f"account/{organiser.account.pk}"
    assert {line["actor"] for version in versions for line in version["history"]} == {by}
    assert [
        (
            version["version"],
            version["state"],
            version["is_current"],
            version["system"],
            [(line["action"], line["reason"]) for line in version["history"]],
        )
        for version in versions
    ] == [
        (1, "published", True, "dutch", [
            ("paired", None), ("published", None), ("completed", None),
            ("reopened", "a late report"),
            ("unpaired", "the wrong round"), ("restored", "the players agreed"),
        ]),
        (3, "drafted", False, "dutch", [("paired", None)]),
    ]  # fmt: skip


def test_a_version_shows_its_void_games(organiser: Person, event: Event) -> None:
    post(organiser, event, "unpair")

    (listed,) = organiser.get(f"{event.path}/rounds/1/versions").json()["results"]
    body = organiser.get(listed["url"]).json()

    assert (body["url"], body["version"]) == (listed["url"], 1)
    assert [line["result"] for line in body["rows"]] == ["11-10", "11-10"]
    problem_in(organiser.get(f"{event.path}/rounds/1/versions/2"), 404, "not_found")
    problem = problem_in(post(organiser, event, "restore", version=9), 409, "no_such_version")
    assert problem["valid"] == ["1"]
    event.draft(1)
    problem_in(post(organiser, event, "restore", version=3), 409, "version_current")


def test_void_games_are_neither_reported_nor_rated(
    organiser: Person, ada: Person, event: Event
) -> None:
    old = next(game for game in event.games() if player_of(ada) in (game.first, game.second))
    post(organiser, event, "unpair")

    for person in (ada, organiser):
        problem_in(person.get(f"games/{old.pk}"), 404)
        problem_in(person.post(f"games/{old.pk}/reports", {"record": FIRST_WINS}), 404)

    event.publish(1)
    for game in Game.objects.filter(void=False):
        organiser.post(f"games/{game.pk}/rule", {"result": "0-1", "reason": "seen"})
    settle()
    complete_round(event.tournament, 1, by=organiser.account)
    for number in (2, 3):
        event.play(number)
    event.step("review", "finalise")
    rated = set(BatchGame.objects.values_list("game", flat=True))
    assert rated == set(Game.objects.filter(void=False).values_list("pk", flat=True))
    assert len(rated) == 6
    assert verify() == []


def test_a_draft_is_withdrawn_with_the_round_that_it_depends_on(
    organiser: Person, event: Event
) -> None:
    event.draft(2)

    assert post(organiser, event, "reopen").json()["state"] == "published"

    assert states(event)[:2] == [("published", 1), ("planned", 2)]
    problem_in(post(organiser, event, "restore", 2, version=1), 409, "round_open")
    complete_round(event.tournament, 1, by=organiser.account)
    assert post(organiser, event, "restore", 2, version=1).json()["state"] == "drafted"
    assert verify() == []


@pytest.mark.parametrize("action", ["unpair", "reopen", "restore"])
def test_a_later_published_round_depends_on_the_results(
    organiser: Person, event: Event, action: str
) -> None:
    event.publish(2)
    body = {"version": 1} if action == "restore" else {}

    problem = problem_in(post(organiser, event, action, **body), 409, "later_round_published")

    assert problem["round"] == 2
    assert states(event)[:2] == [("complete", 1), ("published", 1)]


REJECTED = {
    "unpair without a reason": ("unpair", 1, {"reason": ""}, 422, "reason_needed"),
    "reopen without a reason": ("reopen", 1, {"reason": ""}, 422, "reason_needed"),
    "restore the current version": ("restore", 1, {"version": 1}, 409, "no_such_version"),
}


@pytest.mark.parametrize(
    ("action", "number", "body", "status", "code"), REJECTED.values(), ids=REJECTED
)
def test_rejections(
    organiser: Person,
    event: Event,
    action: str,
    number: int,
    body: dict[str, Any],
    status: int,
    code: str,
) -> None:
    problem_in(post(organiser, event, action, number, **body), status, code)
    assert states(event) == [("complete", 1), ("planned", 0), ("planned", 0)]
