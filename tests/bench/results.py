"""Time 100 results of a round in one request, and compare with the goal.

    python -m tests.bench.results

Measured is the processor time of the whole stack: middleware, view, journal, settlement, and the
response with all boards. Each request is for another event; the first is not counted, because it
loads the game and its board.
"""

import statistics
import sys
import time

from tests.bench.database import empty_database

BOARDS = 100
EVENTS = 6
GOAL = 0.3
"""Seconds."""


def seconds_by_event() -> list[float]:
    """Enter the results of the first round of each event in one request; return the seconds."""
    from tests.events import make_event, make_players
    from tests.people import make_person

    organiser = make_person("Organiser")
    players = make_players(2 * BOARDS)
    results = [
        {"board": board, "result": "1-0", "score": f"{11 + board % 8}-{10 - board % 8}"}
        for board in range(1, BOARDS + 1)
    ]
    seconds = []
    for number in range(EVENTS):
        event = make_event(organiser, slug=f"event-{number}", rounds=1)
        event.enter(*players)
        event.step("open", "start").publish(1)
        body = {"results": results, "basis": "slip"}
        start = time.process_time()
        response = organiser.post(f"{event.path}/rounds/1/results", body, Host="localhost")
        seconds.append(time.process_time() - start)
        assert response.json()["missing"] == 0, response.content
    return seconds


def main() -> int:
    """Print the times; return 1 if the median misses the goal."""
    with empty_database():
        first, *others = seconds_by_event()
    median = statistics.median(others)
    print(
        f"{BOARDS} results in one request: {median * 1000:.0f} ms, the first {first * 1000:.0f} ms"
    )
    print(f"goal: {GOAL * 1000:.0f} ms")
    return int(median > GOAL)


if __name__ == "__main__":
    sys.exit(main())
