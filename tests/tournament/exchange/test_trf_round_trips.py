"""TRF files that are imported and exported again are equal, in every system."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from games.rules.seat import Seat
from tests.people import Person
from tests.tournament.imports import import_trf
from tests.tournament.standings.events import round_robin, swiss
from tests.tournament.trf.files import trf_of
from tournament.core.crosstable import load_crosstable
from tournament.core.queries import adjourned_boards, last_complete_round
from tournament.events.verification import verify_tournament
from tournament.models import Entry, Tournament
from tournament.pairing.random_tournament import RandomConditions, random_rounds
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.standings.crosstable import Competitor, Crosstable, Kind, RoundResult
from tournament.standings.points import CLASSIC, PointSystem
from tournament.trf import (
    AnnouncedBye,
    ForbiddenGroup,
    TrfEdition,
    TrfFile,
    TrfHeader,
    read_trf,
    write_trf,
)

pytestmark = pytest.mark.any_database

HEADER = TrfHeader(
    name="Random Open",
    city="Saltmarsh Quay",
    federation="ENG",
    start="2026/05/01",
    end="2026/05/09",
    chief_arbiter="Matilda Fairweather",
    time_control="45 minutes",
    encoded_time="2700",
    round_dates=("26/05/01", "", "26/05/03"),
)
THREE_ONE = PointSystem.from_points(win=3, draw=1, pairing_bye=1)


def export(tournament: Tournament, form: TrfEdition) -> str:
    return trf_of(tournament, through=last_complete_round(tournament), edition=form)


def two_stages(conditions: RandomConditions) -> Iterator[TrfFile]:
    """Yield a random event before its third round and at its end."""
    documents = [replace(document, header=HEADER) for document, _ in random_rounds(conditions)]
    yield documents[min(2, len(documents) - 1)]
    yield documents[-1]


RANDOM_EVENTS = [
    RandomConditions(players=10, rounds=5, seed=1),
    RandomConditions(players=13, rounds=6, seed=2, byes=0.1, forfeits=0.1),
    RandomConditions(players=24, rounds=7, seed=3, late=0.2, withdrawals=0.04, draws=0.5),
    RandomConditions(players=17, rounds=5, seed=4, forbidden=8, byes=0.1, points=THREE_ONE),
    RandomConditions(players=22, rounds=7, seed=5, has_baku=True, late=0.2, byes=0.05),
    RandomConditions(players=31, rounds=9, seed=6, has_baku=True, late=0.3, withdrawals=0.05),
    RandomConditions(players=19, rounds=4, seed=7, has_baku=True, forbidden=3, points=THREE_ONE),
    RandomConditions(players=40, rounds=9, seed=8, has_baku=True, late=0.1, byes=0.1, forfeits=0.1),
]
QUICK = {(2, TrfEdition.TRF16), (4, TrfEdition.TRF16), (5, TrfEdition.TRF26)}
"""The seed and the edition of the events that are tried in `make test`."""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("conditions", "form"),
    [
        pytest.param(
            conditions,
            form,
            id=f"seed {conditions.seed}-{form}",
            marks=[] if (conditions.seed, form) in QUICK else [pytest.mark.long],
        )
        for conditions in RANDOM_EVENTS
        for form in TrfEdition
    ],
)
def test_a_swiss_tournament(
    organiser: Person, conditions: RandomConditions, form: TrfEdition
) -> None:
    for number, document in enumerate(two_stages(conditions)):
        found = import_trf(
            write_trf(document, edition=form), by=organiser.account, slug=f"one-{number}"
        )
        assert found.left_out == []
        assert found.tournament.system == ("dutch-baku" if conditions.has_baku else "dutch")
        assert [compared["agrees"] for compared in found.rounds] == [
            True
        ] * document.crosstable.completed
        once = export(found.tournament, form)
        read = read_trf(once)
        assert read.crosstable == replace(
            document.crosstable,
            players=tuple(without_later_rounds(document.crosstable)),
        )
        assert set(read.byes) == set(document.byes)
        assert [{*group.players} for group in read.forbidden] == [
            {*group.players} for group in document.forbidden
        ]

        again = import_trf(once, by=organiser.account, slug=f"two-{number}")

        assert again.left_out == []
        assert again.ranks == []
        assert export(again.tournament, form) == once


def without_later_rounds(table: Crosstable) -> Iterator[Competitor]:
    """Yield the players as the file contains them: without results after the last round."""
    for player in table.players:
        yield replace(player, results=player.results[: table.completed])


@pytest.mark.django_db
@pytest.mark.long
@pytest.mark.parametrize("form", TrfEdition)
@pytest.mark.parametrize("seed", range(1, 6))
def test_a_round_robin(organiser: Person, seed: int, form: TrfEdition) -> None:
    written = write_trf(TrfFile(crosstable=round_robin(seed), header=HEADER), edition=form)
    once = export(import_trf(written, by=organiser.account, slug="one").tournament, form)

    again = import_trf(once, by=organiser.account, slug="two")

    assert again.tournament.system == "round-robin"
    assert (again.left_out, again.ranks) == ([], [])
    assert export(again.tournament, form) == once


@pytest.mark.django_db
@pytest.mark.parametrize(
    "form", [TrfEdition.TRF26, pytest.param(TrfEdition.TRF16, marks=pytest.mark.long)]
)
@pytest.mark.parametrize(
    "system",
    ["knockout", "mcmahon", "round-robin"]
    + [
        pytest.param(system, marks=pytest.mark.long)
        for system in sorted(PAIRING_SYSTEMS.keys() - {"knockout", "mcmahon", "round-robin"})
    ],
)
def test_every_system(organiser: Person, system: str, form: TrfEdition) -> None:
    event = round_robin(2) if PAIRING_SYSTEMS[system].is_round_robin else swiss(1, points=CLASSIC)
    written = write_trf(TrfFile(crosstable=event, header=HEADER), edition=form)
    found = import_trf(written, by=organiser.account, slug="one", system=system)
    once = export(found.tournament, form)

    again = import_trf(once, by=organiser.account, slug="two")

    assert again.tournament.system == system
    assert again.left_out == []
    assert export(again.tournament, form) == once


def adjourned(opponent: int, seat: Seat) -> RoundResult:
    return RoundResult(Kind.LOSS, opponent, seat, awarded=0, adjourned=True)


def everything() -> TrfFile:
    """Return an event with all content of TRF that the service can store."""
    first, second = Seat
    lost = RoundResult(Kind.LOSS, 2, first)
    rows = {
        1: (lost, RoundResult(Kind.WIN, 7, second, short=True)),
        2: (RoundResult(Kind.DRAW, 1, second), RoundResult(Kind.PAIRING_BYE, awarded=1)),
        7: (RoundResult(Kind.ZERO_BYE, awarded=2), RoundResult(Kind.LOSS, 1, first, short=True)),
        9: (RoundResult(Kind.FORFEIT_WIN, 10, first, awarded=-2), RoundResult(Kind.HALF_BYE)),
        10: (RoundResult(Kind.FORFEIT_LOSS, 9, second), RoundResult(Kind.FULL_BYE, awarded=0)),
        11: (adjourned(12, first), RoundResult(Kind.WIN, 12, second)),
        12: (adjourned(11, second), RoundResult(Kind.LOSS, 11, first)),
    }
    table = Crosstable(
        players=tuple(
            Competitor(
                number=number,
                name=f"Player, No {number}",
                rating=2000 - number,
                title="WIM" if number == 2 else "",
                federation="POR",
                sex="w" if number == 2 else "m",
                birth="1990/00/00" if number < 9 else "",
                fide_id=str(1000 + number),
                results=results,
            )
            for number, results in rows.items()
        ),
        rounds=5,
        points=PointSystem.from_points(
            win=3, draw=1, loss=0, pairing_bye=2, half_bye=Fraction(3, 2), full_bye=2
        ),
        initial_seat=second,
    )
    return TrfFile(
        crosstable=table,
        header=replace(HEADER, kind="Individual: Swiss-System", round_dates=("26/05/01",) * 5),
        tiebreaks=("PTS", "DE", "BH/C1", "SB", "ARO"),
        system="FIDE_DUTCH",
        byes=(
            AnnouncedBye(3, Kind.HALF_BYE, 9),
            AnnouncedBye(3, Kind.PAIRING_BYE, 10),
            AnnouncedBye(4, Kind.FULL_BYE, 1),
            AnnouncedBye(5, Kind.ZERO_BYE, 1),
        ),
        open_pairings=((2, 7),),
        forbidden=(ForbiddenGroup((1, 2, 7), 1, 5), ForbiddenGroup((9, 10), 2, 3)),
    )


@pytest.mark.django_db
@pytest.mark.parametrize("form", TrfEdition)
def test_everything_the_service_can_store(organiser: Person, form: TrfEdition) -> None:
    written = write_trf(everything(), edition=form)

    found = import_trf(written, by=organiser.account, slug="one")

    assert found.left_out == []
    assert adjourned_boards(found.tournament) == [(1, 3)]
    assert verify_tournament(found.tournament.stream) == []
    ranked = export(found.tournament, form)
    # TRF16 has the type of the tournament in words only.
    assert replace(read_trf(ranked), ranks={}, system="FIDE_DUTCH") == everything()
    again = import_trf(ranked, by=organiser.account, slug="two")
    assert (again.left_out, again.ranks) == ([], [])
    assert export(again.tournament, form) == ranked
    assert write_trf(replace(read_trf(ranked), ranks={}), edition=form) == written


@pytest.mark.django_db
@pytest.mark.parametrize("form", TrfEdition)
@pytest.mark.parametrize("system", ["dutch", "round-robin"])
def test_forfeits_without_colours_come_back_as_they_were(
    organiser: Person, form: TrfEdition, system: str
) -> None:
    rounds = [
        ["2 - +", "1 - -", "4 w 1", "3 b 0"],
        ["3 w -", "4 - -", "1 - +", "2 - -"],
        ["4 - -", "3 w +", "2 b -", "1 b +"],
    ]
    rows = "".join(
        f"001 {number:>4}      Player {number}".ljust(91)
        + "".join(f"   {each[number - 1]}  " for each in rounds)
        + "\n"
        for number in range(1, 5)
    )
    written = f"012 Open\n042 2026/05/01\n052 2026/05/01\n{rows}XXR 3\nXXC white1\n"
    found = import_trf(written, by=organiser.account, slug="one", system=system).tournament
    once = export(found, form)

    cells = [line[91:].rstrip() for line in once.splitlines() if line.startswith("001")]
    assert cells == [line[91:].rstrip() for line in rows.splitlines()]
    again = import_trf(once, by=organiser.account, slug="two").tournament
    assert export(again, form) == once
    assert verify_tournament(again.stream) == []
    table = load_crosstable(found)
    assert table.by_number[1].result(1).seat is None
    assert table.by_number[4].result(2) == RoundResult(Kind.FORFEIT_LOSS, 2)
    # A ruling gives the game its colours again.
    row = found.pairings.get(first__pairing_number=1, round__number=1)
    row.game.termination = "ruled"
    row.game.save()
    assert load_crosstable(found).by_number[2].result(1).seat is Seat.SECOND


@pytest.mark.django_db
def test_awarded_points_lapse_when_the_result_changes(organiser: Person) -> None:
    tournament = import_trf(write_trf(everything()), by=organiser.account, slug="one").tournament
    assert load_crosstable(tournament).by_number[9].result(1).awarded == -2
    row = tournament.pairings.get(first__pairing_number=9, round__number=1)
    row.game.winner, row.game.termination = "second", "ruled"
    row.game.save()

    result = load_crosstable(tournament).by_number[9].result(1)

    assert (result.kind, result.awarded) == (Kind.LOSS, None)


@pytest.mark.django_db
def test_late_entries_do_not_move_the_boundary_of_baku_acceleration(organiser: Person) -> None:
    conditions = RandomConditions(players=30, rounds=7, seed=9, has_baku=True, late=0.4)
    *_, document = two_stages(conditions)

    tournament = import_trf(
        write_trf(replace(document, header=HEADER)), by=organiser.account, slug="one"
    ).tournament

    assert Entry.objects.filter(tournament=tournament, first_round__gt=1).exists()
    virtual = {player.number: player.virtual for player in document.crosstable.players}
    assert {p.number: p.virtual for p in load_crosstable(tournament).players} == virtual
