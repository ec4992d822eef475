"""Byes: granted by directors, chosen by players, given to late entries; their limits."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import JournalLine
from tests.events import Event, make_event, make_players
from tests.people import URL, Person, make_person, make_player, player_of, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.core.references import entry_reference
from tournament.entries.byes import possible_byes
from tournament.models import Bye, Entry, Round, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """Ada and four others, after the first of five rounds; half-point byes up to round 4."""
    limits = {"half_byes": 2, "half_byes_until_round": 4}
    event = make_event(make_person("Olga"), system="dutch", rounds=5, **limits)
    event.enter(player_of(make_player("Ada", 2100)), *make_players(4))
    event.step("open", "start").play(1)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


@pytest.fixture
def entry(event: Event, ada: Person) -> Entry:
    return event.tournament.entries.get(player=player_of(ada))


@pytest.fixture
def path(event: Event, entry: Entry) -> str:
    return f"{event.path}/entries/{entry.pk}/availability"


def byes(event: Event) -> dict[int, str]:
    return dict(event.tournament.byes.order_by("round").values_list("round", "kind"))


def grant(event: Event, entry: Entry, number: int, kind: str = "zero_bye", **more: Any) -> Any:
    body = {"entry_id": entry.pk, "round": number, "kind": kind, **more}
    return event.owner.post(f"{event.path}/byes", body)


class TestOfTheRoundsToCome:
    def test_they_are_replaced(self, ada: Person, event: Event, path: str) -> None:
        grant(event, event.tournament.entries.get(player__name="Player 4"), 2)
        for body in (
            {"3": "half_bye", "4": "zero_bye"},
            {"3": "half_bye", "4": "half_bye"},
            {"2": "zero_bye", "4": "half_bye"},
            {"2": "zero_bye", "4": "half_bye"},
            {"5": "zero_bye"},
            {},
        ):
            assert ada.put(path, body).json()["availability"] == body
            own = event.tournament.byes.filter(entry__player=player_of(ada))
            assert {str(row.round): row.kind for row in own} == body
        assert byes(event) == {2: "zero_bye"}  # that of another player
        kinds = [line.kind for line in JournalLine.objects.filter(kind__startswith="bye.")]
        assert (kinds.count("bye.granted"), kinds.count("bye.cancelled")) == (6, 5)
        assert verify() == []

    @pytest.mark.parametrize(
        ("body", "status", "code", "pointer"),
        [
            ({"2": "half_bye", "3": "half_bye", "4": "half_bye"}, 409, "too_many_byes", None),
            ({"5": "half_bye"}, 409, "too_late_for_half_bye", None),
            ({"1": "zero_bye"}, 409, "round_paired", None),
            ({"6": "zero_bye"}, 422, "no_such_round", "/6"),
            ({"2": "full_bye"}, 422, "full_bye", "/2"),
            ({"0": "zero_bye"}, 422, "unknown_member", "/0"),
            ({"x": "bye"}, 422, "unknown_member", "/x"),
            ({"100": "zero_bye"}, 422, "unknown_member", "/100"),
            ({"2": "bye"}, 422, "invalid", "/2"),
            ({"2": 5}, 422, "invalid", "/2"),
        ],
    )
    def test_what_a_player_cannot_set(
        self, ada: Person, event: Event, path: str, body: Any, status: int, code: str, pointer: Any
    ) -> None:
        ada.put(path, {"3": "zero_bye"})

        problem = problem_in(ada.put(path, body), status, code)

        assert pointer is None or problem["errors"][0]["pointer"] == pointer
        assert byes(event) == {3: "zero_bye"}

    def test_a_full_point_bye_is_a_director_s(
        self, organiser: Person, ada: Person, event: Event, path: str
    ) -> None:
        assert organiser.put(path, {"2": "full_bye"}).status_code == 200

        assert ada.put(path, {"3": "zero_bye"}).json()["availability"] == {
            "2": "full_bye", "3": "zero_bye",
        }  # fmt: skip
        problem = problem_in(ada.put(path, {"2": "half_bye"}), 409, "bye_granted")
        assert problem["errors"][0]["pointer"] == "/2"
        assert byes(event) == {2: "full_bye", 3: "zero_bye"}
        assert organiser.put(path, {}).json()["availability"] == {}

    def test_those_of_paired_rounds_stay_and_count(
        self, ada: Person, event: Event, path: str
    ) -> None:
        assert ada.put(path, {"2": "half_bye", "3": "half_bye"}).status_code == 200
        event.draft(2)
        for body in ({}, {"2": "zero_bye"}):
            problem = problem_in(ada.put(path, body), 409, "round_paired")
            assert problem["errors"][0]["pointer"] == "/2"
        assert ada.put(path, {"2": "half_bye"}).json()["availability"] == {"2": "half_bye"}
        assert ada.put(path, {"2": "half_bye", "3": "half_bye"}).status_code == 200
        event.play(2)
        rows = ada.get(f"{event.path}/rounds/2/pairings").json()["rows"]
        assert {row["first"]["player"]["name"]: row["kind"] for row in rows}["Ada"] == "half_bye"

        problem_in(ada.put(path, {"3": "half_bye", "4": "half_bye"}), 409, "too_many_byes")
        problem_in(ada.put(path, {"2": "zero_bye"}), 409, "round_paired")
        body = ada.put(path, {"3": "zero_bye"}).json()
        assert body["availability"] == {"2": "half_bye", "3": "zero_bye"}

    def test_a_personal_token_is_enough(self, organiser: Person, event: Event, path: str) -> None:
        secret = organiser.post(path.replace("availability", "token")).json()["token"]
        assert Person("the card", secret=secret).put(path, {"3": "half_bye"}).status_code == 200

    def test_a_schedule_has_none(self, organiser: Person) -> None:
        event = make_event(organiser, slug="other", system="round-robin")
        entry, *_ = event.enter(*make_players(4))
        path = f"{event.path}/entries/{entry.pk}/availability"
        problem_in(organiser.put(path, {"2": "zero_bye"}), 409, "no_byes")


class TestOfDirectors:
    @pytest.mark.parametrize(
        ("kind", "points"), [("half_bye", "1.5"), ("zero_bye", "1"), ("full_bye", "2")]
    )
    def test_a_bye_gives_its_points(
        self, organiser: Person, event: Event, kind: str, points: str
    ) -> None:
        winner = event.tournament.entries.get(pairing_number=1)
        created = grant(event, winner, 2, kind, reason="a wedding").json()
        named = entry_reference(winner)
        url = f"{URL}{event.path}/byes/{created['id']}"
        assert created == {
            "id": created["id"], "entry": named, "round": 2, "kind": kind, "reason": "a wedding",
            "url": url,
        }  # fmt: skip
        line = JournalLine.objects.select_related("payload").latest("pk")
        assert line.payload.body.items() >= {"round": 2, "kind": kind, "ordinal": 1}.items()

        event.play(2)

        rows = organiser.get(f"{event.path}/standings").json()["rows"]
        assert [r["values"]["PTS"] for r in rows if r["player"]["name"] == "Ada"] == [points]
        assert verify() == []

    def test_their_number_and_rounds_are_limited(self, event: Event, entry: Entry) -> None:
        found = [
            grant(event, entry, number, kind).status_code
            for number, kind in (
                (2, "half_bye"), (5, "half_bye"), (4, "half_bye"), (3, "half_bye"), (5, "full_bye"),
            )
        ]  # fmt: skip
        assert found == [201, 409, 201, 409, 201]
        assert byes(event) == {2: "half_bye", 4: "half_bye", 5: "full_bye"}
        problem_in(grant(event, entry, 6), 422, "no_such_round")
        other = Entry(pk=999_999)
        problem_in(grant(event, other, 2), 422, "unknown_entry")

    def test_a_second_one_in_a_round_replaces_nothing(
        self, organiser: Person, event: Event, entry: Entry
    ) -> None:
        first = grant(event, entry, 2, "half_bye", reason="away").json()
        problem = problem_in(grant(event, entry, 2), 409, "bye_granted")
        assert problem["bye_id"] == first["id"]
        assert organiser.get(f"{event.path}/byes").json()["results"] == [first]

    def test_it_is_cancelled_until_its_round_is_paired(
        self, organiser: Person, event: Event, entry: Entry
    ) -> None:
        first, second = (grant(event, entry, number).json()["id"] for number in (2, 3))
        path = f"{event.path}/byes"
        event.draft(2)

        problem_in(grant(event, event.tournament.entries.last(), 2), 409, "round_paired")
        problem = problem_in(organiser.delete(f"{path}/{first}"), 409, "round_paired")
        assert [row["operation"] for row in problem["allowed_actions"]] == ["cancel_bye"]
        assert organiser.delete(f"{path}/{second}").status_code == 204
        problem_in(organiser.delete(f"{path}/{second}"), 404)
        assert JournalLine.objects.latest("pk").kind == "bye.cancelled"
        other = make_event(organiser, slug="other")
        problem_in(organiser.delete(f"{other.path}/byes/{first}"), 404)
        assert byes(event) == {2: "zero_bye"}
        assert verify() == []


def test_others_see_their_own_and_those_of_published_rounds(
    organiser: Person, ada: Person, anonymous: Person, event: Event, entry: Entry
) -> None:
    other = event.tournament.entries.get(player__name="Player 4")
    grant(event, entry, 3, reason="a wedding")
    grant(event, other, 2)
    grant(event, other, 4)
    event.draft(2)

    def seen(who: Person) -> list[tuple[int, str, Any]]:
        rows = who.get(f"{event.path}/byes").json()["results"]
        return [(r["round"], r["entry"]["player"]["name"], r.get("reason", ...)) for r in rows]

    assert seen(organiser) == [
        (2, "Player 4", None), (3, "Ada", "a wedding"), (4, "Player 4", None),
    ]  # fmt: skip
    assert seen(ada) == [(3, "Ada", ...)]
    assert seen(anonymous) == []
    organiser.post(f"{event.path}/rounds/2/publish")
    assert seen(anonymous) == [(2, "Player 4", ...)]
    event.tournament.state = "review"
    event.tournament.save()
    assert [row[0] for row in seen(anonymous)] == [2, 3, 4]


def test_the_kinds_that_a_round_can_have(event: Event) -> None:
    kinds = {number: [*map(str, possible_byes(event.tournament, number))] for number in (4, 5)}
    assert kinds[5] == [kind for kind in kinds[4] if kind != "half_bye"]
    assert "half_bye" in kinds[4]
    assert "half_bye" in possible_byes(event.tournament, 5, granted="half_bye")
    event.tournament.half_byes = 0
    assert "half_bye" not in possible_byes(event.tournament, 2)


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_two_queries(
    anonymous: Person,
    event: Event,
    entry: Entry,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    Bye.objects.bulk_create(
        Bye(tournament=event.tournament, entry=entry, round=number, kind="zero_bye")
        for number in range(2, count + 2)
    )
    event.tournament.round_set.update(state=Round.State.COMPLETE)

    with django_assert_num_queries(2):
        assert len(anonymous.get(f"{event.path}/byes").json()["results"]) == count


class TestOfLateEntries:
    """`missed_rounds`: a late entry has zero-point or half-point byes."""

    @pytest.mark.parametrize(
        ("settings", "missed"),
        [
            ({}, {"1": "zero_bye", "2": "zero_bye"}),
            ({"missed_rounds": "half", "half_byes": 1}, {"1": "half_bye", "2": "zero_bye"}),
            ({"missed_rounds": "half"}, {"1": "half_bye", "2": "half_bye"}),
            (
                {"missed_rounds": "half", "half_byes_until_round": 1},
                {"1": "half_bye", "2": "zero_bye"},
            ),
        ],
    )
    def test_their_cost_is_stated_before_they_are_made(
        self, organiser: Person, event: Event, settings: dict[str, Any], missed: dict[str, str]
    ) -> None:
        Tournament.objects.filter(slug=event.tournament.slug).update(**settings)
        event.again().play(2)
        (late,), known = make_players(1), verify()  # no line states the settings

        preview = organiser.post(f"{event.path}/entries?dry_run=1", {"player_id": late.pk}).json()
        body = organiser.post(f"{event.path}/entries", {"player_id": late.pk}).json()

        assert preview["missed_rounds"] == body["missed_rounds"] == missed
        half = {int(number) for number, kind in missed.items() if kind == "half_bye"}
        assert byes(event) == dict.fromkeys(half, "half_bye")
        rows = organiser.get(f"{event.path}/standings").json()["rows"]
        points = {row["player"]["id"]: row["values"]["PTS"] for row in rows}
        assert float(points[late.pk]) == len(half) / 2
        assert verify() == known

    def test_imported_players_have_them_too(self, organiser: Person) -> None:
        event = make_event(organiser, slug="other", system="dutch", missed_rounds="half")
        event.enter(*make_players(4))
        event.step("open", "start").play(1)

        path, lines = f"{event.path}/entries/import", b"name,Elo\nLate,1498.5\n"
        body = organiser.post(path, lines, content_type="text/csv").json()

        late = event.tournament.entries.get(player__name="Late")
        assert (late.pairing_number, late.first_round, byes(event)) == (1, 2, {1: "half_bye"})
        assert [card["number"] for card in body["outdated"]["cards"]] == [1, 2, 3, 4, 5]
        assert body["outdated"]["sheets"] == ["rounds/1/pairings.pdf"]
        assert verify() == []
