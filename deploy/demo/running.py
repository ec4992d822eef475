"""An event that the demo leaves in progress: two rounds are complete, the third is being played."""

from datetime import UTC, datetime, timedelta
from itertools import cycle
from typing import Any, Final

from deploy.demo.client import CSV_TYPE, DemoClient, Rejected

DEMO_PLAYERS: Final = 12
DEMO_ROUNDS: Final = 5
DEMO_RESULTS: Final = ("1-0", "0-1", "1-0", "0-1", "0-1", "1-0", "1-0")
"""The results of the boards, again and again."""


def start_running_event(client: DemoClient, ids: list[int]) -> str:
    """Create an event of these players, play two rounds and half of the third; return its slug."""
    path = f"/tournaments/{_create(client)}"
    client.post(f"{path}/open")
    lines = "\n".join(str(number) for number in ids[:DEMO_PLAYERS])
    client.post(f"{path}/entries/import", f"player\n{lines}\n", content_type=CSV_TYPE)
    client.post(f"{path}/start")
    results = cycle(DEMO_RESULTS)
    for number in (1, 2, 3):
        this_round = f"{path}/rounds/{number}"
        client.post(f"{this_round}/pair")
        boards = [
            row["board"] for row in client.post(f"{this_round}/publish")["pairings"] if row["board"]
        ]
        if number == 3:
            now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M")
            client.call("PATCH", this_round, {"starts_at": now})
        played = boards if number < 3 else boards[: len(boards) // 2]
        rows = [{"board": board, "result": next(results)} for board in played]
        client.post(f"{this_round}/results", {"basis": "slip", "results": rows})
        if number < 3:
            client.post(f"{this_round}/complete")
    return path.rpartition("/")[2]


def _create(client: DemoClient) -> str:
    """Create the tournament under the first slug that is free, and return the slug."""
    today = datetime.now(UTC).date()
    body: dict[str, Any] = {
        "name": "Evening League",
        "place": "Club room",
        "starts_on": today.isoformat(),
        "ends_on": (today + timedelta(days=4)).isoformat(),
        "game": "star-star",
        "board": "6",
        "system": "dutch",
        "rounds": DEMO_ROUNDS,
        "main_minutes": 45,
        "increment_seconds": 10,
        "rated": False,
    }
    number = 1
    while True:
        slug = f"evening-league-{number}" if number > 1 else "evening-league"
        response = client.send("POST", "/tournaments", body | {"slug": slug})
        if not response.is_problem:
            return slug
        if response.body.get("code") != "slug_taken":
            raise Rejected("POST /tournaments", response)
        number += 1
