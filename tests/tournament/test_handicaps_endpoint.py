"""Handicaps of an event: its settings, what is recommended and applied, what directors change."""

import csv
import io
import json
from typing import Any

import pytest

from games.models import Game, Player, Report
from tests.events import TAGS, Event, make_event, settle
from tests.people import Person, make_person, problem_in, statuses
from tests.tournament.test_verify_state import verify

RATINGS = (1500, 1480, 1150, 900)
HANDICAPS = {"board": "10", "handicaps": "recommended", "handicap_kinds": ["stones"]}
Board = tuple[str, str, str | None]
"""The names by seat, and the handicap."""

pytestmark = pytest.mark.django_db


def make_handicap_event(
    organiser: Person, ratings: tuple[int, ...] = RATINGS, **settings: Any
) -> Event:
    """Return a running event of players A, B, ... with these ratings."""
    event = make_event(organiser, **HANDICAPS | settings)
    players = [
        Player(name="ABCDEFGH"[index], seed_rating=rating or None)
        for index, rating in enumerate(ratings)
    ]
    event.enter(*Player.objects.bulk_create(players))
    return event.step("open", "start")


@pytest.fixture(scope="module")
def created(module_rows: None) -> dict[str, Any]:
    """A Monrad of stones, whose first round is drafted: A meets B, C meets D."""
    organiser = make_person("Olga")
    event = make_handicap_event(organiser)
    event.draft(1)
    return {"organiser": organiser, "event": event}


@pytest.fixture
def olga(start: dict[str, Any]) -> Person:
    return start["organiser"]


def boards_in(body: dict[str, Any]) -> list[Board]:
    return [
        (row["first"]["name"], row["second"]["name"], row["applied"]["handicap"])
        for row in body["pairings"]
        if row["second"]
    ]


def boards(who: Person, event: Event, number: int = 1) -> list[Board]:
    return boards_in(who.get(f"{event.path}/rounds/{number}/pairings").json())


def body_of(event: Event, *rows: tuple[int, str, str, Any], **more: Any) -> dict[str, Any]:
    """Return the body of a change; a handicap that is ... is not named."""
    entries = dict(event.tournament.entries.values_list("player__name", "pk"))
    changes = [
        {"board": board, "first": entries[first], "second": entries[second]}
        | ({} if handicap is ... else {"handicap": handicap})
        for board, first, second, handicap in rows
    ]
    return {"reason": "they asked for it", "boards": changes, **more}


def change(
    who: Person, event: Event, *rows: tuple[int, str, str, Any], query: str = "", **more: Any
) -> Any:
    path = f"{event.path}/rounds/1/pairings{query}"
    return who.patch(path, body_of(event, *rows, **more))


def conditions(event: Event) -> list[tuple[str, bool, Any, bool]]:
    """Return first player, pie rule and handicap of the games, and whether they are void."""
    games = Game.objects.filter(stream=event.stream).order_by("pk")
    return list(games.values_list("first__name", "swap", "handicap", "void"))


def test_permissions(everyone: dict[str, Person], organiser: Person) -> None:
    event = make_handicap_event(organiser)
    event.publish(1)
    path, body = f"{event.path}/rounds/1/pairings", body_of(event, (1, "A", "B", "none"))
    assert statuses(everyone, "PATCH", path, body) == {
        "organiser": 200,
        "player": 403,
        "stranger": 403,
        "anonymous": 401,
    }


def test_a_draft_has_the_recommended_handicaps(olga: Person, event: Event) -> None:
    entries = dict(event.tournament.entries.values_list("player__name", "pk"))

    body = olga.get(f"{event.path}/rounds/1/pairings").json()

    again = olga.post(f"{event.path}/rounds/1/pair?dry_run=1", {}).json()
    assert again["pairings"] == body["pairings"]
    assert boards_in(body) == [("A", "B", None), ("C", "D", "second 3 stones")]
    even, stones = body["pairings"]
    assert (even["recommended"]["handicap"], even["recommended"]["value"]) == (None, 0)
    reason = (
        "100 % of the difference of the ratings, 250 points; it is worth 280 points by table v1"
    )
    assert stones["recommended"] == {
        "entry": entries["D"],
        "handicap": "second 3 stones",
        "rating": 900,
        "opponent_rating": 1150,
        "basis": "ratings",
        "value": 280,
        "table": "v1",
        "reason": reason,
    }
    assert stones["applied"] == {"handicap": "second 3 stones", "by_hand": False, "reason": reason}


def test_a_later_rating_does_not_change_a_draft(olga: Person, event: Event) -> None:
    before = olga.get(f"{event.path}/rounds/1/pairings").json()["pairings"][1]
    event.tournament.entries.filter(player__name="D").update(seed_rating=400)

    after = change(olga, event, (2, "C", "D", "second 1 stones")).json()["pairings"][1]

    assert after["recommended"] == before["recommended"]
    assert after["applied"] == {
        "handicap": "second 1 stones",
        "by_hand": True,
        "reason": "they asked for it",
    }


CHANGES = {
    "a handicap": ([(1, "A", "B", "second 1 stones")],
                   [("A", "B", "second 1 stones"), ("C", "D", "second 3 stones")]),
    "none": ([(2, "C", "D", "none")], [("A", "B", None), ("C", "D", None)]),
    "null": ([(2, "C", "D", None)], [("A", "B", None), ("C", "D", None)]),
    "the recommended one in its seats": (
        [(1, "D", "A", ...), (2, "C", "B", ...)],
        [("A", "D", "second 7 stones"), ("B", "C", "second 4 stones")]),
    "seats with a handicap": ([(2, "D", "C", "first move")],
                              [("A", "B", None), ("D", "C", "first move")]),
    "points": ([(2, "D", "C", "first 2 points")], [("A", "B", None), ("D", "C", "first 2 points")]),
    "even seats": ([(1, "B", "A", ...)], [("B", "A", None), ("C", "D", "second 3 stones")]),
    "nothing": ([(2, "C", "D", ...)], [("A", "B", None), ("C", "D", "second 3 stones")]),
}  # fmt: skip


@pytest.mark.parametrize("query", ["", "?dry_run=1"])
@pytest.mark.parametrize(("rows", "result"), CHANGES.values(), ids=CHANGES)
def test_directors_change_single_boards(
    olga: Person, event: Event, query: str, rows: Any, result: list[Board]
) -> None:
    before = boards(olga, event)

    body = change(olga, event, *rows, query=query).json()

    assert boards_in(body) == result
    assert boards(olga, event) == (before if query else result)
    assert verify() == []


def test_a_changed_handicap_is_a_new_game(olga: Person, anonymous: Person, event: Event) -> None:
    assert olga.post(f"{event.path}/rounds/1/publish", {}).status_code == 200
    assert conditions(event) == [
        ("A", True, None, False),
        ("C", False, {"seat": "second", "stones": 3}, False),
    ]

    assert change(olga, event, (1, "A", "B", "second 2 points")).status_code == 200
    assert change(olga, event, (2, "D", "C", "first move")).status_code == 200

    assert conditions(event) == [
        ("A", True, None, True),
        ("C", False, {"seat": "second", "stones": 3}, True),
        ("A", True, {"seat": "second", "points": 2}, False),
        ("D", False, None, False),
    ]
    assert boards(anonymous, event) == [("A", "B", "second 2 points"), ("D", "C", "first move")]
    assert verify() == []
    olga.post(f"{event.path}/rounds/1/restore", {"version": 1, "reason": "they agreed again"})
    assert boards(anonymous, event) == [("A", "B", None), ("C", "D", "second 3 stones")]
    assert [is_void for *_, is_void in conditions(event)] == [False, False, True, True]
    assert verify() == []
    Game.objects.filter(void=False).update(swap=True, handicap=None)
    assert len(verify()) == 2  # the handicap of C and D, and the pie rule


def test_the_handicap_is_fixed_once_the_game_has_a_report(olga: Person, event: Event) -> None:
    olga.post(f"{event.path}/rounds/1/publish", {})
    game = event.games()[1]
    body = {"result": "0-1", "termination": "resigned", "reason": "seen"}
    assert olga.post(f"games/{game.pk}/rule", body).status_code == 202
    settle()

    answer = change(olga, event, (2, "C", "D", "none"), accept=["game-reported"])

    assert problem_in(answer, 409, "handicap_fixed")["board"] == 2
    assert change(olga, event, (1, "A", "B", "second 1 stones")).status_code == 200
    assert olga.post(f"games/{game.pk}/annul", {"reason": "the wrong stones"}).status_code == 202
    settle()
    assert change(olga, event, (2, "C", "D", "none")).status_code == 200
    assert verify() == []


def test_the_tables_of_a_round_have_the_handicaps(
    olga: Person, anonymous: Person, event: Event
) -> None:
    change(olga, event, (1, "A", "B", "second 1 stones"))
    olga.post(f"{event.path}/rounds/1/publish", {})
    path = f"{event.path}/rounds/1/pairings"

    rows = list(csv.DictReader(io.StringIO(anonymous.get(f"{path}.csv").content.decode())))

    assert [(row["recommended_handicap"], row["handicap"]) for row in rows] == [
        ("", "second 1 stones"),
        ("second 3 stones", "second 3 stones"),
    ]
    lines = anonymous.get(f"{path}.ndjson").content.decode().splitlines()
    assert [json.loads(line)["applied"] for line in lines] == [
        row["applied"] for row in anonymous.get(path).json()["pairings"]
    ]
    day = event.tournament.starts_on
    event.tournament.round_set.filter(number=1).update(starts_on=day)
    entry = event.tournament.entries.get(player__name="D")
    calendar = anonymous.get(f"players/{entry.player_id}/calendar.ics").content.decode()
    assert "against C\\, handicap: second 3 stones" in calendar


def test_a_record_with_another_handicap_is_refused(olga: Person, event: Event) -> None:
    olga.post(f"{event.path}/rounds/1/publish", {})
    game = event.games()[1]
    tags = TAGS.replace('"4"', '"10"').strip() + "\n"
    path = f"games/{game.pk}/rule"

    def ruled(*lines: str) -> Any:
        return olga.post(
            path, {"record": tags + "\n".join(lines) + "\n\nS10 resign\n", "reason": "their record"}
        )

    two = '[Handicap "second 2 stones"]'
    for lines, differing in [
        ([two], {"/record/handicap"}),
        ([], {"/record/handicap", "/record/swap"}),
    ]:
        problem = problem_in(ruled(*lines), 422, "conditions_differ")
        assert {error["pointer"] for error in problem["errors"]} == differing
    assert "'stones': 2" in problem_in(ruled(two), 422)["errors"][0]["detail"]
    assert Report.objects.count() == 0
    assert ruled('[Handicap "second 3 stones"]').status_code == 202


REFUSED = {
    "no form": ("three stones", 422, "handicap_conflict"),
    "stones for the first seat": ("first 2 stones", 422, "handicap_conflict"),
    "too many stones": ("second 11 stones", 422, "handicap_conflict"),
    "a long text": ("second 2 stones and 3 points", 422, "invalid"),
    "a number": (3, 422, "handicap_conflict"),
    "an object": ({"seat": "second", "stones": 2}, 422, "invalid"),
    "empty": ("", 422, "invalid"),
}


@pytest.mark.parametrize(("handicap", "status", "code"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("method", ["patch", "put"])
def test_refused_handicaps(
    olga: Person, event: Event, method: str, handicap: Any, status: int, code: str
) -> None:
    body = body_of(event, (1, "A", "B", ...), (2, "C", "D", handicap))
    name = "boards"
    if method == "put":
        name = "pairings"
        rows = [{k: v for k, v in row.items() if k != "board"} for row in body["boards"]]
        body = {"reason": body["reason"], "pairings": rows}

    answer = getattr(olga, method)(f"{event.path}/rounds/1/pairings", body)

    problem = problem_in(answer, status, code)
    assert problem["errors"][0]["pointer"] == f"/{name}/1/handicap"


def test_stones_do_not_move_to_the_other_seat(olga: Person, event: Event) -> None:
    problem_in(change(olga, event, (2, "D", "C", ...)), 422, "handicap_needed")
    bye = {"reason": "away", "boards": [{"first": 1, "handicap": "none"}]}
    problem_in(olga.patch(f"{event.path}/rounds/1/pairings", bye), 422)


def test_all_boards_set_by_hand(olga: Person, event: Event) -> None:
    rows = body_of(event, (1, "D", "A", ...), (2, "B", "C", "second 1 stones"))["boards"]
    body = {"reason": "drawn", "pairings": [
        {name: value for name, value in row.items() if name != "board"} for row in rows
    ]}  # fmt: skip
    path = f"{event.path}/rounds/1/pairings"
    expected = [("A", "D", "second 7 stones"), ("B", "C", "second 1 stones")]

    assert boards_in(olga.put(f"{path}?dry_run=1", body).json()) == expected
    assert boards_in(olga.put(path, body).json()) == expected
    applied = [row["applied"] for row in olga.get(path).json()["pairings"]]
    assert [(row["by_hand"], row["reason"] == "drawn") for row in applied] == [
        (False, False),
        (True, True),
    ]
    assert verify() == []


SYSTEMS = {
    "dutch": {"system": "dutch"},
    "a league": {"system": "round-robin", "system_options": {"schedule": "league"}},
    "knockout": {"system": "knockout", "rounds": 2},
    "groups": {"system": "groups-knockout", "rounds": 4, "system_options": {"groups": 1}},
}


@pytest.mark.parametrize("settings", SYSTEMS.values(), ids=SYSTEMS)
def test_every_system_gives_handicaps(organiser: Person, settings: dict[str, Any]) -> None:
    event = make_handicap_event(organiser, **settings)
    if settings["system"] != "round-robin":
        event.publish(1)

    ratings = dict(zip("ABCD", RATINGS, strict=True))
    for first, second, handicap in boards(organiser, event):
        assert (ratings[first] - ratings[second] > 55) == bool(handicap)
    first, second, _ = boards(organiser, event)[0]
    changed = change(organiser, event, (1, first, second, "second 9 stones")).json()
    assert (changed["differences"], changed["system"]) == ([], settings["system"])
    assert not any(row["by_hand"] for row in changed["pairings"])
    assert organiser.get(f"{event.path}/certificates/1").status_code == 200
    assert verify() == []


def test_reasons_do_not_explain_seats_that_a_handicap_exchanged(organiser: Person) -> None:
    event = make_handicap_event(organiser, system="dutch", initial_seat="second")
    event.publish(1)
    assert boards(organiser, event)[0] == ("A", "C", "second 4 stones")

    body = organiser.get(f"{event.path}/rounds/1/pairings?explain=1").json()

    codes = [[reason["code"] for reason in row["reasons"]] for row in body["pairings"]]
    assert [(found[0], "seats" in found) for found in codes] == [
        ("score-group", False),
        ("score-group", True),
    ]


def test_mcmahon_compares_scores_so_that_the_bar_has_no_handicaps(organiser: Person) -> None:
    ratings = (2400, 2000, 1910, 1500)
    options = {"bar": 2000, "pairing_method": "adjacent"}
    event = make_handicap_event(organiser, ratings, system="mcmahon", system_options=options)

    event.draft(1)

    body = organiser.get(f"{event.path}/rounds/1/pairings").json()
    assert boards_in(body) == [("A", "B", None), ("C", "D", "second 4 stones")]
    found = [row["recommended"] for row in body["pairings"]]
    assert [(row["basis"], row["opponent_rating"], row["rating"]) for row in found] == [
        ("scores", 500, 500),
        ("scores", 400, 0),
    ]


def test_a_player_without_a_rating_has_no_recommended_handicap(organiser: Person) -> None:
    event = make_handicap_event(organiser, (1500, 0))
    event.draft(1)

    (row,) = organiser.get(f"{event.path}/rounds/1/pairings").json()["pairings"]

    assert row["recommended"] is None
    assert row["applied"] == {"handicap": None, "by_hand": False, "reason": ""}


def test_handicaps_by_hand_are_only_recommended(organiser: Person) -> None:
    event = make_handicap_event(organiser, handicaps="by_hand", handicap_share=40)
    event.draft(1)

    (_, row) = organiser.get(f"{event.path}/rounds/1/pairings").json()["pairings"]

    assert row["recommended"]["handicap"] == "second 1 stones"
    assert row["applied"] == {"handicap": None, "by_hand": False, "reason": ""}
    body = change(organiser, event, (2, "C", "D", "second 2 stones")).json()
    assert body["pairings"][1]["applied"] == {
        "handicap": "second 2 stones",
        "by_hand": True,
        "reason": "they asked for it",
    }


def test_the_points_of_two_games_change_the_seat_with_the_player(organiser: Person) -> None:
    event = make_handicap_event(organiser, games_per_pairing=2, handicap_kinds=[])
    event.draft(1)
    answer = change(organiser, event, (1, "A", "B", "second 2 stones"))
    problem_in(answer, 422, "handicap_conflict")

    assert boards(organiser, event)[0] == ("A", "B", "second 2 points")
    seats = change(organiser, event, (1, "B", "A", ...)).json()["pairings"][0]
    assert seats["applied"]["handicap"] == seats["recommended"]["handicap"] == "first 2 points"
    assert not seats["applied"]["by_hand"]
    organiser.post(f"{event.path}/rounds/1/publish", {})

    assert [row for row in conditions(event) if row[2]["points"] == 2] == [
        ("B", True, {"seat": "first", "points": 2}, False),
        ("A", True, {"seat": "second", "points": 2}, False),
    ]
    assert verify() == []


UNRATED = {
    "star": ({"game": "star", "board": "5x6"}, "first 1 points"),
    "more points than the table has": ({}, "first 51 points"),
}


@pytest.mark.parametrize(("settings", "handicap"), UNRATED.values(), ids=UNRATED)
def test_a_rated_game_has_a_handicap_with_a_value(
    organiser: Person, settings: dict[str, Any], handicap: str
) -> None:
    by_hand = {"handicaps": "by_hand", "handicap_kinds": [], **settings}
    for slug, more, status in (("club", {}, 200), ("rated", {"pool": "star"}, 422)):
        event = make_handicap_event(organiser, (1500, 1400), slug=slug, **by_hand, **more)
        event.draft(1)
        answer = change(organiser, event, (1, "A", "B", handicap))
        assert answer.status_code == status
    problem_in(answer, 422, "handicap_unrated")


SETTINGS = {
    "an unknown word": ({"handicaps": "yes"}, "invalid"),
    "a share above 100": ({"handicap_share": 101}, "invalid"),
    "a cap of zero": ({"handicap_cap": 0}, "invalid"),
    "an unknown kind": ({"handicap_kinds": ["komi"]}, "invalid"),
    "points without a score": (
        {"game": "star-y", "handicap_kinds": ["stones", "points"]}, "handicap_kind"),
    "stones in two games": ({"games_per_pairing": 2}, "handicap_kind"),
    "the first move without the pie rule": (
        {"swap": False, "handicap_kinds": ["first move"]}, "handicap_kind"),
    "a game without a table": (
        {"game": "hex", "board": "11", "handicap_kinds": []}, "no_handicap_table"),
}  # fmt: skip


@pytest.mark.parametrize(("settings", "code"), SETTINGS.values(), ids=SETTINGS)
def test_refused_settings(organiser: Person, settings: dict[str, Any], code: str) -> None:
    body = {
        "name": "Cup", "starts_on": "2026-05-01", "ends_on": "2026-05-03", "game": "star-star",
        "system": "dutch", "rounds": 3, **HANDICAPS, **settings,
    }  # fmt: skip
    problem_in(organiser.post("tournaments", body), 422, code)


def test_an_event_without_handicaps(organiser: Person) -> None:
    event = make_handicap_event(organiser, handicaps="none")
    event.draft(1)

    answer = change(organiser, event, (1, "A", "B", "second 1 stones"))

    problem_in(answer, 422, "no_handicaps")
    assert change(organiser, event, (1, "A", "B", "none")).status_code == 200
    problem = organiser.patch(event.path, {"handicaps": "by_hand"})
    problem_in(problem, 409, "set_up_frozen")
