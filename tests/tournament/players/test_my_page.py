"""My games and events, and the claim of a player."""

import pytest
from django.test import Client

from games.models import Claim, Player
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, make_player, player_of
from tests.tournament.conftest import login

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def event(organiser: Person, ada: Person, stranger: Person) -> Event:
    """Ada and three players without an account, in the second of three rounds."""
    event = make_event(organiser)
    event.enter(player_of(ada), *make_players(3, by=organiser))
    event.step("open", "start").play(1)
    event.publish(2)
    return event


def text_of(client: Client, path: str = "/my") -> str:
    return str(client.get(path).content.decode())


def test_the_games_and_events_of_a_player(ada: Person, event: Event) -> None:
    page = text_of(login(ada))
    own = [game for number in (1, 2) for game in event.games(number) if game.seats_of(ada.account)]

    assert [f"/games/{game.pk}/reports" in page for game in own] == [True, True]
    assert page.count("/reports") == 2


def test_a_claim_is_made_and_decided(organiser: Person, stranger: Person, event: Event) -> None:
    player = Player.objects.get(name="Player 1")
    path = f"/players/{player.pk}/claim"
    make = {"action": "claim", "player_id": player.pk}
    claimant, owner = login(stranger), login(organiser)

    assert claimant.post(path, make).status_code == 303
    assert claimant.post(path, make).status_code == 409
    claim = Claim.objects.get()
    form = {"action": "accept-claim", "claim_id": claim.pk}
    assert claimant.post("/my", form).status_code == 403
    assert f'name="claim_id" value="{claim.pk}"' in text_of(owner)
    refusal = {"action": "refuse-claim", "claim_id": claim.pk, "reason": "a namesake"}
    assert owner.post("/my", refusal).status_code == 303
    assert "a namesake" in text_of(claimant)
    assert claimant.post(path, make).status_code == 303
    form["claim_id"] = Claim.objects.get(state="open").pk
    assert owner.post("/my", form).status_code == 303
    player.refresh_from_db()
    assert player.account == stranger.account


def test_an_organiser_agrees_to_a_claim_that_somebody_else_decides(
    organiser: Person, stranger: Person, event: Event
) -> None:
    registrar = make_person("Reg")
    player = Player.objects.get(name="Player 1")
    Player.objects.filter(pk=player.pk).update(registered_by=registrar.account)
    make = {"action": "claim", "player_id": player.pk}
    login(stranger).post(f"/players/{player.pk}/claim", make)
    accept = {"action": "accept-claim", "claim_id": Claim.objects.get().pk}

    assert 'value="refuse-claim"' not in text_of(login(organiser))
    done = login(organiser).post("/my", accept)
    assert done["Location"] == "/my?done=agree-claim"
    assert 'value="refuse-claim"' in text_of(login(registrar))
    assert login(registrar).post("/my", accept)["Location"] == "/my?done=accept-claim"


def test_a_game_is_proposed(ada: Person, event: Event) -> None:
    make_player("Bea", 1900)
    client = login(ada)
    page = text_of(client, "/my/propose?q=be&ruleset=hex")

    assert "Bea, POR" in page
    assert "Player 1" not in text_of(client, "/my/propose?q=player")
    number = Player.objects.get(name="Bea").pk
    form = {
        "action": "propose",
        "ruleset": "hex",
        "board_size": "11",
        "opponent_id": number,
        "seat": "first",
    }
    rejected = client.post("/my/propose?q=be&ruleset=hex", form | {"rated": "true"})
    assert rejected.status_code == 422
    sent = client.post("/my/propose?q=be&ruleset=hex", form)
    assert sent.status_code == 303
