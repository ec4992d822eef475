"""`allowed_actions` of a game: the level says what the call does, for every role."""

from typing import Any

import pytest

from games.models import Game, Player
from tests.events import FIRST_WINS, SECOND_WINS, Event, make_event, settle
from tests.people import Person, make_person, player_of, problem_in, with_officials

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "record": ("reports", {"record": FIRST_WINS}),
    "claim": ("reports", {"claim": {"result": "11-10"}}),
    "confirm": ("confirm", {}),
    "dispute": ("dispute", {"reason": "the last ply was another one"}),
    "rule": ("rule", {"result": "1-0", "reason": "seen"}),
    "annul": ("annul", {"reason": "both sides used the wrong board"}),
    "adjourn": ("adjourn", {"reason": "the hall closes at ten"}),
}
ROLES = ("owner", "director", "scorer", "player", "stranger", "anonymous")


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    event = make_event(organiser, rounds=1)
    event.enter(player_of(ada), player_of(ben))
    return event.step("open", "start")


@pytest.fixture
def game(event: Event) -> Game:
    (game,) = event.publish()
    return game


@pytest.fixture
def people(
    event: Event, organiser: Person, ada: Person, stranger: Person, anonymous: Person
) -> dict[str, Person]:
    others = {"owner": organiser, "player": ada, "stranger": stranger, "anonymous": anonymous}
    return with_officials(event.stream, others)


def compare(person: Person, game: Game) -> str:
    """Compare the levels with dry runs; return the actions that are allowed."""
    path = f"games/{game.pk}"
    actions = person.get(path).json()["allowed_actions"]
    levels = {action["action"]: action for action in actions}
    assert not actions or list(levels) == list(CALLS)
    for name, (suffix, body) in CALLS.items():
        response = person.post(f"{path}/{suffix}?dry_run=1", body)
        if not actions:
            assert response.status_code in (401, 403), (name, response.content)
        elif levels[name]["level"] == "forbidden":
            code = levels[name]["code"]
            problem = problem_in(response, 403 if code == "role_missing" else 409, code)
            assert problem["detail"] == levels[name]["reason"]
            assert problem["allowed_actions"] == actions
        else:
            assert response.status_code == 200, (name, response.content)
            assert (levels[name]["level"] == "unsafe") == (name in ("rule", "annul", "adjourn"))
    return " ".join(name for name in levels if levels[name]["level"] != "forbidden")


def test_the_level_of_an_action_says_what_the_call_does(
    event: Event, game: Game, people: dict[str, Person], ben: Person
) -> None:
    def allowed(*roles: str) -> list[str]:
        return [compare(people[role], game) for role in roles]

    arbiter = ["rule annul adjourn"] * 3
    assert allowed(*ROLES) == [*arbiter, "record claim", "", ""]
    ben.post(f"games/{game.pk}/reports", {"record": SECOND_WINS})
    assert allowed("player", "scorer") == ["record claim confirm dispute", "rule annul adjourn"]
    assert compare(ben, game) == "record claim"
    ruling = {"result": "0-1", "reason": "the record was read at the board"}
    people["scorer"].post(f"games/{game.pk}/rule", ruling)
    settle()
    assert allowed(*ROLES) == [*["rule annul"] * 3, "", "", ""]
    event.step("cancel")
    assert allowed("owner", "player") == ["", ""]


def test_a_ruled_game_without_reports_allows_its_players_nothing(
    game: Game, organiser: Person, ada: Person
) -> None:
    organiser.post(f"games/{game.pk}/rule", {"result": "1-0", "reason": "seen"})
    settle()

    assert compare(ada, game) == ""


def test_a_stale_ruling_lists_the_allowed_actions(game: Game, organiser: Person) -> None:
    path = f"games/{game.pk}"
    actions = organiser.get(path).json()["allowed_actions"]

    response = organiser.post(f"{path}/annul", {"reason": "seen"}, If_Match='"1.7.0"')

    assert problem_in(response, 412, "stale")["allowed_actions"] == actions


def test_a_merged_player_is_the_one_they_merged_into(game: Game, organiser: Person) -> None:
    kept = make_person("Kim")
    other = Player.objects.create(name="Kim", account=kept.account)
    Player.objects.filter(pk=game.second_id).update(merged_into=other, account=None)

    assert compare(kept, game) == "record claim"
