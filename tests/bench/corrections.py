"""Time the preview of a correction in round 9 of an event of 200 players, against the goal.

    python -m tests.bench.corrections

Measured is the processor time of the whole stack: middleware, view, two tables with prizes, and the
pairing of all later rounds, each with the results as they count and as corrected. The game is of
round 1, so that eight rounds are paired, and of round 8. The event is final and rated, so that the
preview rates it twice as well.
"""

import statistics
import sys
import time
from random import Random

from tests.bench.database import empty_database

PLAYERS, ROUNDS, TRIES = 200, 9, 5
GOAL = 2.0
"""Seconds."""
SEED = 2026


def seconds_by_round() -> dict[int, float]:
    """Play an event and preview the correction of a game of two rounds; return the medians."""
    from ratings.models import Pool
    from ratings.services.runs import advance_pool
    from tests.events import make_event, make_players
    from tests.people import make_person
    from tournament.services.results import BoardResult, ResultBasis, enter_results
    from tournament.services.rounds import complete_round

    organiser, chance = make_person("Organiser"), Random(SEED)
    prizes = [{"name": "Open", "amounts": [300, 200, 100]}]
    event = make_event(organiser, system="dutch", rounds=ROUNDS, pool="star", prizes=prizes)
    event.enter(*make_players(PLAYERS))
    event.step("open", "start")
    for number in range(1, ROUNDS + 1):
        games = event.publish(number)
        results = [
            BoardResult(board, chance.choice(("1-0", "0-1"))) for board in range(1, len(games) + 1)
        ]
        options = {"reason": "slips", "by": organiser.account}
        enter_results(event.tournament, number, results, ResultBasis.RULING, **options)
        complete_round(event.tournament, number, by=organiser.account)
    event.step("review", "finalise")
    advance_pool(Pool.objects.get(code="star").pk)
    medians = {}
    for number in (1, ROUNDS - 1):
        game = event.games(number)[0]
        game.refresh_from_db()
        result = "0-1" if game.winner == "first" else "1-0"
        body = {"changes": [{"game": game.pk, "result": result}], "reason": "a slip"}
        seconds = []
        for _ in range(TRIES):
            start = time.process_time()
            address = f"{event.path}/corrections/preview"
            response = organiser.post(address, body, Host="localhost")
            seconds.append(time.process_time() - start)
            assert len(response.json()["effect"]["rounds"]) == ROUNDS - number, response.content
        medians[number] = statistics.median(seconds)
    return medians


def main() -> int:
    """Print the times; return 1 if a median misses the goal."""
    with empty_database():
        medians = seconds_by_round()
    print(f"Preview of a correction, {PLAYERS} players, {ROUNDS} rounds   median   goal")
    for number, seconds in medians.items():
        print(f"  a result of round {number}: {seconds * 1000:>27.0f} ms   {GOAL:.0f} s")
    return int(max(medians.values()) > GOAL)


if __name__ == "__main__":
    sys.exit(main())
