"""An event made by copying another: its settings with all days moved, and none of its people."""

from datetime import date, time
from typing import Any

import pytest
from django.test import Client

from tests.events import Event, make_event
from tests.people import Person, player_of, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.models import Round, Tournament
from tournament.rounds.services import schedule_round

pytestmark = pytest.mark.django_db
OWN = {
    "slug", "name", "starts_on", "ends_on", "registration_from", "registration_until", "state",
    "separations", "url", "page_url", "created_at", "updated_at", "draw_seed", "draw_seed_digest",
    "allowed_actions", "warnings", "rated", "handicap_table",
}  # fmt: skip
"""What a copy has of its own; without a pool, neither is rated."""
CLUBS = {"by": "club", "preference": True}


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    """A running event with a text, prizes, days of rounds, a kept-apart pair and a director."""
    event = make_event(
        organiser, description="# Welcome", venue="Club", fee="20", currency="EUR", public=False,
        contact="Olga", registration_until=date(2026, 4, 30), tiebreaks=["PTS", "BH"], places=30,
        points={"win": "3", "draw": "1"}, country="POR",
        prizes=[{"name": "Open", "amounts": [3000]}],
        separations=[
            {"by": "players", "players": [player_of(ada).pk, player_of(ben).pk]}, CLUBS,
        ],
    )  # fmt: skip
    schedule_round(event.tournament, 2, date(2026, 5, 2), time(10), by=organiser.account)
    event.enter(player_of(ada), player_of(ben))
    return event.step("open", "start")


def test_a_copy_has_the_settings_and_nobody_of_the_event(organiser: Person, event: Event) -> None:
    body = {"name": "Spring Open 2027", "starts_on": "2027-04-30"}

    made = organiser.post(f"{event.path}/copy", body)

    assert made.status_code == 201, made.json()
    assert made["Location"].endswith("/tournaments/spring-open-2027")
    old, new = organiser.get(event.path).json(), made.json()
    assert {name for name in old if old[name] != new.get(name)} <= OWN
    own = ("starts_on", "ends_on", "registration_until", "state")
    assert [new[name] for name in own] == ["2027-04-30", "2027-05-02", "2027-04-29", "draft"]
    assert [each["by"] for each in new["separations"]] == ["club"]
    copied = Tournament.objects.get(slug="spring-open-2027")
    days = Round.objects.filter(tournament=copied).values_list("number", "starts_on", "start_time")
    assert [*days] == [(2, date(2027, 5, 1), time(10))]
    assert copied.description_html == "<h3>Welcome</h3>\n"
    assert not copied.entries.exists()
    assert verify() == []


def test_a_director_copies_on_the_page_of_settings(
    organiser: Person, stranger: Person, director: Client, event: Event
) -> None:
    problem_in(stranger.post(f"{event.path}/copy", {"name": "A", "starts_on": "2027-04-30"}), 404)
    page = "/e/spring/run/setup"
    typed: dict[str, Any] = {"action": "copy", "name": "Spring", "slug": "", "starts_on": ""}

    refused = director.post(page, typed)
    taken = director.post(page, typed | {"starts_on": "2027-04-30"})
    done = director.post(page, typed | {"starts_on": "2027-04-30", "slug": "next"})

    assert refused.status_code == 422
    assert {each.name for each in refused.context["copied"] if each.errors} == {"starts_on"}
    assert {each.name for each in taken.context["copied"] if each.errors} == {"slug"}
    assert done["Location"] == "/e/next/run/setup?done=copy"
    assert b'href="/e/next/run/setup#copy"' in director.get("/new").content
