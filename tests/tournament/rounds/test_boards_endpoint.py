"""PATCH `rounds/{n}/pairings`: single boards; broken rules until they are accepted."""

from typing import Any

import pytest

from games.models import Game, JournalLine
from tests.events import Event, make_event, make_players, make_running, settle
from tests.people import Person, make_person, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.models import Round

pytestmark = pytest.mark.django_db
Board = tuple[int | None, int, int | None]
"""A board number, or None for a bye, and the pairing numbers."""


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """Return five players; round 1 (1-3, 4-2, 5 has the bye) is complete, the first seat won."""
    event = make_running(make_person("Olga"), 5)
    event.play(1)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


def body_of(event: Event, *boards: Board, **more: Any) -> dict[str, Any]:
    entries = dict(event.tournament.entries.values_list("pairing_number", "pk"))
    rows = [
        {"board": board, "first_id": entries[first], "second_id": second and entries[second]}
        for board, first, second in boards
    ]
    return {"reason": "an error of the organiser", "boards": rows, **more}


def change(
    who: Person, event: Event, *boards: Board, query: str = "", number: int = 2, **more: Any
) -> Any:
    path = f"{event.path}/rounds/{number}/pairings{query}"
    return who.patch(path, body_of(event, *boards, **more))


def boards_in(body: dict[str, Any]) -> list[Board]:
    return [
        (
            row["board"],
            row["first"]["number"],
            row["second"] and row["second"]["number"],
        )
        for row in body["rows"]
    ]


def codes_in(body: dict[str, Any]) -> list[str]:
    return [finding["code"] for finding in body.get("violations", [])]


def games(event: Event, number: int = 2) -> list[tuple[str, str, bool]]:
    """Return the players of the games of a round, and whether they are void, by id."""
    found = Game.objects.filter(stream=event.stream, round=str(number)).order_by("pk")
    return list(found.values_list("first__name", "second__name", "void"))


CHANGES = {
    "seats": ([(1, 1, 5)], [(1, 1, 5), (2, 3, 4), (None, 2, None)], []),
    "two boards": ([(1, 5, 4), (2, 3, 2), (None, 1, None)],
                   [(1, 5, 4), (2, 3, 2), (None, 1, None)], []),
    "the bye": ([(1, 2, 1), (None, 5, None)], [(1, 2, 1), (2, 3, 4), (None, 5, None)],
                ["second_bye"]),
    "a rematch": ([(2, 2, 4), (None, 3, None)], [(1, 5, 1), (2, 2, 4), (None, 3, None)],
                  ["rematch"]),
    "byes instead of a board": (
        [(None, 1, None), (None, 5, None)],
        [(2, 3, 4), (None, 1, None), (None, 2, None), (None, 5, None)],
        ["second_bye", "several_byes"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("boards", "result", "codes"), CHANGES.values(), ids=CHANGES)
def test_boards_of_a_draft(
    organiser: Person, event: Event, boards: list[Board], result: list[Board], codes: list[str]
) -> None:
    event.draft(2)
    before = organiser.get(f"{event.path}/rounds/2/pairings").json()
    assert boards_in(before) == [(1, 5, 1), (2, 3, 4), (None, 2, None)]

    body = change(organiser, event, *boards).json()

    assert (boards_in(body), sorted(codes_in(body))) == (result, sorted(codes))
    assert (body["state"], body["system"]) == ("drafted", "by_hand")
    after = organiser.get(f"{event.path}/rounds/2/pairings").json()
    assert (boards_in(after), sorted(after["relaxed"])) == (result, sorted(codes))
    line = JournalLine.objects.select_related("payload").latest("pk")
    assert (line.kind, line.payload.body["previous"]) == ("round.changed", 1)
    assert verify() == []


def test_broken_rules_are_listed_until_they_are_accepted(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    event.draft(2)
    change(organiser, event, (2, 2, 4), (None, 3, None))
    path = f"{event.path}/rounds/2"

    items = organiser.post(f"{path}/check").json()["items"]
    rules = [(item["rule"], item["numbers"]) for item in items if item["code"] == "broken_rule"]
    assert rules == [("rematch", [2, 4])]
    problem = problem_in(organiser.post(f"{path}/publish"), 409, "acceptance_needed")
    assert (problem["accept"], [error["code"] for error in problem["errors"]]) == (
        ["rematch"], ["rematch"],
    )  # fmt: skip
    problem_in(organiser.post(f"{path}/publish", {"accept": ["second_bye"]}), 409)
    assert organiser.post(f"{path}/publish", {"accept": ["rematch"]}).status_code == 200

    assert anonymous.get(path).json()["relaxed"] == ["rematch"]
    assert verify() == []


def test_boards_of_a_published_round(organiser: Person, anonymous: Person, event: Event) -> None:
    event.publish(2)

    body = change(organiser, event, (1, 5, 2), (None, 1, None)).json()

    assert body["state"] == "published"
    assert boards_in(anonymous.get(f"{event.path}/rounds/2/pairings").json()) == [
        (1, 5, 2), (2, 3, 4), (None, 1, None),
    ]  # fmt: skip
    assert games(event) == [
        ("Player 5", "Player 1", True),
        ("Player 3", "Player 4", False),
        ("Player 5", "Player 2", False),
    ]
    assert Round.objects.get(number=2).version == 2
    assert verify() == []
    event.finish(2)
    restored = organiser.post(
        f"{event.path}/rounds/2/restore", {"version": 1, "reason": "it was right"}
    )
    assert boards_in(restored.json()) == [(1, 5, 1), (2, 3, 4), (None, 2, None)]
    assert [row["result"] for row in restored.json()["rows"]] == [None, "11-10", None]
    assert [void for _, _, void in games(event)] == [False, False, True]
    assert verify() == []


def test_a_published_board_with_reports_needs_acceptance(organiser: Person, event: Event) -> None:
    first, second = event.publish(2)
    for game in (first, second):
        organiser.post(f"games/{game.pk}/rule", {"result": "11-10", "reason": "seen"})
    organiser.post(f"games/{second.pk}/annul", {"reason": "the wrong opponents"})
    settle()

    assert change(organiser, event, (2, 4, 3)).status_code == 200
    problem = problem_in(change(organiser, event, (1, 1, 5)), 409, "acceptance_needed")

    assert [(error["code"], error["board"]) for error in problem["errors"]] == [
        ("game_reported", 1)
    ]
    assert change(organiser, event, (1, 1, 5), accept=["game_reported"]).status_code == 200
    assert [void for _, _, void in games(event)] == [True, True, False, False]
    assert verify() == []


REJECTED: dict[str, tuple[list[Board], str]] = {
    "a player at two boards": ([(1, 3, 1)], "impossible_pairings"),
    "a player without a board": ([(1, 5, 2)], "impossible_pairings"),
    "a player against themself": ([(1, 5, 5)], "impossible_pairings"),
    "a board twice": ([(1, 5, 1), (1, 1, 5)], "wrong_board"),
    "a board beyond the next": ([(4, 2, 1)], "wrong_board"),
    "a bye with a board": ([(1, 4, None)], "invalid"),
}


def test_rejections(organiser: Person, event: Event) -> None:
    event.draft(2)
    found = {
        name: problem_in(change(organiser, event, *boards), 422)["code"]
        for name, (boards, _) in REJECTED.items()
    }
    assert found == {name: code for name, (_, code) in REJECTED.items()}
    assert Round.objects.get(number=2).version == 1


def test_the_round_must_be_drafted_or_published(organiser: Person, event: Event) -> None:
    for number in (1, 2):
        answer = change(organiser, event, (1, 1, 3), number=number)
        problem_in(answer, 409, "wrong_state")


def test_the_rematches_of_a_double_round_robin_break_no_rule(organiser: Person) -> None:
    options = {"cycles": 2}
    event = make_event(
        organiser, slug="league", system="round-robin", system_options=options, rounds=6
    )
    event.enter(*make_players(4))
    event.step("open", "start")
    for number in range(1, 4):
        event.play(number)
    event.draft(4)
    (first, second) = boards_in(organiser.get(f"{event.path}/rounds/4/pairings").json())

    assert codes_in(change(organiser, event, first, number=4).json()) == []
    seats = change(organiser, event, (1, second[1], second[2]), (2, first[2], first[1]), number=4)
    assert codes_in(seats.json()) == ["rematch"]


def test_two_games_in_each_pairing(organiser: Person) -> None:
    event = make_event(organiser, slug="double", games_per_pairing=2)
    event.enter(*make_players(4))
    event.step("open", "start").publish(1)
    before = boards_in(organiser.get(f"{event.path}/rounds/1/pairings").json())
    _, first, second = before[0]

    assert change(organiser, event, (1, second, first), number=1).status_code == 200

    assert sum(void for _, _, void in games(event, 1)) == 2
    assert len(games(event, 1)) == 6
    (row, _) = organiser.get(f"{event.path}/rounds/1/pairings").json()["rows"]
    ruling = {"result": "11-10", "reason": "seen"}
    organiser.post(f"games/{row['return_game']['id']}/rule", ruling)
    settle()
    answer = change(organiser, event, (1, first, second), number=1)
    problem = problem_in(answer, 409, "acceptance_needed")
    assert [(e["code"], e["board"]) for e in problem["errors"]] == [("game_reported", 1)]
    assert verify() == []
