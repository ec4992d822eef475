"""The page of a round's results: lines by keyboard, fields beside the boards, pasted lines."""

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from games.core.errors import Unprocessable
from games.models import Game, Report, Role
from games.play.services import ReportStatement, add_report, adjourn_game, annul_game, rule_game
from games.rules.game_outcome import GameOutcome
from games.rules.outcome import Termination
from tests.events import Event, make_event, make_players, make_running, settle
from tests.people import Person, make_person, make_player, player_of
from tests.tournament.handicaps import publish_ten_points
from tournament.models import Tournament
from tournament.results.lines import read_lines
from tournament.rounds.services import complete_round

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = "/e/spring/run/rounds/1/results"


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """A running event with Ada and five others; round 1 is published."""
    event = make_running(make_person("Olga"), 5, rounds=2)
    event.enter(player_of(make_player("Ada", 2100)))
    event.publish(1)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


@pytest.fixture
def scorer(client: Client, event: Event) -> Client:
    """A browser in which the organiser is logged in."""
    client.force_login(event.owner.account)
    return client


def enter(browser: Client, action: str, page: str = PAGE, **values: str) -> Any:
    body = {"action": action, "basis": "slip"} | values
    return browser.post(page, {name.replace("result_", "result."): body[name] for name in body})


def results(browser: Client, page: str = PAGE) -> list[tuple[int, str | None, str | None]]:
    games = browser.get(page).context["games"]
    return [(game["board"], game["result"], game["basis"]) for game in games]


READ = [
    ("3 14 7", [{"board": 3, "result": "14 7"}]),
    ("12;14:7", [{"board": 12, "result": "14:7"}]),
    ("1 1\n\n3 --", [{"board": 1, "result": "1"}, {"board": 3, "result": "--"}]),
    ("3R 7-14", [{"board": 3, "result": "7-14", "return_game": True}]),
    ("3 nonsense", [{"board": 3, "result": "nonsense"}]),
    ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), READ)
def test_lines_are_read(text: str, expected: list[dict[str, Any]]):
    assert read_lines(text, at="/line") == expected


@pytest.mark.parametrize("text", ["14-7", "board 3 1-0", "3 ", "٣ 1-0"])
def test_other_lines_are_rejected(text: str):
    with pytest.raises(Unprocessable, match="is not a board and a result"):
        read_lines(text, at="/line")


def test_only_officials_see_the_pages(client: Client, ada: Person, stranger: Person, event: Event):
    game = f"/e/spring/run/games/{event.games()[0].pk}"
    pages = [PAGE, game, *(f"/e/spring/run/{path}" for path in ("disputes", "records"))]
    assert {client.get(page).status_code for page in pages} == {303}
    for person in (ada, stranger):
        client.force_login(person.account)
        assert {client.get(page).status_code for page in pages} == {403}
        assert enter(client, "line", line="1 1-0").status_code == 403
    Tournament.objects.update(public=False)
    assert client.get(PAGE).status_code == 404


def test_a_scorer_enters_results_and_nothing_else(client: Client, event: Event):
    person = make_person("Sten")
    Role.objects.create(stream=event.stream, account=person.account, role="scorer")
    client.force_login(person.account)

    assert enter(client, "line", line="2 14-7").status_code == 303
    page = client.get("/e/spring/run/rounds/1")
    assert page.status_code == 200
    assert "disabled>Complete the round</button>" in page.content.decode()
    tag = page.context["if_match"]
    unpaired = client.post(
        "/e/spring/run/rounds/1", {"action": "unpair", "reason": "x", "if_match": tag}
    )
    assert unpaired.status_code == 403
    assert "/e/spring/run/links" not in page.content.decode()
    entry = f"entries/{event.tournament.entries.first().pk}"
    for path in ("entries", entry, "corrections", "prizes", "check-in"):
        text = client.get(f"/e/spring/run/{path}").content.decode()
        main = text.partition('<nav class="tabs sections"')[2].partition("</main>")[0]
        buttons = re.findall(r"<button([^>]*)>([^<]+)", main)
        usable = [name for attributes, name in buttons if "disabled" not in attributes]
        assert not set(usable) - {"Find", "Only register"}, path


def test_a_line_enters_a_result_and_the_page_names_it(scorer: Client, event: Event):
    done = enter(scorer, "line", line="2 14-7")

    game = event.games()[1].pk
    assert done.headers["Location"] == f"{PAGE}?done=line&board=2&games={game}"
    page = scorer.get(done.headers["Location"])
    assert [game["result"] for game in page.context["last"]] == ["14-7"]
    assert [game["name"] for game in page.context["missing_games"]] == ["1", "3"]
    assert "2 results are missing" in page.content.decode()
    assert results(scorer)[1] == (2, "14-7", "slip")


def test_fields_beside_the_boards_enter_several(scorer: Client, event: Event):
    done = enter(
        scorer, "table", result_1="14-7", result_2="", result_3="-",
        basis="ruling", reason="the slips are lost",
    )  # fmt: skip

    assert done.status_code == 303
    assert results(scorer) == [(1, "14-7", "ruling"), (2, None, None), (3, "0-1f", "ruling")]


def test_pasted_lines_enter_all_or_none(scorer: Client, event: Event):
    rejected = enter(scorer, "lines", lines="1 14-7\n2 20-20\n9 1")

    assert rejected.status_code == 422
    text = rejected.content.decode()
    assert "board 9: the round has no such game" in text
    assert "1 14-7\n2 20-20\n9 1</textarea>" in text
    for wrong in ("2 won", "two"):
        form = enter(scorer, "lines", lines=f"1 14-7\n\n{wrong}").context["form"]
        assert form.errors["lines"][0].startswith("line 3: ")
    assert results(scorer) == [(1, None, None), (2, None, None), (3, None, None)]
    assert enter(scorer, "lines", lines="1 14-7\n2 1\n3 0").status_code == 303
    assert "All results are there." in scorer.get(PAGE).content.decode()


def undo_in(browser: Client, address: str) -> Any:
    """Press the button of the notice of a page; return the page that follows."""
    undo = browser.get(address).context["undo"]
    return browser.post(address.partition("?")[0], {"action": undo.action, **undo.fields})


def test_a_result_that_was_typed_wrong_is_taken_back(scorer: Client, event: Event):
    done = enter(scorer, "line", line="2 14-7").headers["Location"]
    assert "<button" in scorer.get(done).content.decode().partition('class="done"')[2][:900]

    undone = undo_in(scorer, done)

    assert undone.headers["Location"] == f"{PAGE}?done=revoke"
    page = scorer.get(undone.headers["Location"])
    assert (page.context["done"], page.context["undo"]) == ("The result is taken back.", None)
    assert results(scorer) == [(1, None, None), (2, None, None), (3, None, None)]
    assert scorer.get(done).context["undo"] is None
    assert undo_in(scorer, enter(scorer, "lines", lines="1 1\n3 0").headers["Location"])
    assert results(scorer) == [(1, None, None), (2, None, None), (3, None, None)]


def test_results_of_a_complete_round_have_no_notice_that_takes_them_back(
    scorer: Client, event: Event
) -> None:
    done = enter(scorer, "lines", lines="1 1\n2 1\n3 1").headers["Location"]
    assert scorer.get(done).context["undo"]
    complete_round(event.tournament, 1, by=event.owner.account)
    assert scorer.get(done).context["undo"] is None


def test_the_notice_names_few_games(
    scorer: Client, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.results.pages.MOST_UNDONE", 2)
    assert "&games=" in enter(scorer, "lines", lines="1 1\n2 1").headers["Location"]
    assert "&games=" not in enter(scorer, "lines", lines="1 1\n2 1\n3 1").headers["Location"]


def test_the_page_shows_what_each_side_said_last(
    scorer: Client, ada: Person, ben: Person, event: Event
) -> None:
    game = event.games()[0]
    for seat, result in (("first", "11-10"), ("second", "10-11")):
        outcome = GameOutcome.from_result(result, Termination.AGREED)
        add_report(game.pk, None, Report.Kind.CLAIM, seat=seat, statement=ReportStatement(outcome))
    add_report(game.pk, None, Report.Kind.DISPUTE, seat="second", reason="no")
    settle()

    said = scorer.get(PAGE).context["statements"][game.pk]

    found = {seat: (report.kind, report.version) for seat, report in said.items()}
    assert found == {"first": ("claim", 1), "second": ("dispute", 3)}


def test_nobody_takes_back_what_others_have_changed_since(scorer: Client, event: Event):
    done = enter(scorer, "line", line="2 14-7").headers["Location"]
    fields = scorer.get(done).context["undo"].fields
    arbiter = make_person("Ruth").account
    rule_game(event.games()[1], by=arbiter, reason="seen", result="0-1")
    settle()

    assert scorer.get(done).context["undo"] is None
    refused = scorer.post(PAGE, {"action": "revoke", **fields})
    assert refused.status_code == 409
    assert "board 2: its last report is not a result that you entered" in refused.content.decode()
    for games in ("", "x", "9" * 40, "1\0"):
        assert scorer.post(PAGE, {"action": "revoke", "game_ids": games}).status_code == 422
        assert scorer.get(f"{PAGE}?done=line&games={games}").context["undo"] is None


def test_a_ruling_is_taken_back_on_the_page_of_the_game(scorer: Client, event: Event):
    game = event.games()[0]
    page = f"/e/spring/run/games/{game.pk}"
    fields = {"if_match": scorer.get(page).context["if_match"], "reason": "seen"}
    done = scorer.post(page, {"action": "rule", "result": "1-0", **fields}).headers["Location"]
    assert "Take my result back" in scorer.get(page).content.decode()

    assert undo_in(scorer, done).headers["Location"] == f"{page}?done=revoke"

    assert results(scorer)[0] == (1, None, None)
    assert "Take my result back" not in scorer.get(page).content.decode()


REJECTED: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("line", {"line": "14-7"}, {"line": "is not a board and a result"}),
    ("line", {"line": "2 x\0y"}, {"line": "a result of this game is a score"}),
    ("line", {"line": ""}, {"line": "type a board and its result"}),
    ("line", {"line": "2 1", "basis": "ruling"}, {"reason": "a ruling needs a reason"}),
    ("table", {"result_1": " ", "result_2": "1-0", "result_3": "1/2"}, {"result.3": "board 3"}),
    ("line", {"line": "2 0-0"}, {"line": "if neither appeared, it is --"}),
    ("table", {"result_2.x": "1-0", "result_": "1-0"}, {"": "type a board and its result"}),
    ("lines", {"lines": "1 x y z"}, {"lines": "a result of this game is a score"}),
    ("lines", {"lines": "1 1", "basis": "guess"}, {"basis": "valid are: "}),
]  # fmt: skip


def test_wrong_results_stay_in_their_field_with_the_error(scorer: Client, event: Event):
    for action, values, errors in REJECTED:
        rejected = enter(scorer, action, **values)

        form = rejected.context["form"]
        assert rejected.status_code == 422
        assert form.errors.keys() == errors.keys(), values
        assert [errors[name] in form.errors[name][0] for name in errors] == [True] * len(errors)
        summary = rejected.content.decode().partition('class="rejected"')[2].partition("</div>")[0]
        assert [summary.count(error) for error in errors.values()] == [1] * len(errors), summary


def test_the_button_of_typed_results_goes_with_the_last_box(scorer: Client, event: Event) -> None:
    assert "Enter the typed results" in scorer.get(PAGE).content.decode()
    for game in event.games():
        Game.objects.filter(pk=game.pk).update(state=Game.State.DISPUTED)
    page = scorer.get(PAGE).content.decode()
    assert "Enter the typed results" not in page
    assert 'name="result.' not in page


def test_a_result_that_differs_must_be_ruled(scorer: Client, event: Event):
    enter(scorer, "line", line="1 14-7")
    assert enter(scorer, "line", line="1 14-7").status_code == 303
    differs = enter(scorer, "line", line="1 7-14")

    assert differs.status_code == 409
    assert "board 1: this game has another result already" in differs.content.decode()
    assert [game["board"] for game in differs.context["last"]] == [1]
    game = event.games(1)[0]
    assert f'href="/e/spring/run/games/{game.pk}"' in differs.content.decode()


def test_a_line_that_contradicts_a_report_shows_it_and_is_asked_once(
    scorer: Client, event: Event
) -> None:
    """`1 10-11` beside a report of 11-10 gives a box; with it, the slip counts."""
    outcome = GameOutcome.from_result("1-0", Termination.AGREED)
    statement = ReportStatement(replace(outcome, score=(11, 10)))
    add_report(event.games()[0].pk, None, Report.Kind.CLAIM, seat="first", statement=statement)
    settle()

    asked = enter(scorer, "line", line="1 10-11")

    assert (asked.status_code, results(scorer)[0]) == (409, (1, None, None))
    assert "has reported 11-10" in asked.context["form"].errors["line"][0]
    form = asked.content.decode().partition('id="entry"')[2].partition("</form>")[0]
    assert 'name="accept[]" value="report_differs"' in form
    accepted = enter(scorer, "line", line="1 10-11", **{"accept[]": "report_differs"})
    assert accepted.status_code == 303
    assert results(scorer)[0] == (1, "10-11", "slip")


def test_an_adjourned_game_is_not_missing(scorer: Client, event: Event):
    adjourn_game(event.games(1)[0], by=event.owner.account, reason="night")
    settle()

    page = scorer.get(PAGE)
    assert [game["name"] for game in page.context["missing_games"]] == ["2", "3"]


def test_both_games_of_a_pairing_have_a_line(client: Client, organiser: Person):
    event = make_running(organiser, 2, slug="double", rounds=1, games_per_pairing=2)
    event.publish(1)
    client.force_login(organiser.account)
    page = "/e/double/run/rounds/1/results"

    assert [game["name"] for game in client.get(page).context["missing_games"]] == ["1", "1r"]
    assert ">1–1r</a>" in client.get(page).content.decode()
    body = {"action": "lines", "basis": "slip", "lines": "1 14-7\n1r 7-14"}
    numbers = "+".join(str(game["game_id"]) for game in client.get(page).context["missing_games"])
    done = f"{page}?done=lines&board=1r&games={numbers}"
    assert client.post(page, body).headers["Location"] == done
    games = client.get(page).context["games"]
    assert [(game["name"], game["result"]) for game in games] == [("1", "14-7"), ("1r", "7-14")]


def test_an_annulled_game_is_not_missing(scorer: Client, event: Event):
    annul_game(event.games(1)[0], by=event.owner.account, reason="power cut")
    settle()

    assert [game["name"] for game in scorer.get(PAGE).context["missing_games"]] == ["2", "3"]


def test_a_complete_event_says_why_nothing_can_be_entered(scorer: Client, event: Event):
    event.finish(1)
    event.play(2)
    event.step("review", "finalise")

    text = scorer.get(PAGE).content.decode()
    assert (
        "Spring Open has the state final; this is possible only in the state running or results"
        " under review" in text
    )
    assert 'id="field-line"' not in text


def test_the_queries_do_not_grow_with_the_boards(
    scorer: Client, event: Event, django_assert_num_queries: Any
):
    larger = make_running(event.owner, 9, slug="larger")
    larger.publish(1)
    for slug in ("spring", "larger"):
        with django_assert_num_queries(18):
            scorer.get(f"/e/{slug}/run/rounds/1/results")


HINTS = {
    "a game with scores": ({"ruleset": "star-star", "board_size": "6"}, ("20-11", True, False)),
    "a game without": ({"ruleset": "hex", "board_size": "11"}, ("1", False, False)),
    "a game with draws": ({"ruleset": "twixt", "board_size": "24"}, ("1", False, True)),
}


@pytest.mark.parametrize(("settings", "expected"), HINTS.values(), ids=list(HINTS))
def test_the_hints_are_results_of_the_game(
    organiser: Person, client: Client, settings: dict[str, str], expected: tuple[str, bool, bool]
) -> None:
    event = make_event(organiser, slug="hints", **settings)
    event.enter(*make_players(2))
    (game,) = event.step("open", "start").publish(1)
    client.force_login(organiser.account)
    for place in ("rounds/1/results", f"games/{game.pk}"):
        page = client.get(f"/e/hints/run/{place}")
        hints = tuple(page.context[name] for name in ("example", "has_scores", "has_draws"))
        assert hints == expected
        assert "1-0" not in page.content.decode().partition("<main")[2]


def test_scorers_and_arbiters_enter_the_count_of_the_board(
    organiser: Person, client: Client
) -> None:
    """The second player has ten points; an arbiter chooses among the counts."""
    event = publish_ten_points(organiser, slug="two")
    page = PAGE.replace("spring", "two")
    (game,) = event.games()
    client.force_login(organiser.account)

    enter(client, "line", page, line="1 19-12")
    assert results(client, page) == [(1, "9-22", "slip")]
    of_game = f"/e/two/run/games/{game.pk}"
    shown = client.get(of_game).context
    counts = [tuple(map(int, count.split("-"))) for count in shown["results"][2:]]
    assert {first + second for first, second in counts} == {31}
    assert (min(counts)[0], max(counts)[0]) == (2, 29)
    sent = {"action": "rule", "result": "20-11", "before_handicap": "true", "reason": "the slip"}
    client.post(of_game, sent | {"if_match": shown["if_match"]})
    assert results(client, page) == [(1, "10-21", "ruling")]
