"""Explanations: `?explain=1`, `rounds/{n}/explain`, and the task for a large round."""

from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from games.models import Account, Player, Role
from tests.events import Event, make_players, make_running, run_due
from tests.people import Person, problem_in
from tests.processes import Worker
from tournament import tasks
from tournament.entries.services import enter_player
from tournament.models import Explanation, Pairing
from tournament.rounds import explanations

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """Return seven players after one round, with the second round published; Ada is a scorer."""
    event = make_running(organiser, 7)
    Role.objects.create(stream=event.stream, account=ada.account, role=Role.Name.SCORER)
    event.play(1)
    event.publish(2)
    return event


@pytest.fixture
def every_round_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat any round as a large one."""
    monkeypatch.setattr(explanations, "MOST_EXPLAINED_AT_ONCE", 1)


def codes(pairing: dict[str, Any]) -> list[str]:
    return [reason["code"] for reason in pairing["reasons"]]


def test_every_board_has_reasons(anonymous: Person, event: Event) -> None:
    plain = anonymous.get(f"{event.path}/rounds/2/pairings").json()
    body = anonymous.get(f"{event.path}/rounds/2/pairings?explain=1").json()

    assert [
        {name: value for name, value in pairing.items() if name != "reasons"}
        for pairing in body["rows"]
    ] == plain["rows"]
    *boards, bye = body["rows"]
    assert codes(bye)[0] == "bye"
    assert set(codes(bye)[1:]) <= {"passed_over_for_bye"}
    for board in boards:
        assert {"seats", "without_this_pair"} <= set(codes(board))
        assert {"score_group", "float"} & set(codes(board))
    entries = list(event.tournament.entries.order_by("pairing_number").values_list("pk", flat=True))
    assert [(each["id"], each["number"]) for each in body["entries"]] == [
        (entry, number) for number, entry in enumerate(entries, start=1)
    ]
    assert anonymous.get(f"{event.path}/rounds/2/pairings?explain=1").json() == body
    assert Explanation.objects.count() == 1


def test_why_two_players_do_not_meet(ada: Person, event: Event) -> None:
    path = f"{event.path}/rounds/2"
    pair = Pairing.objects.get(round__number=2, board_number=1)
    met = sorted((pair.first.pairing_number, pair.second.pairing_number))
    before = Pairing.objects.get(round__number=1, board_number=1)
    earlier = (before.first.pairing_number, before.second.pairing_number)

    for (a, c), code in ((met, "paired"), (earlier, "met_before")):
        explained = ada.post(f"{path}/explain", {"first_number": a, "second_number": c}).json()
        seats = [explained[seat]["number"] for seat in ("first", "second")]
        assert (seats, explained["reason"]["code"]) == ([a, c], code)
    other = next(n for n in range(1, 7) if n not in met and {n, met[0]} != set(earlier))
    explained = ada.post(
        f"{path}/explain", {"first_number": met[0], "second_number": other}
    ).json()["reason"]
    assert explained["code"] == "with_this_pair"
    assert explained["values"]["rule"]


def test_a_change_of_boards_leaves_the_reasons_of_the_others(
    organiser: Person, anonymous: Person, client: Client
) -> None:
    event = make_running(organiser, 8)
    event.play(1)
    event.publish(2)
    path = f"{event.path}/rounds/2/pairings"
    before = anonymous.get(f"{path}?explain=1").json()["rows"]
    (a, b), (c, d) = [(row["first"]["id"], row["second"]["id"]) for row in before[:2]]
    changed = [
        {"board": 1, "first_id": a, "second_id": d},
        {"board": 2, "first_id": c, "second_id": b},
    ]
    accept = ["rematch", "same_seats", "game_reported", "player_absent"]
    body = {"boards": changed, "reason": "they live together", "accept": accept}
    assert organiser.patch(path, body).status_code == 200

    after = anonymous.get(f"{path}?explain=1").json()["rows"]
    assert [row["reasons"] for row in after[2:]] == [row["reasons"] for row in before[2:]]
    assert all(row["reasons"] for row in after[2:])
    assert [row["reasons"] for row in after[:2]] == [[], []]
    page = client.get("/e/spring/rounds/2/boards/1").content.decode()
    assert "An arbiter set this board by hand." in page
    assert "they live together" not in page
    assert (
        escape(after[2]["reasons"][0]["sentence"])
        in client.get("/e/spring/rounds/2/boards/3").content.decode()
    )


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"first_number": 1, "second_number": 1}, "/second_number"),
        ({"first_number": 99, "second_number": 1}, "/first_number"),
    ],
)
def test_unknown_players_are_rejected(
    ada: Person, event: Event, body: object, pointer: str
) -> None:
    problem = problem_in(ada.post(f"{event.path}/rounds/2/explain", body), 422, "unknown_player")
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


def test_names_are_the_current_ones(ada: Person, event: Event) -> None:
    path = f"{event.path}/rounds/2"
    body = {"first_number": 1, "second_number": 2}
    before = ada.post(f"{path}/explain", body).json()["reason"]["sentence"]
    first = event.tournament.entries.get(pairing_number=1).player
    assert first.name in before
    Player.objects.filter(pk=first.pk).update(name="Zoë Quill")
    after = ada.post(f"{path}/explain", body).json()["reason"]["sentence"]
    assert after == before.replace(first.name, "Zoë Quill")
    assert Explanation.objects.count() == 1


def test_a_restored_version_has_its_own_reasons(organiser: Person) -> None:
    event = make_running(organiser, 6)
    event.draft(1)
    path = f"{event.path}/rounds/1"
    before = organiser.get(f"{path}/pairings?explain=1").json()["rows"]
    event.tournament.entries.filter(pairing_number=6).update(state="withdrawn")
    event.draft(1)
    assert organiser.get(f"{path}/pairings?explain=1").json()["rows"] != before
    organiser.post(f"{path}/restore", {"version": 1, "reason": "it was right"})
    assert organiser.get(f"{path}/pairings?explain=1").json()["rows"] == before
    assert all(row["reasons"] for row in before)


def test_a_round_set_by_hand_has_no_reasons(organiser: Person) -> None:
    event = make_running(organiser, 2)
    first, second = event.tournament.entries.order_by("pairing_number")
    body = {"reason": "a lesson", "pairings": [{"first_id": second.pk, "second_id": first.pk}]}
    path = f"{event.path}/rounds/1"
    problem_in(organiser.get(f"{path}/pairings?explain=1"), 409, "wrong_state")
    organiser.put(f"{path}/pairings", body)
    problem = problem_in(organiser.get(f"{path}/pairings?explain=1"), 409, "no_certificate")
    assert "a lesson" not in problem["detail"]  # the officials' own note
    problem_in(
        organiser.post(f"{path}/explain", {"first_number": 1, "second_number": 2}),
        409,
        "no_certificate",
    )


def test_other_systems_give_their_findings(organiser: Person) -> None:
    event = make_running(organiser, 4, system="monrad")
    event.play(1)
    event.publish(2)
    body = organiser.get(f"{event.path}/rounds/2/pairings?explain=1").json()["rows"]
    assert all(isinstance(pairing["reasons"], list) for pairing in body)
    response = organiser.post(
        f"{event.path}/rounds/2/explain", {"first_number": 1, "second_number": 2}
    )
    problem_in(response, 409, "not_explained")


def test_numbers_are_those_of_the_certificate(organiser: Person, event: Event) -> None:
    (late,) = make_players(1, first_rating=2600)
    before = list(event.tournament.entries.order_by("pairing_number"))
    enter_player(event.tournament, late, by=organiser.account)
    path = f"{event.path}/rounds/2"

    body = organiser.get(f"{path}/pairings?explain=1").json()
    explained = organiser.post(f"{path}/explain", {"first_number": 2, "second_number": 4}).json()

    numbered = {each["number"]: each["id"] for each in body["entries"]}
    assert list(numbered.values()) == [entry.pk for entry in before]
    bye = body["rows"][-1]
    assert bye["first"]["id"] == numbered[bye["reasons"][0]["numbers"][0]]
    assert set(explained["reason"]["numbers"]) <= {1, 3}
    assert [explained[seat]["number"] for seat in ("first", "second")] == [1, 3]
    response = organiser.post(f"{path}/explain", {"first_number": 1, "second_number": 2})
    problem_in(response, 422, "unknown_player")  # number 1 entered after this round


class TestALargeRound:
    def test_is_a_task_that_a_player_or_an_official_asks_for(
        self, ada: Person, anonymous: Person, event: Event, every_round_is_large: None
    ) -> None:
        path = f"{event.path}/rounds/2/pairings?explain=1"
        problem_in(anonymous.get(path), 404, "no_explanation")
        asked = ada.post(f"{event.path}/rounds/2/explain")
        assert (asked.status_code, asked.json()["round"]) == (202, 2)
        response = anonymous.get(path)

        assert response.status_code == 202
        assert response["Location"] == asked["Location"]
        assert response.json()["task"]["state"] == "waiting"
        assert "reasons" not in response.json()["rows"][0]
        place = response["Location"]
        tasks.explain.run(int(place.rpartition("-")[2]))

        done = anonymous.get(place).json()
        assert (done["state"], done["response"]["round"]) == ("done", 2)
        assert len(done["response"]["boards"]) == 4
        again = anonymous.get(path)
        assert again.status_code == 200
        assert again.json()["rows"][0]["reasons"] == done["response"]["boards"][0]["reasons"]

    def test_pages_ask_for_it_by_a_button(
        self, organiser: Person, event: Event, every_round_is_large: None
    ) -> None:
        """A stranger reads who can ask; reading asks for nothing."""
        board, directing = "/e/spring/rounds/2/boards/1", "/e/spring/run/rounds/2?explain=1"
        stranger, director, button = Client(), Client(), "Explain this round"
        director.force_login(organiser.account)
        pages = [(stranger, board), (director, board), (director, directing)]
        shown = [button in who.get(path).content.decode() for who, path in pages]
        assert (shown, Explanation.objects.count()) == ([False, True, True], 0)
        assert stranger.post(board, {"action": "explain-round"}).status_code == 401

        for path in (board, directing):
            answer = director.post(path, {"action": "explain-round"})
            assert answer.status_code == 303
            page = director.get(answer["Location"]).content.decode()
            assert "The reasons are being computed" in page
        tasks.explain.run(Explanation.objects.get().pk)
        assert stranger.get(board).context["pairing"]["reasons"]

    def test_a_question_about_it_is_a_task(
        self, ada: Person, event: Event, every_round_is_large: None
    ) -> None:
        path, body = f"{event.path}/rounds/2/explain", {"first_number": 1, "second_number": 2}
        response = ada.post(path, body)
        assert (response.status_code, response.json()["task"]["state"]) == (202, "waiting")
        tasks.explain.run(Explanation.objects.get().pk)
        explained = ada.post(path, {"first_number": 2, "second_number": 1}).json()
        assert explained["reason"] == ada.get(response["Location"]).json()["response"]["reason"]
        assert Explanation.objects.count() == 1

    def test_an_explanation_that_keeps_failing_is_abandoned(
        self, ada: Person, anonymous: Person, event: Event, every_round_is_large: None
    ) -> None:
        place = ada.post(f"{event.path}/rounds/2/explain")["Location"]
        Explanation.objects.get().certificate.__class__.objects.update(text="{}")
        states = []
        for _ in range(4):
            run_due()
            states.append(anonymous.get(place).json()["state"])
        assert states == ["waiting", "waiting", "failed", "failed"]
        assert Explanation.objects.get().attempts == 3

    def test_the_task_is_as_private_as_the_round(
        self, organiser: Person, stranger: Person, every_round_is_large: None
    ) -> None:
        event = make_running(organiser, 6)
        organiser.post(f"{event.path}/rounds/1/pair")
        place = organiser.post(f"{event.path}/rounds/1/explain")["Location"]
        assert organiser.get(place).status_code == 200
        problem_in(stranger.get(place), 404)
        organiser.post(f"{event.path}/rounds/1/publish")
        assert stranger.get(place).status_code == 200
        organiser.patch(event.path, {"public": False})
        problem_in(stranger.get(place), 404)


@pytest.mark.usefixtures("every_round_is_large")
@pytest.mark.django_db(transaction=True)
def test_a_worker_explains_a_large_round(
    worker: Worker, organiser: Person, anonymous: Person
) -> None:
    event = make_running(organiser, 6)
    event.publish(1)

    response = organiser.post(f"{event.path}/rounds/1/explain", Prefer="wait=20")

    assert response.status_code == 200, response.json()["task"]
    rows = anonymous.get(f"{event.path}/rounds/1/pairings?explain=1").json()["rows"]
    assert [bool(row["reasons"]) for row in rows] == [True] * 3


@pytest.mark.usefixtures("every_round_is_large")
def test_an_account_has_a_limit_of_waiting_explanations(
    organiser: Person, ada: Person, anonymous: Person, event: Event, settings: Any
) -> None:
    path = f"{event.path}/rounds/2/explain"
    settings.QUOTAS = settings.QUOTAS | {"waiting_jobs": 2}
    Account.objects.update(is_staff=False)
    statuses = [
        organiser.post(path, {"first_number": 1, "second_number": other}).status_code
        for other in (2, 3, 4)
    ]
    assert statuses == [202, 202, 409]
    assert problem_in(
        organiser.post(path, {"first_number": 1, "second_number": 4}), 409, "quota_reached"
    )["quota"] == ("waiting_jobs")
    assert organiser.post(path, {"first_number": 1, "second_number": 3}).status_code == 202

    for number in Explanation.objects.values_list("pk", flat=True):
        tasks.explain(number)
    assert organiser.post(path, {"first_number": 1, "second_number": 4}).status_code == 202
