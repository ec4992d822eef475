"""Events with handicaps for tests: players A, B, ..., the boards by name, changes of boards."""

from typing import Any

from games.core.handicaps import handicap_as_json
from games.models import Game, Player
from tests.events import Event, make_event
from tests.people import Person

RATINGS = (1500, 1480, 1150, 900)
HANDICAPS = {
    "board_size": "10",
    "handicaps": "recommended",
    "handicap_kinds": ["stones"],
    "handicap_table": "v1",
}
Board = tuple[str, str, str | None]
"""The names by seat, and the handicap."""


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


def publish_ten_points(organiser: Person, **settings: Any) -> Event:
    """Return an event with a board of six rings, on which the second player has ten points."""
    by_hand = {"board_size": "6", "handicaps": "by_hand", "handicap_kinds": []}
    event = make_handicap_event(organiser, (1500, 1480), **by_hand, **settings)
    event.draft(1)
    change(organiser, event, (1, "A", "B", "second 10 points"))
    organiser.post(f"{event.path}/rounds/1/publish")
    return event


def boards_in(body: dict[str, Any]) -> list[Board]:
    return [
        (
            row["first"]["player"]["name"],
            row["second"]["player"]["name"],
            row["applied"]["handicap_text"],
        )
        for row in body["rows"]
        if row["second"]
    ]


def boards(who: Person, event: Event, number: int = 1) -> list[Board]:
    return boards_in(who.get(f"{event.path}/rounds/{number}/pairings").json())


def body_of(event: Event, *rows: tuple[int, str, str, Any], **more: Any) -> dict[str, Any]:
    """Return the body of a change; a handicap that is ... is not named, None is none."""
    entries = dict(event.tournament.entries.values_list("player__name", "pk"))
    changes = [
        {"board": board, "first_id": entries[first], "second_id": entries[second]}
        | ({} if handicap is ... else {"handicap": handicap_as_json(handicap)})
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
