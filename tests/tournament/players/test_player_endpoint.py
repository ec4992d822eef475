"""`/players/{id}`: read, correct and delete one player."""

from datetime import datetime
from typing import Any

import pytest

from games.models import JournalLine, Player
from tests.events import Event, make_event, make_players
from tests.people import URL, Person, problem_in

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


def test_a_custodian_corrects_the_details(organiser: Person, event: Event, player: Player) -> None:
    response = organiser.patch(f"players/{player.pk}", DETAILS | {"country": "ger"})

    player.refresh_from_db()
    times = {name: response.json()[name] for name in ("created_at", "updated_at")}
    path = f"players/{player.pk}"
    own = {"id": player.pk, "url": f"{URL}{path}", "page_url": f"http://localhost:8000/{path}"}
    assert response.json() == own | DETAILS | times
    assert datetime.fromisoformat(times["updated_at"]) == player.updated_at
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
        assert problem["player_id"] == other.pk
        assert problem["errors"][0]["pointer"] == "/external_ids/fide"


def test_an_unused_player_is_deleted(organiser: Person, stranger: Person) -> None:
    number = organiser.post("players", {"name": "Cloe"}).json()["id"]

    problem_in(stranger.delete(f"players/{number}"), 403, "role_missing")
    assert organiser.delete(f"players/{number}").status_code == 204

    problem_in(organiser.get(f"players/{number}"), 404, "not_found")
    assert lines()[-1] == ("player.deleted", {"player": number})


def test_a_player_who_was_entered_or_has_played_is_not_deleted(
    organiser: Person, staff: Person, event: Event, player: Player
) -> None:
    problem_in(staff.delete(f"players/{player.pk}"), 409, "player_in_use")
    problem_in(organiser.delete(f"players/{player.pk}"), 409, "player_in_use")

    assert Player.objects.filter(pk=player.pk).exists()
    assert lines() == []
