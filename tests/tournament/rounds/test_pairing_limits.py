"""The pairing of a round is limited: in time, in number at once, and for one account."""

from dataclasses import replace
from itertools import combinations

import pytest

from games.core.broker import clear
from games.core.limits import place_to_pair
from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in
from tests.tournament.pairing.random_histories import event_with_random_history
from tournament.core import engine
from tournament.pairing.deadline import OutOfTime, check_time, end_after
from tournament.pairing.random_tournament import RandomConditions
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.trf_rounds import request_next_round

pytestmark = pytest.mark.django_db
DRY = "/rounds/1/pair?dry_run=1"


@pytest.fixture
def event(organiser: Person) -> Event:
    clear()
    event = make_event(organiser)
    event.enter(*make_players(6))
    return event.step("open", "start")


@pytest.mark.parametrize("system", ["dutch", "dutch-baku", "monrad", "mcmahon"])
def test_a_pairing_ends_after_its_time(system: str) -> None:
    conditions = RandomConditions(players=40, rounds=9, seed=1)
    request = request_next_round(event_with_random_history(conditions, 3))
    club = frozenset(combinations(range(21, 41), 2))
    request = replace(request, forbidden=club)
    with end_after(-1.0), pytest.raises(OutOfTime):
        PAIRING_SYSTEMS[system].pair(request)
    check_time()
    assert PAIRING_SYSTEMS[system].pair(request).pairs


def test_a_round_that_takes_too_long_is_a_clear_problem(
    organiser: Person, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "LONGEST_PAIRING", -1.0)
    path = event.path + "/rounds/1"
    for address in (f"{path}/pair?dry_run=1", f"{path}/pair"):
        problem_in(organiser.post(address, {}), 503, "pairing_too_long")
    assert organiser.get(path).json()["state"] == "planned"


def test_an_account_pairs_one_round_at_a_time(organiser: Person, event: Event) -> None:
    with place_to_pair(str(organiser.account.pk)):
        for path in ("/rounds/1/pair?dry_run=1", "/rounds/1/pair", "/rounds/1/check"):
            response = organiser.post(event.path + path, {})
            problem_in(response, 429, "already_running")
            assert int(response["Retry-After"]) > 0
    assert organiser.post(event.path + DRY, {}).status_code == 200


def test_a_process_pairs_two_rounds_at_a_time(organiser: Person, event: Event) -> None:
    with place_to_pair("one"), place_to_pair("another"):
        response = organiser.post(event.path + DRY, {})
        problem_in(response, 503, "busy")
        assert int(response["Retry-After"]) > 0
    assert organiser.post(event.path + DRY, {}).status_code == 200
