"""The page of a game's reports: its forms, what they send, and the comparison of two records."""

from typing import Any

import pytest

from games.models import Game, Player, Report
from games.play.pages import compare_records, result_choices
from games.rules.seat import Seat
from tests.events import FIRST_WINS, FIRST_WINS_OTHERWISE, TAGS, make_published, settle
from tests.people import Person

pytestmark = pytest.mark.any_database


@pytest.fixture
def start(organiser: Person, ada: Person, ben: Person) -> dict[str, Any]:
    event = make_published(organiser, ada, ben)
    for person in (ada, ben, organiser):
        person.client.force_login(person.account)
    return {"event": event, "game": event.games()[0]}


@pytest.fixture
def game(start: dict[str, Any]) -> Game:
    found: Game = start["game"]
    return found


def send(person: Person, game: Game, **fields: str) -> Any:
    return person.client.post(f"/games/{game.pk}/reports", fields, headers={"Prefer": "wait=0"})


def page_of(person: Person, game: Game) -> Any:
    response = person.client.get(f"/games/{game.pk}/reports")
    assert response.status_code == 200
    return response


def last(game: Game) -> tuple[str, str, dict[str, Any]]:
    report = Report.objects.filter(game=game).order_by("-version")[0]
    return report.seat, report.kind, report.outcome


def test_each_form_sends_its_report(ada: Person, ben: Person, game: Game) -> None:
    form = {"action": "claim", "claim.result": "1-0 resigned"}
    assert send(ada, game, **form).status_code == 303
    seat, kind, outcome = last(game)
    assert (seat, kind, outcome["winner"]) == ("first", "claim", "first")
    assert outcome["termination"] == "resigned"

    assert send(ben, game, action="dispute", reason="I won").status_code == 303
    assert last(game)[:2] == ("second", "dispute")
    settle()
    assert page_of(ben, game).context["own_dispute"].reason == "I won"
    assert page_of(ada, game).context["other_dispute"].reason == "I won"
    assert page_of(ada, game).context["own_dispute"] is None

    assert send(ben, game, action="claim", **{"claim.result": "10:11"}).status_code == 303
    assert last(game)[2]["score"] == {"first": 10, "second": 11}
    settle()
    assert page_of(ada, game).context["other_dispute"] is None  # it is not the last word any more

    assert send(ada, game, action="record", record=FIRST_WINS).status_code == 303
    assert last(game)[:2] == ("first", "record")
    answered = page_of(ben, game)
    version = answered.context["other_report"].version
    assert version == 4
    page = answered.content.decode()
    assert "has sent the record of the game, which proves <strong>11–10</strong>" in page
    assert '<figure class="position"><svg' in page
    assert not page_of(ada, game).context["other_board"]
    assert send(ben, game, action="confirm", version=str(version - 1)).status_code == 409
    assert send(ben, game, action="confirm", version=str(version)).status_code == 303
    settle()
    game.refresh_from_db()
    assert (game.state, game.winner) == ("confirmed", "first")
    context = page_of(ada, game).context
    assert not context["can"]["claim"]
    assert context["why_not"]


def test_a_rejected_form_keeps_what_was_typed(ada: Person, game: Game) -> None:
    response = send(ada, game, action="claim", **{"claim.result": "11-11"})
    assert (response.status_code, response.context["claimed"]) == (422, "11-11")
    response = send(ada, game, action="record", record=f"{TAGS}S10 S10")
    assert (response.status_code, "S10 S10" in response.content.decode()) == (422, True)
    assert not Report.objects.exists()


def test_a_report_that_waits_is_shown_to_its_side(ada: Person, ben: Person, game: Game) -> None:
    send(ada, game, action="claim", **{"claim.result": "11-10"})
    assert page_of(ada, game).context["own_report"] is None  # it is not settled yet
    settle()
    context = page_of(ada, game).context
    assert (context["own_seat"], context["other_name"]) == ("first", "Ben")
    assert (context["own_report"].version, context["other_report"]) == (1, None)
    context = page_of(ben, game).context
    assert (context["own_seat"], context["other_name"]) == ("second", "Ada")
    assert (context["own_report"], context["other_report"].version) == (None, 1)


def test_an_official_without_a_seat_has_no_form(organiser: Person, game: Game) -> None:
    page = page_of(organiser, game)
    assert (page.context["own_seat"], page.context["own_report"]) == ("", None)
    assert 'name="claim.result"' not in page.content.decode()


def choices(game: Game, own: str = "") -> dict[str, list[tuple[str, str]]]:
    return dict(result_choices(game, {Seat.FIRST: "Ada", Seat.SECOND: "Ben"}, own))


def make(ruleset: str, board: str, **fields: Any) -> Game:
    return Game(game=ruleset, board=board, first=Player(), second=Player(), **fields)


def test_the_results_of_a_game_with_scores() -> None:
    found = choices(make("star-star", "4", swap=True), "second")
    assert set(found) == {"You win", "Your opponent wins"}
    assert ("10-11", "10–11") in found["You win"]
    assert ("11-10", "11–10") in found["Your opponent wins"]
    assert [value for value, _ in found["You win"][-2:]] == ["0-1 resigned", "0-1 time"]
    counted = make("star-star", "4", swap=False, handicap={"seat": "first", "points": 2})
    assert ("12-9", "10–11 on the board, 12–9 with the handicap") in choices(counted)["Ada wins"]


def test_the_results_of_a_game_without_scores() -> None:
    found = choices(make("twixt", "24", swap=True))
    assert [[value for value, _ in group] for group in found.values()] == [
        ["1-0", "1-0 resigned", "1-0 time"],
        ["1/2"],
        ["0-1", "0-1 resigned", "0-1 time"],
    ]


def report(version: int, seat: str, turns: str, kind: str = "record") -> Report:
    return Report(version=version, seat=seat, kind=kind, record=turns and f"{TAGS}{turns}\n")


TURNS = ["S10", "T10", "A10", "R10", "*10", "S20", "T20", "A20", "R20", "*20"]


@pytest.mark.parametrize(
    ("difference", "plies"),
    [(1, [1, 2, 3, 4]), (5, [2, 3, 4, 5, 6, 7, 8]), (9, [6, 7, 8, 9])],
)
def test_a_comparison_shows_three_turns_around_the_first_difference(
    difference: int, plies: list[int]
) -> None:
    other = [*TURNS[: difference - 1], "S40", *TURNS[difference:]]
    first, second = (" ".join([*turns[:8], "resign"]) for turns in (TURNS, other))
    if difference == 9:
        second = " ".join([*TURNS[:8], "time"])
    pairs = compare_records([report(1, "first", first), report(2, "second", second)])
    assert [pair.ply for pair in pairs] == plies
    assert [pair.ply for pair in pairs if pair.is_difference] == [difference]
    pair = pairs[plies.index(difference)]
    assert (pair.first, pair.second) == (
        ("resign", "time") if difference == 9 else (TURNS[difference - 1], "S40")
    )


def test_a_comparison_needs_the_last_results_of_both_sides() -> None:
    one, other = report(1, "first", "S10 resign"), report(2, "second", "S40 resign")
    assert compare_records([one, other])
    assert compare_records([one]) == []
    assert compare_records([one, report(2, "second", "S10 resign")]) == []
    assert compare_records([one, other, report(3, "second", "", "claim")]) == []
    assert compare_records([one, other, report(3, "second", "", "dispute")])
    assert compare_records([one, other, report(3, "", "", "adjournment")]) == []
    longer = report(2, "second", "S10 T10 resign")
    pairs = compare_records([one, longer])
    assert [(pair.first, pair.second) for pair in pairs] == [
        ("S10", "S10"), ("resign", "T10"), ("", "resign"),
    ]  # fmt: skip


def test_the_page_compares_two_records_that_differ(
    ada: Person, ben: Person, organiser: Person, game: Game
) -> None:
    for person, record in ((ada, FIRST_WINS), (ben, FIRST_WINS_OTHERWISE)):
        send(person, game, action="record", record=record)
    settle()
    for person in (ada, organiser):
        assert [pair.ply for pair in page_of(person, game).context["comparison"]] == [1, 2, 3]
