"""How long the standings command takes, start-up included, beside gacrux's tie-break checker.

    python -m tests.bench.standings

Both read the same file, four rounds paired by neighbours, and write PTS, BH/C1, BH, SB and DE of
everybody; the ranks and values are compared as well (DE is printed differently, its order not).
Then the command alone, on as many players as a TRF holds beside half and a quarter of them: it is
to grow as they do.
"""

import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from games.rules.seat import Seat
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.standings.crosstable import Competitor, Crosstable, Kind, RoundResult
from tournament.trf import TrfFile, write_trf

ROOT = Path(__file__).parent.parent.parent
ROUNDS = 4
CODES = ("PTS", "BH/C1", "BH", "SB", "DE")
GOALS = {1000: 1.0, 5000: 10.0}
SIZES = (2500, 5000, 9998)
"""The last is the most that a TRF holds, everybody paired."""
MOST_GROWTH = 1.3
"""Times the players: what the command may take more, noise and caches allowed for."""
SEED = 2026


def event(players: int, rounds: int = ROUNDS) -> Crosstable:
    """Play rounds of Monrad by luck, the stronger a little luckier."""
    chance = Random(SEED)
    rows: list[list[RoundResult]] = [[] for _ in range(players)]
    for round_number in range(1, rounds + 1):
        request = PairingRequest(crosstable=table(rows, rounds), round=round_number)
        for first, second in PAIRING_SYSTEMS["monrad"].pair(request).pairs:
            kind, answer = chance.choice(
                [(Kind.WIN, Kind.LOSS), (Kind.DRAW, Kind.DRAW), (Kind.LOSS, Kind.WIN)]
            )
            rows[first - 1].append(RoundResult(kind, second, Seat.FIRST))
            rows[second - 1].append(RoundResult(answer, first, Seat.SECOND))
    return table(rows, rounds)


def table(rows: list[list[RoundResult]], rounds: int) -> Crosstable:
    return Crosstable(
        players=tuple(
            Competitor(number=number, name=f"Player{number}", rating=2500, results=tuple(row))
            for number, row in enumerate(rows, start=1)
        ),
        rounds=rounds,
    )


def seconds(command: list[str], output: Path) -> float:
    """Run a command of this environment's Python and time all of it."""
    start = time.perf_counter()
    with output.open("w", encoding="utf-8") as written:
        subprocess.run([sys.executable, *command], cwd=ROOT, stdout=written, check=True)
    return time.perf_counter() - start


def ranked(output: Path, number: str, rank: str) -> dict[str, tuple[object, ...]]:
    """Read a table as numbers: place, and the values of all codes but DE."""
    with output.open(encoding="utf-8") as lines:
        return {
            row[number]: (int(row[rank]), *(float(row[code]) for code in CODES[:-1]))
            for row in csv.DictReader(lines)
        }


def reported(players: int, folder: Path) -> Path:
    report = folder / f"{players}.trf"
    report.write_text(write_trf(TrfFile(crosstable=event(players))), encoding="utf-8")
    return report


def standings(report: Path, output: Path, tries: int) -> float:
    """Give the best time of our command."""
    command = f"manage.py standings {report} --tiebreaks {','.join(CODES)} --format csv".split()
    return min(seconds(command, output) for _ in range(tries))


def compare(players: int, folder: Path) -> tuple[float, float, bool]:
    report, ours, theirs = reported(players, folder), folder / "ours.csv", folder / "theirs.csv"
    tries = 3 if players <= 1000 else 1
    own = standings(report, ours, tries)
    peer = min(
        seconds(
            f"-m gacrux.tiebreakchecker -i {report} -b utf-8 -srd C -t {' '.join(CODES)}".split(),
            theirs,
        )
        for _ in range(tries)
    )
    return own, peer, ranked(ours, "id", "rank") == ranked(theirs, "StartNo", "Rank")


def main() -> int:
    """Print the table; 1 when a goal is missed or a rank differs."""
    missed = 0
    print("Standings: PTS, BH/C1, BH, SB, DE, whole command, against gacrux's tiebreakchecker")
    print("players   ours (s)   gacrux (s)   times as fast   goal   same table")
    for players, goal in GOALS.items():
        with tempfile.TemporaryDirectory() as folder:
            own, peer, is_same = compare(players, Path(folder))
        missed += peer / own < goal or not is_same
        print(
            f"{players:>7}   {own:>8.2f}   {peer:>10.2f}   {peer / own:>13.1f}   "
            f"{goal:>4.0f}   {'yes' if is_same else 'NO'}",
            flush=True,
        )
    with tempfile.TemporaryDirectory() as folder:
        missed += not grows_with_the_players(Path(folder))
    return 1 if missed else 0


def grows_with_the_players(folder: Path) -> bool:
    """Print what the most players take, and how often what fewer take."""
    times = {n: standings(reported(n, folder), folder / "ours.csv", tries=3) for n in SIZES}
    most = max(SIZES)
    ratios = {n: times[most] / times[n] for n in SIZES if n < most}
    listed = ", ".join(f"{ratio:.2f} times that of {n}" for n, ratio in ratios.items())
    print(f"{most:>7}   {times[most]:>8.2f}   {listed}")
    return all(ratio <= MOST_GROWTH * most / n for n, ratio in ratios.items())


if __name__ == "__main__":
    sys.exit(main())
