"""Entries are accepted, refused, withdrawn, put on the waiting list, and come back."""

from collections.abc import Callable
from typing import Any

import pytest

from games.core.errors import ApiError
from games.models import JournalLine
from tests.events import Event, make_event, make_players, make_running, settle
from tests.people import Person, make_player, player_of, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.entries import applications, byes, services
from tournament.entries.services import enter_waiting
from tournament.models import Entry, Tournament

pytestmark = pytest.mark.django_db
State = Entry.State


def entry_of(event: Event, name: str) -> Entry:
    return event.tournament.entries.get(player__name=name)


def act(event: Event, name: str, action: str, **body: Any) -> Any:
    return event.owner.post(f"{event.path}/entries/{entry_of(event, name).pk}/{action}", body)


def states(event: Event) -> list[str]:
    return list(event.tournament.entries.order_by("ordinal").values_list("state", flat=True))


def lines(event: Event, count: int) -> list[tuple[str, str]]:
    """Return the kinds and the reasons of the last lines of the journal."""
    rows = JournalLine.objects.filter(stream=event.stream).order_by("-sequence")[:count]
    return [(row.kind, row.payload.body.get("reason", "")) for row in rows][::-1]


def paired(event: Event, number: int) -> str:
    """Return the last letters of the names of who has a board or a bye in a round."""
    body = event.owner.get(f"{event.path}/rounds/{number}/pairings").json()["rows"]
    rows = [row[seat] for row in body for seat in ("first", "second") if row[seat]]
    return "".join(sorted(row["player"]["name"][-1] for row in rows))


class TestBeforeTheStart:
    @pytest.fixture
    def event(self, organiser: Person) -> Event:
        event = make_event(organiser)
        event.enter(*make_players(3))
        return event.step("open")

    def test_the_states_and_their_lines(self, event: Event) -> None:
        steps = [
            ("refuse", "refused", "entry.refused"),
            ("approve", "accepted", "entry.accepted"),
            ("wait", "waiting", "entry.waiting"),
            ("approve", "accepted", "entry.accepted"),
            ("withdraw", "withdrawn", "entry.withdrawn"),
            ("return", "accepted", "entry.returned"),
        ]
        for action, state, kind in steps:
            answer = act(event, "Player 3", action).json()
            assert (answer["state"], answer["number"], answer["first_round"]) == (state, None, 1)
            assert lines(event, 1) == [(kind, "")]
            problem_in(act(event, "Player 3", action), 409, "nothing_to_do")
        act(event, "Player 3", "withdraw", reason="ill")
        assert lines(event, 1) == [("entry.withdrawn", "ill")]
        event.step("start")
        rows = event.tournament.entries.order_by("ordinal")
        assert [row.pairing_number for row in rows] == [1, 2, None]
        assert verify() == []

    def test_a_place_that_becomes_free_goes_to_the_first_of_the_waiting_list(
        self, organiser: Person, event: Event
    ) -> None:
        organiser.patch(event.path, {"places": 3, "fills_places": True})
        for player in make_players(2):
            enter_waiting(event.tournament, player, by=organiser.account)
        problem = problem_in(act(event, "Player 3", "approve"), 409, "nothing_to_do")
        waiting = event.tournament.entries.get(ordinal=4)
        answer = organiser.post(f"{event.path}/entries/{waiting.pk}/approve")
        problem = problem_in(answer, 409, "no_place_left")
        assert (problem["places"], problem["accepted"]) == (3, 3)
        assert verify() == []
        # Who was put on the list first is not who entered first.
        Entry.objects.filter(ordinal=5).update(entered_at="2026-01-01T00:00:00Z")

        act(event, "Player 3", "refuse")

        assert states(event)[2:] == ["refused", "waiting", "accepted"]
        assert lines(event, 2) == [
            ("entry.refused", ""), ("entry.accepted", "the first of the waiting list"),
        ]  # fmt: skip
        problem_in(act(event, "Player 3", "approve"), 409, "no_place_left")

    @pytest.mark.parametrize(("fills", "places", "accepted"), [(False, 3, 2), (True, 4, 4)])
    def test_places_are_filled_one_by_one_if_the_event_says_so(
        self, organiser: Person, event: Event, fills: bool, places: int, accepted: int
    ) -> None:
        event.enter(*make_players(2))
        for entry in event.tournament.entries.filter(ordinal__gte=3):
            organiser.post(f"{event.path}/entries/{entry.pk}/wait")
        body = {"places": places, "fills_places": fills}
        assert organiser.patch(event.path, body).status_code == 200
        assert states(event).count("accepted") == accepted
        assert verify() == []


class TestAfterTheStart:
    @pytest.fixture
    def event(self, organiser: Person) -> Event:
        """Six players after the first of four rounds; the event fills its places."""
        places = {"places": 6, "fills_places": True, "missed_rounds": "half"}
        event = make_event(organiser, system="dutch", rounds=4, **places)
        event.enter(*make_players(6))
        enter_waiting(event.tournament, *make_players(1), by=organiser.account)
        event.step("open", "start").play(1)
        return event

    def test_who_withdraws_keeps_number_and_points_and_comes_back(
        self, organiser: Person, event: Event
    ) -> None:
        event.draft(2)
        answer = act(event, "Player 2", "withdraw", from_round=None).json()

        assert (answer["state"], answer["number"], answer["last_round"]) == ("withdrawn", 2, None)
        assert [(row["code"], row["round"], row["numbers"]) for row in answer["warnings"]] == [
            ("player_absent", 2, [2])
        ]
        problem_in(organiser.post(f"{event.path}/rounds/2/publish"), 409, "acceptance_needed")
        assert states(event)[6] == "waiting"  # places are filled before the start only
        event.play(2)
        assert paired(event, 2) == "13456"
        rows = organiser.get(f"{event.path}/standings").json()["rows"]
        assert [row["withdrawn"] for row in rows if row["number"] == 2] == [True]
        for action in ("refuse", "wait"):
            problem_in(act(event, "Player 2", action), 409, "playing")
        answer = act(event, "Player 2", "return").json()
        assert (answer["state"], answer["number"], answer["first_round"]) == ("accepted", 2, 1)
        assert lines(event, 1) == [("entry.returned", "")]
        event.draft(3)
        assert paired(event, 3) == "123456"
        assert verify() == []

    @pytest.mark.parametrize(
        ("from_round", "state", "last_round"),
        [(2, "withdrawn", None), (3, "accepted", 2), (4, "accepted", 3)],
    )
    def test_a_player_leaves_now_or_from_a_later_round(
        self, event: Event, from_round: int, state: str, last_round: int | None
    ) -> None:
        problem = problem_in(act(event, "Player 2", "withdraw", from_round=5), 422, "no_such_round")
        assert problem["errors"][0]["pointer"] == "/from_round"

        answer = act(event, "Player 2", "withdraw", from_round=from_round, reason="a flight").json()

        assert (answer["state"], answer["last_round"]) == (state, last_round)
        assert lines(event, 1) == [("entry.withdrawn", "a flight")]
        assert verify() == []

    def test_nobody_leaves_from_a_round_that_is_published(self, event: Event) -> None:
        event.publish(2)
        found = []
        for number in (1, 2):
            answer = act(event, "Player 2", "withdraw", from_round=number)
            found.append(problem_in(answer, 409, "round_published")["detail"])
        assert found == [
            f"round {number} is {state}; withdraw the player from round 3 on, and decide the games "
            "that they do not play"
            for number, state in ((1, "complete"), (2, "published"))
        ]
        event.finish(2)
        event.draft(3)  # a draft is paired again
        assert act(event, "Player 2", "withdraw", from_round=3).json()["state"] == "withdrawn"
        event.play(3)
        event.tournament.round_set.filter(number=4).delete()
        Tournament.objects.update(rounds=3)
        answer = act(event, "Player 3", "withdraw", from_round=3)
        assert "withdraw the player without a round" in problem_in(answer, 409)["detail"]
        problem_in(act(event, "Player 3", "withdraw", from_round=4), 422, "no_such_round")

    def test_who_leaves_later_is_paired_until_then_or_comes_back(
        self, organiser: Person, event: Event
    ) -> None:
        act(event, "Player 2", "withdraw", from_round=3)
        act(event, "Player 3", "withdraw", from_round=3)
        for number in (2, 3):
            body = {"entry_id": entry_of(event, "Player 3").pk, "round": number, "kind": "zero_bye"}
            assert organiser.post(f"{event.path}/byes", body).status_code == 201
        event.play(2)
        assert paired(event, 2) == "123456"
        assert act(event, "Player 2", "return").json()["last_round"] is None
        assert lines(event, 1) == [("entry.returned", "")]
        problem_in(act(event, "Player 2", "return"), 409, "nothing_to_do")
        event.draft(3)
        assert paired(event, 3) == "12456"  # a bye of who has left is none
        assert verify() == []

    def test_who_was_refused_is_accepted_as_a_late_entry(
        self, organiser: Person, event: Event
    ) -> None:
        Tournament.objects.update(places=7)
        entry = event.tournament.entries.get(ordinal=7)
        answer = organiser.post(f"{event.path}/entries/{entry.pk}/approve").json()

        assert (answer["number"], answer["first_round"]) == (2, 2)
        assert answer["missed_rounds"] == {"1": "half_bye"}
        assert [card["number"] for card in answer["outdated"]["cards"]] == [2, 3, 4, 5, 6, 7]
        kinds = [kind for kind, _ in lines(event, 2)]
        assert kinds == ["entry.accepted", "bye.granted"]

    @pytest.mark.parametrize(
        ("rounds", "status", "code"), [(2, 200, None), (1, 409, "no_round_left")]
    )
    def test_a_late_entry_needs_a_round(
        self, organiser: Person, rounds: int, status: int, code: str | None
    ) -> None:
        event = make_event(organiser, slug="other", rounds=rounds)
        *_, entry = event.enter(*make_players(3))
        organiser.post(f"{event.path}/entries/{entry.pk}/withdraw")
        event.step("open", "start").publish(1)
        answer = organiser.post(f"{event.path}/entries/{entry.pk}/return")
        assert answer.status_code == status
        if code:
            problem_in(answer, status, code)
        else:
            assert (answer.json()["number"], answer.json()["first_round"]) == (3, 2)

    def test_a_player_withdraws_and_sees_neither_drafts_nor_cards(self, event: Event) -> None:
        Tournament.objects.update(places=None)
        cleo = make_player("Cleo", 1000)
        event.enter(player_of(cleo))
        event.publish(2)
        event.enter(*make_players(1, 3000))  # now the numbers of all others change
        event.finish(2)
        event.draft(3)
        path = f"{event.path}/entries/{entry_of(event, 'Cleo').pk}/withdraw"

        body = cleo.post(f"{path}?dry_run=1").json()
        assert (body["outdated"], body["warnings"]) == ({"cards": [], "sheets": []}, [])
        body = event.owner.post(path).json()
        assert body["outdated"]["cards"]
        assert body["warnings"]


class TestForfeits:
    """Who leaves a league loses the open games; a schedule pairs who is absent."""

    def games(self, event: Event, number: int) -> list[tuple[int, int, str | None]]:
        rows = event.owner.get(f"{event.path}/rounds/{number}/pairings").json()["rows"]
        return [
            (row["first"]["number"], row["second"]["number"], row["result"])
            for row in rows
            if row["second"]
        ]

    def test_a_league(self, organiser: Person) -> None:
        event = make_running(
            organiser, 4, system="round-robin", rounds=3, system_options={"schedule": "league"}
        )
        first = next(game for game in event.games(1) if "Player 4" in (game.second.name,))
        organiser.post(f"games/{first.pk}/rule", {"result": "11-10", "reason": "seen"})
        settle()
        assert act(event, "Player 4", "withdraw").status_code == 200
        settle()
        found = [game for number in (1, 2, 3) for game in self.games(event, number)]
        assert {(one, two): result for one, two, result in found if 4 in (one, two)} == {
            (1, 4): "11-10", (4, 3): "0-1f", (2, 4): "1-0f",
        }  # fmt: skip
        assert {result for one, two, result in found if 4 not in (one, two)} == {None}
        assert verify() == []

    def test_another_event_leaves_its_games_to_the_arbiter(self, organiser: Person) -> None:
        event = make_running(organiser, 4)
        event.publish(1)
        act(event, "Player 4", "withdraw")
        settle()
        assert {result for *_, result in self.games(event, 1)} == {None}

    def test_two_games(self, organiser: Person) -> None:
        options = {"schedule": "league"}
        event = make_running(
            organiser, 3, system="round-robin", system_options=options, games_per_pairing=2
        )
        act(event, "Player 3", "withdraw")
        settle()
        rows = [
            (row["second"]["number"] == 3, row["result"], row["return_game"]["result"])
            for number in (1, 2, 3)
            for row in organiser.get(f"{event.path}/rounds/{number}/pairings").json()["rows"]
            if row["second"] and 3 in (row["first"]["number"], row["second"]["number"])
        ]
        assert sorted(rows) == [(False, "0-1f", "1-0f"), (True, "1-0f", "0-1f")]


Service = Callable[[Tournament, Entry, Any], object]
STALE: dict[str, tuple[str, Service]] = {
    "state": ("withdraw", lambda _, e, by: services.change_entry_state(e, State.WITHDRAWN, by=by)),
    "later": ("withdraw", lambda _, e, by: services.withdraw_entry(e, by=by, from_round=3)),
    "check-in": ("withdraw", lambda _, e, by: services.check_in(e, "check_in", by=by)),
    "answer": ("accept", lambda _, e, by: services.answer_entry(e, "declined", by=by)),
    "enter": ("cancel", lambda t, _, by: services.enter_player(t, make_players(1)[0], by=by)),
    "wait": ("cancel", lambda t, _, by: services.enter_waiting(t, make_players(1)[0], by=by)),
    "apply": ("cancel", lambda t, _, by: applications.apply(t, make_players(1)[0], by=by)),
    "edit": ("cancel", lambda _, e, by: services.edit_entry(e, {"club": "A"}, by=by)),
    "consent": ("cancel", lambda _, e, by: services.consent(e, by=by)),
    "all": ("cancel", lambda t, _, by: services.check_in_all(t, by=by)),
    "bye": ("cancel", lambda _, e, by: byes.request_bye(e, 2, "zero_bye", by=by)),
    "byes": ("cancel", lambda _, e, by: byes.set_availability(e, {}, by=by, by_director=True)),
}


@pytest.mark.parametrize(("action", "service"), STALE.values(), ids=STALE)
def test_a_service_acts_on_what_is_stored_and_not_on_what_was_read(
    organiser: Person, action: str, service: Service
) -> None:
    """Two requests may read the same entry: the second one waits for the lock, and reads again."""
    event = make_event(organiser, check_in="round")
    event.enter(*make_players(2), agreement="asked")
    event.step("open")
    read = Tournament.objects.get()
    entry = read.entries.select_related("tournament").get(ordinal=1)
    if action == "cancel":
        event.step("cancel")
    else:
        other = Entry.objects.get(ordinal=1)
        if action == "accept":
            services.answer_entry(other, Entry.Agreement.AGREED, by=organiser.account)
        else:
            services.withdraw_entry(other, by=organiser.account)
    count = JournalLine.objects.count()

    with pytest.raises(ApiError):
        service(read, entry, organiser.account)

    assert JournalLine.objects.count() == count
    assert verify() == []


def test_the_same_change_twice_is_one(organiser: Person) -> None:
    event = make_event(organiser)
    (entry,) = event.enter(*make_players(1))
    again = Entry.objects.select_related("tournament").get()
    for found in (entry, again):
        services.edit_entry(found, {"club": "Rooks"}, by=organiser.account)
    for found in (entry, again):
        services.consent(found, by=organiser.account)
    assert lines(event, 3)[1:] == [("entry.edited", ""), ("entry.consented", "")]
    assert verify() == []
