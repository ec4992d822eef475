"""`make bench ONLY=intervals`: how many strengths the intervals contain, and the losses of presets.

Pools of new players play 200 games each against opponents drawn at random, in events of some sizes
that are rated together: all players in each event if these have one size, else half of them. Their
strengths have standard deviations that the intervals do not know, and are measured from the mean of
their pool. After some numbers of games (on average, or a few more), the table shows which share of
all strengths is in its interval, and of those of the ten best and worst ratings; 200 pools of 300
give shares of the ends of the list to 0.5 %. The goal holds for each share of each row. The
log-loss is that of the expected scores before each game, over all games. `--nearby` pairs players
whose ratings are near each other, as a Swiss does in every round, `--as-drawn` measures strengths
from the mean of all such pools, and `--players` takes other pools, to show what that costs.
`--mixed` plays events of several games, in fewer pools.
"""

import argparse
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratings.systems.elo import MILLI
from ratings.systems.intervals import (
    PROVISIONAL_BELOW,
    Group,
    estimate_spread,
    interval_of,
    k_after,
    sizes_of,
    start_of,
)
from ratings.systems.presets import PRESETS, RatingSystem

Numbers = NDArray[Any]
PLAYERS, POOLS, ENDS = 300, 200, 10
DEVIATIONS = (150, 200, 250, 300, 350)
MIXED_POOLS = 40
GAMES = (10, 20, 30, 50, 90, 140, 200)
GOAL = (0.92, 0.98)
GOAL_OF_ALL = (0.93, 0.98)
"""Of the share of all players, with `--mixed`; the ends of the list differ more between pools."""
SIZES = ((1,), (3,), (5,), (9,), (15,), (1, 3, 5, 9), (1,) * 9 + (9,))
"""Each event has one of these numbers of games; the last are single games and a rare event."""


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
    sizes: tuple[int, ...] = (1,),
) -> tuple[dict[int, Numbers], float]:
    """Return the shares of the strengths in their intervals by games, and the log-loss.

    The shares are of all players, of the best and of the worst ratings.
    """
    random = np.random.default_rng([deviation, players])
    start = start_of(system, None)
    shares: dict[int, list[Numbers]] = {number: [] for number in games}
    k_by_games = {
        size: np.array([k_after(system, n, size) for n in range(2 * max(games))])
        for size in {*sizes}
    }
    is_alike = len(sizes) == 1
    loss, rounds = 0.0, 0
    for _ in range(pools):
        strengths = deviation * random.standard_normal(players)
        strengths -= 0 if as_drawn else np.mean(strengths)
        ratings, played = np.zeros(players), np.zeros(players, int)
        own: list[tuple[int, int, int]] = []
        batches = [own if is_alike else [] for _ in range(players)]
        for mark in games:
            while np.mean(played) < mark:
                size, present = sizes[0], np.arange(players)
                if not is_alike:
                    size, present = int(random.choice(sizes)), random.permutation(players)
                    present = present[: players // 4 * 2]
                k = k_by_games[size][played]
                change = np.zeros(players)
                for _ in range(size):
                    order = random.permutation(present)
                    if nearby:
                        order = np.argsort(ratings + nearby * random.standard_normal(players))
                    first, second = order[::2], order[1::2]
                    chance = expect(strengths[first] - strengths[second])
                    expected = expect(ratings[first] - ratings[second])
                    losses = chance * np.log(expected) + (1 - chance) * np.log(1 - expected)
                    loss, rounds = loss - np.mean(losses), rounds + 1
                    surplus = (random.random(len(first)) < chance) - expected
                    change[first] += k[first] * surplus
                    change[second] -= k[second] * surplus
                ratings += change
                played[present] += size
                for player in present[:1] if is_alike else present:
                    own = batches[player]
                    own.append((len(own), round(k[player] * MILLI), size))
            shares[mark].append(_count(system, batches, ratings, strengths, start))
    means = {number: np.mean(rows, axis=0) for number, rows in shares.items()}
    return means, loss / rounds


def _count(
    system: RatingSystem,
    batches: list[list[tuple[int, int, int]]],
    ratings: Numbers,
    strengths: Numbers,
    start: int,
) -> Numbers:
    sizes = {id(own): sizes_of(own) for own in batches}
    rows = [
        (rating, strength, sum(size for *_, size in own), sizes[id(own)])
        for rating, strength, own in zip(ratings.tolist(), strengths.tolist(), batches, strict=True)
        if own
    ]
    groups = []
    for games in sorted({row[2] for row in rows}):
        same = [row for row in rows if row[2] == games]
        size = round(float(np.mean([row[3].least for row in same])), 1)
        groups.append(Group(games, len(same), sum(row[0] ** 2 for row in same), size))
    spread = estimate_spread(system, groups)
    inside = []
    for rating, strength, games, sizes in sorted(
        row for row in rows if row[2] >= PROVISIONAL_BELOW
    ):
        milli = start + round(rating * MILLI)
        found = interval_of(system, milli, games, start=start, spread=spread, sizes=sizes)
        assert found
        inside.append(found.low <= start / MILLI + strength <= found.high)
    return np.array([np.mean(inside), np.mean(inside[-ENDS:]), np.mean(inside[:ENDS])])


def main() -> int:
    """Print a row for each preset and deviation; return 1 if a share is outside the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nearby", type=float, default=0, help="points; 0: random opponents")
    parser.add_argument("--as-drawn", action="store_true", help="strengths are not from the mean")
    parser.add_argument("--players", type=int, default=PLAYERS, help="of each pool, an even number")
    parser.add_argument("--mixed", action="store_true", help="in events of several sizes")
    options = vars(parser.parse_args())
    players, is_mixed = options["players"], options.pop("mixed")
    plans = SIZES[1:] if is_mixed else SIZES[:1]
    if is_mixed:
        options["pools"] = MIXED_POOLS
    print(f"strengths in their 95 % interval: all, best {ENDS}, worst {ENDS} of {players} players")
    print("preset     deviation  log-loss" + "".join(f"{f'{n} games':>16}" for n in GAMES))
    found = []
    for sizes, (name, system), deviation in product(plans, PRESETS.items(), DEVIATIONS):
        shares, loss = simulate(system, deviation, sizes=sizes, **options)
        cells = "".join(
            f"{' '.join(f'{share:.0%}' for share in shares[number]):>16}" for number in GAMES
        )
        events = f"  {', '.join(map(str, sizes))}" if is_mixed else ""
        print(f"{name:<10} {deviation:>9} {loss:>9.4f}{cells}{events}", flush=True)
        found += list(shares.values())
    every = np.array(found)
    low, high = every.min(axis=0), every.max(axis=0)
    for index, who in enumerate(("all", "best", "worst")):
        print(f"{who}: {low[index]:.1%} to {high[index]:.1%}")
    least, most = GOAL_OF_ALL if is_mixed else GOAL
    compared = every[:, :1] if is_mixed else every
    print(f"goal of {'all' if is_mixed else 'each'}: {least:.0%} to {most:.0%}")
    return int(not least <= compared.min() <= compared.max() <= most)


if __name__ == "__main__":
    raise SystemExit(main())
