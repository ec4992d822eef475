"""Load for a service whose processes are killed: events that are played through the REST API.

A client repeats a request until it is answered. A request that was sent and got no answer may have
been carried out, so each client counts these; a problem as the answer means that nothing changed.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from random import Random, choice
from typing import Any, Final

import httpx

from tests.events import FIRST_WINS, SECOND_WINS, SET_UP

PLAYERS: Final = 16
ROUNDS: Final = 5
REPORTERS: Final = 6
"""Threads that report the games of an event."""

PATIENCE: Final = 180.0
"""Seconds until an answer, or until a game is settled; a recovery takes a tenth of it."""

TEMPORARY: Final = (429, 502, 503, 507)
"""Statuses with which the service asks for another attempt."""

RECORDS: Final = {"first": FIRST_WINS, "second": SECOND_WINS}
SCORES: Final = {"first": "11-10", "second": "10-11"}


@dataclass(slots=True)
class Answer:
    """The answer to a request, and how many attempts before it got none."""

    status: int
    body: Any
    unanswered: int

    @property
    def is_success(self) -> bool:
        return self.status < 300


@dataclass(slots=True)
class GameReports:
    """What the clients know about a game: the reports that were acknowledged, by id."""

    game: int
    winner: str
    acknowledged: dict[int, tuple[str, str]] = field(default_factory=dict)


@dataclass(slots=True)
class Load:
    """Events played one after the other, by the threads of any number of callers of `play`."""

    address: str
    token: str
    seed: int
    rounds: int = ROUNDS
    others: Sequence[str] = ()
    """More addresses of the service; each request goes to any of them."""
    ended: threading.Event = field(default_factory=threading.Event)
    statuses: Counter[int] = field(default_factory=Counter)
    events: dict[str, list[GameReports]] = field(default_factory=dict)
    player_ids: list[int] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def register_players(self) -> None:
        """Register the players of all events; nothing is killed yet."""
        with httpx.Client(base_url=self.address, trust_env=False, timeout=60) as http:
            rows = "".join(f"Player {n},POR,{2000 - 10 * n}\n" for n in range(1, PLAYERS + 1))
            response = http.post(
                "/api/v1/players/import",
                content="name,country,seed_rating\n" + rows,
                headers={"Authorization": f"Bearer {self.token}", "Content-Type": "text/csv"},
            )
            self.player_ids = [line["player"]["id"] for line in response.json()["rows"]]

    def play(self, name: str) -> None:
        """Play events until the load is ended; the last one is played to its end."""
        number = 0
        while not self.ended.is_set():
            number += 1
            with ExitStack() as stack:
                self.event(f"{name}-{number}", stack).play()

    def event(self, slug: str, stack: ExitStack) -> "EventUnderLoad":
        """Return an event that is to be played."""
        return EventUnderLoad(self, slug, stack)

    def figures(self) -> str:
        """Return how much was played, and the number of answers by status."""
        games = sum(len(games) for games in self.events.values())
        statuses = ", ".join(
            f"{count} x {status}" for status, count in sorted(self.statuses.items())
        )
        return f"{len(self.events)} events, {games} games; answers (0 is none): {statuses}"

    def count(self, status: int) -> None:
        """Count an answer; 0 is no answer."""
        with self.lock:
            self.statuses[status] += 1


@dataclass(slots=True)
class Caller:
    """A client with a token that repeats a request until it is answered."""

    load: Load
    token: str
    http: httpx.Client

    def send(
        self, method: str, path: str, body: Any = None, *, prefer: str = "", key: str = ""
    ) -> Answer:
        """Send a request until there is an answer that does not ask for another attempt."""
        headers = {"Authorization": f"Bearer {self.token}"}
        if prefer:
            headers["Prefer"] = prefer
        if key:
            headers["Idempotency-Key"] = key
        unanswered = 0
        end = time.monotonic() + PATIENCE
        while True:
            url = f"{choice((self.load.address, *self.load.others))}/api/v1/{path}"
            try:
                response = self.http.request(method, url, json=body, headers=headers)
            except httpx.ConnectError:
                self.load.count(0)
            except httpx.TransportError:
                self.load.count(0)
                unanswered += 1
            else:
                self.load.count(response.status_code)
                if response.status_code not in TEMPORARY:
                    return Answer(response.status_code, response.json(), unanswered)
            assert time.monotonic() < end, f"{method} {path} is not answered"
            time.sleep(0.5)

    def get(self, path: str) -> Any:
        """Return the body of a resource."""
        answer = self.send("GET", path)
        assert answer.is_success, answer
        return answer.body

    def ensure(self, path: str, is_done: Callable[[], bool], body: Any = None) -> None:
        """Send a POST request until it succeeds, or an unanswered one turns out to be done."""
        end = time.monotonic() + PATIENCE
        unanswered = 0
        while not (answer := self.send("POST", path, body)).is_success:
            unanswered += answer.unanswered
            if unanswered and is_done():
                return
            assert answer.body["code"] in ("results_open", "round_open"), (path, answer)
            assert time.monotonic() < end, (path, answer)
            time.sleep(1)


class EventUnderLoad:
    """An event of one organiser and players with personal tokens."""

    def __init__(
        self, load: Load, slug: str, stack: ExitStack, *, source: str | None = None
    ) -> None:
        """Create the clients; their connections come from `source`, an address of this machine."""
        self.load = load
        self.slug = slug
        self.path = f"tournaments/{slug}"
        self.source = Random(f"{load.seed} {slug}")
        transport = httpx.HTTPTransport(local_address=source, trust_env=False)
        self.http = stack.enter_context(
            httpx.Client(base_url=load.address, transport=transport, timeout=30)
        )
        self.reporters = stack.enter_context(ThreadPoolExecutor(REPORTERS))
        self.organiser = Caller(load, load.token, self.http)
        self.players: dict[int, Caller] = {}

    def play(self) -> None:
        """Play the event from its creation until its games are rated."""
        body = SET_UP | {
            "slug": self.slug,
            "name": self.slug,
            "system": "dutch",
            "rounds": self.load.rounds,
            "pool": "star",
            "rated": True,
        }
        self.organiser.ensure("tournaments", self.exists, body)
        self.load.events[self.slug] = []
        self.change_state("open", "registration")
        list(self.reporters.map(self.enter, self.players_to_enter()))
        self.change_state("start", "running")
        for number in range(1, self.load.rounds + 1):
            self.play_round(number)
        self.change_state("review", "review")
        self.change_state("finalise", "final")

    def players_to_enter(self) -> Sequence[int]:
        """Return the players of this event: all that are registered."""
        return self.load.player_ids

    def exists(self) -> bool:
        """Return True if the event has been created."""
        return self.organiser.send("GET", self.path).is_success

    def change_state(self, action: str, state: str) -> None:
        """Bring the event to its next state."""
        self.organiser.ensure(
            f"{self.path}/{action}", lambda: self.organiser.get(self.path)["state"] == state
        )

    def enter(self, player: int) -> None:
        """Enter a player and issue their token."""
        answer = self.organiser.send("POST", f"{self.path}/entries", {"player_id": player})
        if answer.is_success:
            entry = answer.body["id"]
        else:
            assert answer.unanswered, answer
            rows = self.organiser.get(f"{self.path}/entries")["results"]
            (entry,) = (row["id"] for row in rows if row["player"]["id"] == player)
        answer = self.organiser.send("POST", f"{self.path}/entries/{entry}/token")
        self.players[player] = Caller(self.load, answer.body["token"], self.http)

    def play_round(self, number: int) -> None:
        """Pair and publish a round, report its games at once, and complete it."""
        path = f"{self.path}/rounds/{number}"

        def has_state(*states: str) -> Callable[[], bool]:
            return lambda: self.organiser.get(path)["state"] in states

        self.organiser.ensure(f"{path}/pair", has_state("drafted"))
        self.organiser.ensure(f"{path}/publish", has_state("published"))
        rows = self.organiser.get(f"{path}/pairings")["rows"]
        choices = [
            (row, self.source.choice(("first", "second")), self.source.randrange(5)) for row in rows
        ]
        list(self.reporters.map(lambda choice: self.play_game(*choice), choices))
        self.organiser.ensure(f"{path}/complete", has_state("complete"))

    def play_game(self, row: dict[str, Any], winner: str, way: int) -> None:
        """Report a game in one of five ways."""
        reports = GameReports(row["game_id"], winner)
        self.load.events[self.slug].append(reports)
        first, second = (self.players[row[seat]["player"]["id"]] for seat in ("first", "second"))
        path = f"games/{row['game_id']}"
        record = {"record": RECORDS[winner]}
        if way == 0:
            self.report(reports, first, f"{path}/reports", record)
            self.report(reports, second, f"{path}/reports", record)
        elif way == 1:
            self.report(reports, first, f"{path}/reports", record, prefer="wait=5")
            self.report(reports, second, f"{path}/confirm", {}, prefer="wait=5")
        elif way == 2:
            claim = {"claim": {"result": SCORES[winner]}}
            self.report(reports, first, f"{path}/reports", claim)
            self.report(reports, second, f"{path}/reports", claim)
        else:
            if way == 3:
                self.report(reports, second, f"{path}/reports", record)
                self.report(reports, first, f"{path}/dispute", {"reason": "another score"})
            ruling = {"result": SCORES[winner], "reason": "checked at the board"}
            self.report(reports, self.organiser, f"{path}/rule", ruling)

    def report(
        self, reports: GameReports, caller: Caller, path: str, body: Any, *, prefer: str = ""
    ) -> None:
        """Send a report and store that it was acknowledged.

        A report that repeats an unanswered one is that one.
        """
        answer = caller.send("POST", path, body, prefer=prefer)
        assert answer.is_success, (path, answer)
        report = answer.body["report"]
        reports.acknowledged[report["id"]] = (report["kind"], report["seat"] or "")
