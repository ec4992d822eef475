"""Which games, and what of a game, others see: the list, one game, its record and its reports."""

from typing import Any

import pytest

from games.core.waits import TaskKind
from games.models import Game, Player, Role
from games.play.queries import own_game_rows
from games.play.task_kinds import GAMES_TASK_KINDS
from tests.events import FIRST_WINS, FIRST_WINS_OTHERWISE, make_published, settle
from tests.people import Person, make_person, player_of, problem_in
from tournament.exchange.journal import public_heads


def propose(ada: Person, ben: Person, **fields: Any) -> int:
    body = {"opponent_id": player_of(ben).pk, "seat": "first", "ruleset": "star-star"}
    body |= {"board_size": "4", "rated": True, "pool": "star"}
    number: int = ada.post("games", body | fields).json()["id"]
    return number


def seen(person: Person, number: int) -> bool:
    """Return True if a person sees a game; the list, its record and its reports must agree."""
    status = person.get(f"games/{number}").status_code
    listed = {row["id"] for row in person.get("games").json()["results"]}
    assert (number in listed) == (status == 200)
    if status != 200:
        for path in ("", "/record", "/record.svg", "/reports"):
            problem_in(person.get(f"games/{number}{path}"), 404)
    return status == 200


@pytest.mark.parametrize(
    ("end", "others_see_it"),
    [("", False), ("decline", False), ("accept", True)],
)
def test_a_casual_game_is_public_when_both_have_agreed(
    ada: Person, ben: Person, stranger: Person, officer: Person, anonymous: Person,
    end: str, others_see_it: bool,
) -> None:  # fmt: skip
    number = propose(ada, ben)
    if end:
        ben.post(f"games/{number}/{end}")
    others = [stranger, officer, anonymous]
    assert [seen(person, number) for person in (ada, ben)] == [True, True]
    assert [seen(person, number) for person in others] == [others_see_it] * 3
    assert (f"game/{number}" in {head.stream for head in public_heads()}) == others_see_it
    allowed = {person.name: person.get(f"games/{number}/reports").status_code for person in others}
    if others_see_it:
        assert list(allowed.values()) == [403, 200, 401]


def test_officers_see_the_reports_of_the_games_of_their_own_pool(
    ada: Person, ben: Person, officer: Person
) -> None:
    number = propose(ada, ben, rated=False, pool="")
    ben.post(f"games/{number}/accept")
    problem_in(officer.get(f"games/{number}/reports"), 403)
    other = make_person("Other")
    Role.objects.create(stream="pool/club", account=other.account, role="rating_officer")
    number = propose(ada, ben)
    ben.post(f"games/{number}/accept")
    problem_in(other.get(f"games/{number}/reports"), 403)
    assert officer.get(f"games/{number}/reports").status_code == 200


@pytest.fixture
def game(organiser: Person, ada: Person, ben: Person) -> Game:
    """A private game of an event whose sides sent different records."""
    (found,) = make_published(organiser, ada, ben).games()
    for person, record in ((ada, FIRST_WINS), (ben, FIRST_WINS_OTHERWISE)):
        person.post(f"games/{found.pk}/reports", {"record": record})
    settle()
    Game.objects.update(public=False)
    return found


def test_a_private_game_is_seen_by_its_players_and_the_roles_of_its_event(
    game: Game, organiser: Person, ada: Person, ben: Person, stranger: Person, anonymous: Person
) -> None:
    helper, elsewhere = make_person("Helper"), make_person("Elsewhere")
    for person, stream in ((helper, game.stream), (elsewhere, "tournament/other")):
        Role.objects.create(stream=stream, account=person.account, role="scorer")
    staff = make_person("Site", is_staff=True)
    people = (organiser, ada, ben, helper, staff, elsewhere, stranger, anonymous)
    assert [seen(person, game.pk) for person in people] == [True] * 5 + [False] * 3
    token = organiser.with_token("tournament:read", stream="tournament/other")
    assert not seen(token, game.pk)
    Game.objects.update(void=True)
    assert [seen(person, game.pk) for person in people] == [False] * 8


def test_what_a_dispute_is_about_is_seen_by_those_concerned(
    game: Game, organiser: Person, ada: Person, stranger: Person, anonymous: Person
) -> None:
    Game.objects.update(public=True)
    found = [
        person.get(f"games/{game.pk}").json()["dispute"]
        for person in (organiser, ada, stranger, anonymous)
    ]
    assert found == ["the two records differ first at turn 2"] * 2 + [None, None]
    token = ada.with_token("tournament:read", stream="tournament/other")
    assert token.get(f"games/{game.pk}").json()["dispute"] is None


@pytest.mark.parametrize("seat", ["first", "second"])
def test_the_account_of_a_player_sees_the_games_of_those_merged_into_them(
    game: Game, stranger: Person, seat: str
) -> None:
    own = Player.objects.create(name="Stig", account=stranger.account)
    assert not own_game_rows(stranger.account).exists()
    merged = getattr(game, seat)
    Player.objects.filter(pk=merged.pk).update(merged_into=own, account=None)
    assert seen(stranger, game.pk)
    assert [row["id"] for row in own_game_rows(stranger.account)] == [game.pk]
    body = stranger.get(f"games/{game.pk}?actions=1").json()
    player = {"id": own.pk, "name": "Stig", "country": None, "club": None}
    assert body[seat] == {"player": player}
    assert "report_game" in {
        row["operation"] for row in body["allowed_actions"] if row["level"] == "safe"
    }
    assert [row["id"] for row in stranger.get(f"games?player={own.pk}").json()["results"]] == [
        game.pk
    ]


def test_the_task_of_a_report_is_seen_by_those_who_see_the_reports(
    game: Game, organiser: Person, ada: Person, stranger: Person
) -> None:
    kind = GAMES_TASK_KINDS["report"]
    assert isinstance(kind, TaskKind)
    Game.objects.update(public=True)
    number = game.reports.order_by("-version")[0].pk
    found = [
        person.get(f"tasks/report-{number}").status_code for person in (organiser, ada, stranger)
    ]
    assert found == [200, 200, 404]
    Game.objects.update(void=True)
    assert ada.get(f"tasks/report-{number}").status_code == 404
