"""An event that a test directs through the API alone."""

import csv
import io
import json
from dataclasses import dataclass
from typing import Any

from games.models import Report
from tests.events import settle
from tests.people import Person, player_of, problem_in
from tests.tournament.actions import NAMES
from tournament.rounds.acceptance import PAIRINGS, PRIZES, RANKS

WHY = {"reason": "as agreed"}
DONE = ("complete", "locked")
ENDS = ("final", "archived", "cancelled")
UNFINISHED = ("too_few_entries", "rounds_do_not_fit", "no_legal_pairing", "cannot_pair")
UNPUBLISHED = ("planned", "drafted")


@dataclass(frozen=True, slots=True)
class Call:
    """The method, the suffix of the address, and the codes that random content is refused with."""

    method: str
    suffix: str
    refusals: frozenset[str] = frozenset()


@dataclass(slots=True)
class Day:
    """An event with its organiser, and an entered player who has a login."""

    organiser: Person
    player: Person
    anonymous: Person
    path: str = "tournaments/open"
    registered: int = 0
    is_created: bool = False
    refusal: str = ""

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send a request of the organiser, which must succeed; return the content."""
        response = self.organiser.send(method, path, body, **headers)
        assert response.status_code < 300, (method, path, body, response.content[:600])
        return response.json() if response.content else None

    def create(self, players: int, **settings: Any) -> None:
        """Create the event and enter players; the last one has a login."""
        set_up = {"name": "Open", "slug": "open", "starts_on": "2026-05-01"}
        self.ask("POST", "tournaments", {**set_up, "ends_on": "2026-05-03", **settings})
        lines = "".join(f"Player {n},POR,{2000 - 10 * n}\n" for n in range(1, players))
        body = f"name,country,seed_rating\n{lines}".encode()
        self.ask("POST", f"{self.path}/entries/import", body, content_type="text/csv")
        self.ask("POST", f"{self.path}/entries", {"player_id": player_of(self.player).pk})
        self.is_created = True

    def register_player(self) -> int:
        """Register another player; return their id."""
        self.registered += 1
        body = {"name": f"Late {self.registered}", "country": "POR", "seed_rating": 1500}
        return int(self.ask("POST", "players", body)["id"])

    def csv(self, path: str) -> list[dict[str, str]]:
        """Return the rows of a public file of the event."""
        response = self.anonymous.get(f"{self.path}/{path}")
        assert response.status_code == 200, (path, response.content)
        return list(csv.DictReader(io.StringIO(response.content.decode())))

    def event(self) -> dict[str, Any]:
        return dict(self.ask("GET", self.path))

    def entries(self, query: str = "") -> list[int]:
        rows = self.ask("GET", f"{self.path}/entries{query}")["results"]
        return [row["id"] for row in rows]

    def rounds(self) -> list[dict[str, Any]]:
        return list(self.ask("GET", f"{self.path}/rounds")["results"])

    def round_numbers(self) -> list[int]:
        return [row["number"] for row in self.rounds()]

    def pairings(self, number: int) -> list[dict[str, Any]]:
        return list(self.ask("GET", f"{self.path}/rounds/{number}/pairings")["rows"])

    def games(self) -> list[int]:
        """Return the games of the published rounds."""
        published = [row["number"] for row in self.rounds() if row["state"] not in UNPUBLISHED]
        return [
            row["game_id"]
            for number in published
            for row in self.pairings(number)
            if row["game_id"]
        ]

    def view(self) -> dict[str, Any]:
        """Return the entries, and what the public sees of the pairings, results and ranks."""
        settle()  # as `cancel` does
        numbers = [row["number"] for row in self.rounds() if row["state"] not in UNPUBLISHED]
        rounds = {number: self.csv(f"rounds/{number}/pairings.csv") for number in numbers}
        entries = self.ask("GET", f"{self.path}/entries")["results"]
        entries = [row | {"updated_at": None} for row in entries]  # that of the way back, too
        standings = self.csv("standings.csv") if self.rounds() else []
        return {"rounds": rounds, "entries": entries, "standings": standings}

    def step(self) -> bool:
        """Do what comes next in the event; return False if it is over or the step is refused."""
        event_steps = {"draft": "open", "registration": "start", "review": "finalise"}
        event = self.event()
        state = event["state"]
        if state == "review":  # an adjourned game has no result
            for number in self.round_numbers():
                self.enter_missing_results(number)
        if state in event_steps:
            return self.post(f"/{event_steps[state]}")
        if state != "running":
            return False
        current = next((row for row in self.rounds() if row["state"] not in DONE), None)
        if current is None:
            return self.post("/review", WHY, accept=True)
        path = f"/rounds/{current['number']}"
        if current["state"] == "planned":
            for entry in self.entries("?state=accepted") if event["check_in"] != "none" else ():
                self.post(f"/entries/{entry}/check-in")
            return self.post(f"{path}/pair", {})
        if current["state"] == "drafted":
            return self.post(f"{path}/publish", {}, accept=True)
        self.enter_missing_results(current["number"])
        return self.post(f"{path}/complete")

    def post(self, suffix: str, body: Any = None, *, accept: bool = False) -> bool:
        """Send a request of the organiser; with `accept`, accept what the refusal names."""
        response = self.organiser.post(f"{self.path}{suffix}", body)
        if accept and response.status_code == 409:
            codes = response.json().get("accept", [])
            content = {**(body or {}), "accept": codes}
            response = self.organiser.post(f"{self.path}{suffix}", content)
        self.refusal = response.content.decode() if response.status_code >= 300 else ""
        return response.status_code < 300

    def enter_missing_results(self, number: int) -> None:
        """Enter a win of the first seat for every game of a round without a result."""
        settle()
        path = f"{self.path}/rounds/{number}/results"
        rows = self.ask("GET", f"{path}?missing=1")["rows"]
        results = [
            {"board": row["board"], "return_game": row["return_game"], "result": "1-0"}
            for row in rows
        ]
        if results:
            self.ask("POST", path, {**WHY, "results": results, "basis": "ruling"})

    def finish(self) -> None:
        """Bring the event to its end, with another number of rounds if these are not possible.

        An event with too few players, or without a legal pairing, is cancelled.
        """
        for _ in range(2):
            while self.step():
                pass
            if self.event()["state"] in ENDS:
                return
            problem = json.loads(self.refusal)
            played = sum(row["state"] in DONE for row in self.rounds())
            body = {"rounds": problem.get("needed") or max(played, 1)}
            accept = [PAIRINGS, RANKS, PRIZES]
            self.organiser.patch(self.path, WHY | {"accept": accept} | body)
        assert problem["code"] in UNFINISHED, problem
        self.ask("POST", f"{self.path}/cancel", WHY)

    def list_actions(self, person: Person, path: str) -> list[dict[str, Any]]:
        """Return the `allowed_actions` of an object, none if there is no object."""
        if not path:
            return []
        response = person.get(f"{path}?actions=1")
        return list(response.json()["allowed_actions"]) if response.status_code == 200 else []

    def perform(
        self,
        person: Person,
        path: str,
        action: str,
        call: Call,
        content: dict[str, Any],
        actions: list[dict[str, Any]],
    ) -> None:
        """Send the request of an action, and compare the response with `allowed_actions`."""
        reports = Report.objects.count()
        response = person.send(call.method, f"{path}{call.suffix}", content)
        listed = {NAMES[row["operation"]]: row for row in actions}
        assert not listed or action in listed, f"{action} of {path} is not in {list(listed)}"
        context = (path, action, listed.get(action), content, response.content[:900])
        if not actions:
            assert response.status_code in (401, 403, 404), context
        elif response.status_code in (412, 422) and response.json()["code"] in call.refusals:
            assert problem_in(response, response.status_code)["detail"], context
        elif listed[action]["level"] == "forbidden" and response.status_code < 300:
            # A report that repeats the last one of its sender is not refused.
            assert path.startswith("games/"), context
            assert Report.objects.count() == reports, context
        elif listed[action]["level"] == "forbidden":
            problem = problem_in(response, response.status_code, listed[action]["code"])
            assert response.status_code in (403, 409), context
            assert problem["detail"] == listed[action]["reason"], context
            assert problem["allowed_actions"] == actions, context
        elif response.status_code >= 300:
            assert problem_in(response, 409)["detail"], context
            assert response.json()["code"] in call.refusals, context
