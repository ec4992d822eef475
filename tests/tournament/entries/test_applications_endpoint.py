"""`/tournaments/{slug}/entries/apply`: by an account, or by the link of the event; the places."""

from typing import Any

import pytest

from games.models import JournalLine, Player
from tests.events import Event, make_event, make_players
from tests.people import Person, make_player, player_of, problem_in, statuses
from tests.tournament.events.test_verify_state import verify

pytestmark = pytest.mark.django_db
CLEO = {"name": "Cleo", "country": "egy", "birth_year": 1990, "category": "students"}


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    return make_event(organiser).step("open")


@pytest.fixture
def path(event: Event) -> str:
    return f"{event.path}/entries/apply"


@pytest.fixture
def key(organiser: Person, event: Event) -> str:
    return organiser.post(f"{event.path}/application-link").json()["key"]


def states(person: Person, event: Event) -> dict[str, str]:
    rows = person.get(f"{event.path}/entries").json()["results"]
    return {row["player"]["name"]: row["state"] for row in rows}


class TestApplying:
    def test_permissions(self, everyone: dict[str, Person], path: str) -> None:
        found = {
            name: person.post(path, {"name": f"{name} applies"}).status_code
            for name, person in everyone.items()
        }
        assert found == {"organiser": 201, "player": 201, "stranger": 201, "anonymous": 401}

    def test_an_account_applies_for_its_player(
        self, organiser: Person, ada: Person, stranger: Person, event: Event, path: str
    ) -> None:
        body = ada.post(path).json()

        entry = event.tournament.entries.get()
        assert body == {"entry": entry.pk, "state": "applied"}
        assert (entry.player, entry.seed_rating) == (player_of(ada), 2100)
        assert entry.consented_at is not None
        problem_in(ada.post(path), 409, "entered_already")
        assert states(organiser, event) == states(ada, event) == {"Ada": "applied"}
        assert states(stranger, event) == {}
        problem_in(stranger.get(f"{event.path}/entries/{entry.pk}"), 404)
        assert ada.get(f"{event.path}/entries/{entry.pk}").json()["state"] == "applied"
        assert verify() == []

    def test_an_account_without_a_player_sends_a_name(self, stranger: Person, path: str) -> None:
        problem_in(stranger.post(path), 422, "name_needed")
        assert stranger.post(path, CLEO).status_code == 201

    def test_a_person_without_a_login_uses_the_link(
        self, anonymous: Person, event: Event, path: str, key: str
    ) -> None:
        body = anonymous.post(path, {"link": key, **CLEO}).json()

        entry = event.tournament.entries.get()
        assert body == {"entry": entry.pk, "state": "applied"}
        assert (entry.player.name, entry.player.country, entry.player.birth_year) == (
            "Cleo", "EGY", 1990,
        )  # fmt: skip
        assert (entry.birth_year, entry.category) == (1990, "students")
        assert JournalLine.objects.order_by("-pk")[0].actor == "system"
        assert verify() == []

    def test_a_registered_player_is_found(
        self, anonymous: Person, event: Event, path: str, key: str
    ) -> None:
        cleo = Player.objects.create(name="Cleo", country="EGY", birth_year=1990)
        anonymous.post(path, {"link": key, **CLEO})
        assert event.tournament.entries.get().player == cleo

    def test_ambiguous_details_name_nobody(
        self, anonymous: Person, event: Event, path: str, key: str
    ) -> None:
        Player.objects.bulk_create(Player(name="Cleo", birth_year=1990) for _ in range(2))

        problem = problem_in(anonymous.post(path, {"link": key, **CLEO}), 409, "ambiguous_player")

        assert "candidates" not in str(problem)
        assert not event.tournament.entries.exists()

    @pytest.mark.parametrize("state", ["draft", "running", "review", "final", "cancelled"])
    def test_the_registration_is_open(
        self, organiser: Person, event: Event, path: str, state: str
    ) -> None:
        event.tournament.state = state
        event.tournament.save()
        problem_in(organiser.post(path, CLEO), 409, "wrong_state")

    def test_the_event_lists_the_action_for_every_account(
        self, everyone: dict[str, Person], event: Event, path: str, key: str
    ) -> None:
        def allowed(person: Person) -> list[tuple[str, str]]:
            rows = person.get(event.path).json()["allowed_actions"]
            return [(row["action"], row["level"]) for row in rows]

        people = ("player", "stranger")
        assert [allowed(everyone[name]) for name in people] == [[("apply", "safe")]] * 2
        assert ("apply", "safe") in allowed(everyone["organiser"])
        assert allowed(everyone["anonymous"]) == []

        everyone["organiser"].post(f"{event.path}/cancel", {"reason": "no hall"})
        assert [allowed(everyone[name]) for name in people] == [[("apply", "forbidden")]] * 2
        for name, body in (("stranger", CLEO), ("anonymous", {"link": key, **CLEO})):
            problem = problem_in(everyone[name].post(path, body), 409, "wrong_state")
            assert problem["allowed_actions"] == [
                {
                    "action": "apply",
                    "level": "forbidden",
                    "code": "wrong_state",
                    "reason": problem["detail"],
                }
            ]

    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({"name": ""}, "/name"),
            ({"name": "x" * 121}, "/name"),
            ({"name": "Cleo", "country": "Egypt"}, "/country"),
            ({"name": "Cleo", "birth_year": 2100}, "/birth_year"),
            ({"name": "Cleo", "nam": "Cleo"}, "/nam"),
            ({"name": "Cleo", "link": "x" * 41}, "/link"),
        ],
    )
    def test_an_invalid_body(
        self, stranger: Person, path: str, body: dict[str, Any], pointer: str
    ) -> None:
        assert problem_in(stranger.post(path, body), 422)["errors"][0]["pointer"] == pointer

    def test_a_dry_run(self, anonymous: Person, event: Event, path: str, key: str) -> None:
        assert anonymous.post(f"{path}?dry_run=1", {"link": key, **CLEO}).status_code == 200
        assert not event.tournament.entries.exists()
        assert not Player.objects.filter(name="Cleo").exists()


class TestLink:
    def test_permissions(self, everyone: dict[str, Person], event: Event) -> None:
        path = f"{event.path}/application-link"
        for method, status in (("POST", 201), ("GET", 200), ("DELETE", 204)):
            assert statuses(everyone, method, path) == {
                "organiser": status, "player": 403, "stranger": 403, "anonymous": 401,
            }  # fmt: skip

    def test_it_is_replaced_and_revoked(
        self, organiser: Person, anonymous: Person, event: Event, path: str, key: str
    ) -> None:
        link = f"{event.path}/application-link"
        shown = organiser.get(link).json()
        assert shown["key"] == key
        assert shown["address"].endswith(f"/e/spring/apply#{key}")

        new = organiser.post(link).json()["key"]
        for wrong in (key, "", "x"):
            response = anonymous.post(path, {"link": wrong, **CLEO})
            assert response.status_code == (422 if wrong else 401)
        assert anonymous.post(path, {"link": new, **CLEO}).status_code == 201
        assert organiser.delete(link).status_code == 204
        problem_in(anonymous.post(path, {"link": new, "name": "Dan"}), 422, "invalid_link")
        problem_in(organiser.delete(link), 409, "nothing_to_do")
        assert organiser.get(link).json()["key"] is None
        assert verify() == []

    def test_it_opens_a_private_event(
        self, organiser: Person, anonymous: Person, event: Event, path: str, key: str
    ) -> None:
        organiser.patch(event.path, {"public": False})
        problem_in(anonymous.post(path, {"link": "x", **CLEO}), 404)
        assert anonymous.post(path, {"link": key, **CLEO}).status_code == 201


class TestPlaces:
    def apply_all(self, event: Event, count: int) -> list[str]:
        """Let players apply; return the addresses of their entries."""
        path = f"{event.path}/entries"
        people = [make_player(f"Person {number}") for number in range(1, count + 1)]
        return [f"{path}/{person.post(f'{path}/apply').json()['entry']}" for person in people]

    def test_the_event_accepts_as_many_as_it_has_places(
        self, organiser: Person, event: Event
    ) -> None:
        organiser.patch(event.path, {"places": 1})
        first, second, third = self.apply_all(event, 3)

        assert organiser.post(f"{first}/accept").json()["state"] == "accepted"
        problem = problem_in(organiser.post(f"{second}/accept"), 409, "no_place_left")
        assert (problem["places"], problem["accepted"]) == (1, 1)
        assert organiser.post(f"{second}/wait").json()["state"] == "waiting"
        assert organiser.post(f"{third}/refuse").json()["state"] == "refused"
        (player,) = make_players(1)
        response = organiser.post(f"{event.path}/entries", {"player": player.pk})
        problem_in(response, 409, "no_place_left")
        lines = f"player\n{player.pk}\n".encode()
        path = f"{event.path}/entries/import"
        response = organiser.post(path, lines, content_type="text/csv")
        problem_in(response, 409, "no_place_left")

        organiser.post(f"{first}/withdraw")
        assert organiser.get(second).json()["state"] == "waiting"
        assert organiser.post(f"{second}/accept").json()["state"] == "accepted"
        assert verify() == []

    def test_a_free_place_goes_to_the_first_of_the_waiting_list(
        self, organiser: Person, event: Event
    ) -> None:
        organiser.patch(event.path, {"places": 1, "fills_places": True})
        first, second, third, fourth = self.apply_all(event, 4)
        organiser.post(f"{first}/accept")
        for path in (third, second, fourth):
            organiser.post(f"{path}/wait")

        organiser.post(f"{first}/withdraw")
        assert organiser.get(second).json()["state"] == "accepted"
        line = JournalLine.objects.order_by("-pk")[0]
        assert (line.kind, line.payload.body["reason"]) == (
            "entry.accepted", "the first of the waiting list",
        )  # fmt: skip
        organiser.patch(event.path, {"places": 2})
        assert [organiser.get(path).json()["state"] for path in (third, fourth)] == [
            "accepted", "waiting",
        ]  # fmt: skip
        event.step("start")
        organiser.post(f"{second}/withdraw")
        assert organiser.get(fourth).json()["state"] == "waiting"
        assert organiser.patch(event.path, {"places": 1}).status_code == 200
        assert organiser.post(f"{second}/return").json()["state"] == "accepted"
        assert verify() == []

    def test_who_plays_is_not_put_on_the_waiting_list(
        self, organiser: Person, event: Event
    ) -> None:
        first, second = self.apply_all(event, 2)
        for path in (first, second):
            organiser.post(f"{path}/accept")
        event.step("start")
        problem_in(organiser.post(f"{first}/wait"), 409, "playing")

    def test_unanswered_applications_do_not_play(
        self, organiser: Person, anonymous: Person, event: Event
    ) -> None:
        first, second, _ = self.apply_all(event, 3)
        for path in (first, second):
            organiser.post(f"{path}/accept")

        event.step("start").play(1)

        assert states(anonymous, event) == {"Person 1": "accepted", "Person 2": "accepted"}
        rows = anonymous.get(f"{event.path}/standings").json()["rows"]
        assert len(rows) == 2

    @pytest.mark.parametrize("places", [0, -1, "many", 1.5, 10**9])
    def test_impossible_places(self, organiser: Person, event: Event, places: Any) -> None:
        problem_in(organiser.patch(event.path, {"places": places}), 422, "invalid")
