"""Games that are followed while they are played.

    python -m tests.bench.live [--small] [--seed N]

An official keeps the records of 200 games of one event, two turns a minute each, which begin at any
time of the first two minutes. 500 followers with an open event stream each, from 50 addresses, who
come in that time too, look on: three fifths at one game, half of them at the same one, the others
at the overview of the event. They load what their page would load after a turn. Beside them, one
reader opens pages of the event before and during the load. The service
(`manage.py up`, with its usual limits for strangers, and the environment's DATABASE_URL and
WEB_PROCESSES) runs beside the programs that send, which are niced, on the same machine.

Printed are the machine, the times of turns, pages and of what followers load, how long after its
entry a turn reaches them, and the memory of the web server, with the goals: no request is refused,
a page takes at most twice as long as before, each turn is seen within two seconds, and the memory
does not grow.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime
from multiprocessing import Event, Process, Queue
from random import Random
from statistics import mean, median
from typing import Any, Final

import httpx

from games.rules.conditions import Conditions
from games.rules.registry import find_game
from tests.bench.national import ADDRESSES, client_at, machine, spread, uses
from tests.deploy.service import Service, service_under_load

SLUG: Final = "lantern-open"
GAME, BOARD = "star-star", "10"
EVENT: Final = f"/api/v1/tournaments/{SLUG}"
PAGES: Final = (f"/e/{SLUG}", f"/e/{SLUG}/rounds/1", f"/e/{SLUG}/players", f"/e/{SLUG}/wall")
SLOWER, SEEN, GROWTH = 2.0, 2.0, 1.1
"""The goals: how many times as long a page may take, the seconds until a turn is seen, and the
memory at the end in parts of that after a quarter of the time."""

SPREADS: Final = {"game": 0.8, "event": 1.0}
"""Seconds in which the pages of all followers load what is new, as their scripts do."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large the load is, and how long it lasts."""

    games: int = 200
    followers: int = 500
    seconds: float = 600.0
    pause: float = 30.0
    """Seconds between two turns of a game."""
    arrival: float = 120.0
    """Seconds in which the games begin and the followers come."""


SMALL: Final = Size(games=8, followers=20, seconds=30.0, pause=6.0, arrival=6.0)


def set_up(service: Service, games: int) -> list[int]:
    """Create an event whose first round has so many games; return their ids."""
    headers = {"Authorization": f"Bearer {service.token}", "If-Match": "*"}
    with httpx.Client(base_url=service.address, headers=headers, trust_env=False) as http:

        def send(path: str, **body: Any) -> None:
            http.post(f"{EVENT}{path}", timeout=300, **body).raise_for_status()

        settings = {
            "slug": SLUG,
            "name": "Lantern Open",
            "starts_on": "2026-05-01",
            "ends_on": "2026-05-03",
            "ruleset": GAME,
            "board_size": BOARD,
            "swap": False,
            "system": "dutch",
            "rounds": 3,
        }
        http.post("/api/v1/tournaments", json=settings, timeout=60).raise_for_status()
        rows = "".join(f"Player {n},POR,{1200 + n}\n" for n in range(2 * games))
        content = f"name,country,seed_rating\n{rows}"
        send("/entries/import", content=content, headers={"Content-Type": "text/csv"})
        for step in ("open", "start", "rounds/1/pair", "rounds/1/publish"):
            send(f"/{step}", json={})
        found = http.get(f"{EVENT}/rounds/1/pairings", params={"limit": games}, timeout=60).json()
    return [row["game_id"] for row in found["rows"]]


def some_turns(source: Random, count: int) -> list[str]:
    """Return turns that fill empty cells, which are legal in every game of stones."""
    start = find_game(GAME).start(Conditions(game=GAME, board=BOARD, swap=False))
    return source.sample(start.board.names, count)


@dataclass(slots=True)
class Found:
    """What a program has measured: times by what was done, and statuses."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: Counter[int] = field(default_factory=Counter)

    async def request(self, what: str, http: httpx.AsyncClient, path: str, **more: Any) -> None:
        """Send a request, by default a GET, and note how long it took and what it led to."""
        start = time.perf_counter()
        try:
            answer = await http.request(more.pop("method", "GET"), path, **more)
            self.statuses[answer.status_code] += 1
        except httpx.HTTPError:
            self.statuses[0] += 1
        self.seconds[what].append(time.perf_counter() - start)


async def keep(address: str, token: str, games: Sequence[int], size: Size, seed: int) -> Found:
    """Enter the turns of all games, at a steady rate."""
    found = Found()
    count = int(size.seconds / size.pause) + 2
    headers = {"Authorization": f"Bearer {token}"}
    async with client_at("127.0.2.1", address) as http:
        http.headers.update(headers)

        async def play(game: int) -> None:
            source = Random(f"{seed} {game}")
            turns, begin = some_turns(source, count), source.uniform(0, size.arrival)
            await asyncio.sleep(begin)
            ends = time.monotonic() + size.seconds - begin
            for ply, turn in enumerate(turns, 1):
                start = time.monotonic()
                if start > ends:
                    return
                path, body = f"/api/v1/games/{game}/live", {}
                if ply == 1:
                    await found.request("begin", http, path, method="POST", json=body)
                body = {"number": ply, "turns": [turn]}
                await found.request("turn", http, f"{path}/turns", method="POST", json=body)
                await asyncio.sleep(max(0.0, start + size.pause - time.monotonic()))

        await asyncio.gather(*(play(game) for game in games))
    return found


async def follow(address: str, games: Sequence[int], size: Size, seed: int, ended: Any) -> Found:
    """Follow games and the event, and load what the pages load."""
    found = Found()

    async def listen(number: int, http: httpx.AsyncClient) -> None:
        source = Random(f"{seed} {number}")
        await asyncio.sleep(source.uniform(0, size.arrival))
        kind = "game" if number % 5 < 3 else "event"
        game = games[0] if source.random() < 0.5 else source.choice(games)
        path = f"/api/v1/games/{game}/stream" if kind == "game" else f"{EVENT}/stream?boards=1"
        first = f"/games/{game}" if kind == "game" else f"/e/{SLUG}"
        await found.request("first page", http, first)
        versions: dict[str, int] = {}
        waiting: set[asyncio.Task[None]] = set()

        async def load(what: str, address: str) -> None:
            await asyncio.sleep(source.uniform(0, SPREADS[kind]))
            await found.request(what, http, address, follow_redirects=True)

        async with http.stream("GET", path, timeout=None) as stream:
            found.statuses[stream.status_code] += 1
            async for line in stream.aiter_lines():
                if not line.startswith("data: "):
                    continue
                data = json.loads(line.removeprefix("data: "))
                wanted = []
                if kind == "game" and data["data"] and data["data"]["turns"]:
                    at = datetime.fromisoformat(data["data"]["turn_since"]).timestamp()
                    if data["data"]["version"] > versions.get("", 0) > 0:
                        found.seconds["turn to follower"].append(time.time() - at)
                        wanted = [("page", f"/games/{game}/{len(data['data']['turns'])}")]
                    versions[""] = data["data"]["version"]
                elif "versions" in data:
                    versions |= data["versions"]
                    shown = sorted(versions, key=int)[:6]
                    wanted = [
                        ("board", f"/e/{SLUG}/live/{each}/{versions[each]}")
                        for each in shown
                        if each in data["versions"]
                    ]
                for what, address in wanted:
                    task = asyncio.create_task(load(what, address))
                    waiting.add(task)
                    task.add_done_callback(waiting.discard)

    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(client_at(f"127.0.1.{number + 1}", address))
            for number in range(min(ADDRESSES, size.followers))
        ]
        for client in clients:
            client.headers["Accept-Encoding"] = "gzip"
        listening = [
            asyncio.create_task(listen(number, clients[number % len(clients)]))
            for number in range(size.followers)
        ]
        while not ended.is_set():
            await asyncio.sleep(0.5)
        lost = sum(task.done() for task in listening)  # a stream that has ended too early
        found.statuses[0] += lost
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
    return found


def run(what: Any, out: Any, *arguments: Any) -> None:
    """Run one of the programs above in a process of its own, below the service."""
    os.nice(10)
    out.put(asyncio.run(what(*arguments)))


async def read(address: str, seconds: float) -> Found:
    """Open pages of the event, one after the other."""
    found, ends = Found(), time.monotonic() + seconds
    async with client_at("127.0.3.1", address) as http:
        while time.monotonic() < ends:
            for page in PAGES:
                await found.request("page", http, page)
                await asyncio.sleep(0.25)
    return found


def measure(service: Service, size: Size, seed: int) -> bool:
    """Follow the games, print the figures, and return whether the goals are met."""
    games = set_up(service, size.games)
    before = asyncio.run(read(service.address, max(10.0, size.seconds / 10)))
    ended, kept, followed = Event(), Queue(), Queue()
    arguments = (service.address, service.token, games, size, seed)
    keeper = Process(target=run, args=(keep, kept, *arguments))
    follower = Process(
        target=run, args=(follow, followed, service.address, games, size, seed, ended)
    )
    used, began = uses(service), time.monotonic()
    for program in (follower, keeper):
        program.start()
    during, memory = Found(), []
    while time.monotonic() - began < size.seconds:
        part = asyncio.run(read(service.address, size.seconds / 20))
        during.seconds["page"] += part.seconds["page"]
        during.statuses += part.statuses
        memory.append(uses(service)["web server"].bytes)
    lasted = time.monotonic() - began
    after = uses(service)
    kept_found = kept.get(timeout=120)
    ended.set()
    followed_found = followed.get(timeout=120)

    print("".join(machine()))
    print(f"{size.games} games, {size.followers} followers, {lasted:.0f} s")
    print(f"{'page before':20}{spread(before.seconds['page'])}")
    print(f"{'page during':20}{spread(during.seconds['page'])}")
    for found in (kept_found, followed_found):
        for what, seconds in found.seconds.items():
            print(f"{what:20}{spread(seconds)}")
    loaded = sum(map(len, followed_found.seconds.values()))
    print(f"{loaded / lasted:.1f} answers to followers a second")
    for kind, use in sorted(after.items()):
        share = (use.seconds - used[kind].seconds) / lasted if kind in used else 0.0
        print(f"{kind:20}{share:5.2f} cores, {use.bytes / 1e6:6.0f} MB")
    statuses = during.statuses + kept_found.statuses + followed_found.statuses
    print(f"answers: {dict(statuses)}")

    slower = median(during.seconds["page"]) / median(before.seconds["page"])
    seen = followed_found.seconds["turn to follower"]
    late = sum(each > SEEN for each in seen) / max(len(seen), 1)
    parts = max(len(memory) // 4, 1)
    growth = mean(memory[-parts:]) / mean(memory[parts : 2 * parts] or memory)
    refused = sum(count for status, count in statuses.items() if not 200 <= status < 400)
    goals = {
        "no request is refused": (f"{refused} refused", refused == 0),
        f"a page takes at most {SLOWER} times as long": (f"{slower:.2f}", slower <= SLOWER),
        f"a turn is seen within {SEEN:.0f} s": (f"{late:.1%} later", bool(seen) and late <= 0.01),
        "the memory does not grow": (f"{growth:.2f} times", growth <= GROWTH),
    }
    print()
    for goal, (figure, is_met) in goals.items():
        print(f"goal: {goal}: {figure}: {'met' if is_met else 'missed'}")
    return all(is_met for _, is_met in goals.values())


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.live", description=__doc__)
    parser.add_argument("--small", action="store_true", help="a minute, to see that it runs")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with service_under_load() as service:
        return 0 if measure(service, SMALL if options.small else Size(), options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
