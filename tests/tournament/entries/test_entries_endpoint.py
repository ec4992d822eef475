"""`/tournaments/{slug}/entries`: players are entered, listed and shown."""

from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.core.references import absolute_url
from games.models import JournalLine, Player, Role
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, player_of, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.entries.services import PRIVATE_VALUES, enter_player, enter_waiting
from tournament.models import Entry

pytestmark = pytest.mark.django_db
CHANGES = ("outdated", "missed_rounds", "warnings")
"""What only the response to a change has."""
PERSONAL = {"birth_year": 2014, "sex": "w", "category": "students"}


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_event(organiser).step("open")


def last_line() -> JournalLine:
    return JournalLine.objects.select_related("payload").order_by("-pk")[0]


def enter(event: Event, player: Player, **values: Any) -> Any:
    return event.owner.post(f"{event.path}/entries", {"player_id": player.pk, **values})


def test_an_entry_is_created(organiser: Person, event: Event) -> None:
    (player,) = make_players(1)

    created = enter(event, player, **PERSONAL).json()

    assert created == {
        "id": created["id"],
        "player": {"id": player.pk, "name": "Player 1", "country": "POR", "club": None},
        "state": "accepted",
        "seed_rating": 1499,
        "number": None,
        "lot": None,
        "first_round": 1,
        "agreement": "asked",
        "consented_at": None,
        "expelled": None,
        "club": None,
        **PERSONAL,
        "notes": None,
        "paid": False,
        "last_round": None,
        "checked_in_round": None,
        "outdated": {"cards": [], "sheets": []},
        "missed_rounds": {},
        "warnings": [],
        **{name: created[name] for name in ("created_at", "updated_at")},
        "url": absolute_url(f"{event.path}/entries/{created['id']}"),
    }
    for name in CHANGES:
        del created[name]
    one = organiser.get(f"{event.path}/entries/{created['id']}").json()
    assert one.items() >= created.items()
    assert organiser.get(f"{event.path}/entries").json()["results"] == [created]
    line = last_line()
    assert (line.kind, line.actor) == ("entry.accepted", f"account/{organiser.account.pk}")
    assert line.payload.body.items() >= {"entry": created["id"], **PERSONAL}.items()
    enter(event, *make_players(1))
    assert last_line().payload.body.keys().isdisjoint(PERSONAL)  # none that is not set
    assert verify() == []


@pytest.mark.parametrize(
    ("sent", "stored"), [({}, 1499), ({"seed_rating": None}, 0), ({"seed_rating": 100}, 100)]
)
def test_the_rating_is_that_of_the_player_unless_another_is_given(
    event: Event, sent: dict[str, Any], stored: int
) -> None:
    (player,) = make_players(1)
    assert enter(event, player, **sent).json()["seed_rating"] == (stored or None)
    assert event.tournament.entries.get().seed_rating == stored


def test_who_is_not_entered(event: Event, settings: LazySettings) -> None:
    player, other, merged = make_players(3)
    Player.objects.filter(pk=merged.pk).update(merged_into=other)
    enter(event, player)
    lines = JournalLine.objects.count()

    twice = problem_in(enter(event, player), 409, "entered_already")
    assert [error["pointer"] for error in twice["errors"]] == ["/player_id"]
    problem_in(enter(event, merged), 422, "unknown_player")
    for year, status in ((1899, 422), (2027, 422)):
        problem_in(enter(event, other, birth_year=year), status)
    settings.QUOTAS = settings.QUOTAS | {"entries": 1}
    problem_in(enter(event, other), 409, "quota_reached")
    assert JournalLine.objects.count() == lines
    settings.QUOTAS = settings.QUOTAS | {"entries": 3}
    for found, year in ((other, 1900), (make_players(1)[0], 2026)):
        assert enter(event, found, birth_year=year).status_code == 201


@pytest.mark.parametrize(
    ("state", "status"), [("draft", 201), ("review", 409), ("final", 409), ("cancelled", 409)]
)
def test_entering_before_the_end(event: Event, state: str, status: int) -> None:
    event.tournament.state = state
    event.tournament.save()
    assert enter(event, *make_players(1)).status_code == status


def test_a_late_entry_plays_from_the_next_unpaired_round_on(
    organiser: Person, event: Event
) -> None:
    event.enter(*make_players(4))
    event.step("start").draft(1)
    late = Player.objects.create(name="Late", seed_rating=1498)

    preview = organiser.post(f"{event.path}/entries?dry_run=1", {"player_id": late.pk}).json()
    assert (preview["number"], preview["first_round"]) == (2, 2)
    assert event.tournament.entries.count() == 4
    created = enter(event, late).json()

    assert (created["number"], created["first_round"]) == (2, 2)
    assert last_line().payload.body["pairing_number"] == 2
    numbers = event.tournament.entries.order_by("pairing_number").values_list("player__name")
    assert [name for (name,) in numbers] == ["Player 1", "Late", "Player 2", "Player 3", "Player 4"]
    event.draft(1)
    assert "Late" not in organiser.get(f"{event.path}/rounds/1/pairings").content.decode()
    assert verify() == []


def test_nobody_enters_after_the_last_pairing(organiser: Person) -> None:
    event = make_event(organiser, rounds=2)
    event.enter(*make_players(2))
    event.step("open", "start").play(1)
    assert enter(event, *make_players(1)).json()["first_round"] == 2
    event.draft(2)
    problem_in(enter(event, *make_players(1)), 409, "no_round_left")
    schedule = make_event(organiser, slug="other", system="round-robin")
    schedule.enter(*make_players(4))
    schedule.step("open", "start")
    problem_in(enter(schedule, *make_players(1)), 409, "no_late_entries")


def test_a_player_waits_for_a_place(organiser: Person, event: Event) -> None:
    organiser.patch(event.path, {"places": 1})
    first, second, third = make_players(3)
    enter_player(event.tournament, first, by=organiser.account)
    problem_in(enter(event, second), 409, "no_place_left")

    entry = enter_waiting(event.tournament, second, by=organiser.account)

    assert (entry.state, entry.ordinal, last_line().kind) == ("waiting", 2, "entry.waiting")
    assert enter_waiting(event.tournament, third, by=organiser.account).ordinal == 3
    assert verify() == []


def test_who_enters_themselves_agrees_to_ratings(organiser: Person, event: Event) -> None:
    own = Player.objects.create(name="Olga", account=organiser.account)
    before = timezone.now()
    numbers = [
        enter(event, player).json()["id"] for player in (own, Player.objects.create(name="Pia"))
    ]
    entries = Entry.objects.in_bulk(numbers)
    consents = [entries[number].consented_at for number in numbers]
    assert consents[0] is not None
    assert (consents[0] >= before, consents[1]) == (True, None)


class TestSeeing:
    def test_what_is_personal_is_for_officials_and_the_player(
        self, organiser: Person, ada: Person, stranger: Person, ben: Person, event: Event
    ) -> None:
        for player in (player_of(ada), player_of(ben)):
            enter(event, player, **PERSONAL)
        scorer = make_person("Sam")
        Role.objects.create(stream=event.stream, account=scorer.account, role="scorer")
        readers = {
            "organiser": (organiser, {"Ada", "Ben"}),
            "scorer": (scorer, {"Ada", "Ben"}),
            "Ada": (ada, {"Ada"}),
            "Ada, for this event": (
                ada.with_token("tournament:read", stream=event.stream), {"Ada"},
            ),
            "Ada, for another event": (
                ada.with_token("tournament:read", stream="tournament/x"), set(),
            ),
            "Ada, to report": (ada.with_token("result:write"), set()),
            "stranger": (stranger, set()),
            "anonymous": (Person("nobody"), set()),
        }  # fmt: skip

        private = {*PRIVATE_VALUES, "agreement"} - {"email"}  # which is in no answer
        for name, (who, expected) in readers.items():
            rows = who.get(f"{event.path}/entries").json()["results"]
            seen = {row["player"]["name"] for row in rows if private <= row.keys()}
            assert seen == expected, name
            assert not any("email" in row for row in rows), name
            for row in rows:
                one = who.get(f"{event.path}/entries/{row['id']}").json()
                (found,) = who.get(f"{event.path}/entries?player={row['player']['id']}").json()[
                    "results"
                ]
                assert found == row
                assert row.items() <= one.items(), name
                assert one.keys() & private in (set(), private), name
        Player.objects.filter(name="Ben").update(merged_into=player_of(ada))
        rows = ada.get(f"{event.path}/entries").json()["results"]
        assert [row["birth_year"] for row in rows] == [2014, 2014]
        path = f"{event.path}/entries?player={player_of(ada).pk}"
        assert ada.get(path).json()["results"] == rows

    def test_entries_that_are_not_accepted(
        self, organiser: Person, ada: Person, stranger: Person, event: Event
    ) -> None:
        for state in Entry.State.values:
            player = player_of(ada) if state == "applied" else Player.objects.create(name=state)
            Entry.objects.filter(pk=enter(event, player).json()["id"]).update(state=state)

        def states(who: Person, query: str = "") -> list[str]:
            rows = who.get(f"{event.path}/entries{query}").json()["results"]
            return sorted(row["state"] for row in rows)

        assert states(stranger) == ["accepted", "withdrawn"]
        assert states(ada) == ["accepted", "applied", "withdrawn"]
        assert states(organiser) == sorted(Entry.State.values)
        for query in ("?state=applied,refused", "?state=applied&state=refused"):
            assert states(organiser, query) == ["applied", "refused"]
        assert states(stranger, "?state=applied,withdrawn") == ["withdrawn"]
        applied, refused = (Entry.objects.get(state=state) for state in ("applied", "refused"))
        assert ada.get(f"{event.path}/entries/{applied.pk}").json()["state"] == "applied"
        for entry in (applied, refused):
            problem_in(stranger.get(f"{event.path}/entries/{entry.pk}"), 404)
        other = make_event(organiser, slug="other")
        problem_in(organiser.get(f"{other.path}/entries/{applied.pk}"), 404)
        problem_in(organiser.post(f"{other.path}/entries/{applied.pk}/approve"), 404)

    @pytest.mark.parametrize("count", [1, 3])
    def test_the_list_takes_two_queries(
        self,
        anonymous: Person,
        event: Event,
        count: int,
        django_assert_num_queries: DjangoAssertNumQueries,
    ) -> None:
        event.enter(*make_players(count))

        with django_assert_num_queries(2):  # the tournament, the page
            body = anonymous.get(f"{event.path}/entries").json()["results"]

        assert len(body) == count
