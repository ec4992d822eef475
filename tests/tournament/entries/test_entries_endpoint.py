"""`/tournaments/{slug}/entries` and `byes`."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.core.permissions import SCOPES
from games.models import JournalLine, Player, Role, Token
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, player_of, problem_in, statuses
from tournament.models import Bye, Entry, Round

pytestmark = pytest.mark.django_db
CHANGES = ("outdated", "missed_rounds", "warnings")
"""What only the response to a change has."""
ACTIONS = ("accept", "refuse", "withdraw", "return")


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_event(organiser).step("open")


def pairing_numbers(event: Event) -> dict[str, int | None]:
    rows = event.tournament.entries.select_related("player").order_by("pairing_number")
    return {row.player.name: row.pairing_number for row in rows}


class TestEntering:
    def test_permissions(self, everyone: dict[str, Person], event: Event) -> None:
        assert statuses(everyone, "GET", f"{event.path}/entries") == dict.fromkeys(everyone, 200)
        found = {
            name: person.post(f"{event.path}/entries", {"player": player.pk}).status_code
            for (name, person), player in zip(everyone.items(), make_players(4), strict=True)
        }
        assert found == {"organiser": 201, "player": 403, "stranger": 403, "anonymous": 401}

    @pytest.mark.parametrize(
        ("scopes", "stream", "status"),
        [
            (["tournament:write"], "tournament/spring", 201),
            (["tournament:write"], "tournament/autumn", 403),
            (["tournament:read", "result:write"], "", 403),
        ],
    )
    def test_token_permissions(
        self, organiser: Person, event: Event, scopes: list[str], stream: str, status: int
    ) -> None:
        owner = organiser.with_token(*scopes, stream=stream)
        (player,) = make_players(1)

        assert owner.post(f"{event.path}/entries", {"player": player.pk}).status_code == status

    def test_an_entry_is_created(self, organiser: Person, event: Event) -> None:
        (player,) = make_players(1)

        created = organiser.post(f"{event.path}/entries", {"player": player.pk}).json()

        assert created == {
            "entry": created["entry"],
            "player": {"id": player.pk, "name": "Player 1", "country": "POR", "club": None},
            "state": "accepted",
            "seed_rating": 1499,
            "number": None,
            "lot": None,
            "first_round": 1,
            "agreement": "asked",
            "consented_at": None,
            "club": None,
            "birth_year": None,
            "sex": None,
            "category": None,
            "last_round": None,
            "checked_in_round": None,
            "outdated": {"cards": [], "sheets": []},
            "missed_rounds": {},
            "warnings": [],
        }
        for name in CHANGES:
            del created[name]
        assert (
            organiser.get(f"{event.path}/entries/{created['entry']}").json().items()
            >= created.items()
        )
        assert organiser.get(f"{event.path}/entries").json()["results"] == [created]
        assert JournalLine.objects.order_by("-pk")[0].kind == "entry.accepted"

    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({}, "/player"),
            ({"player": None}, "/player"),
            ({"player": 0}, "/player"),
            ({"player": 10**30}, "/player"),
            ({"player": "Ada"}, "/player"),
            ({"player": [1]}, "/player"),
            ({"player": {"id": 1}}, "/player"),
            ({"player": True}, "/player"),
            ({"player": 1, "seed_rating": 4001}, "/seed_rating"),
            ({"player": 1, "seed_rating": -1}, "/seed_rating"),
            ({"player": 1, "seed_rating": "high"}, "/seed_rating"),
            ({"player": 1, "birth_year": 1899}, "/birth_year"),
            ({"player": 1, "sex": "f"}, "/sex"),
            ({"player": 1, "category": "x" * 41}, "/category"),
            ([], ""),
            (7, ""),
        ],
    )
    def test_an_invalid_body(
        self, organiser: Person, event: Event, body: object, pointer: str
    ) -> None:
        problem = problem_in(organiser.post(f"{event.path}/entries", body), 422, "invalid")

        assert problem["errors"][0]["pointer"] == pointer

    def test_an_unknown_player(self, organiser: Person, event: Event) -> None:
        problem_in(organiser.post(f"{event.path}/entries", {"player": 999}), 422, "unknown_player")

    def test_a_player_enters_once(self, organiser: Person, event: Event) -> None:
        (player,) = make_players(1)
        event.enter(player)
        lines = JournalLine.objects.count()

        answer = organiser.post(f"{event.path}/entries", {"player": player.pk})

        problem_in(answer, 409, "entered_already")
        assert JournalLine.objects.count() == lines

    @pytest.mark.parametrize("state", ["review", "final", "archived", "cancelled"])
    def test_entering_after_the_end(self, organiser: Person, event: Event, state: str) -> None:
        (player,) = make_players(1)
        event.tournament.state = state
        event.tournament.save()

        answer = organiser.post(f"{event.path}/entries", {"player": player.pk})

        problem_in(answer, 409, "wrong_state")

    def test_a_dry_run_changes_nothing(self, organiser: Person, event: Event) -> None:
        event.enter(*make_players(2))
        event.step("start")
        late = Player.objects.create(name="Late", seed_rating=3000)
        before = pairing_numbers(event), JournalLine.objects.count()

        created = organiser.post(f"{event.path}/entries?dry_run=1", {"player": late.pk}).json()

        assert (created["number"], created["first_round"]) == (1, 1)
        assert (pairing_numbers(event), JournalLine.objects.count()) == before

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


class TestNumbering:
    def test_pairing_numbers_follow_rating_then_name(self, event: Event) -> None:
        players = [("Bo", 1500), ("Al", 1500), ("Cy", 1800), ("Di", None)]
        event.enter(*(Player.objects.create(name=n, seed_rating=r) for n, r in players))

        event.step("start")

        assert pairing_numbers(event) == {"Cy": 1, "Al": 2, "Bo": 3, "Di": 4}

    def test_a_late_entry_is_inserted_at_its_seed_position(
        self, organiser: Person, event: Event
    ) -> None:
        event.enter(*make_players(4))
        event.step("start")
        event.play(1)
        late = Player.objects.create(name="Late", seed_rating=1498)

        created = organiser.post(f"{event.path}/entries", {"player": late.pk}).json()

        assert (created["number"], created["first_round"]) == (2, 2)
        assert pairing_numbers(event) == {
            "Player 1": 1, "Late": 2, "Player 2": 3, "Player 3": 4, "Player 4": 5,
        }  # fmt: skip
        rows = organiser.get(f"{event.path}/standings").json()["rows"]
        points = {row["player"]["name"]: row["values"]["PTS"] for row in rows}
        assert points["Late"] == "0"
        assert sum(float(value) for value in points.values()) == 2

    def test_a_late_entry_misses_the_drafted_round(self, organiser: Person, event: Event) -> None:
        event.enter(*make_players(4))
        event.step("start")
        organiser.post(f"{event.path}/rounds/1/pair")
        late = Player.objects.create(name="Late", seed_rating=2000)

        created = organiser.post(f"{event.path}/entries", {"player": late.pk}).json()
        organiser.post(f"{event.path}/rounds/1/pair")

        assert created["first_round"] == 2
        body = organiser.get(f"{event.path}/rounds/1/pairings").json()["pairings"]
        assert "Late" not in str(body)

    def test_entering_after_the_last_pairing(self, organiser: Person) -> None:
        event = make_event(organiser, rounds=1)
        event.enter(*make_players(2))
        event.step("open", "start").publish(1)
        late = Player.objects.create(name="Late")

        answer = organiser.post(f"{event.path}/entries", {"player": late.pk})

        problem_in(answer, 409, "no_round_left")

    def test_a_given_seed_rating_counts(self, organiser: Person, event: Event) -> None:
        weak, strong = make_players(2)
        for player, rating in ((weak, 100), (strong, 200)):
            body = {"player": player.pk, "seed_rating": rating}
            organiser.post(f"{event.path}/entries", body)

        event.step("start")

        assert pairing_numbers(event) == {"Player 2": 1, "Player 1": 2}

    def test_null_is_unrated_and_an_omitted_rating_that_of_the_player(
        self, organiser: Person, event: Event
    ) -> None:
        players = make_players(2)
        bodies = [{"player": players[0].pk}, {"player": players[1].pk, "seed_rating": None}]
        entered = [organiser.post(f"{event.path}/entries", body).json() for body in bodies]
        assert [row["seed_rating"] for row in entered] == [players[0].seed_rating, None]
        body = {"player": players[0].pk, "seed_rating": 0}
        problem_in(organiser.post(f"{event.path}/entries", body), 422, "invalid")


class TestActions:
    @pytest.fixture
    def entry(self, event: Event, ada: Person) -> Entry:
        (entry,) = event.enter(player_of(ada))
        event.enter(*make_players(3))
        return entry

    @pytest.mark.parametrize("action", ACTIONS)
    def test_permissions(
        self, everyone: dict[str, Person], event: Event, entry: Entry, action: str
    ) -> None:
        found = statuses(everyone, "POST", f"{event.path}/entries/{entry.pk}/{action}")

        expected = 409 if action in ("accept", "return") else 200
        assert found == {
            "organiser": expected,
            "player": 409 if action == "withdraw" else 403,  # already withdrawn
            "stranger": 403,
            "anonymous": 401,
        }

    def test_withdraw_and_return(self, organiser: Person, event: Event, entry: Entry) -> None:
        event.step("start")
        path = f"{event.path}/entries/{entry.pk}"

        withdrawn = organiser.post(f"{path}/withdraw").json()
        event.play(1)
        returned = organiser.post(f"{path}/return").json()
        event.publish(2)

        assert (withdrawn["state"], returned["state"]) == ("withdrawn", "accepted")
        assert withdrawn["number"] == returned["number"] == 1
        first, second = (
            str(organiser.get(f"{event.path}/rounds/{n}/pairings").json()["pairings"])
            for n in (1, 2)
        )
        assert ("Ada" in first, "Ada" in second) == (False, True)

    def test_a_withdrawn_player_keeps_their_points(
        self, organiser: Person, event: Event, entry: Entry
    ) -> None:
        event.step("start").play(1)
        (before,) = self.row(organiser, event)

        organiser.post(f"{event.path}/entries/{entry.pk}/withdraw")
        event.play(2)

        (after,) = self.row(organiser, event)
        assert after["values"]["PTS"] == before["values"]["PTS"]

    def row(self, organiser: Person, event: Event) -> list[dict[str, Any]]:
        rows = organiser.get(f"{event.path}/standings").json()["rows"]
        return [row for row in rows if row["player"]["name"] == "Ada"]

    def test_withdrawn_before_the_start_has_no_pairing_number(
        self, organiser: Person, event: Event, entry: Entry
    ) -> None:
        organiser.post(f"{event.path}/entries/{entry.pk}/withdraw")
        event.step("start")

        assert pairing_numbers(event)["Ada"] is None
        event.publish(1)

        returned = organiser.post(f"{event.path}/entries/{entry.pk}/return").json()
        assert (returned["number"], returned["first_round"]) == (1, 2)

    def test_an_entry_with_a_pairing_number_cannot_be_refused(
        self, organiser: Person, event: Event, entry: Entry
    ) -> None:
        event.step("start")

        answer = organiser.post(f"{event.path}/entries/{entry.pk}/refuse")

        problem_in(answer, 409, "playing")

    def test_an_unnumbered_entry_cannot_return_after_the_last_pairing(
        self, organiser: Person
    ) -> None:
        event = make_event(organiser, rounds=1).step("open")
        *_, entry = event.enter(*make_players(3))
        organiser.post(f"{event.path}/entries/{entry.pk}/withdraw")
        event.step("start").publish(1)

        answer = organiser.post(f"{event.path}/entries/{entry.pk}/return")

        problem_in(answer, 409, "no_round_left")

    def test_an_entry_of_another_event(self, organiser: Person, event: Event, entry: Entry) -> None:
        other = make_event(organiser, slug="other")

        for action in ACTIONS:
            problem_in(organiser.post(f"{other.path}/entries/{entry.pk}/{action}"), 404)
        problem_in(organiser.get(f"{other.path}/entries/{entry.pk}"), 404)

    @pytest.mark.parametrize("action", ["refuse", "withdraw"])
    def test_a_dry_run(self, organiser: Person, event: Event, entry: Entry, action: str) -> None:
        lines = JournalLine.objects.count()

        assert organiser.post(f"{event.path}/entries/{entry.pk}/{action}?dry_run=1").json()[
            "state"
        ] in ("refused", "withdrawn")

        entry.refresh_from_db()
        assert (entry.state, JournalLine.objects.count()) == ("accepted", lines)


REASON = {"reason": "the form was wrong"}
PERSONAL = {"birth_year": 2014, "sex": "w", "category": "students"}


class TestPersonalValues:
    """Birth year, sex and category, which serve prizes."""

    @pytest.fixture(autouse=True)
    def entry(self, organiser: Person, ada: Person, event: Event) -> dict[str, Any]:
        event.enter(*make_players(3))
        body = {"player": player_of(ada).pk, **PERSONAL}
        return organiser.post(f"{event.path}/entries", body).json()

    def payload(self) -> tuple[str, dict[str, Any]]:
        """Return the kind and payload of the last journal line."""
        line = JournalLine.objects.select_related("payload").order_by("-pk")[0]
        return line.kind, {k: v for k, v in line.payload.body.items() if k != "salt"}

    def test_the_journal_line_of_an_entry_contains_them(self, entry: dict[str, Any]) -> None:
        assert {name: entry[name] for name in PERSONAL} == PERSONAL
        kind, payload = self.payload()
        assert kind == "entry.accepted"
        assert {name: payload[name] for name in PERSONAL} == PERSONAL

    def test_permissions_to_change_them(
        self, everyone: dict[str, Person], event: Event, entry: dict[str, Any]
    ) -> None:
        path = f"{event.path}/entries/{entry['entry']}"

        assert statuses(everyone, "PATCH", path, {"birth_year": 2013}) == {
            "organiser": 200,
            "player": 403,
            "stranger": 403,
            "anonymous": 401,
        }

    @pytest.mark.parametrize("role", [Role.Name.DIRECTOR, Role.Name.SCORER])
    def test_permissions_to_see_them(
        self,
        everyone: dict[str, Person],
        ben: Person,
        event: Event,
        entry: dict[str, Any],
        role: Role.Name,
    ) -> None:
        event.enter(player_of(ben))
        official = make_person("Hal")
        Role.objects.create(stream=event.stream, account=official.account, role=role)
        ada, organiser = everyone["player"], everyone["organiser"]
        readers = {
            **everyone,
            "another player": ben,
            role: official,
            "her token for this event": ada.with_token("tournament:read", stream=event.stream),
            "her token for another event": ada.with_token("tournament:read", stream="tournament/x"),
            "her token for results": ada.with_token("result:write"),
            "the owner's token for results": organiser.with_token("result:write"),
        }

        seen = set()
        for name, who in readers.items():
            entry_seen = who.get(f"{event.path}/entries/{entry['entry']}").json()
            rows = who.get(f"{event.path}/entries").json()["results"]
            (listed,) = [row for row in rows if row["entry"] == entry["entry"]]
            assert listed.items() <= entry_seen.items(), name
            assert entry_seen.keys() & PERSONAL.keys() in (set(), PERSONAL.keys()), name
            if "birth_year" in entry_seen:
                seen.add(name)
            visible = {row["player"]["name"] for row in rows if "birth_year" in row}
            own = {"another player": {"Ben"}}.get(name, {"Ada"} & visible)
            assert visible in (own, {row["player"]["name"] for row in rows}), name

        assert seen == {"organiser", "player", "her token for this event", role}

    def test_a_change_leaves_other_values_unchanged(
        self, organiser: Person, event: Event, entry: dict[str, Any]
    ) -> None:
        path = f"{event.path}/entries/{entry['entry']}"

        changed = organiser.patch(path, {"category": " seniors "}).json()

        assert changed == entry | {"category": "seniors"}
        expected = {"entry": entry["entry"], "ordinal": 4, "category": "seniors"}
        assert self.payload() == ("entry.edited", expected)
        lines = JournalLine.objects.count()
        assert organiser.patch(path, {"category": "seniors"}).json() == changed
        assert JournalLine.objects.count() == lines

    def test_they_can_be_cleared(
        self, organiser: Person, event: Event, entry: dict[str, Any]
    ) -> None:
        empty = {"birth_year": None, "sex": "", "category": ""}

        changed = organiser.patch(f"{event.path}/entries/{entry['entry']}", empty).json()

        assert {changed[name] for name in empty} == {None}

    def test_they_can_change_until_the_event_is_final(
        self, organiser: Person, event: Event, entry: dict[str, Any]
    ) -> None:
        path = f"{event.path}/entries/{entry['entry']}"
        event.step("start").play(1)
        number = pairing_numbers(event)["Ada"]

        assert organiser.patch(path, {"birth_year": 2012} | REASON).json()["number"] == number
        problem_in(
            organiser.patch(path, {"birth_year": 2011, "lot": 3} | REASON), 409, "wrong_state"
        )
        assert organiser.get(path).json()["birth_year"] == 2012
        for state, status in (
            ("review", 200), ("final", 409), ("archived", 409), ("cancelled", 409),
        ):  # fmt: skip
            event.tournament.state = state
            event.tournament.save()
            assert organiser.patch(path, {"birth_year": 2010} | REASON).status_code == status, state

    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({}, ""),
            ({"birth_year": 1899}, "/birth_year"),
            ({"birth_year": 2200}, "/birth_year"),
            ({"birth_year": -2014}, "/birth_year"),
            ({"birth_year": 10**30}, "/birth_year"),
            ({"birth_year": "young"}, "/birth_year"),
            ({"birth_year": [2014]}, "/birth_year"),
            ({"birth_year": 2014.5}, "/birth_year"),
            ({"sex": "W"}, "/sex"),
            ({"sex": "f"}, "/sex"),
            ({"sex": "woman"}, "/sex"),
            ({"sex": ["w"]}, "/sex"),
            ({"category": "x" * 41}, "/category"),
            ({"category": "a\nb"}, "/category"),
            ({"category": "a\u2028b"}, "/category"),
            ({"category": {}}, "/category"),
            ([], ""),
            (7, ""),
        ],
    )
    def test_an_invalid_body(
        self, organiser: Person, event: Event, entry: dict[str, Any], body: object, pointer: str
    ) -> None:
        path = f"{event.path}/entries/{entry['entry']}"

        problem = problem_in(organiser.patch(path, body), 422, "invalid")

        assert problem["errors"][0]["pointer"] == pointer
        for name in CHANGES:
            del entry[name]
        assert organiser.get(path).json().items() >= entry.items()

    def test_the_birth_year_is_not_after_the_event(
        self, organiser: Person, event: Event, entry: dict[str, Any]
    ) -> None:
        (other,) = make_players(1)
        path = f"{event.path}/entries"
        assert organiser.patch(f"{path}/{entry['entry']}", {"birth_year": 2026}).status_code == 200

        for answer in (
            organiser.patch(f"{path}/{entry['entry']}", {"birth_year": 2027}),
            organiser.post(path, {"player": other.pk, "birth_year": 2027}),
        ):
            problem = problem_in(answer, 422, "wrong_year")
            assert problem["errors"][0]["pointer"] == "/birth_year"
            assert "1900 to 2026" in problem["detail"]

    def test_a_dry_run(self, organiser: Person, event: Event, entry: dict[str, Any]) -> None:
        path = f"{event.path}/entries/{entry['entry']}"
        lines = JournalLine.objects.count()

        assert (
            organiser.patch(f"{path}?dry_run=1", {"birth_year": 2000}).json()["birth_year"] == 2000
        )

        for name in CHANGES:
            del entry[name]
        assert organiser.get(path).json().items() >= entry.items()
        assert JournalLine.objects.count() == lines


class TestPersonalTokens:
    def test_permissions(self, everyone: dict[str, Person], event: Event, ada: Person) -> None:
        (entry,) = event.enter(player_of(ada))

        found = statuses(everyone, "POST", f"{event.path}/entries/{entry.pk}/token")

        assert found == {"organiser": 201, "player": 403, "stranger": 403, "anonymous": 401}

    def test_a_token_allows_only_reports_of_the_players_games_in_the_event(
        self, organiser: Person, anonymous: Person, event: Event
    ) -> None:
        players = make_players(2)
        entries = event.enter(*players)
        event.step("start")
        (game,) = event.publish()
        issued = organiser.post(f"{event.path}/entries/{entries[0].pk}/token").json()
        bearer = f"Bearer {issued['token']}"

        assert issued["scopes"] == ["record:write", "result:write", "tournament:read"]
        me = anonymous.get("me", Authorization=bearer).json()
        assert (me["player"]["name"], me["tournament"]) == ("Player 1", "spring")
        assert "email" not in me
        body = {"claim": {"result": "11-10"}}
        reported = anonymous.post(f"games/{game.pk}/reports", body, Authorization=bearer)
        assert reported.status_code == 202
        problem_in(anonymous.post(f"{event.path}/rounds/1/complete", Authorization=bearer), 403)
        problem_in(anonymous.post("players", {"name": "x"}, Authorization=bearer), 403)

    def test_it_has_no_more_rights_than_the_token_of_the_director(
        self, organiser: Person, event: Event
    ) -> None:
        (entry,) = event.enter(*make_players(1))
        path = f"{event.path}/entries/{entry.pk}/token"
        director = organiser.with_token(*SCOPES)
        soon = timezone.now() + timedelta(hours=1)
        Token.objects.filter(pk=director.token.pk).update(expiry=soon)

        weak = organiser.with_token("tournament:read", "tournament:write", "result:write")
        problem = problem_in(weak.post(path), 403, "scope_missing")
        assert "record:write" in problem["detail"]
        assert datetime.fromisoformat(director.post(path).json()["expires_at"]) == soon

    def test_a_new_token_revokes_the_old_one(
        self, organiser: Person, anonymous: Person, event: Event
    ) -> None:
        (entry,) = event.enter(*make_players(1))
        old, new = (
            organiser.post(f"{event.path}/entries/{entry.pk}/token").json()["token"]
            for _ in range(2)
        )

        problem_in(anonymous.get("me", Authorization=f"Bearer {old}"), 401)
        assert anonymous.get("me", Authorization=f"Bearer {new}").status_code == 200


class TestByes:
    @pytest.fixture(autouse=True)
    def entry(self, ada: Person, event: Event) -> Entry:
        entry, *_ = event.enter(player_of(ada), *make_players(3))
        event.step("start")
        return entry

    def test_permissions(self, everyone: dict[str, Person], event: Event, entry: Entry) -> None:
        body = {"entry": entry.pk, "round": 2, "kind": "half-bye"}

        assert statuses(everyone, "POST", f"{event.path}/byes", body) == {
            "organiser": 201,
            "player": 403,
            "stranger": 403,
            "anonymous": 401,
        }
        path = f"{event.path}/byes/{Bye.objects.get().pk}"
        assert statuses(everyone, "DELETE", path) == {
            "organiser": 204,
            "player": 403,
            "stranger": 403,
            "anonymous": 401,
        }

    @pytest.mark.parametrize(
        ("kind", "points"), [("half-bye", "0.5"), ("zero-bye", "0"), ("full-bye", "1")]
    )
    def test_a_bye_gives_its_points(
        self, organiser: Person, event: Event, entry: Entry, kind: str, points: str
    ) -> None:
        body = {"entry": entry.pk, "round": 1, "kind": kind, "reason": "a wedding"}
        created = organiser.post(f"{event.path}/byes", body).json()
        named = {
            "entry": entry.pk,
            "number": 1,
            "player": {"id": entry.player_id, "name": "Ada"},
        }
        assert created == {"id": created["id"], **body, "entry": named}

        event.play(1)

        pairings = organiser.get(f"{event.path}/rounds/1/pairings").json()["pairings"]
        assert [row["kind"] for row in pairings if row["first"]["player"]["name"] == "Ada"] == [
            kind
        ]
        rows = organiser.get(f"{event.path}/standings").json()["rows"]
        assert [r["values"]["PTS"] for r in rows if r["player"]["name"] == "Ada"] == [points]

    def test_half_point_byes_are_limited(
        self, organiser: Person, event: Event, entry: Entry
    ) -> None:
        def request(number: int, kind: str = "half-bye") -> int:
            body = {"entry": entry.pk, "round": number, "kind": kind}
            return organiser.post(f"{event.path}/byes", body).status_code

        found = [request(1), request(2), request(2, "zero-bye"), request(3, "full-bye")]
        assert found == [201, 409, 201, 201]
        assert Bye.objects.count() == 3

    @pytest.mark.parametrize("kind", ["half-bye", "zero-bye"])
    def test_a_second_bye_in_a_round_replaces_nothing(
        self, organiser: Person, event: Event, entry: Entry, kind: str
    ) -> None:
        path = f"{event.path}/byes"
        body = {"entry": entry.pk, "round": 1, "kind": "half-bye", "reason": "away"}
        first = organiser.post(path, body).json()

        second = organiser.post(path, body | {"kind": kind, "reason": ""})

        problem = problem_in(second, 409, "bye_granted")
        assert problem["bye"] == first["id"]
        assert problem["detail"] == "Ada has a half-bye in round 1 already; cancel it first"
        assert organiser.get(path).json()["results"] == [first]

    def test_a_cancelled_bye(self, organiser: Person, event: Event, entry: Entry) -> None:
        body = {"entry": entry.pk, "round": 1, "kind": "half-bye"}
        bye = organiser.post(f"{event.path}/byes", body).json()

        assert organiser.delete(f"{event.path}/byes/{bye['id']}?dry_run=1").status_code == 200
        assert Bye.objects.count() == 1
        assert organiser.delete(f"{event.path}/byes/{bye['id']}").status_code == 204
        problem_in(organiser.delete(f"{event.path}/byes/{bye['id']}"), 404)
        event.play(1)

        assert "half-bye" not in str(organiser.get(f"{event.path}/rounds/1/pairings").json())

    def test_byes_of_a_paired_round_are_fixed(
        self, organiser: Person, event: Event, entry: Entry
    ) -> None:
        body = {"entry": entry.pk, "round": 1, "kind": "half-bye"}
        bye = organiser.post(f"{event.path}/byes", body).json()
        organiser.post(f"{event.path}/rounds/1/pair")

        problem_in(organiser.post(f"{event.path}/byes", body), 409, "round_paired")
        problem_in(organiser.delete(f"{event.path}/byes/{bye['id']}"), 409, "round_paired")

    @pytest.mark.parametrize(
        ("change", "code", "pointer"),
        [
            ({"round": 4}, "no_such_round", "/round"),
            ({"round": 0}, "invalid", "/round"),
            ({"round": 10**30}, "invalid", "/round"),
            ({"round": [1]}, "invalid", "/round"),
            ({"kind": "pairing-bye"}, "invalid", "/kind"),
            ({"kind": ["half-bye"]}, "invalid", "/kind"),
            ({"entry": 10**30}, "invalid", "/entry"),
            ({"entry": 999_999}, "unknown_entry", "/entry"),
            ({"entry": "Ada"}, "invalid", "/entry"),
            ({"reason": "x" * 241}, "invalid", "/reason"),
            ({"reason": {}}, "invalid", "/reason"),
        ],
    )
    def test_an_invalid_body(
        self,
        organiser: Person,
        event: Event,
        entry: Entry,
        change: dict[str, Any],
        code: str,
        pointer: str,
    ) -> None:
        body = {"entry": entry.pk, "round": 1, "kind": "half-bye"} | change

        problem = problem_in(organiser.post(f"{event.path}/byes", body), 422, code)

        assert problem["errors"][0]["pointer"] == pointer
        assert not Bye.objects.exists()

    @pytest.mark.parametrize("count", [1, 3])
    def test_the_list_takes_two_queries(
        self,
        anonymous: Person,
        organiser: Person,
        event: Event,
        entry: Entry,
        count: int,
        django_assert_num_queries: DjangoAssertNumQueries,
    ) -> None:
        for number in range(1, count + 1):
            body = {"entry": entry.pk, "round": number, "kind": "zero-bye"}
            organiser.post(f"{event.path}/byes", body)
        event.tournament.round_set.update(state=Round.State.COMPLETE)

        with django_assert_num_queries(2):
            assert len(anonymous.get(f"{event.path}/byes").json()["results"]) == count


class TestConsent:
    def test_only_the_player_agrees(
        self, everyone: dict[str, Person], staff: Person, event: Event
    ) -> None:
        (entry,) = event.enter(player_of(everyone["player"]))

        found = statuses(
            everyone | {"staff": staff}, "POST", f"{event.path}/entries/{entry.pk}/consent"
        )

        assert found == {
            "organiser": 403,
            "player": 200,
            "stranger": 403,
            "anonymous": 401,
            "staff": 403,
        }
        lines = JournalLine.objects.filter(stream=event.stream, kind="entry.consented")
        assert [line.payload.body["entry"] for line in lines] == [entry.pk]

    def test_a_director_cannot_agree_with_the_token_of_a_player(
        self, organiser: Person, ada: Person, event: Event
    ) -> None:
        (entry,) = event.enter(player_of(ada))
        path = f"{event.path}/entries/{entry.pk}"
        issued = organiser.post(f"{path}/token").json()["token"]

        holder = Person("the holder of the token", secret=issued)
        problem_in(holder.post(f"{path}/consent"), 403, "token_given_out")

        assert organiser.get(path).json()["consented_at"] is None

    def test_who_enters_themselves_agrees(self, organiser: Person, event: Event) -> None:
        own = Player.objects.create(name="Olga", account=organiser.account)
        other = Player.objects.create(name="Pia")

        entries = event.enter(own, other)

        assert [entry.consented_at is not None for entry in entries] == [True, False]

    def test_a_dry_run_and_a_final_event_change_nothing(
        self, organiser: Person, ada: Person, event: Event
    ) -> None:
        (entry,) = event.enter(player_of(ada))
        path = f"{event.path}/entries/{entry.pk}"

        assert ada.post(f"{path}/consent?dry_run=1").json()["consented_at"]
        assert ada.get(path).json()["consented_at"] is None
        event.step("cancel")
        problem_in(ada.post(f"{path}/consent"), 409, "wrong_state")


def test_the_rating_of_an_unrated_player_is_null(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    rated, unrated = make_players(2)
    for player, rating in ((rated, 1800), (unrated, None)):
        sent = {"player": player.pk, "seed_rating": rating}
        entry = organiser.post(f"{event.path}/entries", sent).json()
        assert entry["seed_rating"] == rating
    path = f"{event.path}/entries/{entry['entry']}"

    def change(rating: int | None) -> Any:
        tag = {"If_Match": organiser.get(path)["ETag"]}
        return organiser.patch(path, {"seed_rating": rating}, **tag).json()["seed_rating"]

    assert [change(1500), change(None)] == [1500, None]
    event.step("start").play(1)
    for table in ("entries", "standings"):
        body = anonymous.get(f"{event.path}/{table}").json()
        rows = body["results"] if table == "entries" else body["rows"]
        found = {row["player"]["id"]: row["seed_rating"] for row in rows}
        assert found == {rated.pk: 1800, unrated.pk: None}
