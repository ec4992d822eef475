"""The directors' pages of settings, entries, check-in, roles and links."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.core.roles.services import accept_invitation
from games.models import EmailLink, JournalLine, Player, Role
from tests.events import Event, make_event, make_players
from tests.people import Person, player_of
from tests.tournament.conftest import login
from tournament.events.pages import hidden_values
from tournament.models import Tournament
from tournament.pairing.usual_tiebreaks import usual_tiebreaks

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
RUN = "/e/spring/run"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """An event in registration with Ada and two others; check-in before the event."""
    event = make_event(organiser, check_in="tournament")
    event.enter(player_of(ada), *make_players(2, by=organiser))
    event.step("open")
    return event


def send(director: Client, page: str, **form: str | list[str]) -> HttpResponse:
    return director.post(f"{RUN}/{page}", form)


def done(response: HttpResponse) -> str:
    """Return what a form did, after the redirect."""
    assert response.status_code == 303, response.context["form"]
    return response["Location"].partition("done=")[2].partition("#")[0].partition("&")[0]


@pytest.mark.parametrize("page", ["setup", "roles"])
def test_the_queries_do_not_grow_with_the_entries(
    director: Client, event: Event, page: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    director.get(f"{RUN}/{page}")
    event.enter(*[Player.objects.create(name=f"P{number}") for number in range(5)])

    with django_assert_max_num_queries(40):
        assert director.get(f"{RUN}/{page}").status_code == 200


def test_the_settings_are_stored(director: Client, event: Event) -> None:
    Tournament.objects.update(place="Lisbon", places=20)
    emptied = {"place": "", "places": ""}
    form = stored_form(director) | emptied
    form |= {"name": "Summer Open", "country": "pol", "main_minutes": "25", "public": "false"}

    assert done(send(director, "setup", **form, action="edit")) == "edit"
    event = Tournament.objects.get()
    assert (event.name, event.place, event.places) == ("Summer Open", "", None)
    assert (event.country, event.main_minutes, event.public) == ("POL", 25, False)

    stale = send(director, "setup", **form | {"name": "Autumn Open"}, action="edit")
    assert stale.status_code == 412
    assert re.findall("Stored meanwhile: (.+?)<", stale.content.decode()) == ["Summer Open"]


def stored_form(director: Client) -> dict[str, str | list[str]]:
    """Return what the form of the settings sends if nothing in it is changed."""
    page = director.get(f"{RUN}/setup")
    form: dict[str, str | list[str]] = {"if_match": page.context["if_match"]}
    for item in page.context["sections"]:
        for name, value in (pair for field in item["fields"] for pair in hidden_values(field)):
            form[name] = [*form.get(name, []), value] if name.endswith("[]") else value
    return form


def store(director: Client, **values: str | list[str]) -> HttpResponse:
    """Store some settings, with the others as they are."""
    return send(director, "setup", **stored_form(director) | values, action="edit")


def test_all_sections_with_errors_are_open_and_nothing_typed_is_lost(
    director: Client, event: Event
) -> None:
    sent = {"place": "Lisbon", "main_minutes": "soon", "rounds": "0"}
    sent |= {"map_url": "http://example.org", "description": "x" * 20_001}
    rejected = store(director, **sent)
    assert rejected.status_code == 422
    opened = {item["section"].key: item["is_open"] for item in rejected.context["sections"]}
    assert {key for key, is_open in opened.items() if not is_open} == {"entries"}
    page = rejected.content.decode()
    assert re.findall(r'id="about-(\S+)"><strong class="error">', page) == [
        "description",
        "map_url",
        "main_minutes",
        "rounds",
    ]
    assert 'name="place" value="Lisbon"' in page
    assert f">{sent['description']}</textarea>" in page
    assert 'name="main_minutes" value="soon"' in page
    assert Tournament.objects.get().place == ""


@pytest.mark.parametrize(
    ("system", "state"),
    [
        ("dutch", "draft"),
        ("groups-knockout", "registration"),
        ("mcmahon", "running"),
        ("round-robin", "review"),
    ],
)
def test_a_form_of_the_settings_that_nobody_changed_changes_nothing(
    director: Client, event: Event, system: str, state: str
) -> None:
    Tournament.objects.update(system=system, tiebreaks=list(usual_tiebreaks(system)), state=state)
    before = Tournament.objects.values().get()
    lines = JournalLine.objects.count()
    assert done(store(director)) == "edit"
    after = Tournament.objects.values().get()
    assert {name for name in before if before[name] != after[name]} <= {"updated_at"}
    assert JournalLine.objects.count() == lines


def test_what_is_fixed_since_the_start_is_shown_and_not_sent(
    director: Client, event: Event
) -> None:
    event.step("start")
    page = director.get(f"{RUN}/setup").content.decode()
    fixed = " ".join(re.findall("<fieldset disabled>(.*?)</fieldset>\n</details>", page, re.S))
    names = ("ruleset", "main_minutes", "system", "initial_seat", "rated", "pool", "handicaps")
    assert [name for name in names if f'name="{name}"' not in fixed] == []
    assert not any(f'name="{name}"' in fixed for name in ("place", "rounds", "tiebreaks"))
    rejected = store(director, rounds="0", place="Lisbon")
    assert rejected.status_code == 422
    assert '<option value="monrad" selected>' in rejected.content.decode()
    changed = store(director, **{"tiebreaks[]": ["PTS", "WON"], "reason": "announced so"})
    assert done(changed) == "edit"
    assert Tournament.objects.get().tiebreaks == ["PTS", "WON"]


def test_no_tiebreaks_are_the_usual_ones(director: Client, event: Event) -> None:
    Tournament.objects.update(tiebreaks=["PTS"])
    assert done(store(director, **{"tiebreaks[]": ["", ""]})) == "edit"
    tournament = Tournament.objects.get()
    assert tournament.tiebreaks == list(usual_tiebreaks(tournament.system))


def test_tiebreaks_are_chosen_in_their_order(director: Client, event: Event) -> None:
    page = director.get(f"{RUN}/setup").content.decode()
    ranking = page.partition('<fieldset class="ranking"')[2].partition("</fieldset>")[0]
    assert re.findall(r'<option value="([^"]*)" selected>', ranking) == event.tournament.tiebreaks
    chosen = ["PTS", "", "DE", "BH/C1/P"]
    Tournament.objects.update(tiebreaks=["PTS", "BH/C1/P"])
    page = director.get(f"{RUN}/setup").content.decode()
    assert '<option value="BH/C1/P" selected>' in page
    assert done(store(director, **{"tiebreaks[]": chosen})) == "edit"
    assert Tournament.objects.get().tiebreaks == ["PTS", "DE", "BH/C1/P"]
    wrong = store(director, **{"tiebreaks[]": ["PTS", "DE"], "tiebreaks": "PTS XX"})
    assert wrong.status_code == 422
    text = wrong.content.decode()
    assert 'name="tiebreaks" value="PTS XX" aria-invalid="true"' in text


def test_another_system_gets_its_own_usual_tiebreaks(director: Client, event: Event) -> None:
    usual = {system: list(usual_tiebreaks(system)) for system in ("monrad", "round-robin")}
    form = {"system": "round-robin", "shown_system": "monrad", "tiebreaks[]": usual["monrad"]}
    assert done(store(director, **form)) == "edit"
    assert Tournament.objects.get().tiebreaks == usual["round-robin"]
    form = {"system": "monrad", "tiebreaks[]": ["PTS", "WON"]}
    assert done(store(director, **form)) == "edit"
    assert Tournament.objects.get().tiebreaks == ["PTS", "WON"]


def test_a_game_has_its_option_with_a_long_name(director: Client, event: Event) -> None:
    values = {"ruleset": "star", "board_of.star": "5x6", "options[]": ["", "two-point-corners"]}
    assert done(store(director, **values)) == "edit"
    assert Tournament.objects.get().options == ["two-point-corners"]
    page = director.get(f"{RUN}/setup").content.decode()
    assert 'name="options[]" value="two-point-corners" checked>' in page
    wrong = store(director, ruleset="hex")
    assert wrong.status_code == 422
    assert 'id="about-options"><strong class="error">' in wrong.content.decode()
    assert done(store(director, ruleset="hex", **{"options[]": [""]})) == "edit"
    assert Tournament.objects.get().options == []


def test_roles_are_offered_and_removed(director: Client, event: Event, stranger: Person) -> None:
    email = stranger.account.email
    assert done(send(director, "roles", action="grant", email=email, role="scorer")) == "grant"
    accept_invitation(EmailLink.objects.get(), by=stranger.account)
    role = Role.objects.get(account=stranger.account)
    assert done(send(director, "roles", action="remove", role_id=str(role.pk))) == "remove"
    assert done(send(director, "roles", action="grant", email="new@example.org", role="director"))
    link = EmailLink.objects.get(used_at=None)
    assert "new@example.org" in director.get(f"{RUN}/roles").content.decode()
    assert done(send(director, "roles", action="revoke", invitation_id=str(link.pk))) == "revoke"
    wrong = send(director, "roles", action="grant", email="x", role="king")
    assert wrong.status_code == 422
    assert 'value="x"' in wrong.content.decode()


def test_the_next_step_sets_the_rounds_that_a_knockout_needs(organiser: Person) -> None:
    event = make_event(organiser, system="knockout", rounds=5)
    event.enter(*make_players(6))
    event.step("open")
    client = login(organiser)
    page = client.get(RUN)
    button = '<button class="main" name="action" value="edit">Set 3 rounds</button>'
    assert button in page.content.decode()

    form = {"action": "edit", "rounds": "3", "if_match": page.context["if_match"]}
    assert client.post(RUN, form).status_code == 303

    assert button not in client.get(RUN).content.decode()
    event.step("start")
    assert event.tournament.rounds == 3
