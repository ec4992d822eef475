"""`/claims`: an account claims a player; owners of their events and site staff decide."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.core.accounts.tokens import issue_personal_token
from games.models import Claim, JournalLine, Player
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, player_of, problem_in, statuses


@pytest.fixture
def start(organiser: Person) -> dict[str, Any]:
    """A running event of the organiser in which the player is entered."""
    (player,) = make_players(1)
    event = make_event(organiser)
    event.enter(player, *make_players(1))
    return {"player": player, "event": event.step("open", "start")}


@pytest.fixture
def player(start: dict[str, Any]) -> Player:
    found: Player = start["player"]
    return found


def claim(person: Person, player: Player) -> int:
    response = person.post("claims", {"player": player.pk})
    assert response.status_code == 201, response.content
    return int(response.json()["id"])


def test_an_accepted_player_is_the_accounts(
    organiser: Person, stranger: Person, event: Event, player: Player
) -> None:
    number = claim(stranger, player)

    accepted = organiser.post(f"claims/{number}/accept").json()

    assert (accepted["state"], accepted["player"]["id"]) == ("accepted", player.pk)
    assert stranger.get("me").json()["player"] == {"id": player.pk, "name": player.name}
    assert stranger.patch(f"players/{player.pk}", {"club": "Rooks"}).status_code == 200
    problem_in(organiser.patch(f"players/{player.pk}", {"club": "Kings"}), 403, "role_missing")
    kinds = JournalLine.objects.filter(stream="site").values_list("kind", flat=True)
    assert list(kinds) == ["claim.made", "claim.accepted", "player.edited"]


def test_who_may_decide(
    everyone: dict[str, Person], staff: Person, event: Event, player: Player
) -> None:
    claimant, director = make_person("Cleo"), make_person("Dan")
    director.account.roles.create(stream=event.stream, role="director")
    number = claim(claimant, player)
    people = everyone | {"staff": staff, "director": director, "claimant": claimant}

    for action in ("accept", "refuse"):
        assert statuses(people, "POST", f"claims/{number}/{action}?dry_run=1") == {
            "organiser": 200,
            "player": 404,
            "stranger": 404,
            "anonymous": 401,
            "staff": 200,
            "director": 404,
            "claimant": 403,
        }


def test_an_event_that_has_not_begun_gives_no_right_to_decide(
    organiser: Person, stranger: Person
) -> None:
    """Anyone can enter a player in an event of their own."""
    (player,) = make_players(1)
    make_event(organiser).enter(player)
    number = claim(stranger, player)

    problem_in(organiser.post(f"claims/{number}/accept"), 404, "not_found")


def test_an_owner_does_not_decide_their_own_claim(
    organiser: Person, event: Event, player: Player
) -> None:
    number = claim(organiser, player)

    problem_in(organiser.post(f"claims/{number}/accept"), 403, "own_claim")


def test_the_list_has_own_claims_and_those_to_decide(
    everyone: dict[str, Person], staff: Person, event: Event, player: Player
) -> None:
    other = make_person("Cleo")
    own, others = claim(everyone["stranger"], player), claim(other, player)
    claim(other, make_players(1)[0])

    rows = {
        name: [row["id"] for row in person.get("claims?state=open").json()["results"]]
        for name, person in (everyone | {"staff": staff}).items()
        if name != "anonymous"
    }

    assert rows["organiser"] == [own, others]
    assert rows["player"] == []
    assert rows["stranger"] == [own]
    assert len(rows["staff"]) == 3
    assert len(staff.get("claims").json()["results"]) == 3
    problem_in(everyone["anonymous"].get("claims"), 401, "login_needed")


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_has_a_fixed_number_of_queries(
    organiser: Person,
    event: Event,
    player: Player,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(count):
        claim(make_person(f"Claimant{number}"), player)
    organiser.get("claims")  # the last use of a token is stored once a minute

    with django_assert_num_queries(4):  # the token, the role, the roles as owner, the claims
        assert len(organiser.get("claims").json()["results"]) == count


def test_a_claim_that_is_not_possible_is_refused(
    everyone: dict[str, Person], event: Event, player: Player
) -> None:
    stranger, ada = everyone["stranger"], everyone["player"]
    merged = make_players(1)[0]
    Player.objects.filter(pk=merged.pk).update(merged_into=player)
    claim(stranger, player)

    for person, number, status, code in (
        (stranger, player.pk, 409, "claimed_already"),
        (stranger, player_of(ada).pk, 409, "player_claimed"),
        (stranger, merged.pk, 409, "player_merged"),
        (ada, player.pk, 409, "account_has_player"),
        (stranger, 10**6, 422, "unknown_player"),
    ):
        problem_in(person.post("claims", {"player": number}), status, code)


def test_one_of_two_claims_is_accepted(
    organiser: Person, stranger: Person, event: Event, player: Player
) -> None:
    first, second = claim(stranger, player), claim(make_person("Cleo"), player)

    organiser.post(f"claims/{first}/accept")

    assert Claim.objects.get(pk=second).state == "refused"
    problem_in(organiser.post(f"claims/{second}/accept"), 409, "nothing_to_do")


def test_personal_links_end_when_the_player_is_claimed(
    organiser: Person, stranger: Person, event: Event, player: Player
) -> None:
    _, secret = issue_personal_token(player, event.stream, by=organiser.account)
    linked = Person("linked", secret=secret, client=Client())
    problem_in(linked.post("claims", {"player": player.pk}), 403, "token_elsewhere")

    organiser.post(f"claims/{claim(stranger, player)}/accept")

    problem_in(linked.get("me"), 401)
