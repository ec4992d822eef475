"""Pairing a round: what it depends on, the byes in it, its versions, who advances in a bracket."""

from typing import Any

import pytest

from games.core.errors import Conflict
from games.models import Game, JournalLine
from games.play.services import rule_game
from tests.events import Event, make_event, make_players, make_running, settle
from tests.people import Person, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.entries.services import change_entry_state
from tournament.models import Bye, Entry, Pairing, Round
from tournament.rounds.advances import find_changed_advances, require_accepted_advances
from tournament.rounds.by_hand import HandPairing, ask_engine, set_pairings
from tournament.rounds.pages import unpaired_names
from tournament.rounds.pairing import compute_pairings, pair_round, requested_byes
from tournament.rounds.queries import load_pairings_of

pytestmark = pytest.mark.django_db


def round_of(event: Event, number: int = 1) -> Round:
    return event.tournament.round_set.select_related("tournament").get(number=number)


def entry_of(event: Event, number: int) -> Entry:
    return event.tournament.entries.get(pairing_number=number)


def paired(event: Event, number: int = 1) -> set[int | None]:
    """Return the pairing numbers of who has a board or a bye in the current version."""
    this_round = round_of(event, number)
    rows = Pairing.objects.filter(round=this_round, version=this_round.version)
    seats = rows.values_list("first__pairing_number", "second__pairing_number")
    return {player for row in seats for player in row} - {None}


class TestComputedBefore:
    """The engine pairs outside the transaction; what has changed meanwhile is paired anew."""

    @pytest.fixture
    def event(self, organiser: Person) -> Event:
        return make_running(organiser, 6)

    def leave(self, event: Event) -> None:
        change_entry_state(entry_of(event, 6), Entry.State.WITHDRAWN, by=event.owner.account)

    def test_by_the_system(self, organiser: Person, event: Event) -> None:
        computed = compute_pairings(round_of(event))
        self.leave(event)
        pair_round(event.tournament, 1, by=organiser.account, computed=computed)
        assert paired(event) == {1, 2, 3, 4, 5}
        assert verify() == []

    def test_by_hand(self, organiser: Person, event: Event) -> None:
        asked = ask_engine(round_of(event), "set_pairings")
        self.leave(event)
        entries = [entry_of(event, number).pk for number in (1, 3, 4, 2, 5)]
        boards = [
            HandPairing(entries[0], entries[1]),
            HandPairing(entries[2], entries[3]),
            HandPairing(entries[4], None),
        ]
        _, draft = set_pairings(
            event.tournament, 1, boards, reason="x", by=organiser.account, engine=asked
        )
        assert draft.differences == ()  # as the engine pairs five players
        assert ask_engine(round_of(event, 2), "set_pairings") is None


@pytest.mark.parametrize(
    ("values", "has_bye"),
    [
        ({}, True),
        ({"last_round": 2}, True),
        ({"last_round": 1}, False),
        ({"first_round": 2}, True),
        ({"first_round": 3}, False),
        ({"state": "withdrawn"}, False),
        ({"pairing_number": None}, False),
    ],
)
def test_a_requested_bye_is_that_of_who_could_play(
    organiser: Person, values: dict[str, Any], has_bye: bool
) -> None:
    event = make_running(organiser, 4)
    entry = entry_of(event, 2)
    for number in (2, 3):
        Bye.objects.create(tournament=event.tournament, entry=entry, round=number, kind="half_bye")
    Entry.objects.filter(pk=entry.pk).update(**values)
    found = [(row.first_id, row.kind) for row in requested_byes(round_of(event, 2))]
    assert found == ([(entry.pk, "half_bye")] if has_bye else [])


def test_each_version_has_a_number_of_its_own(organiser: Person) -> None:
    event = make_running(organiser, 4)
    path = f"{event.path}/rounds/1"
    why = {"reason": "a slip"}
    for _ in range(3):
        event.draft(1)
    assert organiser.post(f"{path}/restore", {"version": 1, **why}).status_code == 200
    event.draft(1)
    assert round_of(event).version == 4
    organiser.post(f"{path}/unpair", why)
    assert round_of(event).version == 5
    event.draft(1)
    assert round_of(event).version == 6
    versions = event.tournament.pairings.order_by("version").values_list("version", flat=True)
    assert sorted(set(versions)) == [1, 2, 3, 4, 6]
    lines = JournalLine.objects.filter(stream=event.stream, kind__startswith="round.")
    assert [line.payload.body["version"] for line in lines.order_by("sequence")] == [
        1, 2, 3, 1, 4, 5, 6,
    ]  # fmt: skip
    assert verify() == []


def test_a_draft_is_seen_by_officials_only(organiser: Person, anonymous: Person) -> None:
    event = make_running(organiser, 2, rounds=2)
    event.play(1)
    body = {"relax": ["rematch"], "reason": "the players wish it"}
    assert organiser.post(f"{event.path}/rounds/2/pair", body).status_code == 200

    def seen(who: Person) -> list[tuple[Any, ...]]:
        rows = [
            *who.get(f"{event.path}/rounds").json()["results"],
            who.get(f"{event.path}/rounds/2").json(),
        ]
        return [(row["state"], row["relaxed"], row["reason"]) for row in rows[1:]]

    assert seen(organiser) == [("drafted", ["rematch"], "the players wish it")] * 2
    assert [row[1:] for row in seen(anonymous)] == [([], None)] * 2
    problem_in(anonymous.get(f"{event.path}/rounds/2/pairings"), 404, "not_published")
    for entry in (None, entry_of(event, 1).pk):
        shown = load_pairings_of(event.tournament, entry)
        assert [number for number, _ in shown] == [1]
    organiser.post(f"{event.path}/rounds/2/publish")
    assert [row[1] for row in seen(anonymous)] == [["rematch"]] * 2
    numbers = [[number for number, _ in load_pairings_of(event.tournament, entry_of(event, n).pk)]
               for n in (1, 2)]  # fmt: skip
    assert numbers == [[1, 2], [1, 2]]


def test_who_is_not_paired_is_named(organiser: Person) -> None:
    event = make_running(organiser, 7, rounds=3)
    assert unpaired_names(round_of(event), {}) == []
    Bye.objects.create(
        tournament=event.tournament, entry=entry_of(event, 6), round=1, kind="zero_bye"
    )
    event.draft(1)
    assert unpaired_names(round_of(event), {}) == []
    this_round = round_of(event)
    rows = Pairing.objects.filter(round=this_round)
    rows.filter(first__pairing_number__in=(1, 5)).delete()
    rows.filter(second__pairing_number__in=(1, 5)).delete()
    left = {1, 2, 3, 4, 5, 7} - paired(event)
    assert len(left) >= 2
    values = {1: {"first_round": 2}, 5: {"first_round": 1}}
    for number, value in values.items():
        Entry.objects.filter(pk=entry_of(event, number).pk).update(**value)
    names = unpaired_names(this_round, {})
    assert {int(name.split()[0]) for name in names} == left - {1}
    Entry.objects.filter(pk=entry_of(event, 5).pk).update(state="withdrawn")
    assert len(unpaired_names(this_round, {})) == len(left) - 2


def test_a_schedule_rules_the_games_of_who_is_absent(organiser: Person) -> None:
    event = make_running(organiser, 5, system="round-robin", rounds=5)
    for number in (1, 2):
        change_entry_state(entry_of(event, number), Entry.State.WITHDRAWN, by=organiser.account)
    results = set()
    for number in range(1, 6):
        event.publish(number)
        settle()
        for row in organiser.get(f"{event.path}/rounds/{number}/pairings").json()["rows"]:
            if row["second"]:
                seats = row["first"]["number"], row["second"]["number"]
                absent = tuple(seat in (1, 2) for seat in seats)
                results.add((absent, row["result"]))
        Game.objects.filter(state="open").update(state="confirmed", draw=True)
        assert organiser.post(f"{event.path}/rounds/{number}/complete").status_code == 200
    assert {row for row in results if any(row[0])} == {
        ((True, False), "0-1f"), ((False, True), "1-0f"), ((True, True), "0-0f"),
    }  # fmt: skip
    assert ((False, False), None) in results


class TestAdvances:
    """A knockout of four players whose second round is paired, and a result that is corrected."""

    @pytest.fixture
    def event(self, organiser: Person) -> Event:
        event = make_running(organiser, 4, system="knockout", rounds=2)
        event.play(1)
        event.draft(2)
        return event

    def correct(self, event: Event) -> tuple[int, int]:
        """Let the loser of the first board win; return the numbers of loser and winner."""
        game = event.games(1)[0]
        Game.objects.update(round_complete=False)  # as in an event of an earlier version
        rule_game(game, by=event.owner.account, reason="reversed", result="10-11")
        settle()
        numbers = dict(event.tournament.entries.values_list("player_id", "pairing_number"))
        return numbers[game.first_id], numbers[game.second_id]

    def test_other_players_should_meet(self, organiser: Person, event: Event) -> None:
        assert find_changed_advances(event.tournament) is None
        (other,) = paired(event, 2) - self.first_numbers(event)
        loser, winner = self.correct(event)

        found = find_changed_advances(event.tournament)

        assert found is not None
        assert found.as_json() == {
            "round": 2, "state": "drafted",
            "paired": [{"numbers": sorted((loser, other))}],
            "due": [{"numbers": sorted((winner, other))}],
            "tied": [],
        }  # fmt: skip
        items = organiser.post(f"{event.path}/rounds/2/check").json()["items"]
        assert "advance_changes" in [item["code"] for item in items]
        require_accepted_advances(found)  # a draft is withdrawn anyway
        Round.objects.filter(number=2).update(state="published")
        found = find_changed_advances(event.tournament)
        with pytest.raises(Conflict) as refused:
            require_accepted_advances(found, accept=["other"])
        assert refused.value.extra["round"] == 2
        require_accepted_advances(found, accept=["advance_changes"])
        require_accepted_advances(None)

    def first_numbers(self, event: Event) -> set[int | None]:
        game = event.games(1)[0]
        numbers = dict(event.tournament.entries.values_list("player_id", "pairing_number"))
        return {numbers[game.first_id], numbers[game.second_id]}

    def test_a_round_set_by_hand_is_not_compared(self, organiser: Person, event: Event) -> None:
        one, two = sorted(number for number in paired(event, 2) if number)
        body = {
            "reason": "by lot",
            "pairings": [
                {"first_id": entry_of(event, one).pk, "second_id": entry_of(event, two).pk}
            ],
        }
        assert organiser.put(f"{event.path}/rounds/2/pairings", body).status_code == 200
        self.correct(event)
        assert find_changed_advances(event.tournament) is None

    def test_a_swiss_has_no_bracket(self, organiser: Person) -> None:
        event = make_running(organiser, 4, slug="other")
        event.play(1)
        event.draft(2)
        self.correct(event)
        assert find_changed_advances(event.tournament) is None


def test_the_games_are_those_of_the_event_and_of_who_has_agreed(organiser: Person) -> None:
    event = make_event(
        organiser, board="6", swap=False, rated=False, confirm_hours=3, public=False,
        games_per_pairing=2, main_minutes=30, increment_seconds=5,
    )  # fmt: skip
    event.enter(*make_players(6))
    event.step("open", "start")
    agreed = Entry.objects.filter(pairing_number__in=(1, 3, 5, 6))
    agreed.update(consented_at="2026-01-01T00:00:00Z")
    event.publish(1)
    games = list(Game.objects.filter(stream=event.stream).order_by("pk"))
    assert len(games) == 6
    for game in games:
        values = (game.event, game.round, game.board, game.swap, game.rated, game.confirm_hours)
        assert values == ("Spring Open", "1", "6", False, False, 3)
        assert (game.public, game.main_minutes, game.increment_seconds) == (False, 30, 5)
        names = {game.first.name, game.second.name}
        assert game.consented is (names == {"Player 5", "Player 6"})
    pairs = [(game.first_id, game.second_id) for game in games]
    assert [pair[::-1] for pair in pairs[:3]] == pairs[3:]
    places = [f"1/1/{board}{game}" for board in (1, 2, 3) for game in ("", "/2")]
    assert sorted(game.place for game in games) == places
