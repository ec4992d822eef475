"""`make demo`: play Harbour Open through the REST API, and leave Evening League in progress.

This imports nothing of the service except the sample files, so any program in any language can do
the same.

Exit status: 0, 1 if a request was rejected, 2 without a service or a token.
"""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from deploy.samples.event import PLAYERS_FILE, SAMPLES, SampleEvent, SampleRound, read_event

LEAGUE = {
    "slug": "evening-league",
    "name": "Evening League",
    "place": "Club room",
    "time_zone": "Europe/London",
    "ruleset": "star-star",
    "board_size": "6",
    "main_minutes": 45,
    "increment_seconds": 10,
    "system": "dutch",
    "rounds": 5,
    "rated": False,
}


class DemoError(Exception):
    """Why the demo cannot continue, in one sentence, and its exit status."""

    def __init__(self, sentence: str, exit_status: int = 1) -> None:
        super().__init__(sentence)
        self.exit_status = exit_status


class Client(httpx.Client):
    """A connection to the service with the organiser's token; a request may use another one."""

    def call(self, method: str, path: str, body: Any = None, *, token: str = "") -> Any:
        """Send JSON, or a text as a file; wait for the task, and return what is answered."""
        content: dict[str, Any] = {"json": body}
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if isinstance(body, str):
            content = {"content": body.encode()}
            headers["Content-Type"] = "application/octet-stream"
        try:
            response = self.request(method, path, headers=headers, **content)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            hint = f"({error}); is `make run` running, on the same PORT?"
            raise DemoError(f"no service responds at {self.base_url} {hint}", 2) from error
        if response.status_code == httpx.codes.TOO_MANY_REQUESTS:
            time.sleep(float(response.headers["Retry-After"]))
            return self.call(method, path, body, token=token)
        if response.is_error:
            answer = f"{response.status_code} {response.text[:400]}"
            raise DemoError(f"{method} {path} was rejected: {answer}")
        found = response.json()
        if response.status_code == httpx.codes.ACCEPTED:
            task = self.call("GET", f"tasks/{found['task']['id']}")
            while task["state"] in ("waiting", "running"):
                time.sleep(task["retry_after"] or 1)
                task = self.call("GET", f"tasks/{task['id']}")
            return found | (task["response"] or {})
        return found


@dataclass(slots=True)
class Event:
    """An event in the service: its path, and the ids and tokens of its players by name."""

    client: Client
    sample: SampleEvent
    path: str
    players: dict[str, int]
    entries: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    def post(self, path: str, body: Any = None, *, by: str = "") -> Any:
        """Send a request of the organiser, or of a player, about the event."""
        return self.client.call("POST", f"{self.path}/{path}", body, token=self.tokens.get(by, ""))

    def enter(self, name: str) -> None:
        """Enter a player and issue the token with which they report."""
        ratings = {player.name: player.rating for player in self.sample.players}
        body = {"player_id": self.players[name], "seed_rating": ratings[name]}
        self.entries[name] = self.post("entries", body)["id"]
        self.tokens[name] = self.post(f"entries/{self.entries[name]}/token")["token"]

    def play_round(self, played: SampleRound) -> Iterator[str]:
        """Play a round as in the sample, and yield what happens."""
        place = f"round {played.number}"
        for name, kind in played.byes.items():
            if kind == "withdrawn" and self.tokens.pop(name, ""):
                self.post(f"entries/{self.entries[name]}/withdraw")
                yield f"{place}: {name} withdraws"
            if kind == "half_bye":
                bye = {"entry_id": self.entries[name], "round": played.number, "kind": kind}
                self.post("byes", bye | {"reason": "requested before the round"})
                yield f"{place}: {name} takes a half-point bye"
        for name in sorted(played.present - self.entries.keys()):
            self.enter(name)
            yield f"{place}: {name} enters late"
        path = f"rounds/{played.number}"
        date = {"starts_on": self.sample.round_dates[played.number - 1]}
        self.client.call("PATCH", f"{self.path}/{path}", date)
        self.post(f"{path}/pair")
        for row in self.post(f"{path}/publish")["rows"]:
            if row["board"]:
                self.report(played, row)
        self.post(f"{path}/complete")
        yield f"{place} is complete: {played.replayed} games, each replayed from its record"

    def report(self, played: SampleRound, row: dict[str, Any]) -> None:
        """Send the record of a game by one player and confirm it by the other, or rule it."""
        first, second = (row[seat]["player"]["name"] for seat in ("first", "second"))
        game = played.games[row["board"] - 1]
        if (game.first, game.second) != (first, second):
            expected = f"{game.first} - {game.second}"
            raise DemoError(f"board {game.board} is {first} - {second}; in the sample {expected}")
        path = f"games/{row['game_id']}"
        if game.record:
            token, other = self.tokens[first], self.tokens[second]
            sent = self.client.call("POST", f"{path}/reports", game.record, token=token)
            version = {"version": sent["report"]["version"]}
            self.client.call("POST", f"{path}/confirm", version, token=other)
        else:
            ruling = {"termination": "forfeit", "reason": "one player did not appear"}
            self.client.call("POST", f"{path}/rule", ruling | {"result": game.result})


def create_tournament(client: Client, body: dict[str, Any]) -> str:
    """Create a tournament under the first slug that is free, and return its path."""
    known = {row["slug"] for row in client.call("GET", "tournaments?limit=1000")["results"]}
    slug, number = body["slug"], 1
    while slug in known:
        number += 1
        slug = f"{body['slug']}-{number}"
    return f"tournaments/{client.call('POST', 'tournaments', body | {'slug': slug})['slug']}"


def play_event(client: Client, sample: SampleEvent, players: dict[str, int]) -> Iterator[str]:
    """Play an event and yield a line after each step."""
    event = Event(client, sample, create_tournament(client, sample.as_json()), players)
    event.post("open")
    for player in sample.players:
        if player.name in sample.rounds[0].present:
            event.enter(player.name)
    event.post("start")
    yield f"{sample.name}: {len(event.entries)} players, each with a token; the event starts"
    for sample_round in sample.rounds:
        yield from event.play_round(sample_round)
    event.post("review")
    event.post("finalise")
    yield f"the event is final and rated: {address_of(client, event.path)}"


def start_league(client: Client, players: list[int]) -> str:
    """Play two rounds of Evening League and half of the third one; return its path."""
    now = datetime.now(UTC)
    days = {"starts_on": f"{now:%F}", "ends_on": f"{now + timedelta(days=4):%F}"}
    path = create_tournament(client, LEAGUE | days)
    client.call("POST", f"{path}/open")
    client.call("POST", f"{path}/entries/import", "\n".join(["player", *map(str, players), ""]))
    client.call("POST", f"{path}/start")
    for number in (1, 2, 3):
        this_round = f"{path}/rounds/{number}"
        client.call("POST", f"{this_round}/pair")
        pairings = client.call("POST", f"{this_round}/publish")["rows"]
        if number == 3:
            client.call("PATCH", this_round, {"starts_at": f"{now:%FT%H:%MZ}"})
        boards = [row["board"] for row in pairings if row["board"]]
        played = boards[: len(boards) // 2] if number == 3 else boards
        results = [{"board": board, "result": ("1-0", "0-1")[board % 2]} for board in played]
        client.call("POST", f"{this_round}/results", {"basis": "slip", "results": results})
        if number < 3:
            client.call("POST", f"{this_round}/complete")
    return path


def address_of(client: Client, path: str) -> str:
    """Return the address of the page of an event."""
    return str(client.base_url.join(f"/e/{path.rpartition('/')[2]}"))


def play(url: str, token_file: Path) -> Iterator[str]:
    """Play both events and yield a line after each step; raises DemoError."""
    try:
        token = token_file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        hint = f"({error}); `make run` writes it on its first start"
        raise DemoError(f"no organiser's token in {token_file} {hint}", 2) from error
    headers = {"Authorization": f"Bearer {token}", "Prefer": "wait=10"}
    with Client(base_url=f"{url}/api/v1/", headers=headers, timeout=60, trust_env=False) as client:
        names = PLAYERS_FILE.read_text("utf-8")
        lines = client.call("POST", "players/import", names)["rows"]
        players = {line["player"]["name"]: line["player"]["id"] for line in lines}
        yield from play_event(client, read_event(SAMPLES / "harbour-open"), players)
        league = start_league(client, sorted(players.values())[:12])
        yield f"Evening League is in its third round: {address_of(client, league)}"


def main() -> int:
    """Run the demo and return the exit status."""
    url = f"http://127.0.0.1:{os.environ.get('PORT') or '8000'}"
    state = Path(os.environ.get("STATE_DIR") or "var")
    try:
        for line in play(url, state / "organiser-token"):
            print(line, flush=True)
    except (DemoError, KeyboardInterrupt) as error:
        print(f"demo: {str(error) or 'interrupted'}", file=sys.stderr)
        return getattr(error, "exit_status", 130)
    return 0


if __name__ == "__main__":
    sys.exit(main())
