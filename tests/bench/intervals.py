"""`make bench ONLY=intervals`: how many strengths the intervals contain, and the losses of presets.

Pools of 300 new players play 200 games each against opponents drawn at random. Their strengths have
standard deviations that the intervals do not know, and are measured from the mean of their pool.
After some numbers of games, the table shows which share of all strengths is in its interval, and of
those of the ten best and worst ratings; 200 pools give shares of the ends of the list to 0.5 %. The
goal holds for each share of each row. The log-loss is that of the expected scores before each game,
over all games. `--nearby` pairs players whose ratings are near each other, as a Swiss does in every
round, `--as-drawn` measures strengths from the mean of all such pools, and `--players` takes other
pools, to show what that costs.
"""

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratings.systems.elo import MILLI
from ratings.systems.intervals import estimate_spread, interval_of, k_after, start_of
from ratings.systems.presets import PRESETS, RatingSystem

Numbers = NDArray[Any]
PLAYERS, POOLS, ENDS = 300, 200, 10
DEVIATIONS = (150, 200, 250, 300, 350)
GAMES = (10, 20, 30, 50, 90, 140, 200)
GOAL = (0.92, 0.98)


def expect(difference: Numbers) -> Numbers:
    """Return expected scores by Elo's formula."""
    scores: Numbers = 1 / (1 + 10 ** (-difference / 400))
    return scores


def simulate(
    system: RatingSystem,
    deviation: int,
    *,
    nearby: float = 0,
    games: tuple[int, ...] = GAMES,
    pools: int = POOLS,
    players: int = PLAYERS,
    as_drawn: bool = False,
) -> tuple[dict[int, Numbers], float]:
    """Return the shares of the strengths in their intervals by games, and the log-loss.

    The shares are of all players, of the best and of the worst ratings.
    """
    random = np.random.default_rng([deviation, players])
    start = start_of(system, None)
    shares: dict[int, list[Numbers]] = {number: [] for number in games}
    loss = 0.0
    for _ in range(pools):
        strengths = deviation * random.standard_normal(players)
        strengths -= 0 if as_drawn else np.mean(strengths)
        ratings = np.zeros(players)
        for played in range(max(games)):
            order = random.permutation(players)
            if nearby:
                order = np.argsort(ratings + nearby * random.standard_normal(players))
            first, second = order[::2], order[1::2]
            chance = expect(strengths[first] - strengths[second])
            expected = expect(ratings[first] - ratings[second])
            loss -= np.mean(chance * np.log(expected) + (1 - chance) * np.log(1 - expected))
            wins = random.random(len(first)) < chance
            change = k_after(system, played) * (wins - expected)
            ratings[first] += change
            ratings[second] -= change
            if played + 1 in shares:
                shares[played + 1].append(_count(system, played + 1, ratings, strengths, start))
    means = {number: np.mean(rows, axis=0) for number, rows in shares.items()}
    return means, loss / pools / max(games)


def _count(
    system: RatingSystem, games: int, ratings: Numbers, strengths: Numbers, start: int
) -> Numbers:
    spread = estimate_spread(system, [(games, len(ratings), float(np.sum(ratings**2)))])
    inside = []
    for rating, strength in sorted(zip(ratings.tolist(), strengths.tolist(), strict=True)):
        milli = start + round(rating * MILLI)
        low, high = interval_of(system, milli, games, start=start, spread=spread)
        inside.append(low <= start / MILLI + strength <= high)
    return np.array([np.mean(inside), np.mean(inside[-ENDS:]), np.mean(inside[:ENDS])])


def main() -> int:
    """Print a row for each preset and deviation; return 1 if a share is outside the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nearby", type=float, default=0, help="points; 0: random opponents")
    parser.add_argument("--as-drawn", action="store_true", help="strengths are not from the mean")
    parser.add_argument("--players", type=int, default=PLAYERS, help="of each pool, an even number")
    options = vars(parser.parse_args())
    players = options["players"]
    print(f"strengths in their 95 % interval: all, best {ENDS}, worst {ENDS} of {players} players")
    print("preset     deviation  log-loss" + "".join(f"{f'{n} games':>16}" for n in GAMES))
    found = []
    for name, system in PRESETS.items():
        for deviation in DEVIATIONS:
            shares, loss = simulate(system, deviation, **options)
            cells = "".join(
                f"{' '.join(f'{share:.0%}' for share in shares[number]):>16}" for number in GAMES
            )
            print(f"{name:<10} {deviation:>9} {loss:>9.4f}{cells}", flush=True)
            found += list(shares.values())
    every = np.array(found)
    low, high = every.min(axis=0), every.max(axis=0)
    for index, who in enumerate(("all", "best", "worst")):
        print(f"{who}: {low[index]:.1%} to {high[index]:.1%}")
    print(f"goal of each: {GOAL[0]:.0%} to {GOAL[1]:.0%}")
    return int(not GOAL[0] <= low.min() <= high.max() <= GOAL[1])


if __name__ == "__main__":
    raise SystemExit(main())
