"""Play an event of 16 players from its draft to its final standings, by the API alone.

PERIHELION_URL and PERIHELION_TOKEN name the service and the organiser. The program follows the
event by its stream and by a webhook, and prints what it saw as JSON. `standings.xlsx` has the end.
"""

import json
import os
import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
from standardwebhooks import Webhook, WebhookVerificationError

API = os.environ["PERIHELION_URL"] + "/api/v1"
TOKEN = os.environ["PERIHELION_TOKEN"]
ROUNDS = 5
NAMES = [
    "Ada",
    "Ben",
    "Cleo",
    "Dan",
    "Eve",
    "Finn",
    "Gia",
    "Hal",
    "Ida",
    "Jon",
    "Kim",
    "Leo",
    "Mia",
    "Ned",
    "Ola",
    "Pia",
]
WAIT = {"Prefer": "wait=10"}

http = httpx.Client(timeout=60)


def call(method: str, path: str, *, token: str = TOKEN, **more: Any) -> httpx.Response:
    """Send a request; a POST gets a key, so that sending it again acts once. A problem raises."""
    headers = {"Authorization": f"Bearer {token}"} | more.pop("headers", {})
    if method == "POST":
        headers = {"Idempotency-Key": str(uuid.uuid4())} | headers
    response = http.request(method, API + path, headers=headers, **more)
    if response.is_error:
        raise RuntimeError(f"{method} {path}: {response.text}")
    return response


def rows(path: str) -> Iterator[dict[str, Any]]:
    """All rows of a list, page by page."""
    address: str | None = API + path
    while address:
        page = call("GET", address.removeprefix(API)).json()
        yield from page["results"]
        address = page["next"]


def act(path: str, action: str, **more: Any) -> Any:
    """Do what a director does with an object, if it is as we read it now."""
    tag = call("GET", path).headers["ETag"]
    return call("POST", f"{path}/{action}", headers={"If-Match": tag} | WAIT, **more).json()


class Follower:
    """The kinds and data of what is published, as it arrives, each line of the journal once."""

    def __init__(self) -> None:
        self.lines: dict[int, dict[str, Any]] = {}
        self.repeated = 0
        self.is_final = threading.Event()

    def take(self, line: dict[str, Any], kind: str) -> None:
        self.repeated += line["sequence"] in self.lines
        self.lines[line["sequence"]] = line["data"] | {"kind": kind}
        if kind == "tournament.finalised":
            self.is_final.set()

    def results(self) -> list[list[Any]]:
        """Game and result of each confirmed game, in the order of their arrival."""
        found = [line for line in self.lines.values() if line["kind"] == "game.confirmed"]
        return [[line["game_id"], line["result"]] for line in found]


def follow_stream(slug: str, follower: Follower, connections: list[str]) -> None:
    """Read the stream; it is closed once in the middle, and goes on after the last event."""
    last = "0"
    while not follower.is_final.is_set():
        connections.append(last)
        headers = {"Last-Event-ID": last, "Accept": "text/event-stream"}
        with httpx.stream(
            "GET", f"{API}/tournaments/{slug}/stream", headers=headers, timeout=60
        ) as stream:
            for text in stream.iter_lines():
                if text.startswith("id:"):
                    last = text[3:].strip()
                if text.startswith("data:"):
                    line = json.loads(text[5:])
                    if "sequence" in line:  # what is in no journal has none
                        follower.take(line, line["type"])
                    is_middle = len(connections) == 1 and len(follower.results()) == 20
                    if is_middle or follower.is_final.is_set():
                        break


def receive_webhooks(follower: Follower, secrets: list[str]) -> ThreadingHTTPServer:
    """Start a server that takes what is signed with the first secret."""

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                message = Webhook(secrets[0]).verify(body, dict(self.headers))
            except WebhookVerificationError:
                self.send_response(401)
            else:
                self.send_response(204)
                follower.take(message, message["type"])
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def create_event() -> tuple[str, dict[str, Any]]:
    """Create an event of the first game on its smallest board; its slug and settings."""
    game = call("GET", "/rulesets").json()["results"][0]
    event = {
        "slug": f"bots-{uuid.uuid4().hex[:8]}",
        "name": "Open of the bots",
        "starts_on": str(date.today()),
        "ends_on": str(date.today()),
        "ruleset": game["code"],
        "board_size": min(game["board_sizes"], key=int),
        "system": "dutch",
        "rounds": ROUNDS,
        "pool": "star",
    }
    call("POST", "/tournaments", params={"dry_run": 1}, json=event)
    assert not list(rows(f"/tournaments?slug={event['slug']}"))
    created = call("POST", "/tournaments", json=event)
    return created.json()["slug"], event


def enter_players(slug: str) -> None:
    for number, name in enumerate(NAMES):
        player = {"name": f"{name} Bot", "seed_rating": 2000 - 20 * number}
        registered = call("POST", "/players", json=player).json()
        entry = {"player_id": registered["id"]}
        key = {"Idempotency-Key": f"{slug}-{registered['id']}"}
        first, again = (
            call("POST", f"/tournaments/{slug}/entries", json=entry, headers=key) for _ in range(2)
        )
        assert again.headers["Idempotent-Replayed"] == "true"
        assert first.json() == again.json()


def play_round(slug: str, number: int, event: dict[str, Any], token: Callable[[int], str]) -> None:
    path = f"/tournaments/{slug}/rounds/{number}"
    act(path, "pair", params={"dry_run": 1})
    act(path, "pair")
    boards = act(path, "publish")["rows"]
    chance = random.Random(number)

    slips = [{"board": row["board"], "result": chance.choice(["1-0", "0-1"])} for row in boards[:4]]
    call("POST", f"{path}/results", json={"basis": "slip", "results": slips})

    for row in boards[4:7]:  # one player claims, the other confirms or disputes
        first, second = (token(row[seat]["id"]) for seat in ("first", "second"))
        game = f"/games/{row['game_id']}"
        claim = {"claim": {"result": chance.choice(["1-0", "0-1"]), "termination": "resigned"}}
        call("POST", f"{game}/reports", token=first, json=claim, headers=WAIT)
        if (number, row) != (2, boards[6]):
            call("POST", f"{game}/confirm", token=second, headers=WAIT)
            continue
        dispute = {"reason": "I have won"}
        call("POST", f"{game}/dispute", token=second, json=dispute, headers=WAIT)
        ruling = {"result": "0-1", "reason": "both stopped at a finished board"}
        assert act(game, "rule", json=ruling)["task"]["state"] == "done"

    for row in boards[7:]:  # both players send the record
        moves = "1. S10 T10 2. resign"
        record = f'[Game "{event["ruleset"]}"]\n[Board "{event["board_size"]}"]\n{moves}'
        for seat in ("first", "second"):
            sent = call(
                "POST",
                f"/games/{row['game_id']}/reports",
                token=token(row[seat]["id"]),
                content=record,
                headers=WAIT | {"Content-Type": "text/plain"},
            )
        assert sent.json()["task"]["response"]["state"] == "confirmed", sent.text
    act(path, "complete")


TURNS = ["S10", "swap", "T10", "A10", "resign"]


def play_by_turns(event: dict[str, Any]) -> list[Any]:
    """Let two bots play an event by turns, each as it finds that it is to move; its games."""
    settings = {"slug": f"{event['slug']}-turns", "name": "Turns of the bots", "play": "by_turns"}
    settings |= {"system": "round-robin", "rounds": 1, "days_per_turn": 3}
    path = f"/tournaments/{call('POST', '/tournaments', json=event | settings).json()['slug']}"
    act(path, "open")
    tokens = []
    for name in ("Uma Bot", "Vic Bot"):
        player = call("POST", "/players", json={"name": f"{name} of turns"}).json()
        entry = call("POST", f"{path}/entries", json={"player_id": player["id"]}).json()
        tokens.append(call("POST", f"{path}/entries/{entry['id']}/token").json()["token"])
    act(path, "start")
    act(f"{path}/rounds/1", "pair")
    act(f"{path}/rounds/1", "publish")
    for number, turn in enumerate(TURNS, start=1):
        steps = [
            (token, step)
            for token in tokens
            for step in call("GET", "/me/next", token=token).json()["results"]
            if step["to_do"] == "move"
        ]
        ((token, step),) = steps
        sent = {"number": number, "turns": [turn]}
        call("POST", f"/games/{step['game_id']}/live/turns", token=token, json=sent)
    while (game := call("GET", f"/games/{step['game_id']}").json())["state"] == "open":
        time.sleep(0.2)
    act(f"{path}/rounds/1", "complete")
    act(path, "review")
    return [game["basis"], game["winner"], act(path, "finalise")["state"]]


def main() -> None:
    stream, webhook = Follower(), Follower()
    slug, event = create_event()
    path = f"/tournaments/{slug}"

    secrets: list[str] = []
    server = receive_webhooks(webhook, secrets)
    endpoint = {"tournament_slug": slug, "receiver_url": f"http://127.0.0.1:{server.server_port}/"}
    secrets.append(call("POST", "/webhooks", json=endpoint).json()["secret"])
    connections: list[str] = []
    listener = threading.Thread(target=follow_stream, args=(slug, stream, connections), daemon=True)

    act(path, "open")
    listener.start()
    enter_players(slug)
    act(path, "start")
    entries = list(rows(f"{path}/entries?limit=7"))
    tokens = {
        row["id"]: call("POST", f"{path}/entries/{row['id']}/token").json()["token"]
        for row in entries
    }
    for number in range(1, ROUNDS + 1):
        play_round(slug, number, event, tokens.__getitem__)
    act(path, "review")
    act(path, "finalise")

    listener.join(60)
    webhook.is_final.wait(60)
    server.shutdown()
    Path("standings.xlsx").write_bytes(call("GET", f"{path}/standings.xlsx").content)
    seen = {
        "slug": slug,
        "entries": len(entries),
        "connections": len(connections),
        "stream": stream.results(),
        "webhook": webhook.results(),
        "repeated": [stream.repeated, webhook.repeated],
        "by_turns": play_by_turns(event),
    }
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
