"""Pairing numbers: at the start, of late entries, by lot, and after a corrected rating."""

from typing import Any

import pytest
from django.db.models import F

from games.models import JournalLine, Player
from ratings.models import Pool, Rating, Run
from tests.events import Event, make_event, make_players, make_running
from tests.people import Person, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.entries.numbering import preview_numbers, renumber_entries
from tournament.models import Entry

pytestmark = pytest.mark.django_db
POOL = {"pool": "star", "seed_source": "pool"}
REASON = {"reason": "the form had a slip of the pen"}


def rate(player: Player, rating: int, pool: str = "star") -> None:
    """Give a player a rating, in thousandths."""
    found, _ = Pool.objects.get_or_create(code=pool)
    run, _ = Run.objects.get_or_create(pool=found, number=1, engine_version=1)
    Rating.objects.create(
        pool=found, player=player, run=run, rating=rating, games=20,
        last_game_at="2026-04-01T12:00:00Z",
    )  # fmt: skip


def seeds(event: Event) -> list[tuple[str, int | None, int]]:
    """Return the names, the pairing numbers and the seed ratings, by number."""
    rows = event.tournament.entries.order_by(F("pairing_number").asc(nulls_first=True))
    return [(row.player.name, row.pairing_number, row.seed_rating) for row in rows]


def order(event: Event) -> str:
    """Return the last letters of the names by pairing number."""
    return "".join(name[-1] for name, number, _ in seeds(event) if number)


def players_of(*rated: tuple[str, int | None]) -> list[Player]:
    return [Player.objects.create(name=name, seed_rating=rating) for name, rating in rated]


def correct(event: Event, name: str, **values: Any) -> Any:
    entry = event.tournament.entries.get(player__name=name)
    return event.owner.patch(f"{event.path}/entries/{entry.pk}", {**values, **REASON})


def test_numbers_follow_rating_then_name_without_case_and_accents(organiser: Person) -> None:
    event = make_event(organiser)
    names = ["Zoe", "Étoile", "de Wit", "Łódzki", "Muller", "muller"]
    event.enter(*players_of(*((name, 1500) for name in names), ("Cy", 1800), ("Di", None)))
    (gone,) = event.enter(*players_of(("Gone", 1900)))
    event.step("open")
    organiser.post(f"{event.path}/entries/{gone.pk}/withdraw")

    event.step("start")

    assert seeds(event) == [
        ("Gone", None, 1900), ("Cy", 1, 1800), ("de Wit", 2, 1500), ("Étoile", 3, 1500),
        ("Łódzki", 4, 1500), ("Muller", 5, 1500), ("muller", 6, 1500), ("Zoe", 7, 1500),
        ("Di", 8, 0),
    ]  # fmt: skip
    assert verify() == []


def test_a_late_entry_is_inserted_and_who_withdrew_keeps_a_number(organiser: Person) -> None:
    event = make_running(organiser, 3, rounds=5)
    second = event.tournament.entries.get(pairing_number=2)
    organiser.post(f"{event.path}/entries/{second.pk}/withdraw")
    event.play(1)
    late, equal, last = players_of(("Late 9", 1498), ("Player 3", 1497), ("Last 8", None))

    previewed = preview_numbers(
        event.tournament,
        [Entry(tournament=event.tournament, player=equal, seed_rating=1497)],
    )
    assert [entry.pk is None for entry in previewed] == [False, False, False, True]
    event.enter(equal, last)
    assert order(event) == "12338"
    assert organiser.post(f"{event.path}/entries", {"player_id": late.pk}).json()["number"] == 2
    assert order(event) == "192338"
    assert verify() == []


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"pool": "star"}, [("Player 1", 1, 1499), ("Player 2", 2, 1498), ("Player 3", 3, 1497)]),
        (POOL, [("Player 3", 1, 1601), ("Player 2", 2, 1498), ("Player 1", 3, 1400)]),
    ],
)
def test_the_seeds_are_given_or_those_of_the_pool(
    organiser: Person, settings: dict[str, Any], expected: list[tuple[str, int, int]]
) -> None:
    event = make_event(organiser, **settings)
    players = make_players(3)
    rate(players[0], 1_400_499)
    rate(players[1], 1_700_000, pool="another")
    rate(players[2], 1_600_500)
    event.enter(*players)

    event.step("open", "start")

    assert seeds(event) == expected
    assert verify() == []


def test_a_late_seed_from_the_pool(organiser: Person) -> None:
    event = make_event(organiser, system="dutch", **POOL)
    *players, late, imported, other = make_players(6)
    event.enter(*players)
    event.step("open", "start").play(1)
    rate(players[0], 2_000_000)  # too late for a number that is assigned
    rate(late, -3_000)
    rate(other, 1_700_000)
    Player.objects.filter(pk=imported.pk).update(merged_into=other)

    body = organiser.post(f"{event.path}/entries", {"player_id": late.pk}).json()
    assert (body["seed_rating"], body["number"]) == (1, 4)
    event.enter(imported)
    assert seeds(event)[0] == ("Player 5", 1, 1700)
    assert seeds(event)[1][::2] == ("Player 1", 1499)
    lines = b"player,seed_rating\n%d,1000\n" % other.pk
    path = f"{event.path}/entries/import"
    assert organiser.post(path, lines, content_type="text/csv").status_code == 201
    assert [seed for name, _, seed in seeds(event) if name == "Player 6"] == [1700]
    assert verify() == []


class TestLots:
    @pytest.fixture
    def event(self, organiser: Person) -> Event:
        options = {"numbers": "lot"}
        event = make_event(organiser, system="round-robin", rounds=3, system_options=options)
        event.enter(*make_players(4))
        return event.step("open")

    def test_lots_that_were_drawn_give_the_numbers(self, event: Event) -> None:
        for name, lot in (("Player 1", 40), ("Player 2", 7), ("Player 3", 9), ("Player 4", 1)):
            assert correct(event, name, lot=lot).status_code == 200
        event.step("start")
        assert order(event) == "4231"
        assert renumber_entries(event.tournament) == []
        assert verify() == []

    def test_without_lots_the_seed_of_the_event_draws_them(self, event: Event) -> None:
        event.tournament.draw_seed = "0"
        event.tournament.save()
        event.step("start")
        lots = event.tournament.entries.order_by("pairing_number").values_list("lot", flat=True)
        assert (order(event), list(lots)) == ("3241", [1, 2, 3, 4])

    @pytest.mark.parametrize(
        ("lots", "code", "named"),
        [((1, 2, None, 4), "lots_incomplete", "Player 3"), ((1, 2, 2, 4), "lot_twice", "2")],
    )
    def test_lots_that_give_no_order(
        self, event: Event, lots: tuple[int | None, ...], code: str, named: str
    ) -> None:
        for number, lot in enumerate(lots, 1):
            event.tournament.entries.filter(player__name=f"Player {number}").update(lot=lot)
        problem = problem_in(event.owner.post(f"{event.path}/start"), 409, code)
        assert problem["detail"].endswith(named)


class TestCorrectedRatings:
    """C.04.2 article 2.3: new numbers until the fourth round is paired."""

    @pytest.fixture
    def event(self, organiser: Person) -> Event:
        return make_running(organiser, 5, rounds=6)

    def test_new_numbers_make_cards_and_sheets_outdated(
        self, organiser: Person, event: Event
    ) -> None:
        event.play(1)
        event.publish(2)
        assert correct(event, "Player 1", seed_rating=1499).json()["number"] == 1

        body = correct(event, "Player 1", seed_rating=1497).json()

        assert (order(event), body["number"]) == ("21345", 2)
        entries = dict(event.tournament.entries.values_list("player__name", "pk"))
        assert body["outdated"] == {
            "cards": [
                {"id": entries["Player 2"], "number": 1, "printed_number": 2},
                {"id": entries["Player 1"], "number": 2, "printed_number": 1},
            ],
            "sheets": ["rounds/1/pairings.pdf", "rounds/2/pairings.pdf", "rounds/2/slips.pdf"],
        }
        line = JournalLine.objects.select_related("payload").latest("pk")
        assert line.payload.body["numbers"] == [
            [entries["Player 2"], 1], [entries["Player 1"], 2],
        ]  # fmt: skip
        assert correct(event, "Player 5", seed_rating=3000).json()["number"] == 1
        event.finish(2)
        event.publish(3)
        assert organiser.get(f"{event.path}/rounds/3").json()["state"] == "published"
        assert correct(event, "Player 5", category="U8").json()["outdated"]["cards"] == []
        assert verify() == []

    def test_until_the_fourth_round_is_paired(self, event: Event) -> None:
        for number in (1, 2, 3):
            event.play(number)
        assert correct(event, "Player 5", seed_rating=3000).json()["number"] == 1
        event.draft(4)

        body = correct(event, "Player 5", seed_rating=1).status_code, order(event)
        assert body == (422, "51234")
        body = correct(event, "Player 5", seed_rating=100).json()

        card = {"id": body["id"], "number": 1, "printed_number": 5}
        assert (body["number"], card in body["outdated"]["cards"]) == (1, True)
        event.enter(*players_of(("Late 9", 1450)))
        assert order(event) == "951234"
        assert verify() == []

    @pytest.mark.parametrize(
        ("system", "after"), [("dutch-baku", "1234"), ("knockout", "1234"), ("monrad", "4123")]
    )
    def test_numbers_that_decide_more_than_an_order_stay_after_round_1(
        self, organiser: Person, system: str, after: str
    ) -> None:
        event = make_running(organiser, 4, slug="other", system=system, rounds=2)
        correct(event, "Player 3", seed_rating=1499)
        assert order(event) == "1324"
        correct(event, "Player 3", seed_rating=1497)
        event.draft(1)

        correct(event, "Player 4", seed_rating=3000)

        assert order(event) == after

    def test_a_rating_that_decided_starting_scores_stays(self, organiser: Person) -> None:
        event = make_running(organiser, 4, slug="other", system="mcmahon")
        assert correct(event, "Player 4", seed_rating=1600).json()["number"] == 1
        event.draft(1)

        answer = correct(event, "Player 4", seed_rating=1400)

        problem_in(answer, 409, "starting_scores_fixed")
        assert correct(event, "Player 4", club="Harbour").status_code == 200

    def test_nobody_has_a_number_before_the_start_or_another_one_after_the_end(
        self, organiser: Person
    ) -> None:
        event = make_event(organiser, rounds=1)
        event.enter(*make_players(2))
        event.step("open")
        assert correct(event, "Player 2", seed_rating=2000).json()["number"] is None
        event.step("start").play(1)
        event.step("review")
        assert correct(event, "Player 2", seed_rating=100).json()["number"] == 1
        assert verify() == []
