"""The snapshots of an imported TRF file are those that its rounds get one by one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.people import Person
from tests.tournament.imports import HEADER, post_trf
from tests.tournament.standings.events import swiss
from tournament.core.snapshots import take_snapshot, take_snapshots
from tournament.models import Round, Snapshot, Tournament
from tournament.trf import TrfFile, write_trf

EVENTS = {
    "byes and forfeits": ("dutch", ""),
    "virtual points": ("dutch-baku", ""),
    "starting scores": ("mcmahon", ""),
    "a second direct encounter": ("dutch", "PTS,DE,BH/C1,DE"),
    "values that need a record": ("monrad", "PTS,MARGIN,STARS,SB"),
    "nothing but values that need a record": ("dutch", "QUARKS"),
}


def event_of(
    organiser: Person, seed: int, system: str = "dutch", tiebreaks: str = ""
) -> Tournament:
    text = write_trf(TrfFile(crosstable=swiss(seed), header=HEADER))
    query = f"&system={system}" + (f"&tiebreaks={tiebreaks}" if tiebreaks else "")
    return Tournament.objects.get(slug=post_trf(organiser, text, query)["tournament"])


@pytest.mark.parametrize(
    "seed", [3, *(pytest.param(seed, marks=pytest.mark.long) for seed in (0, 1))]
)
@pytest.mark.parametrize(("system", "tiebreaks"), EVENTS.values(), ids=EVENTS)
def test_each_snapshot_is_that_of_an_event_which_ends_there(
    organiser: Person, seed: int, system: str, tiebreaks: str
) -> None:
    event = event_of(organiser, seed, system, tiebreaks)
    imported = list(Snapshot.objects.order_by("round__number").values_list("digest", "body"))
    Snapshot.objects.all().delete()

    rounds = Round.objects.filter(state=Round.State.COMPLETE).order_by("number")
    one_by_one = [take_snapshot(event, this_round) for this_round in rounds]

    assert len(imported) > 2
    for body in (*(body for _, body in imported), *(snapshot.body for snapshot in one_by_one)):
        assert len(body.pop("salt")) == 32
    assert imported == [(snapshot.digest, snapshot.body) for snapshot in one_by_one]


def test_the_results_are_loaded_once_for_all_rounds(organiser: Person) -> None:
    event = event_of(organiser, 1)
    queries = []
    for rounds in (1, 3):
        Snapshot.objects.all().delete()
        event.round_set.filter(number__gt=rounds).update(state=Round.State.PLANNED)
        event.round_set.filter(number__lte=rounds).update(state=Round.State.COMPLETE)
        with CaptureQueriesContext(connection) as captured:
            assert len(take_snapshots(event)) == rounds
        queries.append(len(captured))
    assert queries == [6, 6]


def test_ranks_that_need_records_reject_no_file(organiser: Person) -> None:
    text = write_trf(TrfFile(crosstable=swiss(1), header=HEADER, ranks={1: 1, 2: 2}))
    answer = post_trf(organiser, text, "&system=monrad&tiebreaks=PTS,MARGIN")
    assert {compared["why"] for compared in answer["rounds"]} == {None}
