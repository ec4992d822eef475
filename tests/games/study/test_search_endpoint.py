"""`/games/search` and `/games/next-moves`: games by first turns, or by a pattern of stones."""

from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import DjangoAssertNumQueries

from games import tasks
from games.models import Game, IndexedGame, NextMove, OpeningTurn, Report, StoneBitmap
from games.play.services import rule_game
from games.play.settlement import settle_game
from games.rules.records.record import Record
from games.study import queries as openings
from games.study import queries as patterns
from games.study import services as openings_service
from tests.events import TAGS, Event, make_event, make_players, settle
from tests.people import (
    Person,
    cursor_of,
    make_person,
    make_player,
    player_of,
    problem_in,
    statuses,
)

pytestmark = pytest.mark.django_db

START = "games/search?ruleset=star-star&board_size=4"
NEXT = "games/next-moves?ruleset=star-star&board_size=4"


@pytest.fixture(scope="module")
def start(rows_of_module: None) -> dict[str, Any]:
    """Games of a public and of a private event: g1 and g2 begin alike up to a rotation."""
    ada, ben = make_player("Ada", 2100), make_player("Ben", 1900)
    organiser = make_person("Olga")
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben), *make_players(4))
    event.step("open", "start")
    moves = ("S40 T41 A20 A30 resign", "T40 A41 R20 R10 resign", "S40 swap T41 resign")
    games = [
        prove(game, organiser, text) for game, text in zip(event.publish(), moves, strict=True)
    ]
    hidden = make_event(organiser, slug="hidden", public=False)
    hidden.enter(*make_players(2))
    secret = prove(hidden.step("open", "start").publish()[0], organiser, "S40 T41 A20 S10 resign")
    tasks.index_games.run()
    return {"event": event, "games": [game.pk for game in games], "secret": secret.pk}  # fmt: skip


def prove(game: Game, by: Person, moves: str, tags: str = TAGS) -> Game:
    """Rule that a record proves the result of a game."""
    rule_game(game, by=by.account, reason="the sheet", record=f"{tags}{moves}\n")
    settle()
    game.refresh_from_db()
    return game


@pytest.fixture
def event(db: None, start: dict[str, Any]) -> Event:
    again: Event = start["event"].again()
    return again


@pytest.fixture
def games(start: dict[str, Any]) -> list[int]:
    return start["games"]


@pytest.fixture
def secret(start: dict[str, Any]) -> int:
    return start["secret"]


@pytest.fixture
def one_block(start: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Index all games in one block, however large the ids of the games are by now."""
    index_blocks_of(1 << 32, monkeypatch)


def index_blocks_of(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (openings_service, patterns):
        monkeypatch.setattr(module, "BLOCK_SIZE", size)
    call_command("index_games", "--rebuild")


def found(person: Person, query: str) -> list[int]:
    """Return the ids of the games that a search finds."""
    answer = person.get(START + query)
    assert answer.status_code == 200, answer.content
    return [game["id"] for game in answer.json()["results"]]


def test_a_prefix_is_found_in_every_orientation(anonymous: Person, games: list[int]) -> None:
    first, second, third = games

    for opening in ("S40 T41 A20", "T40 A41 R20", "s40  t41 a20", "S40 R43 R20"):
        assert found(anonymous, f"&moves={opening}") == [second, first]
    assert found(anonymous, "&moves=S40 T41 A20 A30") == [first]
    assert found(anonymous, "&moves=S40 T41 A21") == []
    assert found(anonymous, "&moves=A40") == [third, second, first]
    assert found(anonymous, "&moves=A40 swap") == [third]
    assert found(anonymous, "") == [third, second, first]
    assert found(anonymous, "&swap=no") == []
    assert found(anonymous, "&handicap_stones=2") == []
    assert found(anonymous, "&handicap_cells=S40,T40") == []


def test_a_pattern_is_found_in_every_orientation(anonymous: Person, games: list[int]) -> None:
    first, second, third = games

    assert found(anonymous, "&first_cells=S40&second_cells=T41") == [second, first]
    assert found(anonymous, "&first_cells=R40&second_cells=T43") == [second, first]
    assert found(anonymous, "&second_cells=S40") == [third]  # after the swap
    assert found(anonymous, "&second_cells=S40&exchange=1") == [third, second, first]
    assert found(anonymous, "&first_cells=A20&first_cells=A30") == []
    assert found(anonymous, "&first_cells=A20&second_cells=A30") == [first]
    # In the second game A10 is filled, but not yet when the other stones are there.
    assert found(anonymous, "&first_cells=A20&empty_cells=A10,A30") == [second, first]
    assert found(anonymous, "&first_cells=R20&second_cells=R10&empty_cells=T20") == [second]
    assert found(anonymous, "&first_cells=S40&second_cells=A30&exact=region") == []
    assert found(anonymous, "&first_cells=A20&second_cells=A30&exact=region") == [first]
    assert found(anonymous, "&first_cells=S40&second_cells=S41,S30&exact=region") == []


def test_a_found_game_as_json(anonymous: Person, event: Event, games: list[int]) -> None:
    Game.objects.filter(pk=games[0]).update(first_rating=2_100_500)

    (body,) = anonymous.get(f"{START}&moves=S40 T41 A20 A30").json()["results"]
    (by_pattern,) = anonymous.get(f"{START}&first_cells=A20&second_cells=A30").json()["results"]

    game = anonymous.get(f"games/{games[0]}").json()
    ratings = {"first_rating": 2100.5, "second_rating": None}
    assert body == by_pattern == game | ratings | {"ply": 4}


def test_only_the_people_of_a_private_event_find_its_games(
    everyone: dict[str, Person], organiser: Person, games: list[int], secret: int
) -> None:
    for query in ("&moves=S40 T41 A20", "&first_cells=S40&second_cells=T41"):
        for name, person in everyone.items():
            expected = [games[1], games[0]]
            assert found(person, query) == ([secret] if name == "organiser" else []) + expected
    assert statuses(everyone, "GET", f"{NEXT}&moves=S40") == dict.fromkeys(everyone, 200)
    for person in everyone.values():
        assert person.get(f"{NEXT}&moves=S40 T41 A20").json()["games"] == 2


def test_next_moves_are_counted_up_to_symmetries(anonymous: Person, games: list[int]) -> None:
    Game.objects.filter(pk=games[0]).update(first_rating=2_000_000, played_on="2026-05-01")
    Game.objects.filter(pk=games[1]).update(first_rating=1_000_000, played_on="2026-05-02")
    Game.objects.filter(pk=games[2]).update(played_on="2026-05-01")

    body = anonymous.get(NEXT).json()

    assert body == {
        "moves": [],
        "to_move": "first",
        "games": 3,
        "ended": 0,
        "rows": [
            {
                "move": "*40",
                "equal": ["*40", "A40", "R40", "S40", "T40"],
                "games": 3,
                "wins": 1,
                "draws": 0,
                "losses": 2,
                "share": 0.3333,
                "rating": 1500.0,
                "last_played_on": "2026-05-02",
            }
        ],
    }
    body = anonymous.get(f"{NEXT}&moves=S40").json()
    counts = [(row["move"], row["equal"], row["games"], row["wins"]) for row in body["rows"]]
    assert counts == [("R43", ["R43", "T41"], 2, 2), ("swap", ["swap"], 1, 0)]
    ends = anonymous.get(f"{NEXT}&moves=R40 swap T43").json()
    assert (ends["games"], ends["ended"], ends["rows"], ends["to_move"]) == (1, 1, [], "second")


def test_stored_counts_are_those_of_the_rows(
    anonymous: Person, organiser: Person, games: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [NEXT, f"{NEXT}&moves=S40", f"{NEXT}&moves=S40 T41 A20"]
    counted = [anonymous.get(path).json() for path in paths]
    monkeypatch.setattr(openings, "MANY_GAMES", 3)
    call_command("index_games", "--rebuild")

    # Four openings have at least three games, with that of the private event.
    assert NextMove.objects.count() == 6
    assert [anonymous.get(path).json() for path in paths] == counted

    prove(Game.objects.get(pk=games[0]), organiser, "S10 T10 resign")
    tasks.index_games.run()

    assert anonymous.get(NEXT).json()["games"] == 3
    assert [row["games"] for row in anonymous.get(NEXT).json()["rows"]] == [2, 1]
    assert anonymous.get(f"{NEXT}&moves=S40").json()["games"] == 2


def test_the_index_follows_its_games(
    anonymous: Person, organiser: Person, event: Event, games: list[int], secret: int
) -> None:
    first, second, third = games
    assert tasks.index_games.run() == 0

    prove(Game.objects.get(pk=first), organiser, "S40 T41 A20 S10 resign")
    Game.objects.filter(pk=second).update(state=Game.State.ANNULLED)
    Game.objects.filter(pk=third).update(void=True)
    Game.objects.filter(pk=secret).update(public=True)
    assert found(anonymous, "&moves=S40") == [secret, first]  # what is not confirmed is not found
    assert tasks.index_games.run() == 4

    assert found(anonymous, "&moves=S40 T41 A20 S10") == [secret, first]
    assert found(anonymous, "&second_cells=A30") == []
    assert anonymous.get(f"{NEXT}&moves=T40 A41 R20").json()["games"] == 2
    assert sorted(IndexedGame.objects.values_list("pk", flat=True)) == [first, secret]
    assert OpeningTurn.objects.count() == 10
    assert tasks.index_games.run() == 0


def test_a_rebuilt_index_is_the_same(start: dict[str, Any]) -> None:
    def rows() -> list[list[Any]]:
        tables = (OpeningTurn, "key", "game_id", "move"), (StoneBitmap, "place", "block", "bits")
        return [sorted(map(str, table.objects.values_list(*names))) for table, *names in tables]

    before = rows()
    call_command("index_games", "--rebuild")

    assert rows() == before


def test_an_unreadable_record_is_not_tried_again(games: list[int], anonymous: Person) -> None:
    Report.objects.filter(game=games[0]).update(record="broken")
    call_command("index_games", "--rebuild")

    assert found(anonymous, "&moves=S40 T41 A20") == [games[1]]
    assert tasks.index_games.run() == 0


def test_filters(anonymous: Person, games: list[int]) -> None:
    first, second, third = games
    players = Game.objects.get(pk=first)
    Game.objects.filter(pk=first).update(
        first_rating=2_000_000, second_rating=1_900_000, played_on="2026-05-02"
    )
    Game.objects.filter(pk=second).update(first_rating=2_000_000, played_on="2026-05-01")

    for search in ("&moves=S40", "&first_cells=S40"):
        assert found(anonymous, f"{search}&player={players.first_id}") == [first]
        assert found(anonymous, f"{search}&min_rating=1900") == [first]
        assert found(anonymous, f"{search}&min_rating=1901") == []
        assert found(anonymous, f"{search}&winner=first") == [third]
        assert found(anonymous, f"{search}&winner=draw") == []
        assert found(anonymous, f"{search}&since=2026-05-02") == [third, first]
        assert found(anonymous, f"{search}&until=2026-05-02") == [second, first]
        assert found(anonymous, f"{search}&tournament_slug=spring&round=1")
        address = f"{START}{search}&tournament_slug=autumn"
        assert problem_in(anonymous.get(address), 422)["parameter"] == "tournament_slug"


@pytest.mark.parametrize("search", ["moves=S40", "first_cells=S40"])
def test_pages(anonymous: Person, games: list[int], search: str) -> None:
    address, pages = f"{START}&{search}&limit=2", []
    while address:
        answer = anonymous.get(address.removeprefix("http://testserver"))
        body = answer.json()
        pages.append([game["id"] for game in body["results"]])
        address = body["next"]
        assert (f'<{address}>; rel="next"' in answer.get("Link", "")) == bool(address)

    assert pages[:2] == [games[:0:-1], games[:1]]
    assert pages[2:] in ([], [[]])
    address = f"{START}&{search}"
    for cursor in ("after_x", "%%%", cursor_of(address, [1, 2]), cursor_of(address, ["x"])):
        problem_in(anonymous.get(f"{address}&cursor={cursor}"), 422, "invalid_parameter")


def test_a_search_that_ends_early_is_continued(
    anonymous: Person, games: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "MOST_BITMAPS", 1)
    index_blocks_of(1, monkeypatch)

    address, pages = f"{START}&first_cells=S40&second_cells=T41", []
    while address:
        body = anonymous.get(address.removeprefix("http://testserver")).json()
        pages.append([game["id"] for game in body["results"]])
        address = body["next"]

    assert [game for page in pages for game in page] == games[1::-1]
    assert len(pages) > 2
    assert all(len(page) <= 1 for page in pages)


def test_a_search_takes_a_fixed_number_of_queries(
    anonymous: Person,
    games: list[int],
    one_block: None,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for count in (3, 1):
        Game.objects.filter(pk__in=games[count:]).update(state=Game.State.ANNULLED)
        for path, queries in (
            (f"{START}&moves=S40", 1),
            (f"{START}&first_cells=S40", 3),
            (f"{NEXT}&moves=S40", 2),
        ):
            with django_assert_num_queries(queries):
                anonymous.get(path)


@pytest.mark.parametrize(
    ("path", "code", "parameter"),
    [
        ("games/search?ruleset=chess&board_size=4", "invalid_parameter", "ruleset"),
        ("games/search?ruleset=star-star&board_size=5", "invalid_parameter", "board_size"),
        (f"{START}&options=big", "invalid_parameter", "options"),
        (f"{START}&swap=yes&handicap_stones=3", "invalid_parameter", "handicap_stones"),
        (f"{START}&handicap_stones=11", "invalid_parameter", "handicap_stones"),
        (f"{START}&moves=S40 T40 S40", "occupied", "moves"),
        (f"{START}&moves=S40 swap swap", "swap_not_allowed", "moves"),
        (f"{START}&moves=S40 resign", "after_end", "moves"),
        (f"{START}&moves=" + "S40 " * 17, "invalid_parameter", "moves"),
        (f"{START}&moves=S40&first_cells=S40", "one_search", "moves"),
        (f"{START}&first_cells=Z9", "unknown_cell", "first_cells"),
        (f"{START}&first_cells=S40&second_cells=S40", "occupied", "second_cells"),
        (f"{START}&first_cells=" + "S40," * 200, "invalid_parameter", "first_cells"),
    ],
)
def test_what_cannot_be_searched_is_rejected(
    anonymous: Person, path: str, code: str, parameter: str
) -> None:
    problem = problem_in(anonymous.get(path), 422, code)

    assert [error["parameter"] for error in problem["errors"]] == [parameter]


def test_games_with_handicap_points_are_found_with_the_even_ones(
    anonymous: Person, organiser: Person, games: list[int]
) -> None:
    game = Game.objects.get(pk=games[0])
    handicap = {"seat": "second", "points": 2}
    Game.objects.filter(pk=game.pk).update(handicap=handicap)
    game.refresh_from_db()
    prove(game, organiser, "S40 T41 resign", TAGS.rstrip() + '\n[Handicap "second 2 points"]\n\n')
    tasks.index_games.run()

    assert found(anonymous, "&moves=S40 T41") == games[1::-1]
    assert settle_game(game.pk).state == Game.State.CONFIRMED
    assert Record.parse(game.record.record).conditions.points_for_first == -2
