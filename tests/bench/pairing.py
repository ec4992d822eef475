"""Time the pairing of a round, with the start of the command, against gacrux's pairing checker.

    python -m tests.bench.pairing

Both read the same file and print the pairs, which are compared. All times are CPU time. The kinds:

* usual: round 5 of 9 of an event paired by the FIDE Dutch system;
* hard: round 7 after random pairings, byes and forfeits, so that seats, floats and scores do not
  fit each other;
* clubs: round 5 after random pairings; the lower half of the players is one club, so that nearly
  all others float down;
* dense: round 5 after random pairings with many draws, which make large score groups.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from math import log
from pathlib import Path

from tests.tournament.pairing.random_histories import event_with_random_history
from tournament.pairing.random_tournament import RandomConditions, random_rounds, random_tournament
from tournament.pairing.systems.dutch.explanation import explain
from tournament.pairing.trf_rounds import request_next_round
from tournament.trf import ForbiddenGroup, TrfEdition, TrfFile, write_trf

ROOT = Path(__file__).parent.parent.parent
SEED = 2026
MOST_GROWTH = 1.6
EXPLAINED = 500
MOST_EXPLAINING = 5.0
AT_ONCE = 201
"""The most players whose round the API explains without a task, and one more for the bye."""

MOST_AT_ONCE = 1.0
LEAST_TOURNAMENTS = 30
BESIDE_PEER = {"usual": 1000, "hard": 300}
"""The largest number of players for which gacrux runs too."""


def usual(players: int) -> TrfFile:
    """Return an event before round 5 of 9."""
    conditions = RandomConditions(players=players, rounds=9, seed=SEED)
    event, _ = next(islice(random_rounds(conditions), 4, None))
    return event


def hard(players: int) -> TrfFile:
    """Return an event before round 7 of 9 with random pairings in the earlier rounds."""
    conditions = RandomConditions(
        players=players, rounds=9, seed=SEED, byes=0.03, forfeits=0.03, draws=0.4
    )
    return event_with_random_history(conditions, 6)


def clubs(players: int) -> TrfFile:
    """Return an event before round 5 of 9 whose lower half is one club, kept apart."""
    conditions = RandomConditions(players=players, rounds=9, seed=SEED)
    event = event_with_random_history(conditions, 4)
    club = tuple(range(players // 2 + 1, players + 1))
    return replace(event, forbidden=(ForbiddenGroup(club, 1, 9),))


def dense(players: int) -> TrfFile:
    """Return an event before round 5 of 9 with random pairings and many draws."""
    conditions = RandomConditions(players=players, rounds=9, seed=SEED, draws=0.6)
    return event_with_random_history(conditions, 4)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table, with its goals."""

    event: Callable[[int], TrfFile]
    players: int
    seconds: float = 5
    megabytes: float = 500


ROWS = (
    *(Row(usual, players) for players in (100, 500, 1000, 2000, 5000)),
    *(Row(hard, players) for players in (300, 600)),
    *(Row(event, 5000, seconds=3, megabytes=100) for event in (hard, dense)),
    Row(clubs, 900, seconds=2),
    *(Row(event, 9999, seconds=10, megabytes=100) for event in (hard, dense)),
)


def run(command: list[str], output: Path) -> tuple[float, float]:
    """Run a command with this Python; return the CPU seconds and the peak memory in megabytes."""
    with output.open("w", encoding="utf-8") as file:
        program = subprocess.Popen([sys.executable, *command], cwd=ROOT, stdout=file)
        _, status, usage = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode:
        raise subprocess.CalledProcessError(program.returncode, command)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def pairs(output: Path) -> set[str]:
    """Return the pairs in the output as a set, because gacrux orders boards differently."""
    lines = output.read_text(encoding="utf-8").splitlines()[1:]
    return {" ".join(line.split()) for line in lines if line.strip()}


def ours(trf: Path, output: Path, tries: int) -> tuple[float, float]:
    results = [run(["manage.py", "pair", str(trf)], output) for _ in range(tries)]
    return min(took for took, _ in results), max(peak for _, peak in results)


def gacrux(trf: Path, output: Path, tries: int) -> float:
    command = f"-m gacrux.pairingchecker -i {trf} -p -b utf-8 -dT".split()
    return min(run(command, output)[0] for _ in range(tries))


def seconds_to_explain(event: TrfFile) -> float:
    """Return the CPU seconds that the reasons and alternatives of a whole round take."""
    request = request_next_round(event)
    start = time.process_time()
    explain(request, alternatives=True)
    return time.process_time() - start


def tournaments_per_second(count: int = 20) -> float:
    """Return how many whole random tournaments are generated in a second of CPU time."""
    random_tournament(RandomConditions(players=100, rounds=9, seed=count))
    start = time.process_time()
    for seed in range(count):
        random_tournament(RandomConditions(players=100, rounds=9, seed=seed))
    return count / (time.process_time() - start)


def main() -> int:
    """Print the tables; return 1 if a goal is missed or a pair differs."""
    is_missed = False
    own: dict[int, float] = {}
    theirs: dict[int, float] = {}
    print("Pairing, FIDE Dutch 2026, whole command, against gacrux's pairingchecker")
    print(
        "kind    players   ours (s)   goal    MB   goal   gacrux (s)   times as fast   same pairs"
    )
    for row in ROWS:
        kind, players = row.event.__name__, row.players
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            trf, mine, other = folder / "event.trf", folder / "ours", folder / "theirs"
            text = write_trf(row.event(players), edition=TrfEdition.TRF26)
            trf.write_text(text, encoding="utf-8")
            took, peak = ours(trf, mine, 3)
            compared = "-"
            beside = f"{'-':>10}   {'-':>13}"
            if players <= BESIDE_PEER.get(kind, 0):
                seconds = gacrux(trf, other, 1 if players == BESIDE_PEER[kind] else 2)
                is_same = pairs(mine) == pairs(other)
                compared = "yes" if is_same else "NO"
                beside = f"{seconds:>10.2f}   {seconds / took:>13.1f}"
                is_missed |= not is_same
                if kind == "usual":
                    theirs[players] = seconds
        if kind == "usual":
            own[players] = took
        is_missed |= took > row.seconds or peak > row.megabytes
        print(
            f"{kind:6}  {players:>7}   {took:>8.2f}   {row.seconds:>4.0f}   {peak:>3.0f}   "
            f"{row.megabytes:>4.0f}   {beside}   {compared}",
            flush=True,
        )
    with tempfile.TemporaryDirectory() as name:
        trf = Path(name) / "event.trf"
        trf.write_text(write_trf(usual(EXPLAINED), edition=TrfEdition.TRF26), encoding="utf-8")
        explained, _ = run(["manage.py", "pair", "--explain", str(trf)], Path(name) / "ours")
    growth = log(own[5000] / own[1000]) / log(5)
    at_once = max(seconds_to_explain(event(AT_ONCE)) for event in (usual, hard))
    rate = max(tournaments_per_second() for _ in range(3))
    goals = {
        "a third of gacrux's time at 500": own[500] * 3 <= theirs[500],
        "a fifth at 1000": own[1000] * 5 <= theirs[1000],
        "2000 in less than gacrux's 1000": own[2000] < theirs[1000],
        f"{EXPLAINED} players with all reasons in {explained:.2f} s, below {MOST_EXPLAINING:.0f}": (
            explained < MOST_EXPLAINING
        ),
        f"{AT_ONCE} players, usual and hard, with all reasons in {at_once:.2f} s at most, below "
        f"{MOST_AT_ONCE:.0f}": at_once < MOST_AT_ONCE,
        f"{rate:.0f} tournaments of 100 players and 9 rounds per second of CPU time, at least "
        f"{LEAST_TOURNAMENTS}": rate >= LEAST_TOURNAMENTS,
        f"growth n^{growth:.1f}, below n^{MOST_GROWTH}": growth < MOST_GROWTH,
    }
    for goal, is_met in goals.items():
        print(f"{'met ' if is_met else 'MISSED'}  {goal}")
    return int(is_missed or not all(goals.values()))


if __name__ == "__main__":
    sys.exit(main())
