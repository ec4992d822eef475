"""Disputed games with both records, and the page on which an arbiter rules a game."""

from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.play.services import state_record, submit
from tests.events import (
    FIRST_WINS,
    FIRST_WINS_OTHERWISE,
    TAGS,
    Event,
    make_event,
    make_running,
    settle,
)
from tests.people import Person, make_person, make_player, player_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
DISPUTES = "/e/spring/run/disputes"


@pytest.fixture(scope="module")
def disputed(rows_of_module: None) -> Event:
    """Ada and Ben play two rounds; in the first, their records differ at ply 2."""
    ada, ben = make_player("Ada", 2100), make_player("Ben", 1900)
    event = make_event(make_person("Olga"), rounds=2, system="dutch")
    event.enter(player_of(ada), player_of(ben))
    event.step("open", "start").publish(1)
    (game,) = event.games(1)
    for person, record in ((ada, FIRST_WINS), (ben, FIRST_WINS_OTHERWISE)):
        submit(state_record(game, record, by=person.account, token=person.token))
    settle()
    return event


@pytest.fixture
def event(db: None, disputed: Event) -> Event:
    return disputed.again()


@pytest.fixture
def game(event: Event) -> Game:
    (game,) = event.games(1)
    return game


@pytest.fixture
def arbiter(client: Client, event: Event) -> Client:
    """A browser in which the organiser is logged in."""
    client.force_login(event.owner.account)
    return client


def page_of(game: Game, slug: str = "spring") -> str:
    return f"/e/{slug}/run/games/{game.pk}"


def send(browser: Client, game: Game, action: str, **values: str) -> Any:
    tag = browser.get(page_of(game)).context["if_match"]
    return browser.post(page_of(game), {"action": action, "if_match": tag} | values)


def test_both_records_are_shown_at_their_first_difference(arbiter: Client, game: Game):
    ((row, comparison),) = arbiter.get(DISPUTES).context["disputed"]
    assert (row.round, row.board, row.dispute) == (1, 1, "the two records differ first at turn 2")
    assert [(p.ply, p.first, p.second, p.is_difference) for p in comparison][:2] == [
        (1, "S10", "S10", False),
        (2, "T10", "A10", True),
    ]

    page = arbiter.get(page_of(game))
    assert [(name, view.ply) for name, view in page.context["positions"]] == [
        ("Ada", 2),
        ("Ben", 2),
    ]
    assert page.content.count(b"<svg") == 3  # and the mark of the site


def test_a_record_that_ends_earlier_is_shown_at_its_end(
    arbiter: Client, event: Event, ada: Person, ben: Person
):
    other = make_event(event.owner, slug="other")
    other.enter(player_of(ada), player_of(ben))
    (game,) = other.step("open", "start").publish(1)
    for person, moves in ((ada, "S10 T10 agreed 11-10"), (ben, "S10 agreed 10-11")):
        submit(state_record(game, TAGS + moves, by=person.account, token=person.token))
    settle()

    page = arbiter.get(page_of(game, "other"))

    assert {name: view.ply for name, view in page.context["positions"]} == {"Ada": 2, "Ben": 1}


def test_the_disputed_games_are_listed_by_board(organiser: Person, client: Client):
    """The players of a return game have the other seats."""
    double = make_running(organiser, 4, slug="double", games_per_pairing=2)
    double.publish(1)
    Game.objects.filter(stream=double.stream).update(state="disputed", dispute="")
    client.force_login(organiser.account)

    disputed = client.get("/e/double/run/disputes").context["disputed"]

    names = {game.pk: (game.first.name, game.second.name) for game in Game.objects.all()}
    found = [(row.board, (row.first, row.second)) for row, _ in disputed]
    assert found == [(row.board, names[row.game]) for row, _ in disputed]
    assert [board for board, _ in found] == [1, 1, 2, 2]


def test_a_ruling_settles_the_game_at_once(arbiter: Client, game: Game):
    done = send(arbiter, game, "rule", result="14-7", reason="seen by the arbiter")

    assert done.headers["Location"] == f"{page_of(game)}?done=rule"
    page = arbiter.get(done.headers["Location"])
    assert (page.context["game"]["state"], page.context["game"]["basis"]) == ("confirmed", "ruling")
    assert arbiter.get(DISPUTES).context["disputed"] == []


@pytest.mark.parametrize(
    ("typed", "result", "termination"),
    [("14:7", "14-7", "ruled"), ("--", "0-0f", "double_forfeit"), ("0-0", "0-0", "ruled")],
)  # fmt: skip
def test_a_ruling_reads_results_as_the_page_of_results_does(
    arbiter: Client, game: Game, typed: str, result: str, termination: str
):
    done = send(arbiter, game, "rule", result=typed, reason="seen by the arbiter")

    assert done.status_code == 303, done.content
    ruled = arbiter.get(page_of(game)).context["game"]
    assert (ruled["result"], ruled["termination"]) == (result, termination)


def test_a_ruling_by_the_record_of_a_side(arbiter: Client, game: Game):
    ((_, record), _) = arbiter.get(page_of(game)).context["records"]
    done = send(
        arbiter, game, "rule", record=record.replace("\n", "\r\n"), reason="Ada's record is right"
    )

    assert done.status_code == 303, done.content
    game.refresh_from_db()
    assert (game.state, game.score_first, game.record is not None) == ("confirmed", 11, True)


@pytest.mark.parametrize("action", ["adjourn", "annul"])
def test_a_game_is_adjourned_or_annulled_with_a_reason(arbiter: Client, game: Game, action: str):
    rejected = send(arbiter, game, action)
    assert rejected.status_code == 422
    assert "this is needed" in rejected.content.decode()

    assert send(arbiter, game, action, reason="the clock failed").status_code == 303
    game.refresh_from_db()
    assert (game.adjourned, game.state) == {
        "adjourn": (True, "open"),
        "annul": (False, "annulled"),
    }[action]


REJECTED = [
    ({"result": "20-20"}, "result", "impossible"),
    ({"result": "x" * 900}, "result", "a result of this game is a score such as "),
    ({"record": "no record"}, "", ""),
    ({"result": "14-7", "reason": ""}, "reason", "this is needed"),
    ({}, "", "enter a result"),
]


def test_a_wrong_ruling_stays_in_the_form(arbiter: Client, game: Game):
    for values, field, detail in REJECTED:
        rejected = send(arbiter, game, "rule", **({"reason": "typed before"} | values))

        assert rejected.status_code == 422
        form = rejected.context["form"]
        assert field == "" or form.errors.keys() == {field}
        assert detail in f"{form.detail} {form.errors}"
        page = rejected.content.decode()
        assert values.get("reason", "typed before") in page
        assert ('aria-invalid="true"' in page) == bool(field)


def test_a_report_that_came_meanwhile_stops_a_ruling(
    arbiter: Client, ben: Person, game: Game, event: Event
):
    tag = arbiter.get(page_of(game)).context["if_match"]
    submit(state_record(game, FIRST_WINS, by=ben.account, token=ben.token))
    values = {"action": "rule", "result": "7-14", "reason": "old news", "if_match": tag}

    stale = arbiter.post(page_of(game), values)

    assert stale.status_code == 412
    assert ": Record sent (Ben)" in stale.content.decode()
    assert "old news" in stale.content.decode()


def test_a_game_of_another_event_is_not_found(arbiter: Client, event: Event, game: Game):
    other = make_event(event.owner, slug="autumn")

    assert arbiter.get(page_of(game, other.tournament.slug)).status_code == 404
    posted = arbiter.post(page_of(game, "autumn"), {"action": "annul", "reason": "x"})
    assert posted.status_code == 404


def test_the_queries_do_not_grow_with_the_disputes(
    arbiter: Client, event: Event, django_assert_num_queries: Any
):
    for state in ("disputed", "confirmed"):
        Game.objects.update(state=state)
        with django_assert_num_queries(13 if state == "disputed" else 10):
            arbiter.get(DISPUTES)


def test_the_results_of_the_round_lead_to_the_decision(arbiter: Client, game: Game):
    page = arbiter.get("/e/spring/run/rounds/1/results").content.decode()

    assert f'<a href="{page_of(game)}">Decide the dispute' in page
    assert 'name="result.1"' not in page
    line = {"action": "line", "line": "1 1-0", "basis": "slip"}
    refused = arbiter.post("/e/spring/run/rounds/1/results", line)
    assert refused.status_code == 409
    assert "only a decision with a reason settles it" in refused.content.decode()
