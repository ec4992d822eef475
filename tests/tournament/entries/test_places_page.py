"""What the page of entries says when places are taken, and what a late entry changes."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from games.models import Player
from tests.events import Event, make_event, make_players
from tests.people import Person
from tournament.entries.links import create_links
from tournament.entries.services import change_entry_state
from tournament.events.verification import verify_tournament
from tournament.models import Entry, Tournament

pytestmark = pytest.mark.django_db
ENTRIES = "/e/spring/run/entries"


@pytest.fixture
def event(organiser: Person) -> Event:
    """Three players in an event with four places."""
    event = make_event(organiser, system="dutch", places=4)
    event.enter(*make_players(3, by=organiser))
    return event.step("open")


@pytest.fixture
def director(client: Client, organiser: Person) -> Client:
    client.force_login(organiser.account)
    return client


def text_of(response: HttpResponse) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def test_a_taken_place_names_the_control_of_the_settings(director: Client, event: Event) -> None:
    event.enter(Player.objects.create(name="Eva"))
    page = text_of(director.get(ENTRIES))
    assert (
        "All 4 places are taken; to accept more players, raise the number of places in the settings"
        in page
    )
    assert "`" not in page


def test_a_list_that_is_too_long_says_how_many_places_are_free(
    director: Client, event: Event
) -> None:
    lines = "name\n" + "\n".join(f"New {number}" for number in range(2))
    rejected = director.post(ENTRIES, {"action": "import", "file": lines})
    assert rejected.status_code == 409
    assert (
        "there are 2 new players; free places: 1 of 4; leave some out, put some on the"
        in text_of(rejected)
    )


def test_who_withdrew_is_listed_and_not_counted(director: Client, event: Event) -> None:
    withdrawn = event.tournament.entries.latest("pk")
    event.owner.post(f"{event.path}/entries/{withdrawn.pk}/withdraw")
    page = text_of(director.get(ENTRIES))
    assert "2 entries" in page
    assert withdrawn.player.name in page


def test_a_late_entry_says_whom_it_renumbers(director: Client, event: Event) -> None:
    event.step("start").play(1)
    assert "cards are printed" not in text_of(director.get(ENTRIES))
    eva = Player.objects.create(name="Eva", seed_rating=2000)
    sent = director.post(ENTRIES, {"action": "enter", "player": str(eva.pk)})
    page = text_of(director.get(sent["Location"]))
    assert "The player is entered." in page
    assert "3 players have other numbers than before." in page
    assert "If the cards are printed already, 3 of them are out of date." in page
    director.cookies["django_language"] = "de"
    assert "3 Spieler haben andere Nummern als vorher." in text_of(director.get(ENTRIES))


def test_fewer_places_than_entries_are_told_in_the_settings(
    director: Client, event: Event, organiser: Person
) -> None:
    words = "3 players are entered for 2 places"
    assert words not in text_of(director.get("/e/spring/run/setup"))
    answer = organiser.patch(event.path, {"places": 2}, HTTP_IF_MATCH="*").json()
    assert "too_many_entries" in [caution["code"] for caution in answer["warnings"]]
    assert words in text_of(director.get("/e/spring/run/setup"))


def test_more_rounds_than_the_places_have_opponents_are_told_before_anybody_enters(
    organiser: Person,
) -> None:
    event = make_event(organiser, slug="small", system="dutch", rounds=4, places=4)
    warnings = organiser.get(event.path).json()["warnings"]
    assert [caution["code"] for caution in warnings] == ["too_many_rounds"]


def test_who_entered_after_the_print_has_no_card_out_of_date(
    director: Client, event: Event
) -> None:
    event.step("start").play(1)
    director.post(ENTRIES, {"action": "register-enter", "name": "Zoe Last", "seed_rating": "1"})

    for page in (ENTRIES, "/e/spring/run"):
        assert "cards are printed" not in text_of(director.get(page))


@pytest.mark.parametrize("year", ["1066", "2199", "2300"])
def test_a_wrong_year_is_refused_beside_its_field_by_the_page(
    director: Client, event: Event, year: str
) -> None:
    assert 'max="' not in director.get(ENTRIES).content.decode().partition('id="new"')[2]
    new = {"action": "register-enter", "name": "Zoe", "birth_year": year}
    answer = director.post(ENTRIES, new)

    assert answer.status_code == 422
    assert [*answer.context["form"].errors] == ["birth_year"]
    entry = event.tournament.entries.earliest("pk")
    tag = director.get(f"{ENTRIES}/{entry.pk}").context["if_match"]
    changed = director.post(
        f"{ENTRIES}/{entry.pk}", {"action": "edit", "birth_year": year, "if_match": tag}
    )
    assert changed.status_code == 422
    assert "the year of the event" in text_of(changed)


@pytest.fixture
def queue(event: Event) -> list[Entry]:
    """Four players have all places; two others wait, in the order of entering."""
    event.enter(Player.objects.create(name="Eva"))
    Tournament.objects.update(places=None)
    entries = event.enter(*(Player.objects.create(name=name) for name in ("Zoe", "Ben")))
    for entry in entries:
        change_entry_state(entry, Entry.State.WAITING, by=event.owner.account)
    Tournament.objects.update(places=4)
    return entries


def test_the_waiting_list_shows_its_order(
    director: Client, event: Event, queue: list[Entry]
) -> None:
    page = text_of(director.get(ENTRIES))
    assert "on the waiting list, place 1" in page
    assert "on the waiting list, place 2" in page
    assert page.count("before Zoe, who is first on the list") == 1
    assert page.index("place 1") < page.index("place 2")


def test_a_free_place_names_the_first_of_the_waiting_list(
    director: Client, event: Event, queue: list[Entry]
) -> None:
    words = "A place is free; Zoe is the first of the waiting list"
    assert words not in text_of(director.get("/e/spring/run"))
    entry = event.tournament.entries.get(player__name="Eva")

    form = {"action": "withdraw", "entry_id": entry.pk, "if_match": "*"}
    sent = director.post(ENTRIES, form)

    assert "Eva is withdrawn." in text_of(director.get(sent["Location"]))
    assert words in text_of(director.get("/e/spring/run"))
    page = f"{ENTRIES}/{queue[1].pk}"
    sent = director.post(page, form | {"action": "accept", "entry_id": queue[1].pk})
    assert "Ben is accepted." in text_of(director.get(sent["Location"]))
    assert words not in text_of(director.get("/e/spring/run"))


def test_a_full_event_says_so_before_the_application(
    client: Client, event: Event, queue: list[Entry]
) -> None:
    page = text_of(client.get("/e/spring/apply"))
    assert "All 4 places are taken. You can apply; the organiser may put you on" in page


def test_a_withdrawn_player_is_named_at_the_next_step(
    director: Client, event: Event, organiser: Person
) -> None:
    event.step("start").publish(1)
    entry = event.tournament.entries.get(pairing_number=2)
    change_entry_state(entry, Entry.State.WITHDRAWN, by=organiser.account)
    page = text_of(director.get("/e/spring/run"))
    assert f"Withdrawn: {entry.pairing_number} {entry.player.name}" in page


def test_links_are_replaced_and_revoked_after_a_question(
    director: Client, event: Event, organiser: Person
) -> None:
    create_links(event.tournament, by=organiser.account)
    page = director.get("/e/spring/run/links").content.decode()
    for action, words in (("revoke", "Yes, revoke it"), ("replace", "Yes, replace it")):
        pattern = rf'<details><summary>(?:(?!</details>).)*value="{action}">{words}'
        assert len(re.findall(pattern, page, re.DOTALL)) == 3


def test_a_full_event_offers_the_waiting_list_to_a_new_player(
    director: Client, event: Event
) -> None:
    event.enter(Player.objects.create(name="Eva"))
    new = {"name": "Zoe Wait", "seed_rating": "1500"}
    refused = director.post(ENTRIES, {"action": "register-enter", **new})
    page = refused.content.decode()
    assert refused.status_code == 409
    assert 'value="register-wait">Register, on the waiting list</button>' in page
    assert 'value="Zoe Wait"' in page
    assert not Player.objects.filter(name="Zoe Wait").exists()

    done = director.post(ENTRIES, {"action": "register-wait", **new})

    assert "The player is on the waiting list." in text_of(director.get(done["Location"]))
    entry = event.tournament.entries.get(player__name="Zoe Wait")
    assert (entry.state, entry.seed_rating) == ("waiting", 1500)
    assert verify_tournament(event.stream) == []
    event.owner.post(f"{event.path}/entries/{event.tournament.entries.earliest('pk').pk}/withdraw")
    assert "register-wait" not in director.get(ENTRIES).content.decode()


def test_only_directors_put_players_on_the_waiting_list(
    client: Client, event: Event, ada: Person
) -> None:
    client.force_login(ada.account)
    sent = client.post(ENTRIES, {"action": "register-wait", "name": "Zoe Wait"})
    assert sent.status_code == 403
    assert not Player.objects.filter(name="Zoe Wait").exists()


@pytest.mark.parametrize("is_running", [False, True])
def test_the_end_of_a_list_that_is_too_long_goes_on_the_waiting_list(
    director: Client, event: Event, is_running: bool
) -> None:
    if is_running:
        event.step("start").play(1)
    sent = {"action": "import", "file": "Name;Rating\nAnn;1500\nBen;1400\nCem;1300\n"}
    refused = director.post(f"{ENTRIES}?dry_run=1", sent).content.decode()
    assert "Enter the first player, the others on the waiting list" in refused

    preview = director.post(f"{ENTRIES}?dry_run=1", {**sent, "waiting": "1"})
    assert [line["action"] for line in preview.context["checked"].preview["lines"]] == [
        "created", "waiting", "waiting",
    ]  # fmt: skip
    assert '<input type="hidden" name="waiting" value="1">' in preview.content.decode()
    assert not event.tournament.entries.filter(player__name="Ann").exists()

    done = director.post(ENTRIES, {**sent, "waiting": "1"})
    assert done.status_code == 303
    notice = "1 player is entered, 2 players are on the waiting list."
    assert notice in text_of(director.get(done["Location"]))
    states = dict(event.tournament.entries.values_list("player__name", "state"))
    assert (states["Ann"], states["Ben"], states["Cem"]) == ("accepted", "waiting", "waiting")

    full = director.get(ENTRIES).content.decode()
    assert "Put all on the waiting list" in full
    sent = {"action": "import", "file": "Name\nDora\n", "waiting": "1"}
    done = director.post(ENTRIES, sent)
    assert done.status_code == 303
    assert "1 player is on the waiting list." in text_of(director.get(done["Location"]))
    assert event.tournament.entries.get(player__name="Dora").state == "waiting"
    assert verify_tournament(event.stream) == []
