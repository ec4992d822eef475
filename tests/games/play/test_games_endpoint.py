"""`/games`: the list with its filters, one game and its record; the rules; the referee."""

from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.models import Game, Report
from games.play.services import rule_game
from games.rules.records.record import Record
from games.rules.registry import GAMES
from tests.events import FILLED_TWICE, FIRST_WINS, Event, make_event, make_players, settle
from tests.people import Person, player_of, problem_in, statuses

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


def test_everyone_reads_public_games(everyone: dict[str, Person], proven: Game) -> None:
    for path in ("games", f"games/{proven.pk}", f"games/{proven.pk}/record", "rules/games"):
        assert statuses(everyone, "GET", path) == dict.fromkeys(everyone, 200)


def test_a_game_as_json(anonymous: Person, proven: Game) -> None:
    body = anonymous.get(f"games/{proven.pk}").json()

    assert body == {
        "id": proven.pk,
        "url": f"{settings.PUBLIC_URL}/games/{proven.pk}",
        "tournament": {"slug": "spring", "name": "Spring Open"},
        "round": 1,
        "board": 3,
        "ruleset": "star-star",
        "board_size": "4",
        "options": [],
        "swap": True,
        "handicap": None,
        "advice": None,
        "main_minutes": None,
        "increment_seconds": 0,
        "time_class": None,
        "first": {"id": proven.first_id, "name": proven.first.name},
        "second": {"id": proven.second_id, "name": proven.second.name},
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
        "record": Record.parse(FIRST_WINS).replay().digest,
        "dispute": None,
        "adjourned": False,
        "confirm_by": None,
        "confirmed_at": body["confirmed_at"],
        "allowed_actions": [],
    }
    del body["allowed_actions"]
    assert body in anonymous.get("games").json()["results"]


def test_filters(anonymous: Person, ada: Person, proven: Game) -> None:
    def found(query: str) -> int:
        return len(anonymous.get(f"games?{query}").json()["results"])

    assert found("") == 3
    assert found(f"player={player_of(ada).pk}") == 1
    assert found(f"player={proven.first_id}&state=confirmed") == 1
    assert found(f"player={proven.second_id}&round=1") == 1
    problem_in(anonymous.get("games?player=999999"), 422, "invalid_parameter")
    assert found("state=confirmed") == 1
    assert found("state=open") == 2
    assert found("basis=ruling") == 1
    assert found("tournament=spring") == 3
    assert found("state=open,confirmed") == 3
    assert found(f"id={proven.pk},{proven.pk - 1},999999") == 2
    problem_in(anonymous.get("games?tournament=autumn"), 422, "invalid_parameter")
    problem_in(anonymous.get("games?pool=moon"), 422, "invalid_parameter")
    problem_in(anonymous.get("games?id=1,x"), 422, "invalid_parameter")
    problem_in(anonymous.get("games?id=" + "1," * 100 + "1"), 422, "invalid_parameter")
    problem_in(anonymous.get("games?board_size=99"), 422, "invalid_parameter")
    assert found("tournament=spring&round=1&rated=true") == 3
    assert found("board_size=10") == 0
    assert found("ruleset=star-star&limit=2") == 2
    problem_in(anonymous.get("games?state=lost"), 422, "invalid_parameter")
    problem_in(anonymous.get("games?state=open,lost"), 422, "invalid_parameter")
    Game.objects.filter(pk=proven.pk).update(played_on="2026-05-02")
    assert found("since=2026-05-02&until=2026-05-02") == 1
    assert found("until=2026-05-01") == 0


def test_a_game_without_a_day_has_that_of_its_confirmation(anonymous: Person, proven: Game) -> None:
    def found(query: str) -> int:
        return len(anonymous.get(f"games?{query}").json()["results"])

    Game.objects.filter(pk=proven.pk).update(confirmed_at="2026-05-02T23:59:59.5Z")
    assert found("since=2026-05-02&until=2026-05-02") == 1
    assert found("since=2026-05-03") == found("until=2026-05-01") == 0
    assert found("until=9999-12-31") == found("since=0001-01-01") == 1
    Game.objects.filter(pk=proven.pk).update(played_on="2026-05-01")
    assert found("since=2026-05-02") == 0
    problem_in(anonymous.get("games?since=May"), 422, "invalid_parameter")


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
        ("record", "application/json", "application/json"),
        ("record", "text/plain", "text/plain; charset=utf-8"),
        ("record.txt", "*/*", "text/plain; charset=utf-8"),
        ("record.txt", "application/json", "text/plain; charset=utf-8"),
        ("record.txt", "text/plain", "text/plain; charset=utf-8"),
        ("record.json", "text/plain", "application/json"),
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
    game = event.games()[0]
    for form in ("", ".txt", ".json"):
        for accept in ("*/*", "text/plain"):
            response = anonymous.get(f"games/{game.pk}/record{form}", Accept=accept)
            problem_in(response, 404, "no_record")


def test_a_waiting_report_is_due_at_its_deadline(ada: Person, event: Event) -> None:
    game = next(game for game in event.games() if player_of(ada) in (game.first, game.second))
    ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    settle()
    game.refresh_from_db()
    assert (game.state, settle()) == ("waiting", 0)

    Report.objects.update(received_at=timezone.now() - timezone.timedelta(hours=25))
    Game.objects.update(confirm_by=timezone.now())

    assert settle() == 1
    game.refresh_from_db()
    assert (game.state, game.basis) == ("confirmed", "proof")


def test_the_rules_as_json(anonymous: Person) -> None:
    body = {row["code"]: row for row in anonymous.get("rules/games").json()["results"]}

    assert body.keys() == GAMES.keys()
    assert body["star-star"]["board_sizes"] == ["4", "6", "8", "10"]
    assert list(body["star"]) == [
        "code", "name", "players", "board_sizes", "board_size_form", "options", "swap",
        "notation", "summary", "source",
    ]  # fmt: skip
    assert body["star"]["options"] == ["two-point-corners"]
    assert body["queens"]["players"] == 1
    assert all(value not in ("", None) for row in body.values() for value in row.values())


def test_the_limits_of_a_record_as_json(anonymous: Person) -> None:
    assert anonymous.get("rules/games").json()["limits"] == {
        "characters": 1_000_000,
        "words": 10_000,
        "word_characters": 200,
        "comments": 10_000,
        "tags": 200,
        "tag_characters": 1_000,
        "handicap_stones": 10,
        "handicap_points": 9_999,
    }


class TestReferee:
    @pytest.mark.parametrize(
        ("body", "content_type"),
        [
            ({"record": FIRST_WINS}, "application/json"),
            ({"record": Record.parse(FIRST_WINS).as_json()}, "application/json"),
            (Record.parse(FIRST_WINS).as_json(), "application/json"),
            (FIRST_WINS, "text/plain"),
            (FIRST_WINS, "application/octet-stream"),
        ],
    )
    def test_a_valid_record(self, anonymous: Person, body: Any, content_type: str) -> None:
        response = anonymous.post("rules/referee", body, content_type=content_type)

        verdict = response.json()
        assert (response.status_code, verdict["valid"], verdict["winner"]) == (200, True, "first")
        assert verdict["score"] == {"first": 11, "second": 10}
        assert verdict["digest"] == Record.parse(FIRST_WINS).replay().digest

    @pytest.mark.parametrize("content_type", ["application/json", "text/plain"])
    def test_an_illegal_record(self, anonymous: Person, content_type: str) -> None:
        body = {"record": FILLED_TWICE} if content_type == "application/json" else FILLED_TWICE

        response = anonymous.post("rules/referee", body, content_type=content_type)

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

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"record": FIRST_WINS, "records": [FIRST_WINS]},
            {"record": None},
            {"record": 7},
            {"records": FIRST_WINS},
            {"records": [7]},
            {"records": [None]},
            {"records": [[]]},
            {"records": [FIRST_WINS] * 1001},
            [],
            7,
        ],
        ids=range(11),
    )
    def test_an_invalid_body_is_rejected(self, anonymous: Person, body: object) -> None:
        problem_in(anonymous.post("rules/referee", body), 422, "invalid")

    def test_too_many_records_are_rejected(self, anonymous: Person) -> None:
        text = '[Game "hex"]\n[Board "3"]\n\na1\n' * 1001

        response = anonymous.post("rules/referee", text, content_type="text/plain")

        problem_in(response, 422, "too_many_records")

    def test_nothing_is_stored(
        self, anonymous: Person, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(0):
            anonymous.post("rules/referee", {"records": [FIRST_WINS, FILLED_TWICE]})
