"""`games.ndjson` and `games.rec` of an event, a player and a pool."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games.models import Game, Player
from games.play.services import rule_game
from games.rules.records.record import Record
from games.rules.records.streams import parse_records
from games.study import files as documents
from ratings.models import Pool
from tests.events import TAGS, make_event, make_players, settle
from tests.people import Person, content_of, make_person, make_player, player_of, problem_in
from tests.ratings.factories import day, file_event

pytestmark = pytest.mark.django_db

MOVES = ("S40 T41 {a star; perhaps} A20 resign", "S40 swap T41 resign")


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> dict[str, Any]:
    """A public event with two records and a result without one, and a private event."""
    organiser, ada = make_person("Olga"), make_player("Ada", 2100)
    found: dict[str, Any] = {}
    for slug, public in (("spring", True), ("hidden", False)):
        event = make_event(organiser, slug=slug, public=public, pool="star")
        event.enter(player_of(ada), *make_players(7))
        games = event.step("open", "start").publish()
        for game, moves in zip(games, MOVES, strict=False):
            record = f"{TAGS}{moves}\n"
            rule_game(game, by=organiser.account, reason="the sheet", record=record)
        rule_game(games[2], by=organiser.account, reason="the sheet", result="11-10")
        settle()
        found[slug] = [game.pk for game in games]
        found[f"{slug} event"] = event
    file_event(Pool.objects.get(code="star"), "winter", day(1), [])
    return found


@pytest.fixture
def start(db: None, played: dict[str, Any]) -> dict[str, Any]:
    again = {f"{slug} event": played[f"{slug} event"].again() for slug in ("spring", "hidden")}
    return played | again


def text_of(person: Person, path: str) -> str:
    answer: Any = person.get(path)
    assert answer.status_code == 200, answer.content
    assert answer.streaming
    return content_of(answer).decode()


def lines_of(person: Person, path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text_of(person, path).splitlines()]


def records_of(person: Person, path: str) -> list[Record]:
    text = text_of(person, path)
    records = list(parse_records(text)) if text else []
    assert all(isinstance(record, Record) for record in records)
    return [record for record in records if isinstance(record, Record)]


def test_the_lines_are_the_games_with_their_turns(anonymous: Person, start: dict[str, Any]) -> None:
    first, second, third, _ = start["spring"]
    Game.objects.filter(pk=first).update(first_rating=2_100_000)
    answer = anonymous.get("tournaments/spring/games.ndjson")

    lines = lines_of(anonymous, "tournaments/spring/games.ndjson")

    assert answer["Content-Type"] == "application/x-ndjson; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="spring-games.ndjson"'
    game = anonymous.get(f"games/{first}").json()
    assert lines[0] == game | {
        "first_rating": 2100.0,
        "second_rating": None,
        "moves": ["S40", "T41", "A20", "resign"],
        "effective_at": None,
        "exclusion": None,
        "reason": None,
    }
    assert [(line["id"], line["moves"]) for line in lines[1:]] == [
        (second, ["S40", "swap", "T41", "resign"]),
        (third, None),
    ]


def test_the_pages_have_the_games_of_the_files(anonymous: Person, start: dict[str, Any]) -> None:
    player = Game.objects.get(pk=start["spring"][0]).first_id
    for path in ("tournaments/spring", f"players/{player}"):
        numbers = [line["id"] for line in lines_of(anonymous, f"{path}/games.ndjson")]
        page = anonymous.get(f"{path}/games?limit=2").json()
        rest = anonymous.get(page["next"]).json() if page["next"] else {"results": []}
        games = [*page["results"], *rest["results"]]
        assert games == [anonymous.get(f"games/{number}").json() for number in numbers]
    problem_in(anonymous.get("tournaments/spring/games?after=1"), 422, "invalid_parameter")


def test_the_referee_reads_the_records_back(
    anonymous: Person, start: dict[str, Any], tmp_path: Path
) -> None:
    games = list(Game.objects.filter(pk__in=start["spring"][:2]).order_by("pk"))
    Game.objects.filter(pk=games[0].pk).update(played_on="2026-05-01", first_rating=2_100_000)
    Player.objects.filter(pk=games[0].first_id).update(name='Ada "the \\ Rook"')
    path = tmp_path / "games.rec"
    path.write_text(text_of(anonymous, "tournaments/spring/games.rec"), encoding="utf-8")

    output = io.StringIO()
    call_command("referee", str(path), "--json", stdout=output)

    verdicts = [json.loads(line) for line in output.getvalue().splitlines()]
    assert [verdict["digest"] for verdict in verdicts] == [
        game.record.digest for game in games if game.record
    ]
    first, second = records_of(anonymous, "tournaments/spring/games.rec")
    assert first.tags == {
        "GameId": str(games[0].pk),
        "First": 'Ada "the \\ Rook"',
        "FirstId": str(games[0].first_id),
        "FirstRating": "2100.000",
        "Second": games[0].second.name,
        "SecondId": str(games[0].second_id),
        "Event": "Spring Open",
        "Round": "1",
        "BoardNumber": "1",
        "Date": "2026.05.01",
    }
    assert [comment.text for comment in first.comments] == ["a star; perhaps"]
    assert second.tags["GameId"] == str(games[1].pk)


@pytest.mark.parametrize("read", [lines_of, records_of])
def test_a_download_is_continued_after_any_game(
    anonymous: Person, start: dict[str, Any], read: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    path = f"tournaments/spring/games.{'rec' if read is records_of else 'ndjson'}"
    whole = read(anonymous, path)
    monkeypatch.setattr(documents, "EXPORTED_AT_ONCE", 1)

    assert read(anonymous, path) == whole
    for count, game in enumerate(start["spring"][: len(whole)], 1):
        assert read(anonymous, f"{path}?after={game}") == whole[count:]
    assert read(anonymous, f"{path}?after=999999999") == []


def test_a_player_has_the_games_of_all_events_that_the_reader_may_see(
    anonymous: Person, organiser: Person, ada: Person, start: dict[str, Any]
) -> None:
    path = f"players/{player_of(ada).pk}/games.ndjson"
    own = {
        slug: [pk for pk in start[slug] if pk in _games_of(player_of(ada))][:1]
        for slug in ("spring", "hidden")
    }

    assert [line["id"] for line in lines_of(anonymous, path)] == own["spring"]
    for person in (ada, organiser):
        assert [line["id"] for line in lines_of(person, path)] == own["spring"] + own["hidden"]


def _games_of(player: Player) -> set[int]:
    games = Game.objects.filter(first=player) | Game.objects.filter(second=player)
    return set(games.filter(state="confirmed").values_list("pk", flat=True))


def test_a_merged_player_keeps_their_games(anonymous: Person, start: dict[str, Any]) -> None:
    game = Game.objects.get(pk=start["spring"][0])
    kept = Player.objects.create(name="Kept")
    Player.objects.filter(pk=game.first_id).update(merged_into=kept)

    for player in (kept.pk, game.first_id):
        (line,) = lines_of(anonymous, f"players/{player}/games.ndjson")
        assert line["first"]["player"]["id"] == kept.pk


def test_a_pool_has_the_games_that_are_filed_with_it(
    anonymous: Person, organiser: Person, start: dict[str, Any]
) -> None:
    games = list(Game.objects.filter(pk__in=[*start["spring"], *start["hidden"]]))
    Pool.objects.update(least_expected=0)
    assert lines_of(anonymous, "pools/star/games.ndjson") == []
    Game.objects.filter(pk=start["spring"][1]).update(advice="first")
    file_event(Pool.objects.get(code="star"), "spring", day(2), games)

    at, counts = "2026-03-02T00:00:00Z", (None, None)
    for path in ("pools/star/games.ndjson", "tournaments/spring/games.ndjson"):
        assert [
            (line["id"], line["effective_at"], (line["exclusion"], line["reason"]))
            for line in lines_of(anonymous, path)
        ] == [
            (start["spring"][0], at, counts),
            (start["spring"][1], at, ("advice", "a player was advised")),
            (start["spring"][2], at, counts),
        ]
    (record,) = records_of(anonymous, "pools/star/games.rec")
    assert record.tags["GameId"] == str(start["spring"][0])
