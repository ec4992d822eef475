"""`/tournaments/{slug}/entries` and `byes`: who plays, from when, and who is away."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import JournalLine, Player, Role
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, player_of, problem_in, statuses
from tournament.models import Bye, Entry

pytestmark = pytest.mark.django_db
WORDS = ("accept", "refuse", "withdraw", "return")


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_event(organiser).step("open")


def numbered(event: Event) -> dict[str, int | None]:
    rows = event.tournament.entries.select_related("player").order_by("pairing_number")
    return {row.player.name: row.pairing_number for row in rows}


class TestEntering:
    def test_who_may(self, everyone: dict[str, Person], event: Event) -> None:
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
    def test_what_a_token_needs(
        self, organiser: Person, event: Event, scopes: list[str], stream: str, status: int
    ) -> None:
        owner = organiser.with_token(*scopes, stream=stream)
        (player,) = make_players(1)

        assert owner.post(f"{event.path}/entries", {"player": player.pk}).status_code == status

    def test_what_is_made(self, organiser: Person, event: Event) -> None:
        (player,) = make_players(1)

        made = organiser.post(f"{event.path}/entries", {"player": player.pk}).json()

        assert made == {
            "id": made["id"],
            "player": {"id": player.pk, "name": "Player 1", "country": "POR", "club": ""},
            "state": "accepted",
            "seed_rating": 1499,
            "pairing_number": None,
            "lot": None,
            "first_round": 1,
            "birth_year": None,
            "sex": "",
            "category": "",
        }
        assert organiser.get(f"{event.path}/entries/{made['id']}").json() == made
        assert organiser.get(f"{event.path}/entries").json()["results"] == [made]
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
    def test_a_wrong_shape(
        self, organiser: Person, event: Event, body: object, pointer: str
    ) -> None:
        problem = problem_in(organiser.post(f"{event.path}/entries", body), 422, "invalid")

        assert problem["errors"][0]["pointer"] == pointer

    def test_an_unknown_player(self, organiser: Person, event: Event) -> None:
        problem_in(organiser.post(f"{event.path}/entries", {"player": 999}), 422, "unknown_player")

    def test_nobody_enters_twice(self, organiser: Person, event: Event) -> None:
        (player,) = make_players(1)
        event.enter(player)
        lines = JournalLine.objects.count()

        answer = organiser.post(f"{event.path}/entries", {"player": player.pk})

        problem_in(answer, 409, "entered_already")
        assert JournalLine.objects.count() == lines

    @pytest.mark.parametrize("state", ["review", "final", "archived", "cancelled"])
    def test_it_is_over(self, organiser: Person, event: Event, state: str) -> None:
        (player,) = make_players(1)
        event.tournament.state = state
        event.tournament.save()

        answer = organiser.post(f"{event.path}/entries", {"player": player.pk})

        problem_in(answer, 409, "wrong_state")

    def test_a_dry_run_enters_nobody(self, organiser: Person, event: Event) -> None:
        event.enter(*make_players(2))
        event.step("start")
        late = Player.objects.create(name="Late", seed_rating=3000)
        before = numbered(event), JournalLine.objects.count()

        made = organiser.post(f"{event.path}/entries?dry_run=1", {"player": late.pk}).json()

        assert (made["pairing_number"], made["first_round"]) == (1, 1)
        assert (numbered(event), JournalLine.objects.count()) == before

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
            shown = anonymous.get(f"{event.path}/entries").json()["results"]

        assert len(shown) == count


class TestNumbering:
    def test_by_rating_then_name(self, event: Event) -> None:
        players = [("Bo", 1500), ("Al", 1500), ("Cy", 1800), ("Di", None)]
        event.enter(*(Player.objects.create(name=n, seed_rating=r) for n, r in players))

        event.step("start")

        assert numbered(event) == {"Cy": 1, "Al": 2, "Bo": 3, "Di": 4}

    def test_a_late_entry_is_put_in_where_it_belongs(self, organiser: Person, event: Event) -> None:
        event.enter(*make_players(4))
        event.step("start")
        event.play(1)
        late = Player.objects.create(name="Late", seed_rating=1498)

        made = organiser.post(f"{event.path}/entries", {"player": late.pk}).json()

        assert (made["pairing_number"], made["first_round"]) == (2, 2)
        assert numbered(event) == {
            "Player 1": 1, "Late": 2, "Player 2": 3, "Player 3": 4, "Player 4": 5,
        }  # fmt: skip
        rows = organiser.get(f"{event.path}/standings").json()["rows"]
        points = {row["player"]["name"]: row["values"]["PTS"] for row in rows}
        assert points["Late"] == "0"
        assert sum(float(value) for value in points.values()) == 2

    def test_a_late_entry_misses_the_round_that_is_drafted(
        self, organiser: Person, event: Event
    ) -> None:
        event.enter(*make_players(4))
        event.step("start")
        organiser.post(f"{event.path}/rounds/1/pair")
        late = Player.objects.create(name="Late", seed_rating=2000)

        made = organiser.post(f"{event.path}/entries", {"player": late.pk}).json()
        organiser.post(f"{event.path}/rounds/1/pair")

        assert made["first_round"] == 2
        shown = organiser.get(f"{event.path}/rounds/1/pairings").json()["pairings"]
        assert "Late" not in str(shown)

    def test_after_the_last_round_it_is_too_late(self, organiser: Person) -> None:
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

        assert numbered(event) == {"Player 2": 1, "Player 1": 2}


class TestSteps:
    @pytest.fixture
    def entry(self, event: Event, ada: Person) -> Entry:
        (entry,) = event.enter(player_of(ada))
        event.enter(*make_players(3))
        return entry

    @pytest.mark.parametrize("word", WORDS)
    def test_who_may(
        self, everyone: dict[str, Person], event: Event, entry: Entry, word: str
    ) -> None:
        found = statuses(everyone, "POST", f"{event.path}/entries/{entry.pk}/{word}")

        organisers = 409 if word in ("accept", "return") else 200
        assert found == {
            "organiser": organisers,
            "player": 403,
            "stranger": 403,
            "anonymous": 401,
        }

    def test_withdraw_and_return(self, organiser: Person, event: Event, entry: Entry) -> None:
        event.step("start")
        path = f"{event.path}/entries/{entry.pk}"

        gone = organiser.post(f"{path}/withdraw").json()
        event.play(1)
        back = organiser.post(f"{path}/return").json()
        event.publish(2)

        assert (gone["state"], back["state"]) == ("withdrawn", "accepted")
        assert gone["pairing_number"] == back["pairing_number"] == 1
        first, second = (
            str(organiser.get(f"{event.path}/rounds/{n}/pairings").json()["pairings"])
            for n in (1, 2)
        )
        assert ("Ada" in first, "Ada" in second) == (False, True)

    def test_a_withdrawn_player_keeps_the_points(
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

    def test_withdrawn_before_the_start_is_not_numbered(
        self, organiser: Person, event: Event, entry: Entry
    ) -> None:
        organiser.post(f"{event.path}/entries/{entry.pk}/withdraw")
        event.step("start")

        assert numbered(event)["Ada"] is None
        event.publish(1)

        back = organiser.post(f"{event.path}/entries/{entry.pk}/return").json()
        assert (back["pairing_number"], back["first_round"]) == (1, 2)

    def test_who_plays_is_not_refused(self, organiser: Person, event: Event, entry: Entry) -> None:
        event.step("start")

        answer = organiser.post(f"{event.path}/entries/{entry.pk}/refuse")

        problem_in(answer, 409, "playing")

    def test_after_the_last_round_nobody_comes_back_new(self, organiser: Person) -> None:
        event = make_event(organiser, rounds=1).step("open")
        *_, entry = event.enter(*make_players(3))
        organiser.post(f"{event.path}/entries/{entry.pk}/withdraw")
        event.step("start").publish(1)

        answer = organiser.post(f"{event.path}/entries/{entry.pk}/return")

        problem_in(answer, 409, "no_round_left")

    def test_an_entry_of_another_event(self, organiser: Person, event: Event, entry: Entry) -> None:
        other = make_event(organiser, slug="other")

        for word in WORDS:
            problem_in(organiser.post(f"{other.path}/entries/{entry.pk}/{word}"), 404)
        problem_in(organiser.get(f"{other.path}/entries/{entry.pk}"), 404)

    @pytest.mark.parametrize("word", ["refuse", "withdraw"])
    def test_a_dry_run(self, organiser: Person, event: Event, entry: Entry, word: str) -> None:
        lines = JournalLine.objects.count()

        assert organiser.post(f"{event.path}/entries/{entry.pk}/{word}?dry_run=1").json()[
            "state"
        ] in ("refused", "withdrawn")

        entry.refresh_from_db()
        assert (entry.state, JournalLine.objects.count()) == ("accepted", lines)


PERSONAL = {"birth_year": 2014, "sex": "w", "category": "students"}


class TestWhatPrizesAskFor:
    """The year of birth, the sex and the category of an entry."""

    @pytest.fixture
    def entry(self, organiser: Person, event: Event, ada: Person) -> dict[str, Any]:
        event.enter(*make_players(3))
        body = {"player": player_of(ada).pk, **PERSONAL}
        return organiser.post(f"{event.path}/entries", body).json()

    def payload(self) -> tuple[str, dict[str, Any]]:
        """What the last line of the journal tells."""
        line = JournalLine.objects.select_related("payload").order_by("-pk")[0]
        return line.kind, {k: v for k, v in line.payload.body.items() if k != "salt"}

    def test_they_are_told_when_entering(self, entry: dict[str, Any]) -> None:
        assert {name: entry[name] for name in PERSONAL} == PERSONAL
        kind, told = self.payload()
        assert kind == "entry.accepted"
        assert {name: told[name] for name in PERSONAL} == PERSONAL

    def test_who_may_change_them(
        self, everyone: dict[str, Person], event: Event, entry: dict[str, Any]
    ) -> None:
        path = f"{event.path}/entries/{entry['id']}"

        assert statuses(everyone, "PATCH", path, {"birth_year": 2013}) == {
            "organiser": 200,
            "player": 403,
            "stranger": 403,
            "anonymous": 401,
        }

    @pytest.mark.parametrize("role", [Role.Name.DIRECTOR, Role.Name.SCORER])
    def test_who_reads_them(
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
            "her token of here": ada.with_token("tournament:read", stream=event.stream),
            "her token of elsewhere": ada.with_token("tournament:read", stream="tournament/x"),
            "her token for results": ada.with_token("result:write"),
            "the owner's token for results": organiser.with_token("result:write"),
        }

        seen = set()
        for name, who in readers.items():
            one = who.get(f"{event.path}/entries/{entry['id']}").json()
            rows = who.get(f"{event.path}/entries").json()["results"]
            (listed,) = [row for row in rows if row["id"] == entry["id"]]
            assert listed == one, name
            assert one.keys() & PERSONAL.keys() in (set(), PERSONAL.keys()), name
            if "birth_year" in one:
                seen.add(name)
            told = {row["player"]["name"] for row in rows if "birth_year" in row}
            own = {"another player": {"Ben"}}.get(name, {"Ada"} & told)
            assert told in (own, {row["player"]["name"] for row in rows}), name

        assert seen == {"organiser", "player", "her token of here", role}

    def test_a_change_leaves_the_rest(
        self, organiser: Person, event: Event, entry: dict[str, Any]
    ) -> None:
        path = f"{event.path}/entries/{entry['id']}"

        changed = organiser.patch(path, {"category": " seniors "}).json()

        assert changed == entry | {"category": "seniors"}
        assert self.payload() == ("entry.edited", {"entry": entry["id"], "category": "seniors"})
        lines = JournalLine.objects.count()
        assert organiser.patch(path, {"category": "seniors"}).json() == changed
        assert JournalLine.objects.count() == lines

    def test_they_can_be_emptied(
        self, organiser: Person, event: Event, entry: dict[str, Any]
    ) -> None:
        empty = {"birth_year": None, "sex": "", "category": ""}

        changed = organiser.patch(f"{event.path}/entries/{entry['id']}", empty).json()

        assert {name: changed[name] for name in empty} == empty

    def test_until_the_event_is_final(
        self, organiser: Person, event: Event, entry: dict[str, Any]
    ) -> None:
        path = f"{event.path}/entries/{entry['id']}"
        event.step("start").play(1)
        number = numbered(event)["Ada"]

        assert organiser.patch(path, {"birth_year": 2012}).json()["pairing_number"] == number
        problem_in(organiser.patch(path, {"birth_year": 2011, "lot": 3}), 409, "wrong_state")
        assert organiser.get(path).json()["birth_year"] == 2012
        for state, status in (
            ("review", 200), ("final", 409), ("archived", 409), ("cancelled", 409),
        ):  # fmt: skip
            event.tournament.state = state
            event.tournament.save()
            assert organiser.patch(path, {"birth_year": 2010}).status_code == status, state

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
            ({"sex": None}, "/sex"),
            ({"sex": ["w"]}, "/sex"),
            ({"category": "x" * 41}, "/category"),
            ({"category": "a\nb"}, "/category"),
            ({"category": "a\u2028b"}, "/category"),
            ({"category": None}, "/category"),
            ({"category": {}}, "/category"),
            ({"seed_rating": 2000}, "/seed_rating"),
            ({"birth_year": 2014, "pairing_number": 1}, "/pairing_number"),
            ({"birth_year": 2014, "x" * 999: 1}, "/" + "x" * 40),
            ([], ""),
            (7, ""),
        ],
    )
    def test_a_wrong_shape(
        self, organiser: Person, event: Event, entry: dict[str, Any], body: object, pointer: str
    ) -> None:
        path = f"{event.path}/entries/{entry['id']}"

        problem = problem_in(organiser.patch(path, body), 422, "invalid")

        assert problem["errors"][0]["pointer"] == pointer
        assert organiser.get(path).json() == entry

    def test_nobody_is_born_after_the_event(
        self, organiser: Person, event: Event, entry: dict[str, Any]
    ) -> None:
        (other,) = make_players(1)
        path = f"{event.path}/entries"
        assert organiser.patch(f"{path}/{entry['id']}", {"birth_year": 2026}).status_code == 200

        for answer in (
            organiser.patch(f"{path}/{entry['id']}", {"birth_year": 2027}),
            organiser.post(path, {"player": other.pk, "birth_year": 2027}),
        ):
            problem = problem_in(answer, 422, "wrong_year")
            assert problem["errors"][0]["pointer"] == "/birth_year"
            assert "1900 to 2026" in problem["detail"]

    def test_a_dry_run(self, organiser: Person, event: Event, entry: dict[str, Any]) -> None:
        path = f"{event.path}/entries/{entry['id']}"
        lines = JournalLine.objects.count()

        assert (
            organiser.patch(f"{path}?dry_run=1", {"birth_year": 2000}).json()["birth_year"] == 2000
        )

        assert organiser.get(path).json() == entry
        assert JournalLine.objects.count() == lines


class TestPersonalTokens:
    def test_who_gives_them(self, everyone: dict[str, Person], event: Event, ada: Person) -> None:
        (entry,) = event.enter(player_of(ada))

        found = statuses(everyone, "POST", f"{event.path}/entries/{entry.pk}/token")

        assert found == {"organiser": 201, "player": 403, "stranger": 403, "anonymous": 401}

    def test_one_opens_the_players_games_here_and_nothing_else(
        self, organiser: Person, anonymous: Person, event: Event
    ) -> None:
        players = make_players(2)
        entries = event.enter(*players)
        event.step("start")
        (game,) = event.publish()
        given = organiser.post(f"{event.path}/entries/{entries[0].pk}/token").json()
        bearer = f"Bearer {given['token']}"

        assert given["scopes"] == ["record:write", "result:write", "tournament:read"]
        me = anonymous.get("me", Authorization=bearer).json()
        assert (me["player"]["name"], me["stream"], me["email"]) == (
            "Player 1", "tournament/spring", None,
        )  # fmt: skip
        body = {"claim": {"result": "11-10"}}
        told = anonymous.post(f"games/{game.pk}/reports", body, Authorization=bearer)
        assert told.status_code == 202
        problem_in(anonymous.post(f"{event.path}/rounds/1/complete", Authorization=bearer), 403)
        problem_in(anonymous.post("players", {"name": "x"}, Authorization=bearer), 403)

    def test_a_new_one_takes_the_old_ones_place(
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
    @pytest.fixture
    def entry(self, event: Event, ada: Person) -> Entry:
        (entry,) = event.enter(player_of(ada))
        event.enter(*make_players(3))
        event.step("start")
        return entry

    def test_who_may(self, everyone: dict[str, Person], event: Event, entry: Entry) -> None:
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
    def test_a_bye_keeps_one_out_and_brings_its_points(
        self, organiser: Person, event: Event, entry: Entry, kind: str, points: str
    ) -> None:
        body = {"entry": entry.pk, "round": 1, "kind": kind, "reason": "a wedding"}
        made = organiser.post(f"{event.path}/byes", body).json()
        assert made == {"id": made["id"], **body}

        event.play(1)

        lines = organiser.get(f"{event.path}/rounds/1/pairings").json()["pairings"]
        assert [line["kind"] for line in lines if line["first"]["name"] == "Ada"] == [kind]
        rows = organiser.get(f"{event.path}/standings").json()["rows"]
        assert [r["values"]["PTS"] for r in rows if r["player"]["name"] == "Ada"] == [points]

    def test_half_point_byes_are_limited(
        self, organiser: Person, event: Event, entry: Entry
    ) -> None:
        def ask(number: int, kind: str = "half-bye") -> int:
            body = {"entry": entry.pk, "round": number, "kind": kind}
            return organiser.post(f"{event.path}/byes", body).status_code

        assert [ask(1), ask(2), ask(2, "zero-bye"), ask(3, "full-bye"), ask(1)] == [
            201, 409, 201, 201, 201,
        ]  # fmt: skip
        assert Bye.objects.count() == 3

    def test_a_bye_taken_back(self, organiser: Person, event: Event, entry: Entry) -> None:
        body = {"entry": entry.pk, "round": 1, "kind": "half-bye"}
        bye = organiser.post(f"{event.path}/byes", body).json()

        assert organiser.delete(f"{event.path}/byes/{bye['id']}?dry_run=1").status_code == 204
        assert Bye.objects.count() == 1
        assert organiser.delete(f"{event.path}/byes/{bye['id']}").status_code == 204
        problem_in(organiser.delete(f"{event.path}/byes/{bye['id']}"), 404)
        event.play(1)

        assert "half-bye" not in str(organiser.get(f"{event.path}/rounds/1/pairings").json())

    def test_a_paired_round_is_no_longer_asked_for(
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
    def test_a_wrong_shape(
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

        with django_assert_num_queries(2):
            assert len(anonymous.get(f"{event.path}/byes").json()["results"]) == count
