"""The prize groups of an event, and what its officials print."""

from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from tests.events import Event, make_running
from tests.people import Person, make_player, player_of
from tournament.templatetags.event_names import money

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE, PRINT = "/e/spring/run/prizes", "/e/spring/run/print"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event with Ada and three others, and a prize group; round 1 is published."""
    event = make_running(organiser, 3, rounds=2, prizes=[{"name": "Open", "amounts": [300, 200]}])
    event.enter(player_of(ada))
    event.publish(1)
    return event


def save(browser: Client, **values: str) -> Any:
    tag = browser.get(PAGE).context["if_match"]
    fields = {name.replace("_0_", ".0.").replace("_1_", ".1."): values[name] for name in values}
    return browser.post(PAGE, {"action": "save", "if_match": tag} | fields)


def test_groups_are_changed_added_and_removed(director: Client, event: Event):
    done = save(
        director,
        currency="EUR",
        prizes_0_name="Open", prizes_0_amounts="500,00; 200", prizes_0_exclusive="true",
        prizes_1_name="U12", prizes_1_amounts="1.000,50 €", prizes_1_age_to="12",
        prizes_1_split="half",
    )  # fmt: skip

    assert done.headers["Location"] == f"{PAGE}?done=save"
    event.tournament.refresh_from_db()
    assert event.tournament.prizes == [
        {"name": "Open", "amounts": [50000, 20000], "exclusive": True, "withdrawn": False},
        {"name": "U12", "amounts": [100050], "exclusive": False, "withdrawn": False,
         "split": "half", "age_to": 12},
    ]  # fmt: skip
    assert event.tournament.currency == "EUR"
    shown = director.get(PAGE).context["groups"]
    assert [group["value"].get("amounts") for group in shown] == ["500.00 200.00", "1000.50", ""]
    assert [group["value"].get("name") for group in shown] == ["Open", "U12", None]

    save(
        director, prizes_0_name="", prizes_0_split="rank", prizes_1_name="U12", prizes_1_amounts="1"
    )
    event.tournament.refresh_from_db()
    assert [group["name"] for group in event.tournament.prizes] == ["U12"]


def test_a_late_entry_makes_papers_out_of_date(director: Client, event: Event):
    assert director.get(PRINT).context["outdated"]["cards"] == []
    event.enter(player_of(make_player("Carl", 2500)))

    response = director.get(PRINT)
    assert response.context["outdated"]["cards"]
    for name in ("pairings", "slips"):
        sheet = f"/api/v1/tournaments/spring/rounds/1/{name}.pdf?paper=a4"
        assert f'<a href="{sheet}">Round 1: ' in response.content.decode()


@pytest.mark.parametrize(
    ("values", "detail"),
    [
        ({"prizes_0_name": "Open"}, "needs prizes"),
        ({"prizes_0_amounts": "100"}, "name"),
        ({"prizes_0_name": "A", "prizes_0_amounts": "1", "prizes_0_colour": "red"}, "colour"),
    ],
)
def test_a_wrong_group_stays_in_the_form_with_its_error(
    director: Client, event: Event, values: dict[str, str], detail: str
):
    rejected = save(director, **values)

    assert rejected.status_code == 422
    group = rejected.context["groups"][0]
    assert detail in group["errors"][0]
    assert group["value"].get("name", "") == values.get("prizes_0_name", "")


def test_all_wrong_amounts_are_named_at_once(director: Client, event: Event):
    rejected = save(
        director, currency="XYZ", prizes_0_name="Open", prizes_0_amounts="a lot",
        prizes_1_name="U12", prizes_1_amounts="300,200,100",
    )  # fmt: skip
    assert rejected.status_code == 422
    groups = rejected.context["groups"]
    assert "'a' is no amount of money" in groups[0]["errors"][0]
    assert "300,200,100" in groups[1]["errors"][0]
    assert groups[1]["value"]["amounts"] == "300,200,100"


def test_money_is_written_as_readers_of_the_language_write_it() -> None:
    for language, text in (("en", "1,500.50 EUR"), ("de", "1.500,50 EUR")):
        with override(language):
            assert money(150050, "EUR") == text
