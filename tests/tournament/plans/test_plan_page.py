"""`/plan`: the form, its progress, and the formats compared, without scripts."""

from typing import Any
from xml.etree import ElementTree

import pytest

from tests.events import make_event, make_players
from tests.people import Person
from tests.tournament.conftest import OpenPage
from tournament.models import Plan
from tournament.plans import services as plans

pytestmark = pytest.mark.django_db

FORM = {
    "action": "plan",
    "lines": "Ada, 2000\r\n1900\r\n1850\r\n1700\r\n1600",
    "systems[]": ["monrad", "knockout"],
    "rounds": "2-3",
    "simulations": "20",
    "minutes": "60",
    "pause": "15",
    "aim": "winner",
    "seed": "3",
}


def text_of(response: Any) -> str:
    return response.content.decode()


def test_a_form_leads_to_the_formats_compared(open_page: OpenPage, stranger: Person) -> None:
    response = open_page("/plan", stranger, FORM)
    plan = Plan.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"/plan/{plan.pk}")
    page = text_of(open_page(f"/plan/{plan.pk}", stranger))
    assert "<strong>" in page.split("Recommendation")[1]
    assert page.count("<tr>") == 4
    assert "http-equiv" not in page
    assert "Ada" not in page
    plot = open_page(f"/plan/{plan.pk}/chart.svg", stranger, headers={"Accept-Language": "de"})
    assert "Monrad, 2 Runden" in text_of(plot)
    assert ">0,25</text>" in text_of(plot)
    assert ElementTree.fromstring(plot.content).tag == "{http://www.w3.org/2000/svg}svg"
    assert f'href="/plan/{plan.pk}"' in text_of(open_page("/plan", stranger))


def test_a_list_of_tiebreaks_is_as_long_as_it_needs_to_be(
    open_page: OpenPage, stranger: Person
) -> None:
    page = text_of(open_page("/plan", stranger))
    assert 'name="tiebreaks" value="" aria-describedby="about-tiebreaks">' in page
    codes = "PTS BH BH/C1 SB DE WIN XX"
    page = text_of(open_page("/plan", stranger, FORM | {"tiebreaks": codes}))
    assert "XX is not a tie-break" in page
    assert f'value="{codes}"' in page
    assert '<a href="#field-tiebreaks">Tie-breaks</a>' in page


def test_a_plan_in_progress_reloads_its_page(
    open_page: OpenPage, stranger: Person, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.SIMULATION_PROCESSES = 1
    monkeypatch.setattr(plans, "MOST_SIMULATED_AT_ONCE", 0)
    monkeypatch.setattr(plans, "STEP_SECONDS", 0)
    open_page("/plan", stranger, FORM)
    plan = Plan.objects.get()
    page = text_of(open_page(f"/plan/{plan.pk}", stranger))
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in page
    assert "0 of 20 simulations" in page
    assert "<table" not in page
    assert open_page(f"/plan/{plan.pk}/chart.svg", stranger).status_code == 404
    plans.advance_plan(plan.pk)
    page = text_of(open_page(f"/plan/{plan.pk}", stranger))
    assert "2 of 20 simulations" in page
    assert "<table" in page


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"rounds": "many"}, "is no number of rounds"),
        ({"rounds": "9"}, "can play at most 5 rounds"),
        ({"lines": "1800\nAda"}, "line 2"),
        ({"lines": ""}, "send one of ratings, lines, tournament"),
        ({"simulations": "7"}, "At least 20"),
        ({"draws": "x"}, "This must be a number."),
    ],
)
def test_a_form_that_is_wrong_is_shown_again(
    open_page: OpenPage, stranger: Person, changes: dict[str, str], part: str
) -> None:
    response = open_page("/plan", stranger, FORM | changes)
    page = text_of(response)
    assert response.status_code == 422
    assert part in page
    assert "knockout" in page
    assert not Plan.objects.exists()


def test_the_entries_of_an_own_event(
    open_page: OpenPage, organiser: Person, stranger: Person
) -> None:
    event = make_event(organiser)
    event.enter(*make_players(4))
    event.step("open")
    slug = event.tournament.slug
    for path in ("/run", "/run/setup"):
        assert f'href="/plan?event={slug}"' in text_of(open_page(f"/e/{slug}{path}", organiser))
    page = text_of(open_page(f"/plan?event={slug}", organiser))
    assert f'<option value="{slug}" selected>' in page
    assert slug not in text_of(open_page("/plan", stranger))
    form = FORM | {"lines": "", "tournament": slug}
    assert open_page("/plan", organiser, form).status_code == 303
    assert open_page("/plan", stranger, form).status_code == 403
    plan = Plan.objects.get()
    assert f'href="/e/{slug}"' in text_of(open_page(f"/plan/{plan.pk}", organiser))


def test_others_do_not_see_a_plan(open_page: OpenPage, organiser: Person, stranger: Person) -> None:
    open_page("/plan", stranger, FORM)
    number = Plan.objects.get().pk
    for path in (f"/plan/{number}", f"/plan/{number}/chart.svg"):
        assert open_page(path, organiser).status_code == 404
        assert open_page(path)["Location"].startswith("/login")
    assert open_page("/plan")["Location"] == "/login?next=%2Fplan"


def test_a_ranking_without_points_is_told(open_page: OpenPage, stranger: Person) -> None:
    open_page("/plan", stranger, FORM | {"tiebreaks": "BH SB"})
    page = text_of(open_page(f"/plan/{Plan.objects.get().pk}", stranger))
    assert page.count("the ranking begins with BH, not with points") == 1
