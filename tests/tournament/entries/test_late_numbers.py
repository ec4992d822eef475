"""A late entry: the page says which numbers change before the player is entered."""

import pytest
from django.test import Client

from games.models import Player
from tests.events import make_event, make_players
from tests.people import Person

pytestmark = pytest.mark.django_db


def test_a_late_entry_says_which_numbers_would_change(client: Client, organiser: Person) -> None:
    event = make_event(organiser, rounds=3)
    players = make_players(4)
    event.enter(*players)
    event.tournament.entries.update(seed_rating=1500)
    event.step("open")
    Player.objects.create(name="Zoe Late", folded_name="zoe late", seed_rating=1900)
    Player.objects.create(name="Zoe Weak", folded_name="zoe weak", seed_rating=900)
    client.force_login(organiser.account)
    page = "/e/spring/run/entries?q=zoe"
    assert "would get the number" not in client.get(page).content.decode()

    event.step("start")
    shown = client.get(page).content.decode()
    assert "would get the number 1, 4 players after it other ones" in shown
    assert "would get the number 5</form>" in shown
    late = Player.objects.get(name="Zoe Late")
    client.post("/e/spring/run/entries", {"action": "enter", "player": late.pk})
    assert event.tournament.entries.get(player=late).pairing_number == 1


def test_the_preview_of_a_new_player_says_which_numbers_would_change(
    client: Client, organiser: Person
) -> None:
    event = make_event(organiser, rounds=3)
    event.enter(*make_players(4))
    event.tournament.entries.update(seed_rating=1500)
    event.step("open")
    client.force_login(organiser.account)
    page = "/e/spring/run/entries"
    form = {"action": "register-enter", "name": "Zoe Late", "seed_rating": "1900"}
    assert (
        'formaction="?dry_run=1">Preview'
        not in client.get(page).content.decode().split("<details")[1]
    )
    event.step("start")
    assert (
        'formaction="?dry_run=1">Preview' in client.get(page).content.decode().split("<details")[-2]
    )

    shown = client.post(f"{page}?dry_run=1", form).content.decode()
    assert "Zoe Late would get the number 1." in shown
    assert "4 players after it get other ones; cards that are printed already are out of" in shown
    assert 'value="Zoe Late"' in shown
    weak = client.post(f"{page}?dry_run=1", form | {"seed_rating": ""}).content.decode()
    assert "Zoe Late would get the number 5." in weak
    assert not Player.objects.filter(name="Zoe Late").exists()
    for wrong in ({"name": ""}, {"name": "Zoe\0"}, {"seed_rating": "x"}, {"birth_year": "3000"}):
        rejected = client.post(f"{page}?dry_run=1", form | wrong)
        assert rejected.status_code == 422
        assert "would get the number" not in rejected.content.decode()
