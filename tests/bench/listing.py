"""Time a page of 100 games of the API against the bare query and `json.dumps`.

The comparison is the least that such a page must do: the same columns by `values()`, and the rows
as JSON. Both run alternately in one process on the same SQLite file.
"""

import json
import statistics
import time
from collections.abc import Callable

from tests.bench.database import empty_database

GAMES = 2_000
ROUNDS = 60


def fill() -> None:
    """Create two thousand games between forty players."""
    from games.models import Game, Player

    players = Player.objects.bulk_create(Player(name=f"Player {n}") for n in range(40))
    Game.objects.bulk_create(
        Game(
            stream="tournament/bench",
            event="Bench",
            round=str(n % 9),
            game="star-star",
            board="10",
            first=players[n % 40],
            second=players[(n * 7 + 1) % 40],
            state="confirmed",
            basis="agreement",
            winner="first",
            score_first=26,
            score_second=25,
            termination="agreed",
        )
        for n in range(GAMES)
    )


def bare() -> bytes:
    """Run the query and `json.dumps` only."""
    from games.queries import GAME_FIELDS, visible_games

    rows = list(visible_games(None).order_by("id").values(*GAME_FIELDS)[:100])
    return json.dumps(rows, default=str).encode()


def by_api() -> bytes:
    """Get the page through the whole stack: middleware, view, pagination, renderer."""
    from django.test import Client

    response = Client().get("/api/v1/games?limit=100", headers={"host": "localhost"})
    assert response.status_code == 200, response.content
    return response.content


def seconds(call: Callable[[], bytes]) -> float:
    """Return the seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Print both medians and their ratio."""
    with empty_database():
        fill()
        for call in (bare, by_api):
            for _ in range(5):
                call()
        times: dict[str, list[float]] = {"bare": [], "api": []}
        for _ in range(ROUNDS):
            times["bare"].append(seconds(bare))
            times["api"].append(seconds(by_api))
        bare_time, api_time = (statistics.median(times[name]) for name in ("bare", "api"))
        ratios = [a / b for a, b in zip(times["api"], times["bare"], strict=True)]
        print("A page of 100 games                     median")
        print(f"  values() and json.dumps            {bare_time * 1000:7.2f} ms")
        print(f"  GET /api/v1/games?limit=100        {api_time * 1000:7.2f} ms")
        print(f"  ratio                              {statistics.median(ratios):7.2f}")


if __name__ == "__main__":
    main()
