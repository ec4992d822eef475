"""The import of a TRF file pairs its rounds again and lists the differences."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests.events import make_event, make_players
from tests.people import Person
from tests.tournament.imports import HEADER, ImportedTrf, import_trf
from tests.tournament.trf.files import trf_of
from tournament.core.engine import load_request
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.random_tournament import RandomConditions, random_tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.trf import TrfEdition, TrfFile, write_trf

pytestmark = pytest.mark.any_database

POSITIONS = Path("tests/data/pairing")
RANDOM, OTHER_SEAT, AGREED = "random", "other seat", "agreed"
EVENTS = [
    ("024", AGREED),
    ("064", AGREED),
    ("027", RANDOM),
    ("065", OTHER_SEAT),
]
"""Files of the reference program, and what its rounds are."""
SIDES = ("due", "held")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("folder", "name", "history"),
    [
        *(("positions", *event) for event in EVENTS[::2]),
        *(("trf26", *event) for event in EVENTS[1::2]),
    ],
)
def test_the_next_round_is_the_one_of_the_reference_program(
    organiser: Person, folder: str, name: str, history: str
) -> None:
    text = (POSITIONS / folder / f"{name}.trf").read_text()
    day = date(2026, 5, 1)
    found = import_trf(text, by=organiser.account, slug="one", starts_on=day, ends_on=day)

    assert found.left_out == []
    agreed = [compared["agrees"] for compared in found.rounds]
    if history is AGREED:
        assert all(agreed)
    elif history is RANDOM:  # its rounds were paired randomly
        assert not any(agreed)
    else:  # the first round does not fit the initial seat of the file
        assert agreed == [False] + [True] * (len(agreed) - 1)
        due, held = (
            {frozenset(pair["numbers"]) for pair in found.rounds[0][side]} for side in SIDES
        )
        assert due == held
    tournament = found.tournament
    request = load_request(tournament, len(agreed) + 1)
    pairs = (POSITIONS / "positions" / f"{name}.pairs").read_text()
    try:
        assert str(PAIRING_SYSTEMS[tournament.system].pair(request)).split() == pairs.split()
    except NoLegalPairing:
        assert pairs == ""


def disagreeing(found: ImportedTrf) -> list[int]:
    return [compared["round"] for compared in found.rounds if not compared["agrees"]]


def forbidden() -> TrfFile:
    """Return an event whose forbidden pairs change its rounds."""
    conditions = RandomConditions(players=12, rounds=5, seed=11, forbidden=14, byes=0.05)
    return replace(random_tournament(conditions), header=HEADER)


@pytest.mark.django_db
def test_forbidden_pairs_are_used_to_pair_the_rounds_again(organiser: Person) -> None:
    document = forbidden()

    with_forbidden = import_trf(write_trf(document), by=organiser.account, slug="one")
    without = import_trf(
        write_trf(replace(document, forbidden=())), by=organiser.account, slug="two"
    )

    assert disagreeing(with_forbidden) == []
    assert disagreeing(without) != []


@pytest.mark.django_db
@pytest.mark.parametrize("system", ["monrad", "knockout"])
def test_another_system_pairs_its_own_rounds_again(organiser: Person, system: str) -> None:
    written = event_of(organiser, system, TrfEdition.TRF26)

    found = import_trf(written, by=organiser.account, slug="again")

    assert found.tournament.system == system
    assert disagreeing(found) == []
    assert {compared["why"] for compared in found.rounds} == {None}
    dutch = import_trf(written, by=organiser.account, slug="dutch", system="dutch")
    assert disagreeing(dutch) != []


def event_of(organiser: Person, system: str, form: TrfEdition) -> str:
    """Return the TRF file of an event of six players, paired by a system."""
    rounds = 3
    event = make_event(organiser, system=system, rounds=rounds)
    event.enter(*make_players(6))
    event.step("open", "start")
    for number in range(1, rounds + 1):
        event.play(number, "10-11" if number == 2 else "11-10")
    return trf_of(event.tournament, through=rounds, edition=form)
