"""Time the standings command, with its start, against gacrux's tie-break checker.

    python -m tests.bench.standings

Both read the same file with four rounds paired by Monrad and write PTS, BH/C1, BH, SB and DE of all
players. The ranks and values are compared, except the values of DE, which the programs write
differently. Then the command runs with as many players as a TRF can hold, half and a quarter of
them; its time must grow in proportion.
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
"""The last is the largest even number of players in a TRF."""
MOST_GROWTH = 1.3
"""The limit of the growth in time for each time the players, which includes noise."""
SEED = 2026


def event(players: int, rounds: int = ROUNDS) -> Crosstable:
    """Return an event paired by Monrad with random results."""
    chance = Random(SEED)
    rows: list[list[RoundResult]] = [[] for _ in range(players)]
    for round_number in range(1, rounds + 1):
        request = PairingRequest(crosstable=table(rows, rounds), round=round_number)
        for first, second in PAIRING_SYSTEMS["monrad"].pair(request).pairs:
            kind, opposite = chance.choice(
                [(Kind.WIN, Kind.LOSS), (Kind.DRAW, Kind.DRAW), (Kind.LOSS, Kind.WIN)]
            )
            rows[first - 1].append(RoundResult(kind, second, Seat.FIRST))
            rows[second - 1].append(RoundResult(opposite, first, Seat.SECOND))
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
    """Run a command with this Python and return the seconds."""
    start = time.perf_counter()
    with output.open("w", encoding="utf-8") as file:
        subprocess.run([sys.executable, *command], cwd=ROOT, stdout=file, check=True)
    return time.perf_counter() - start


def ranked(output: Path, number: str, rank: str) -> dict[str, tuple[object, ...]]:
    """Read the rank and the values of all codes but DE."""
    with output.open(encoding="utf-8") as lines:
        return {
            row[number]: (int(row[rank]), *(float(row[code]) for code in CODES[:-1]))
            for row in csv.DictReader(lines)
        }


def write_event(players: int, folder: Path) -> Path:
    trf = folder / f"{players}.trf"
    trf.write_text(write_trf(TrfFile(crosstable=event(players))), encoding="utf-8")
    return trf


def standings(trf: Path, output: Path, tries: int) -> float:
    """Return the best time of our command."""
    command = f"manage.py standings {trf} --tiebreaks {','.join(CODES)} --format csv".split()
    return min(seconds(command, output) for _ in range(tries))


def compare(players: int, folder: Path) -> tuple[float, float, bool]:
    trf, ours, theirs = write_event(players, folder), folder / "ours.csv", folder / "theirs.csv"
    tries = 3 if players <= 1000 else 1
    own = standings(trf, ours, tries)
    peer = min(
        seconds(
            f"-m gacrux.tiebreakchecker -i {trf} -b utf-8 -srd C -t {' '.join(CODES)}".split(),
            theirs,
        )
        for _ in range(tries)
    )
    return own, peer, ranked(ours, "id", "rank") == ranked(theirs, "StartNo", "Rank")


def main() -> int:
    """Print the table; return 1 if a goal is missed or a rank differs."""
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
    """Print the time of the largest event and its ratio to that of smaller events."""
    times = {n: standings(write_event(n, folder), folder / "ours.csv", tries=3) for n in SIZES}
    most = max(SIZES)
    ratios = {n: times[most] / times[n] for n in SIZES if n < most}
    listed = ", ".join(f"{ratio:.2f} times that of {n}" for n, ratio in ratios.items())
    print(f"{most:>7}   {times[most]:>8.2f}   {listed}")
    return all(ratio <= MOST_GROWTH * most / n for n, ratio in ratios.items())


if __name__ == "__main__":
    sys.exit(main())
