"""`/games`: the list with its filters, one game and its record; the rules; the referee."""

from typing import Any

import pytest
from django.conf import settings
from pytest_django import DjangoAssertNumQueries

from games.models import Game, Player
from games.play import referee
from games.play.queries import result_text
from games.play.services import rule_game
from games.rules.records.record import Record
from ratings.models import Pool
from tests.events import FILLED_TWICE, FIRST_WINS, Event, make_event, make_players, settle
from tests.people import Person, player_of, problem_in
from tests.ratings.factories import day, file_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def start(organiser: Person, ada: Person, ben: Person) -> dict[str, Any]:
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben), *make_players(4))
    *_, proven = event.step("open", "start").publish()
    rule_game(proven, by=organiser.account, reason="the sheet", record=FIRST_WINS)
    settle()
    proven.refresh_from_db()
    return {"event": event, "proven": proven}


@pytest.fixture
def proven(start: dict[str, Any]) -> Game:
    found: Game = start["proven"]
    return found


OF_PORTUGAL = {"country": "POR", "club": None}


def test_a_game_as_json(anonymous: Person, proven: Game) -> None:
    body = anonymous.get(f"games/{proven.pk}").json()

    times = {name: body.pop(name) for name in ("created_at", "updated_at")}
    assert times["created_at"] < times["updated_at"]
    assert body == {
        "id": proven.pk,
        "url": f"{settings.PUBLIC_URL}/api/v1/games/{proven.pk}",
        "page_url": f"{settings.PUBLIC_URL}/games/{proven.pk}",
        "tournament": {"slug": "spring", "name": "Spring Open"},
        "round": 1,
        "board": 3,
        "ruleset": "star-star",
        "board_size": "4",
        "options": [],
        "swap": True,
        "handicap": None,
        "handicap_text": None,
        "advice": None,
        "main_minutes": None,
        "increment_seconds": 0,
        "time_class": None,
        "play": "anywhere",
        "days_per_turn": None,
        "first": {"player": {"id": proven.first_id, "name": proven.first.name, **OF_PORTUGAL}},
        "second": {"player": {"id": proven.second_id, "name": proven.second.name, **OF_PORTUGAL}},
        "rated": True,
        "pool": None,
        "played_on": None,
        "state": "confirmed",
        "proposed_by": None,
        "answer_by": None,
        "report_by": None,
        "basis": "ruling",
        "termination": "agreed",
        "winner": "first",
        "draw": False,
        "score": {"first": 11, "second": 10},
        "result": "11-10",
        "digest": Record.parse(FIRST_WINS).replay().digest,
        "record_url": f"{settings.PUBLIC_URL}/api/v1/games/{proven.pk}/record",
        "dispute": None,
        "adjourned": False,
        "confirm_by": None,
        "confirmed_at": body["confirmed_at"],
    }
    with_actions = anonymous.get(f"games/{body['id']}?actions=1").json()
    assert with_actions == body | times | {"allowed_actions": []}
    assert body | times in anonymous.get("games").json()["results"]


def numbers(person: Person, query: str) -> list[int]:
    """Return the boards of the games that a query finds."""
    return [row["board"] for row in person.get(f"games?{query}").json()["results"]]


def test_filters(anonymous: Person, ada: Person, proven: Game) -> None:
    found = {
        "": [1, 2, 3],
        f"player={player_of(ada).pk}": [1],
        f"player={proven.first_id}": [3],
        f"player={proven.second_id}": [3],
        "state=open": [1, 2],
        "basis=ruling": [3],
        "round=2": [],
        "rated=false": [],
        "ruleset=star-star&limit=2": [1, 2],
        "ruleset=hex": [],
        "board_size=4": [1, 2, 3],
        f"id={proven.pk},{proven.pk - 1},999999": [2, 3],
    }
    assert {query: numbers(anonymous, query) for query in found} == found
    wrong = ("player=999999", "tournament_slug=autumn", "pool=moon", "id=1,x", "board_size=99")
    for query in (*wrong, "state=open,lost", "id=" + "1," * 100 + "1"):
        problem_in(anonymous.get(f"games?{query}"), 422, "invalid_parameter")
    assert numbers(anonymous, "id=" + ",".join(["999999"] * 99 + [str(proven.pk)])) == [3]


def test_games_of_merged_players_and_of_pools(anonymous: Person, event: Event) -> None:
    first, second, third = event.games()
    Player.objects.filter(pk=first.second_id).update(merged_into=second.first)
    assert numbers(anonymous, f"player={second.first_id}") == [1, 2]
    star = Pool.objects.get(code="star")
    assert numbers(anonymous, "pool=star") == []
    Game.objects.filter(pk__in=(first.pk, second.pk)).update(state="confirmed", winner="first")
    Game.objects.filter(pk=first.pk).update(termination="forfeit")
    games = list(Game.objects.order_by("pk"))
    file_event(star, "spring", day(1), games)
    assert numbers(anonymous, "pool=star") == [2, 3]
    assert third.pk


@pytest.mark.parametrize("column", ["played_on", "confirmed_at"])
def test_the_day_of_a_game_is_that_of_its_play_or_of_its_confirmation(
    anonymous: Person, proven: Game, column: str
) -> None:
    def found(query: str) -> int:
        return len(anonymous.get(f"games?{query}&state=confirmed").json()["results"])

    moments = ["2026-05-02"] if column == "played_on" else [
        "2026-05-02T00:00:00Z", "2026-05-02T23:59:59.999999Z"
    ]  # fmt: skip
    for moment in moments:
        Game.objects.filter(pk=proven.pk).update(**{column: moment})
        assert found("since=2026-05-02&until=2026-05-02") == 1
        assert found("since=2026-05-03") == found("until=2026-05-01") == 0
    assert found("until=9999-12-31") == found("since=0001-01-01") == 1
    Game.objects.filter(pk=proven.pk).update(played_on="2026-04-30")
    assert found("since=2026-05-01") == 0


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_a_fixed_number_of_queries(
    anonymous: Person,
    ada: Person,
    organiser: Person,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    event = make_event(organiser)
    event.enter(player_of(ada), *make_players(2 * count - 1))
    event.step("open", "start").publish()
    ada.get("games")

    with django_assert_num_queries(1):
        assert len(anonymous.get("games").json()["results"]) == count
    with django_assert_num_queries(2):  # the token with its account, the page
        assert len(ada.get("games").json()["results"]) == count


@pytest.mark.parametrize(
    ("path", "accept", "content_type"),
    [
        ("record", "*/*", "application/json"),
        ("record", "text/plain", "text/plain; charset=utf-8"),
        ("record.txt", "application/json", "text/plain; charset=utf-8"),
    ],
)
def test_the_record_by_suffix_and_by_accept(
    anonymous: Person, proven: Game, path: str, accept: str, content_type: str
) -> None:
    response = anonymous.get(f"games/{proven.pk}/{path}", Accept=accept)

    assert (response.status_code, response["Content-Type"]) == (200, content_type)
    record = Record.parse(FIRST_WINS)
    if content_type == "application/json":
        assert Record.from_json(response.json()) == record
    else:
        assert Record.parse(response.content.decode()) == record


def test_a_game_without_a_record_is_404(anonymous: Person, event: Event) -> None:
    for form in ("", ".txt", ".json"):
        problem_in(anonymous.get(f"games/{event.games()[0].pk}/record{form}"), 404, "no_record")


@pytest.mark.parametrize(
    ("state", "winner", "draw", "score", "termination", "text"),
    [
        ("confirmed", "first", False, (11, 10), "agreed", "11-10"),
        ("confirmed", "first", False, (None, None), "resigned", "1-0"),
        ("confirmed", "second", False, (None, None), "forfeit", "0-1f"),
        ("confirmed", "", False, (None, None), "double_forfeit", "0-0f"),
        ("confirmed", "", False, (None, None), "ruled", "0-0"),
        ("confirmed", "", True, (None, None), "ruled", "1/2"),
        ("waiting", "first", False, (11, 10), "agreed", None),
    ],
)
def test_the_text_of_a_result(
    state: str, winner: str, draw: bool, score: tuple[int | None, int | None], termination: str,
    text: str | None,
) -> None:  # fmt: skip
    assert result_text(state, winner, draw, score, termination) == text


class TestReferee:
    @pytest.mark.parametrize(
        ("body", "content_type"),
        [
            ({"record": FIRST_WINS}, "application/json"),
            (Record.parse(FIRST_WINS).as_json(), "application/json"),
            (FIRST_WINS, "text/plain"),
        ],
    )
    def test_a_valid_record(self, anonymous: Person, body: Any, content_type: str) -> None:
        response = anonymous.post("rules/referee", body, content_type=content_type)

        verdict = response.json()
        assert (response.status_code, verdict["valid"], verdict["winner"]) == (200, True, "first")
        assert verdict["score"] == {"first": 11, "second": 10}
        assert verdict["digest"] == Record.parse(FIRST_WINS).replay().digest

    def test_an_illegal_record(self, anonymous: Person) -> None:
        response = anonymous.post("rules/referee", {"record": FILLED_TWICE})
        (error,) = problem_in(response, 422, "occupied")["errors"]
        assert (error["ply"], error["cell"]) == (3, "S10")

    def test_several_records(self, anonymous: Person) -> None:
        records = [FIRST_WINS, FILLED_TWICE, {"game": "star-star"}]
        as_json = anonymous.post("rules/referee", {"records": records}).json()["results"]
        text = FIRST_WINS + "\n" + FILLED_TWICE
        as_text = anonymous.post("rules/referee", text, content_type="text/plain").json()["results"]

        assert [verdict["valid"] for verdict in as_json] == [True, False, False]
        assert as_text == as_json[:2]
        assert anonymous.post("rules/referee", records).json()["results"] == as_json

    def test_a_request_has_a_limited_number_of_records(
        self, anonymous: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        record = '[Game "hex"]\n[Board "3"]\n\na1\n'
        monkeypatch.setattr(referee, "MAX_RECORDS", 3)
        assert len(referee.judge_text(record * 3)) == 3
        response = anonymous.post("rules/referee", record * 4, content_type="text/plain")
        problem_in(response, 422, "too_many_records")
        problem_in(anonymous.post("rules/referee", {"records": [record] * 1001}), 422, "invalid")
