"""`/tournaments/{slug}/standings` in its forms, and what the results do to it."""

import csv
import io
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import Player
from games.services.rulings import annul_game, rule_game
from tests.events import FIRST_WINS, Event, make_event, make_players, settle
from tests.people import Person, problem_in, statuses
from tournament.services.rounds import complete_round
from tournament.standings.tiebreaks import TIEBREAKS
from tournament.standings.trf import read_trf

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """Four players after one round: the first seats, 1 and 4, have won."""
    event = make_event(organiser, tiebreaks=["PTS", "BH/C1", "BH", "SB", "WIN", "DE"])
    event.enter(*make_players(4))
    event.step("open", "start").play(1)
    return event


def points(who: Person, event: Event, query: str = "") -> dict[str, str]:
    rows = who.get(f"{event.path}/standings{query}").json()["rows"]
    return {row["player"]["name"]: row["values"]["PTS"] for row in rows}


def test_everyone_reads_them(everyone: dict[str, Person], event: Event) -> None:
    for form in ("", ".json", ".csv", ".trf"):
        path = f"{event.path}/standings{form}"
        assert statuses(everyone, "GET", path) == dict.fromkeys(everyone, 200)


def test_as_json(anonymous: Person, event: Event) -> None:
    answer = anonymous.get(f"{event.path}/standings")

    assert answer.content == anonymous.get(f"{event.path}/standings.json").content
    shown = answer.json()
    assert {key: value for key, value in shown.items() if key != "rows"} == {
        "tournament": "spring",
        "round": 1,
        "provisional": True,
        "tiebreaks": ["PTS", "BH/C1", "BH", "SB", "WIN", "DE"],
    }
    assert [(row["rank"], row["number"], row["values"]["PTS"]) for row in shown["rows"]] == [
        (1, 1, "1"), (1, 4, "1"), (3, 2, "0"), (3, 3, "0"),
    ]  # fmt: skip
    assert shown["rows"][0]["player"]["name"] == "Player 1"


@pytest.mark.parametrize("by", ["suffix", "Accept"])
def test_as_csv(anonymous: Person, event: Event, by: str) -> None:
    if by == "suffix":
        answer = anonymous.get(f"{event.path}/standings.csv")
    else:
        answer = anonymous.get(f"{event.path}/standings", Accept="text/csv")

    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="spring.r1.csv"'
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows[0] == ["rank", "id", "name", "PTS", "BH/C1", "BH", "SB", "WIN", "DE"]
    assert [row[:4] for row in rows[1:]] == [
        ["1", "1", "Player 1", "1"],
        ["1", "4", "Player 4", "1"],
        ["3", "2", "Player 2", "0"],
        ["3", "3", "Player 3", "0"],
    ]


def test_csv_for_a_spreadsheet(anonymous: Person, event: Event) -> None:
    answer = anonymous.get(f"{event.path}/standings.csv?bom=1")

    assert answer.content.startswith(b"\xef\xbb\xbfrank,")


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "=cmd|' /C calc'!A0"]


@pytest.mark.parametrize("name", FORMULAS)
def test_a_name_is_no_formula(organiser: Person, name: str) -> None:
    event = make_event(organiser)
    event.enter(*Player.objects.bulk_create([Player(name=name), Player(name="Ada")]))
    event.step("open", "start")

    text = organiser.get(f"{event.path}/standings.csv").content.decode()

    names = {row[2] for row in csv.reader(io.StringIO(text))}
    assert not [one for one in names if one.lstrip()[:1] in tuple("=+-@")]
    assert any(one.endswith(name.strip()) for one in names)


def test_as_a_report_of_fide(anonymous: Person, event: Event) -> None:
    answer = anonymous.get(f"{event.path}/standings.trf")

    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    report = read_trf(answer.content)
    assert report.header.name == "Spring Open"
    assert [(one.number, one.name, one.rating) for one in report.crosstable.players] == [
        (n, f"Player {n}", 1500 - n) for n in (1, 2, 3, 4)
    ]
    assert report.crosstable.rounds == 3


def test_after_an_earlier_round(organiser: Person, event: Event) -> None:
    before = organiser.get(f"{event.path}/standings").json()
    event.play(2)

    assert organiser.get(f"{event.path}/standings?round=1").json() == before
    assert organiser.get(f"{event.path}/standings").json()["round"] == 2
    assert set(points(organiser, event, "?round=0").values()) == {"0"}


def test_a_round_that_is_not_complete_counts_for_nothing(organiser: Person, event: Event) -> None:
    before = points(organiser, event)
    for game in event.publish(2):
        rule_game(game, by=organiser.account, reason="seen", result="1-0")
    settle()

    assert points(organiser, event) == before
    problem_in(organiser.get(f"{event.path}/standings?round=2"), 422, "no_such_round")


@pytest.mark.parametrize("code", sorted(TIEBREAKS.keys() - {"PTS"}))
def test_any_tie_break_may_be_asked_for(anonymous: Person, event: Event, code: str) -> None:
    for form in ("", ".csv", ".trf"):
        answer = anonymous.get(f"{event.path}/standings{form}?tiebreaks=PTS,{code}")
        if answer.status_code != 200:  # the house's own need records
            problem_in(answer, 422, "unknown_tiebreak")
            assert TIEBREAKS[code].article == "house"


STRANGE = [
    "LUCK",
    "BH/C99999999999",
    "BH/C-1",
    "BH/",
    "/",
    ",",
    "PTS,,BH",
    "BH/C1/C1",
    "BH/C²",
    "MARGIN/L-5",
    "PTS,PTS",
    "%00",
    "%F0%9F%99%82",
    "BH" * 5000,
    ",".join(["BH"] * 500),
]


@pytest.mark.parametrize("codes", STRANGE, ids=lambda text: text[:20])
def test_a_tie_break_that_is_none(anonymous: Person, event: Event, codes: str) -> None:
    for form in ("", ".csv"):
        answer = anonymous.get(f"{event.path}/standings{form}?tiebreaks={codes}")
        problem_in(answer, 422, "unknown_tiebreak")


@pytest.mark.parametrize("code", ["MARGIN", "STARS", "QUARKS"])
def test_an_event_whose_tie_break_needs_records(
    organiser: Person, anonymous: Person, code: str
) -> None:
    event = make_event(organiser, tiebreaks=["PTS", code], rounds=1)
    event.enter(*make_players(2))
    event.step("open", "start").play(1)

    for form in ("", ".csv", ".trf"):
        problem_in(anonymous.get(f"{event.path}/standings{form}"), 422, "unknown_tiebreak")


def test_a_margin_is_told_once_a_record_proves_it(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser, tiebreaks=["PTS", "MARGIN"], rounds=1)
    event.enter(*make_players(2))
    event.step("open", "start").play(1)
    (game,) = event.games()

    rule_game(game, by=organiser.account, reason="the sheet was found", record=FIRST_WINS)
    settle()

    rows = anonymous.get(f"{event.path}/standings").json()["rows"]
    assert [row["values"]["MARGIN"] for row in rows] == ["1", "-1"]
    assert anonymous.get(f"{event.path}/standings.trf").status_code == 200


def test_standings_before_anything_happened(organiser: Person) -> None:
    event = make_event(organiser)

    empty = organiser.get(f"{event.path}/standings").json()
    assert (empty["round"], empty["rows"]) == (0, [])
    assert organiser.get(f"{event.path}/standings.csv").content.startswith(b"rank,id,name")
    assert organiser.get(f"{event.path}/standings.trf").status_code == 200


RESULTS: dict[str, tuple[dict[str, Any] | None, tuple[str, str], str]] = {
    "first wins": ({"result": "11-10"}, ("1", "0"), "1"),
    "second wins": ({"result": "0-1"}, ("0", "1"), "1"),
    "a draw": ({"result": "1/2"}, ("0.5", "0.5"), "="),
    "a forfeit": ({"result": "1-0", "termination": "forfeit"}, ("1", "0"), "+"),
    "a double forfeit": ({"result": "0-0", "termination": "forfeit"}, ("0", "0"), "-"),
    "annulled": (None, ("0", "0"), ""),
}


@pytest.mark.parametrize(("ruling", "expected", "letter"), RESULTS.values(), ids=RESULTS)
def test_what_a_result_is_worth(
    organiser: Person, ruling: dict[str, Any] | None, expected: tuple[str, str], letter: str
) -> None:
    event = make_event(organiser, rounds=1)
    event.enter(*make_players(2))
    (game,) = event.step("open", "start").publish(1)
    if ruling is None:
        annul_game(game, by=organiser.account, reason="a wrong board")
    else:
        rule_game(game, by=organiser.account, reason="seen", **ruling)
    settle()
    complete_round(event.tournament, 1, by=organiser.account)

    found = points(organiser, event)

    assert (found["Player 1"], found["Player 2"]) == expected
    lines = organiser.get(f"{event.path}/standings.trf").content.decode().splitlines()
    cells = {line[91:101] for line in lines if line.startswith("001")}
    assert not letter or any(cell.rstrip().endswith(letter) for cell in cells)


def test_the_points_of_the_event_count(organiser: Person) -> None:
    event = make_event(organiser, rounds=1, points={"win": "3", "draw": "1", "pairing_bye": "2"})
    event.enter(*make_players(3))
    event.step("open", "start").play(1)

    assert points(organiser, event) == {"Player 1": "3", "Player 3": "2", "Player 2": "0"}


@pytest.mark.parametrize("form", ["", ".csv", ".trf"])
@pytest.mark.parametrize("count", [2, 8])
def test_queries_do_not_grow_with_the_players(
    anonymous: Person,
    organiser: Person,
    form: str,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    event = make_event(organiser, rounds=1)
    event.enter(*make_players(count))
    event.step("open", "start").play(1)

    with django_assert_num_queries(5):  # event, last round, results, players; people or dates
        anonymous.get(f"{event.path}/standings{form}")
