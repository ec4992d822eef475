"""`/players/{id}`: read, correct and delete one player."""

from typing import Any

import pytest

from games.core.accounts.tokens import issue_personal_token
from games.models import JournalLine, Player
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, player_of, problem_in

DETAILS = {
    "name": "Müller, Eva",
    "country": "GER",
    "club": "Rooks",
    "birth_year": 1990,
    "sex": "w",
    "seed_rating": 2000,
    "seed_games": 200,
    "seed_reached_2400": True,
    "external_ids": {"fide": "123"},
}


@pytest.fixture
def player(organiser: Person) -> Player:
    """A player without a login; the organiser made the registration."""
    return Player.objects.create(name="Muller", country="GER", registered_by=organiser.account)


@pytest.fixture
def event(organiser: Person, player: Player) -> Event:
    """An event in which the player was registered and is entered; the organiser owns it."""
    event = make_event(organiser)
    Player.objects.filter(pk=player.pk).update(registered_in=event.stream)
    event.enter(player)
    return event


def lines() -> list[tuple[str, dict[str, Any]]]:
    rows = JournalLine.objects.filter(stream="site", kind__startswith="player.")
    rows = rows.select_related("payload")
    return [
        (row.kind, {name: value for name, value in row.payload.body.items() if name != "salt"})
        for row in rows
    ]


def statuses_of(
    method: str, player: Player, people: dict[str, Person], body: object = None
) -> dict[str, int]:
    address = f"players/{player.pk}?dry_run=1"
    return {name: person.send(method, address, body).status_code for name, person in people.items()}


def test_a_custodian_corrects_the_details(organiser: Person, event: Event, player: Player) -> None:
    response = organiser.patch(f"players/{player.pk}", DETAILS | {"country": "ger"})

    assert response.json() == {"id": player.pk} | DETAILS
    player.refresh_from_db()
    assert player.folded_name == "muller, eva"
    changed = [name for name in DETAILS if name != "country"]
    old = {"name": "Muller", "club": "", "birth_year": None, "sex": "", "seed_rating": None,
           "seed_games": 0, "seed_reached_2400": False}  # fmt: skip
    assert lines() == [
        (
            "player.edited",
            {
                "player": player.pk,
                "old": old | {"external_ids": {}},
                "new": {name: DETAILS[name] for name in changed},
            },
        )
    ]


def test_no_change_writes_no_line(organiser: Person, event: Event, player: Player) -> None:
    assert organiser.patch(f"players/{player.pk}", {"name": "Muller"}).status_code == 200
    assert organiser.patch(f"players/{player.pk}?dry_run=1", {"name": "Eva"}).status_code == 200

    player.refresh_from_db()
    assert (player.name, lines()) == ("Muller", [])


def test_who_may_correct_an_unclaimed_player(
    everyone: dict[str, Person], staff: Person, event: Event, player: Player
) -> None:
    scorer, director = make_person("Sam"), make_person("Dan")
    for person, role in ((scorer, "scorer"), (director, "director")):
        assert person.account is not None
        person.account.roles.create(stream=event.stream, role=role)
    elsewhere = make_event(everyone["stranger"], slug="autumn")
    elsewhere.enter(*make_players(1))
    bound = director.with_token("tournament:write", stream=event.stream)
    people = everyone | {
        "staff": staff,
        "scorer": scorer,
        "director": director,
        "with a token of the event": bound,
        "with a token of another event": director.with_token(
            "tournament:write", stream="tournament/autumn"
        ),
        "with a token to read": director.with_token("tournament:read"),
    }

    assert statuses_of("PATCH", player, people, {"club": "Rooks"}) == {
        "organiser": 200,
        "player": 403,
        "stranger": 403,
        "anonymous": 401,
        "staff": 200,
        "scorer": 403,
        "director": 200,
        "with a token of the event": 200,
        "with a token of another event": 403,
        "with a token to read": 403,
    }


def test_a_claimed_player_is_corrected_by_the_account_and_staff(
    everyone: dict[str, Person], staff: Person
) -> None:
    player = player_of(everyone["player"])
    make_event(everyone["organiser"]).enter(player)
    bound = everyone["player"].with_token("tournament:write", stream="tournament/spring")
    people = everyone | {"staff": staff, "with a token of an event": bound}

    assert statuses_of("PATCH", player, people, {"club": "Rooks"}) == {
        "organiser": 403,
        "player": 200,
        "stranger": 403,
        "anonymous": 401,
        "staff": 200,
        "with a token of an event": 403,
    }


def test_a_personal_link_claims_no_player(organiser: Person, event: Event, player: Player) -> None:
    assert organiser.account is not None
    _, secret = issue_personal_token(player, event.stream, by=organiser.account)
    linked = Person("linked", secret=secret)

    assert organiser.patch(f"players/{player.pk}", {"club": "Rooks"}).status_code == 200
    problem_in(linked.patch(f"players/{player.pk}", {"club": "Kings"}), 403, "scope_missing")


def test_private_details_are_for_those_who_may_correct_them(
    everyone: dict[str, Person], event: Event, player: Player
) -> None:
    Player.objects.filter(pk=player.pk).update(birth_year=1990, sex="w")
    bodies = {name: p.get(f"players/{player.pk}").json() for name, p in everyone.items()}

    assert {name: body.get("birth_year") for name, body in bodies.items()} == {
        "organiser": 1990,
        "player": None,
        "stranger": None,
        "anonymous": None,
    }
    assert {name: "sex" in body for name, body in bodies.items()} == {
        "organiser": True,
        "player": False,
        "stranger": False,
        "anonymous": False,
    }
    rows = everyone["organiser"].get("players").json()["results"]
    assert not any({"birth_year", "sex"} & row.keys() for row in rows)


def test_an_external_id_belongs_to_one_player(
    organiser: Person, event: Event, player: Player
) -> None:
    (other,) = make_players(1)
    Player.objects.filter(pk=other.pk).update(external_ids={"fide": "123"})
    body = {"external_ids": {"fide": "123"}}

    for problem in (
        problem_in(organiser.patch(f"players/{player.pk}", body), 409, "external_id_taken"),
        problem_in(organiser.post("players", {"name": "X"} | body), 409, "external_id_taken"),
    ):
        assert problem["player"] == other.pk
        assert problem["errors"][0]["pointer"] == "/external_ids/fide"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"country": "Spain"}, "/country"),
        ({"external_ids": {"f__x": "1"}}, "/external_ids/f__x"),
    ],
)
def test_an_invalid_change_is_rejected(
    staff: Person, player: Player, body: object, pointer: str
) -> None:
    problem = problem_in(staff.patch(f"players/{player.pk}", body), 422, "invalid")

    assert problem["errors"][0]["pointer"] == pointer


def test_an_unused_player_is_deleted(organiser: Person, stranger: Person) -> None:
    number = organiser.post("players", {"name": "Cloe"}).json()["id"]

    problem_in(stranger.delete(f"players/{number}"), 403, "role_missing")
    assert organiser.delete(f"players/{number}").status_code == 204

    problem_in(organiser.get(f"players/{number}"), 404, "not_found")
    assert lines()[-1] == ("player.deleted", {"player": number})


def test_who_may_delete_a_player(
    everyone: dict[str, Person], staff: Person, player: Player
) -> None:
    assert statuses_of("DELETE", player, everyone | {"staff": staff}) == {
        "organiser": 200,
        "player": 403,
        "stranger": 403,
        "anonymous": 401,
        "staff": 200,
    }
    own = player_of(everyone["player"])
    assert statuses_of("DELETE", own, {"self": everyone["player"]}) == {"self": 200}


def test_a_player_who_was_entered_or_has_played_is_not_deleted(
    organiser: Person, staff: Person, event: Event, player: Player
) -> None:
    problem_in(staff.delete(f"players/{player.pk}"), 409, "player_in_use")
    problem_in(organiser.delete(f"players/{player.pk}"), 409, "player_in_use")

    assert Player.objects.filter(pk=player.pk).exists()
    assert lines() == []
