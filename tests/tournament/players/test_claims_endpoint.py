"""`/claims`: an account claims a player; custodians and organisers of running events decide."""

from typing import Any

import pytest
from django.test import Client

from games.core.accounts.tokens import issue_personal_token
from games.models import Claim, JournalLine, Player
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, player_of, problem_in
from tournament.entries.links import create_links, token_of
from tournament.models import Entry, PersonalLink


@pytest.fixture
def start(organiser: Person) -> dict[str, Any]:
    """A running event of the organiser, who registered the player and entered them."""
    (player,) = make_players(1, by=organiser)
    event = make_event(organiser, rounds=1)
    event.enter(player, *make_players(1))
    return {"player": player, "event": event.step("open", "start")}


@pytest.fixture
def player(start: dict[str, Any]) -> Player:
    found: Player = start["player"]
    return found


def claim(person: Person, player: Player) -> int:
    response = person.post("claims", {"player_id": player.pk})
    assert response.status_code == 201, response.content
    return int(response.json()["id"])


def test_an_accepted_player_is_the_accounts(
    organiser: Person, stranger: Person, event: Event, player: Player
) -> None:
    number = claim(stranger, player)

    accepted = organiser.post(f"claims/{number}/approve").json()

    assert (accepted["state"], accepted["player"]["id"]) == ("accepted", player.pk)
    assert stranger.get("me").json()["player"]["id"] == player.pk
    assert stranger.patch(f"players/{player.pk}", {"club": "Rooks"}).status_code == 200
    problem_in(organiser.patch(f"players/{player.pk}", {"club": "Kings"}), 403, "role_missing")
    kinds = JournalLine.objects.filter(stream="site").values_list("kind", flat=True)
    assert list(kinds) == ["claim.made", "claim.accepted", "player.edited"]


@pytest.mark.parametrize("steps", [("open",), ("open", "start")])
def test_entering_a_player_gives_no_right_to_decide(
    organiser: Person, stranger: Person, steps: tuple[str, ...]
) -> None:
    """Anyone can enter any player in an event of their own, and have an accomplice."""
    (player,) = make_players(1, by=make_person("Reg"))
    event = make_event(stranger)
    event.enter(player, *make_players(2))
    event.step(*steps)
    number = claim(make_person("Accomplice"), player)

    answer = stranger.post(f"claims/{number}/approve")

    if "start" in steps:
        assert (answer.status_code, answer.json()["state"]) == (200, "open")
        assert answer.json()["agreed"] == ["organiser"]
        problem_in(stranger.post(f"claims/{number}/approve"), 409, "nothing_to_do")
        problem_in(stranger.post(f"claims/{number}/refuse"), 403, "role_missing")
    else:
        problem_in(answer, 404, "not_found")
    player.refresh_from_db()
    assert not player.is_claimed


@pytest.mark.parametrize("is_custodian_first", [True, False])
def test_the_organiser_of_a_running_event_agrees_too(
    event: Event, player: Player, stranger: Person, is_custodian_first: bool
) -> None:
    registrar = make_person("Reg")
    Player.objects.update(registered_by=registrar.account)
    number = claim(stranger, player)
    first, second = registrar, event.owner
    if not is_custodian_first:
        first, second = second, first

    waiting = first.post(f"claims/{number}/approve").json()
    assert (waiting["state"], waiting["agreed"]) == (
        "open",
        ["custodian" if is_custodian_first else "organiser"],
    )
    assert stranger.get("me").json()["player"] is None
    problem_in(first.post(f"claims/{number}/approve"), 409, "nothing_to_do")

    accepted = second.post(f"claims/{number}/approve").json()
    assert (accepted["state"], accepted["agreed"]) == ("accepted", ["custodian", "organiser"])
    assert stranger.get("me").json()["player"]["id"] == player.pk
    kinds = JournalLine.objects.filter(stream="site").values_list("kind", flat=True)
    assert list(kinds) == ["claim.made", "claim.agreed", "claim.accepted"]


def test_a_claim_waits_for_the_organiser_until_the_event_is_over(
    event: Event, player: Player, stranger: Person
) -> None:
    """Nobody holds a player hostage by entering them."""
    registrar = make_person("Reg")
    Player.objects.update(registered_by=registrar.account)
    number = claim(stranger, player)
    assert registrar.post(f"claims/{number}/approve").json()["state"] == "open"

    event.play(1)
    event.step("review")
    problem_in(registrar.post(f"claims/{number}/approve"), 409, "nothing_to_do")
    event.step("finalise")

    assert registrar.post(f"claims/{number}/approve").json()["state"] == "accepted"


def test_an_entry_that_a_custodian_declines_needs_no_agreement(
    event: Event, player: Player, stranger: Person
) -> None:
    """Who enters a player and never finishes the event has no say for ever."""
    registrar = make_person("Reg")
    Player.objects.update(registered_by=registrar.account)
    entry = player.entries.get()
    Entry.objects.update(agreement=Entry.Agreement.ASKED)
    number = claim(stranger, player)
    assert registrar.post(f"claims/{number}/approve").json()["state"] == "open"

    declined = registrar.post(f"{event.path}/entries/{entry.pk}/decline")
    assert declined.json()["agreement"] == "declined"

    assert registrar.post(f"claims/{number}/approve").json()["state"] == "accepted"
    problem_in(event.owner.post(f"claims/{number}/approve"), 404, "not_found")


def test_an_entry_that_is_not_accepted_needs_no_agreement(
    event: Event, player: Player, stranger: Person
) -> None:
    registrar = make_person("Reg")
    Player.objects.update(registered_by=registrar.account)
    player.entries.update(state="applied")

    accepted = registrar.post(f"claims/{claim(stranger, player)}/approve").json()

    assert accepted["state"] == "accepted"


def test_the_event_of_a_merged_registration_agrees_too(
    event: Event, player: Player, stranger: Person
) -> None:
    registrar = make_person("Reg")
    kept = Player.objects.create(name="Player, One", registered_by=registrar.account)
    Player.objects.filter(pk=player.pk).update(merged_into=kept)
    number = claim(stranger, kept)

    assert registrar.post(f"claims/{number}/approve").json()["state"] == "open"
    assert event.owner.post(f"claims/{number}/approve").json()["state"] == "accepted"


def test_site_staff_agree_for_all(
    event: Event, player: Player, stranger: Person, staff: Person
) -> None:
    Player.objects.update(registered_by=make_person("Reg").account)

    accepted = staff.post(f"claims/{claim(stranger, player)}/approve").json()

    assert accepted["state"] == "accepted"


def test_a_claim_is_withdrawn_and_made_again(
    organiser: Person, stranger: Person, player: Player
) -> None:
    number = claim(stranger, player)

    withdrawn = stranger.post(f"claims/{number}/withdraw").json()

    assert (withdrawn["state"], withdrawn["decided_at"] is None) == ("withdrawn", False)
    for person, action in ((stranger, "withdraw"), (organiser, "approve"), (organiser, "refuse")):
        problem_in(person.post(f"claims/{number}/{action}"), 409, "nothing_to_do")
    assert organiser.get("claims?state=open").json()["results"] == []
    assert claim(stranger, player) != number


def test_an_account_has_a_few_open_claims(stranger: Person) -> None:
    players = make_players(6)
    numbers = [claim(stranger, player) for player in players[:5]]

    problem_in(stranger.post("claims", {"player_id": players[5].pk}), 409, "quota_reached")
    stranger.post(f"claims/{numbers[0]}/withdraw")
    claim(stranger, players[5])


def test_an_owner_does_not_decide_their_own_claim(
    organiser: Person, event: Event, player: Player
) -> None:
    number = claim(organiser, player)

    problem_in(organiser.post(f"claims/{number}/approve"), 403, "own_claim")


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
        problem_in(person.post("claims", {"player_id": number}), status, code)


def test_one_of_two_claims_is_accepted(
    organiser: Person, stranger: Person, event: Event, player: Player
) -> None:
    first, second = claim(stranger, player), claim(make_person("Cleo"), player)

    organiser.post(f"claims/{first}/approve")

    assert Claim.objects.get(pk=second).state == "refused"
    problem_in(organiser.post(f"claims/{second}/approve"), 409, "nothing_to_do")


def test_personal_links_work_after_the_player_is_claimed(
    organiser: Person, stranger: Person, event: Event, player: Player
) -> None:
    (game,) = event.publish()
    entry = player.entries.get()
    create_links(event.tournament, by=organiser.account)
    link = token_of(PersonalLink.objects.get(entry=entry))
    path = f"{event.path}/links/session"
    anonymous = Person("nobody")
    session = Person("session", secret=anonymous.post(path, {"link": link}).json()["token"])
    _, secret = issue_personal_token(player, event.stream, by=organiser.account)
    linked = Person("linked", secret=secret, client=Client())
    problem_in(linked.post("claims", {"player_id": player.pk}), 403, "scope_missing")

    organiser.post(f"claims/{claim(stranger, player)}/approve")

    again = Person("again", secret=anonymous.post(path, {"link": link}).json()["token"])
    for person in (linked, session, again):
        assert person.get("me").json()["player"]["id"] == player.pk
        report = person.post(f"games/{game.pk}/reports", {"claim": {"result": "11-10"}})
        assert report.status_code == 202, report.content
        problem_in(person.patch(f"players/{player.pk}", {"club": "Kings"}), 403)
