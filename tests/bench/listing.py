"""Time pages of 100 rows of the API against the bare queries and `json.dumps`.

    python -m tests.bench.listing

The comparison is the least that such a page must do: the same columns by `values()`, and the rows
as JSON. Both run alternately in one process on the same SQLite file; the WSGI application gets the
requests of a stranger. The time is that of the processor. Goal: at most 1.2 times as much.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from tests.bench.database import empty_database
from tests.bench.imports import trf
from tests.bench.reads import get

GAMES = 2_000
EVENTS = 120
ROUNDS = 60
MOST = 1.2
EVENT = "bench"


def fill() -> None:
    """Create an event of 200 players, 120 other events, and two thousand games."""
    from games.models import Account, Game, Player
    from tests.tournament.imports import import_trf
    from tournament.models import Tournament

    owner = Account.objects.create_superuser("bench@example.org", "not-a-secret")
    import_trf(trf(200), by=owner, slug=EVENT)
    event = Tournament.objects.get(slug=EVENT)
    Tournament.objects.bulk_create(_copy(event, n) for n in range(EVENTS))
    players = list(Player.objects.order_by("pk")[:40])
    Game.objects.bulk_create(
        Game(
            stream=f"tournament/{EVENT}",
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


def _copy(event: Any, number: int) -> Any:
    """Return an event with the settings of another one, not saved."""
    values = {field.attname: getattr(event, field.attname) for field in event._meta.concrete_fields}
    return type(event)(**values | {"id": None, "slug": f"{EVENT}-{number}"})


def as_json(rows: Any) -> bytes:
    """Return the first 100 rows as JSON."""
    return json.dumps(list(rows[:100]), default=str).encode()


def bare_games() -> bytes:
    from games.queries import GAME_FIELDS, visible_games

    return as_json(visible_games(None).order_by("id").values(*GAME_FIELDS))


def bare_players() -> bytes:
    from games.queries import unmerged_players
    from games.views.players import PUBLIC_PLAYER_FIELDS

    return as_json(unmerged_players().order_by("id").values(*PUBLIC_PLAYER_FIELDS))


def bare_tournaments() -> bytes:
    from tournament.queries import visible_tournaments
    from tournament.views.tournaments import EVENT_COLUMNS

    return as_json(visible_tournaments(None, "").order_by("id").values(*EVENT_COLUMNS))


def bare_entries() -> bytes:
    from tournament.models import Tournament
    from tournament.queries import listed_entries
    from tournament.views.entries import EntryList

    event = Tournament.objects.get(slug=EVENT)
    return as_json(listed_entries(event.pk).order_by("id").values(*EntryList.fields))


LISTS = {
    "games": bare_games,
    "players": bare_players,
    "tournaments": bare_tournaments,
    f"tournaments/{EVENT}/entries": bare_entries,
}
"""The addresses of lists, and what their pages cost at least."""


def seconds(call: Callable[[], object]) -> float:
    """Return the seconds of the processor that one call takes."""
    start = time.thread_time()
    call()
    return time.thread_time() - start


def compare(application: Any, path: str, bare: Callable[[], bytes]) -> float:
    """Print the medians of a list and of the comparison; return their ratio."""
    address = f"/api/v1/{path}?limit=100"

    def by_api() -> None:
        status, _, body = get(application, address, encoding="identity")
        assert status == "200 OK", body[:400]

    for call in (bare, by_api, bare, by_api):
        call()
    assert len(json.loads(get(application, address, encoding="identity")[2])["results"]) == 100
    times = [(seconds(bare), seconds(by_api)) for _ in range(ROUNDS)]
    bare_time, api_time = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(api / least for least, api in times)
    missed = "" if ratio <= MOST else "   missed"
    print(f"  {path:<30} {bare_time * 1000:8.2f} {api_time * 1000:8.2f} {ratio:7.2f}{missed}")
    return ratio


def main() -> int:
    """Print a line for each list; return 1 if one misses the goal."""
    with empty_database():
        from django.conf import settings

        settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous": 10**9}
        fill()
        application = import_module("deploy.asgi").django_application
        print("A page of 100 rows, ms of the processor   bare      API   ratio")
        ratios = [compare(application, path, bare) for path, bare in LISTS.items()]
        print(f"  goal: at most {MOST}")
    return 1 if max(ratios) > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
