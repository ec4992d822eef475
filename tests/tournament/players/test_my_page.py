"""My games and events, and the claim of a player."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Claim, Player
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, make_player, player_of
from tests.tournament.conftest import login

pytestmark = pytest.mark.django_db


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
    assert page.count("Spring Open</a>") == 1
    assert page.index("Games to report") < page.index("being played") < page.index("11–10")


def test_an_organiser_sees_the_events_and_a_stranger_nothing(
    organiser: Person, stranger: Person, event: Event, client: Client
) -> None:
    assert "Events that I direct" in text_of(login(organiser))
    assert "Spring" not in text_of(login(stranger))
    assert client.get("/my")["Location"] == "/login?next=%2Fmy"


def test_a_claim_is_made_and_decided(organiser: Person, stranger: Person, event: Event) -> None:
    player = Player.objects.get(name="Player 1")
    path = f"/players/{player.pk}/claim"
    make = {"action": "claim", "player": player.pk}
    claimant, owner = login(stranger), login(organiser)

    assert "Are you Player 1?" in text_of(claimant, path)
    assert "being played" not in text_of(claimant)
    assert claimant.post(path, make).status_code == 303
    assert "not decided yet" in text_of(claimant, path)
    assert claimant.post(path, make).status_code == 409
    claim = Claim.objects.get()
    form = {"action": "accept-claim", "claim_id": claim.pk}
    assert claimant.post("/my", form).status_code == 403
    assert "Stig claims to be <strong>Player 1</strong>" in text_of(owner)
    assert "not decided yet" in text_of(claimant)
    refusal = {"action": "refuse-claim", "claim_id": claim.pk, "reason": "a namesake"}
    assert owner.post("/my", refusal).status_code == 303
    assert "a namesake" in text_of(claimant)
    assert claimant.post(path, make).status_code == 303
    form["claim_id"] = Claim.objects.get(state="open").pk
    assert owner.post("/my", form).status_code == 303
    assert "being played" in text_of(claimant)


def test_an_organiser_agrees_to_a_claim_that_somebody_else_decides(
    organiser: Person, stranger: Person, event: Event
) -> None:
    registrar = make_person("Reg")
    player = Player.objects.get(name="Player 1")
    Player.objects.filter(pk=player.pk).update(registered_by=registrar.account)
    make = {"action": "claim", "player": player.pk}
    login(stranger).post(f"/players/{player.pk}/claim", make)
    accept = {"action": "accept-claim", "claim_id": Claim.objects.get().pk}

    page = text_of(login(organiser))
    assert "so your agreement is needed too" in page
    assert 'value="refuse-claim"' not in page
    done = login(organiser).post("/my", accept)
    assert done["Location"] == "/my?done=agree-claim"
    assert "Others must agree too" in text_of(login(organiser), done["Location"])
    page = text_of(login(registrar))
    assert "An organiser has agreed." in page
    assert 'value="refuse-claim"' in page
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
        "opponent": number,
        "seat": "first",
    }
    rejected = client.post("/my/propose?q=be&ruleset=hex", form | {"rated": "true"})
    assert (rejected.status_code, "needs a pool" in rejected.content.decode()) == (422, True)
    sent = client.post("/my/propose?q=be&ruleset=hex", form)
    assert sent.status_code == 303
    game_page = text_of(client, sent["Location"])
    assert "Cancel the proposal" in game_page
    assert "First Ada, then Bea. Bea has not answered the proposal yet." in game_page
    assert '<a href="/rules/hex">Hex</a>, board 11' in game_page
    assert "proposed" in game_page


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?q=%00", 200),
        ("?ruleset=queens", 422),
    ],
)
def test_unusual_searches_of_an_opponent(
    stranger: Person, event: Event, query: str, status: int
) -> None:
    assert login(stranger).get(f"/my/propose{query}").status_code == status


def test_a_proposal_is_answered(ada: Person, event: Event) -> None:
    ben = make_player("Ben", 1900)
    game = ben.post(
        "games",
        {"opponent": player_of(ada).pk, "seat": "first", "ruleset": "hex", "board_size": "11"},
    ).json()
    client = login(ada)
    reports = f"/games/{game['id']}/reports"

    assert "Proposals" in text_of(client)
    assert "Accept the game" in text_of(client, reports)
    assert client.post(reports, {"action": "accept"}).status_code == 303
    assert "Report the result" in text_of(client, reports)


def test_the_number_of_queries(
    ada: Person, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = login(ada)
    client.get("/my")
    for games in (2, 3):
        with django_assert_num_queries(19):
            client.get("/my")
        if games == 2:
            event.finish(2)
            event.publish(3)
