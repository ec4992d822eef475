"""`/tournaments/{slug}/entries/{id}/availability`: byes by round, by directors and the player."""

from typing import Any

import pytest
from django.test import Client

from games.models import JournalLine
from tests.events import Event, make_event, make_players
from tests.people import Person, player_of, problem_in, statuses
from tests.tournament.events.test_verify_state import verify
from tournament.entries.byes import request_bye
from tournament.models import Bye

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """Ada and four others, after the first of five rounds; half-point byes up to round 4."""
    limits = {"half_byes": 2, "half_byes_until_round": 4}
    event = make_event(organiser, system="dutch", rounds=5, **limits)
    event.enter(player_of(ada), *make_players(4))
    event.step("open", "start").play(1)
    return event


@pytest.fixture
def path(event: Event, ada: Person) -> str:
    entry = event.tournament.entries.get(player=player_of(ada))
    return f"{event.path}/entries/{entry.pk}/availability"


def byes(event: Event) -> dict[int, str]:
    return dict(event.tournament.byes.order_by("round").values_list("round", "kind"))


def test_permissions(everyone: dict[str, Person], path: str) -> None:
    found = statuses(everyone, "PUT", path, {"3": "zero-bye"})

    assert found == {"organiser": 200, "player": 200, "stranger": 403, "anonymous": 401}


def test_a_personal_token_is_enough(organiser: Person, event: Event, path: str) -> None:
    secret = organiser.post(path.replace("availability", "token")).json()["token"]
    response = Person("the card", secret=secret).put(path, {"3": "half-bye"})

    assert response.json()["availability"] == {"3": "half-bye"}
    assert byes(event) == {3: "half-bye"}


def test_the_byes_of_rounds_to_come_are_replaced(ada: Person, event: Event, path: str) -> None:
    for body in (
        {"3": "half-bye", "4": "zero-bye"},
        {"3": "half-bye", "4": "half-bye"},
        {"2": "zero-bye", "4": "half-bye"},
        {"2": "zero-bye", "4": "half-bye"},
        {},
    ):
        assert ada.put(path, body).json()["availability"] == body
        assert {str(number): kind for number, kind in byes(event).items()} == body
        assert verify() == []
    kinds = [line.kind for line in JournalLine.objects.filter(kind__startswith="bye.")]
    assert (kinds.count("bye.granted"), kinds.count("bye.cancelled")) == (4, 4)


@pytest.mark.parametrize(
    ("body", "status", "code", "pointer"),
    [
        ({"2": "half-bye", "3": "half-bye", "4": "half-bye"}, 409, "too_many_byes", None),
        ({"5": "half-bye"}, 409, "too_late_for_half_bye", None),
        ({"1": "zero-bye"}, 409, "round_paired", None),
        ({"6": "zero-bye"}, 422, "no_such_round", "/6"),
        ({"2": "full-bye"}, 422, "full_bye", "/2"),
        ({"0": "zero-bye"}, 422, "unknown_member", "/0"),
        ({"two": "zero-bye"}, 422, "unknown_member", "/two"),
        ({"2": "bye"}, 422, "invalid", "/2"),
        ({"2": None}, 422, "invalid", "/2"),
        ({"2": ["zero-bye"]}, 422, "invalid", "/2"),
        ([], 422, "invalid", ""),
        ("zero-bye", 422, "invalid", ""),
    ],
)
def test_what_a_player_cannot_set(
    ada: Person, event: Event, path: str, body: Any, status: int, code: str, pointer: str | None
) -> None:
    ada.put(path, {"3": "zero-bye"})

    problem = problem_in(ada.put(path, body), status, code)

    assert pointer is None or problem["errors"][0]["pointer"] == pointer
    assert byes(event) == {3: "zero-bye"}


def test_a_full_point_bye_is_a_director_s(
    organiser: Person, ada: Person, event: Event, path: str
) -> None:
    assert organiser.put(path, {"2": "full-bye"}).status_code == 200

    assert ada.put(path, {"3": "zero-bye"}).json()["availability"] == {
        "2": "full-bye", "3": "zero-bye",
    }  # fmt: skip
    problem_in(ada.put(path, {"2": "half-bye"}), 409, "bye_granted")
    assert organiser.put(path, {}).json()["availability"] == {}


def test_the_limits_count_byes_of_paired_rounds(
    organiser: Person, ada: Person, event: Event, path: str
) -> None:
    assert ada.put(path, {"2": "half-bye", "3": "half-bye"}).status_code == 200
    event.play(2)

    problem_in(ada.put(path, {"3": "half-bye", "4": "half-bye"}), 409, "too_many_byes")
    entry = event.tournament.entries.get(player=player_of(ada))
    body = {"entry": entry.pk, "round": 5, "kind": "half-bye"}
    assert ada.put(path, {"3": "zero-bye"}).status_code == 200
    problem_in(organiser.post(f"{event.path}/byes", body), 409, "too_late_for_half_bye")


def test_an_unavailable_player_is_not_paired(ada: Person, event: Event, path: str) -> None:
    ada.put(path, {"2": "half-bye"})
    event.play(2)

    pairings = ada.get(f"{event.path}/rounds/2/pairings").json()["pairings"]
    assert {p["first"]["player"]["name"]: p["kind"] for p in pairings}["Ada"] == "half-bye"


def test_a_schedule_has_no_byes(organiser: Person) -> None:
    event = make_event(organiser, slug="other", system="round-robin")
    entry, *_ = event.enter(*make_players(4))
    path = f"{event.path}/entries/{entry.pk}/availability"
    problem_in(organiser.put(path, {"2": "zero-bye"}), 409, "no_byes")


def test_a_dry_run(ada: Person, event: Event, path: str) -> None:
    assert ada.put(f"{path}?dry_run=1", {"2": "half-bye"}).json()["availability"]
    assert byes(event) == {}


class TestLateEntries:
    """`missed_rounds`: a late entry has zero-point or half-point byes."""

    @pytest.mark.parametrize(
        ("settings", "missed", "points"),
        [
            ({}, {"1": "zero-bye", "2": "zero-bye"}, "0"),
            pytest.param(
                {"missed_rounds": "half"},
                {"1": "half-bye", "2": "zero-bye"},
                "0.5",
                marks=pytest.mark.long,
            ),
            ({"missed_rounds": "half", "half_byes": 3}, {"1": "half-bye", "2": "half-bye"}, "1"),
            (
                {"missed_rounds": "half", "half_byes": 3, "half_byes_until_round": 1},
                {"1": "half-bye", "2": "zero-bye"},
                "0.5",
            ),
        ],
    )
    def test_its_cost_is_stated_before_it_is_made(
        self,
        organiser: Person,
        anonymous: Person,
        settings: dict[str, Any],
        missed: dict[str, str],
        points: str,
    ) -> None:
        event = make_event(organiser, slug="other", system="dutch", rounds=4, **settings)
        late, *players = make_players(5)
        event.enter(*players)
        event.step("open", "start").play(1)
        event.play(2)

        preview = organiser.post(f"{event.path}/entries?dry_run=1", {"player": late.pk}).json()
        body = organiser.post(f"{event.path}/entries", {"player": late.pk}).json()

        assert preview["missed_rounds"] == body["missed_rounds"] == missed
        byes = anonymous.get(f"{event.path}/byes").json()["results"]
        assert {str(bye["round"]): bye["kind"] for bye in byes} == {
            number: kind for number, kind in missed.items() if kind == "half-bye"
        }
        event.play(3)
        rows = anonymous.get(f"{event.path}/standings?round=2&current=1").json()["rows"]
        assert {r["player"]["id"]: r["values"]["PTS"] for r in rows}[late.pk] == points
        trf = anonymous.get(f"{event.path}/standings.trf").content.decode()
        marks = [{"half-bye": "H", "zero-bye": "Z"}[kind] for kind in missed.values()]
        line = next(line for line in trf.splitlines() if "Player 1" in line)
        assert [line[98:99], line[108:109]] == marks
        assert verify() == []

    def test_a_player_who_is_accepted_late_misses_rounds_too(self, organiser: Person) -> None:
        event = make_event(organiser, slug="other", system="dutch", missed_rounds="half")
        *_, entry = event.enter(*make_players(5))
        organiser.post(f"{event.path}/entries/{entry.pk}/refuse")
        event.step("open", "start").play(1)

        body = organiser.post(f"{event.path}/entries/{entry.pk}/accept").json()

        assert body["missed_rounds"] == {"1": "half-bye"}

    def test_imported_players_miss_rounds_too(self, organiser: Person) -> None:
        event = make_event(organiser, slug="other", system="dutch", missed_rounds="half")
        event.enter(*make_players(4))
        event.step("open", "start").play(1)

        path, lines = f"{event.path}/entries/import", b"name,Elo\nLate,1498.5\n"
        body = organiser.post(path, lines, content_type="text/csv").json()

        late = event.tournament.entries.get(player__name="Late")
        assert (late.pairing_number, byes(event)) == (1, {1: "half-bye"})
        assert [card["number"] for card in body["outdated"]["cards"]] == [1, 2, 3, 4, 5]
        assert body["outdated"]["sheets"] == ["rounds/1/pairings.pdf"]
        assert verify() == []


def test_a_bye_of_another_entry_stays(organiser: Person, event: Event, path: str) -> None:
    other = event.tournament.entries.get(player__name="Player 1")
    request_bye(other, 2, "zero-bye", by=organiser.account)
    organiser.put(path, {})
    assert byes(event) == {2: "zero-bye"}


def test_a_director_takes_a_change_of_byes_back(
    client: Client, organiser: Person, event: Event
) -> None:
    entry = event.tournament.entries.order_by("pk")[0]
    organiser.put(f"{event.path}/entries/{entry.pk}/availability", {"2": "half-bye"})
    client.force_login(organiser.account)
    page = f"/e/spring/run/entries/{entry.pk}"
    byes = Bye.objects.filter(entry=entry).order_by("round")

    done = client.post(page, {"action": "availability", "round.2": "", "round.3": "zero-bye"})
    assert list(byes.values_list("round", "kind")) == [(3, "zero-bye")]
    undo = client.get(done["Location"]).context["undo"]
    assert client.post(page, {"action": undo.action, **undo.fields}).status_code == 303

    assert list(byes.values_list("round", "kind")) == [(2, "half-bye")]
    forged = client.get(f"{page}?done=availability&before=round.2=never%26x=%00")
    assert forged.status_code == 200
