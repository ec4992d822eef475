"""Records of an event: entered from a file, each as a ruling, and those that several games have."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Game, JournalLine, Report
from games.play.services import add_report
from games.rules.records.streams import judge, judge_records
from tests.events import (
    FILLED_TWICE,
    FIRST_WINS,
    FIRST_WINS_OTHERWISE,
    SECOND_WINS,
    UNFINISHED,
    Event,
    make_running,
    settle,
)
from tests.people import Person, content_of, make_person, make_player, player_of, problem_in
from tournament.events.verification import verify_tournament

pytestmark = pytest.mark.django_db
PAGE = "/e/spring/run/records"
REPEATED = f"{PAGE}/repeated"


def record_of(moves: str = FIRST_WINS, **tags: object) -> str:
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + moves


RECORD = record_of(Round=1, Table=1)


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """A running event of four boards; round 1 is published."""
    event = make_running(make_person("Olga"), 7, rounds=2)
    event.enter(player_of(make_player("Ada", 2100)))
    event.publish(1)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


def send(browser: Client, query: str = "", **form: Any) -> HttpResponse:
    return browser.post(PAGE + query, {"action": "import"} | form)


def enter(event: Event, *records: str) -> HttpResponse:
    path = f"{event.path}/records/import"
    return event.owner.post(path, "\n\n".join(records), content_type="text/plain")


def entered(answer: HttpResponse) -> list[tuple[int, int, int]]:
    """Return line, round and board of each record."""
    assert answer.status_code == 201, answer.content
    return [(row["line"], row["round"], row["board"]) for row in answer.json()["rows"]]


def test_games_of_other_sites_are_entered(organiser: Person) -> None:
    event = make_running(organiser, 4, slug="hex", rounds=1, ruleset="hex", board_size="5")
    games = event.publish(1)
    sgf = "(;GM[11]SZ[5]RO[1]PB[{}]PW[{}]SO[https://www.littlegolem.net];W[ab];B[swap];{})"
    first, second = (
        sgf.format(game.first.name, game.second.name, end)
        for game, end in zip(games, ("W[resign]", "W[ba];B[ab]"), strict=True)
    )

    refused = problem_in(enter(event, first, second), 422)
    assert [error["detail"] for error in refused["errors"]] == [
        "line 3: turn 3: ba, here a2: a2 was filled at ply 1"
    ]

    second = second.replace(";W[ba];B[ab]", ";W[cc]").replace("RO[1]", "RO[1]RE[B+R]")
    assert entered(enter(event, first, second)) == [(1, 1, 1), (3, 1, 2)]
    settle()
    assert [game.winner for game in Game.objects.order_by("pk")] == ["second", "first"]

    written: Any = organiser.get(f"{event.path}/games.sgf")
    digests = [game.record.digest for game in Game.objects.order_by("pk") if game.record]
    assert [verdict.digest for verdict in judge_records(content_of(written).decode())] == digests
    assert [
        judge(organiser.client.get(address).content.decode()).digest
        for address in (f"/games/{games[0].pk}.sgf", f"/api/v1/games/{games[1].pk}/record.sgf")
    ] == digests
    assert "SGF" in organiser.client.get(f"/games/{games[0].pk}").content.decode()


def test_other_games_have_no_sgf(event: Event) -> None:
    enter(event, RECORD)
    settle()
    number = Game.objects.filter(record__isnull=False).get().pk

    problem = problem_in(event.owner.get(f"games/{number}/record.sgf"), 406)
    assert problem["detail"] == "only records of Hex and TwixT are written in SGF"
    assert event.owner.client.get(f"/games/{number}.sgf").status_code == 406
    assert "SGF" not in event.owner.client.get(f"/games/{number}").content.decode()
    assert content_of(event.owner.get(f"{event.path}/games.sgf")) == b""


def test_records_are_previewed_and_entered(director: Client, event: Event) -> None:
    preview = send(director, "?dry_run=1", upload=SimpleUploadedFile("r.rec", RECORD.encode()))
    assert preview.status_code == 200, preview.context["form"]
    assert "Round 1, board 1" in preview.content.decode()
    assert not Report.objects.exists()

    done = send(director, file=preview.context["text"])
    assert done.headers["Location"] == f"{PAGE}?done=import"
    assert [report.kind for report in Report.objects.all()] == ["ruling"]
    assert "are entered" in director.get(done.headers["Location"]).content.decode()


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"file": "  "}, 422),
        ({"file": "nonsense"}, 422),
        ({"file": "a\0b"}, 400),
        ({"upload": b'[Event "K\x9aln"]'}, 422),
        ({"upload": b"x" * (1024 * 1024 + 1)}, 413),
    ],
)
def test_a_wrong_file_enters_nothing(
    director: Client, event: Event, form: dict[str, Any], status: int
) -> None:
    sent = {
        name: SimpleUploadedFile("r.rec", value) if isinstance(value, bytes) else value
        for name, value in form.items()
    }
    refused = send(director, **sent)
    assert refused.status_code == status
    asks = b"\x9a" in (form.get("upload") or b"")
    assert ('value="mac-roman"' in refused.content.decode()) == asks
    assert not Report.objects.exists()


def test_a_record_names_its_game_by_board_or_by_players(event: Event) -> None:
    games = event.games()
    names = [{"First": game.first.name, "Second": game.second.name} for game in games]

    done = enter(
        event,
        record_of(Round=1, Table=2),
        record_of(SECOND_WINS, **names[2]),
        record_of(Round=1, Table=1, **names[3]),  # the names count, not the board
    )

    assert [(board, line) for _, line, board in entered(done)] == [(2, 1), (3, 1), (4, 1)]
    settle()
    assert [(game.state, game.winner) for game in event.games()] == [
        ("open", ""), ("confirmed", "first"), ("confirmed", "second"), ("confirmed", "first"),
    ]  # fmt: skip
    assert verify_tournament(event.stream) == []


WRONG = {
    "a board that does not exist": ([{"Round": 1, "Table": 9}], "no_such_game"),
    "a board without its round": ([{"Table": 1}], "no_such_game"),
    "one of two players": ([{"Round": 1, "First": "{first}"}], "no_such_game"),
    "the players in the other seats": (
        [{"First": "{second}", "Second": "{first}"}], "no_such_game", "has the first seat",
    ),
    "another opponent": ([{"First": "{first}", "Second": "Nobody"}], "no_such_game"),
    "the players of another round": (
        [{"Round": 2, "First": "{first}", "Second": "{second}"}], "no_such_game",
    ),
    "a game twice": (
        [{"Round": 1, "Table": 1}, {"First": "{first}", "Second": "{second}"}], "no_such_game",
    ),
    "other conditions": (
        [{"Round": 1, "Table": 2}, {"Round": 1, "Table": 1, "Swap": "no"}], "conditions_differ",
        "the record has swap False, the game has True",
    ),
    "an illegal move": ([{"Round": 1, "Table": 1, "moves": FILLED_TWICE}], "occupied"),
    "a game that is not over": (
        [{"Round": 1, "Table": 1, "moves": UNFINISHED}], "record_unfinished",
    ),
}  # fmt: skip


def test_one_wrong_record_refuses_the_file(event: Event) -> None:
    game = event.games()[0]
    names = {"{first}": game.first.name, "{second}": game.second.name}
    for case, (records, code, *words) in WRONG.items():
        tags = [{tag: names.get(str(of), of) for tag, of in record.items()} for record in records]

        (error,) = problem_in(enter(event, *(record_of(**each) for each in tags)), 422)["errors"]

        assert (error["code"], Report.objects.count()) == (code, 0), case
        assert all(word in error["detail"] for word in words), error["detail"]


def test_a_record_of_a_pairing_with_two_games_names_the_seats(organiser: Person) -> None:
    event = make_running(organiser, 2, slug="double", games_per_pairing=2)
    (game,) = event.publish(1)
    (error,) = problem_in(enter(event, record_of(Round=1, Table=1)), 422)["errors"]
    assert error["code"] == "no_such_game"

    done = enter(event, record_of(First=game.second.name, Second=game.first.name))

    assert done.json()["rows"][0]["game_id"] == game.pairings.get().return_game_id


def test_records_are_entered_until_the_event_is_final(organiser: Person) -> None:
    event = make_running(organiser, 2, slug="short", rounds=1)
    event.play(1)
    event.step("review")
    assert enter(event, RECORD).status_code == 201
    event.step("finalise")
    problem_in(enter(event, RECORD), 409, "wrong_state")


def test_a_record_from_a_file_ends_no_dispute(director: Client, ada: Person, event: Event) -> None:
    game = next(game for game in event.games() if player_of(ada) in (game.first, game.second))
    board = game.pairings.get().board_number
    ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    add_report(game.pk, ada.account, Report.Kind.DISPUTE, seat="second", reason="a slip of the pen")
    settle()

    for query in ("?dry_run=1", ""):
        assert send(director, query, file=record_of(Round=1, Table=board)).status_code == 422
    game.refresh_from_db()
    assert (game.state, game.reports.filter(kind="ruling").count()) == ("disputed", 0)


def flagged(event: Event) -> list[tuple[int, list[int]]]:
    lines = JournalLine.objects.filter(stream=event.stream, kind="record.repeated")
    return [(line.payload.body["game"], line.payload.body["games"]) for line in lines]


def repeated(browser: Client) -> list[list[int]]:
    """Return the games of each record that the page lists."""
    records = browser.get(REPEATED).context["repeated"]
    return [[game["id"] for game in record["games"]] for record in records]


def test_the_games_of_a_repeated_record_are_listed(
    director: Client, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    games = event.games()
    for record in (FIRST_WINS, FIRST_WINS_OTHERWISE, FIRST_WINS):
        event.rule(games[0], record)  # a record that one game has twice is not repeated
    assert repeated(director) == []
    for repeating in (games[1:2], games[2:]):
        for game in repeating:
            event.rule(game, record_of(First=game.first.name))
        with django_assert_num_queries(9):
            page = director.get(REPEATED)
        assert len(page.context["repeated"]) == 1

    (record,) = page.context["repeated"]
    assert record["digest"] == Game.objects.get(pk=games[0].pk).record.digest
    assert [(game["id"], game["round"], game["board"]) for game in record["games"]] == [
        (game.pk, 1, board) for board, game in enumerate(games, 1)
    ]
    assert flagged(event)[0] == (games[1].pk, [games[0].pk])
    assert verify_tournament(event.stream) == []


@pytest.mark.parametrize("public", [True, False])
def test_games_of_other_events_are_listed_if_they_are_public(
    director: Client, event: Event, stranger: Person, public: bool
) -> None:
    other = make_running(stranger, 2, slug="autumn", rounds=1, public=public)
    other.publish(1)
    other.rule(other.games()[0], FIRST_WINS)
    event.rule(event.games()[0], FIRST_WINS)

    assert len(repeated(director)) == len(flagged(event)) == int(public)
