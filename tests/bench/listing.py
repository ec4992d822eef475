"""How long a page of a hundred games takes by API, against the bare query and `json.dumps`.

The peer is the least that any such page must do: the same columns by `values()`, and the rows
written as JSON. Both run in one process on the same SQLite file, in turn.
"""

import json
import statistics
import time
from collections.abc import Callable

from tests.bench.database import empty_database

GAMES = 2_000
ROUNDS = 60


def fill() -> None:
    """Two thousand games between forty players."""
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
    """The query and `json.dumps`, and nothing else."""
    from games.queries import GAME_FIELDS, visible_games

    rows = list(visible_games(None).order_by("id").values(*GAME_FIELDS)[:100])
    return json.dumps(rows, default=str).encode()


def by_api() -> bytes:
    """The same page through the whole stack: middleware, view, pages, renderer."""
    from django.test import Client

    answer = Client().get("/api/v1/games?limit=100", headers={"host": "localhost"})
    assert answer.status_code == 200, answer.content
    return answer.content


def seconds(work: Callable[[], bytes]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """Print the two medians and their ratio."""
    with empty_database():
        fill()
        for work in (bare, by_api):
            for _ in range(5):
                work()
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
