"""`make bench ONLY=intervals`: how many strengths the intervals contain, and the losses of presets.

First come pools of `KINDS`: 100 new players with 15 to 200 games each, in every other pool the same
number for all, against opponents drawn at random. Half of the pools are constant; in a quarter,
30 % of the players improve by 2 points with each game; in a quarter, each strength drifts with a
standard deviation of 5 points a game. The log-loss of the pools of `CHOICE` decides between the
presets (`--parameters` compares more floors of K); the shares of the strengths in their intervals
are those of the pools of `CHECK`. The goals hold for the default preset.

Then come constant pools of new players who play 200 games each against opponents drawn at random,
in events of some sizes that are rated together: all players in each event if these have one size,
else half of them. Strengths have standard deviations that the intervals do not know, and are
measured from the mean of their pool. After some numbers of games (on average, or a few more), the
table shows which share of all strengths is in its interval, and of those of the ten best and worst
ratings; 200 pools of 300 give shares of the ends of the list to 0.5 %. The upper ends of intervals
make room for those who improve, so there is no upper goal for the ends of the list. The log-loss is
that of the expected scores before each game, over all games. `--nearby` pairs players whose ratings
are near each other, as a Swiss does in every round, `--as-drawn` measures strengths from the mean
of all such pools, and `--players` takes other pools, to show what that costs. `--mixed` plays
events of several games, in fewer pools.
"""

import argparse
from collections.abc import Sequence
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratings.systems.elo import MILLI, Elo
from ratings.systems.intervals import (
    ONE_AT_A_TIME,
    PROVISIONAL_BELOW,
    Group,
    Sizes,
    estimate_spread,
    interval_of,
    k_after,
    sizes_of,
    start_of,
)
from ratings.systems.presets import DEFAULT, PRESETS, RatingSystem

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

KINDS: Final = ("constant", "improving", "constant", "drifting")
DRIFTING_DEVIATIONS: Final = (150, 200, 350)
DRIFTING_PLAYERS, OWN_GAMES = 100, (15, 200)
SHARE, TREND, WALK = 0.3, 2, 5
"""The players who improve, and the points with each game by which they do, or strengths drift."""
CHOICE, CHECK = range(48), range(1000, 1080)
"""Seeds: of the pools that decide, and of those that are counted."""
GOAL_OF_IMPROVING = 0.88
CANDIDATES: Final = tuple(
    Elo(k0=k0, n0=n0, kmin=kmin)
    for k0, n0, kmin in product((160, 180, 200), (4, 5, 6), (5, 10, 15))
)


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
    by_plan = {id(own): sizes_of(own) for own in batches}
    sizes = [by_plan[id(own)] for own in batches]
    played = np.array([sum(size for *_, size in own) for own in batches])
    inside = find_inside(system, played, sizes, ratings, strengths, start)
    listed = np.argsort(ratings)
    listed = listed[played[listed] >= PROVISIONAL_BELOW]
    shares = inside[listed], inside[listed[-ENDS:]], inside[listed[:ENDS]]
    return np.array([np.mean(share) for share in shares])


def find_inside(
    system: RatingSystem,
    played: Numbers,
    sizes: Sequence[Sizes],
    ratings: Numbers,
    strengths: Numbers,
    start: int,
) -> Numbers:
    """Return for each player of a pool whether the strength is in the interval.

    Nobody with fewer than ten games has one, and is inside.
    """
    groups = []
    for games in sorted({*played.tolist()} - {0}):
        same = np.flatnonzero(played == games)
        size = round(float(np.mean([sizes[player].least for player in same])), 1)
        groups.append(Group(games, len(same), float(np.sum(ratings[same] ** 2)), size))
    spread = estimate_spread(system, groups)
    inside = np.zeros(len(ratings), bool)
    for player in np.flatnonzero(played >= PROVISIONAL_BELOW):
        milli, games = start + round(float(ratings[player]) * MILLI), int(played[player])
        found = interval_of(system, milli, games, start=start, spread=spread, sizes=sizes[player])
        assert found
        inside[player] = found.low <= start / MILLI + strengths[player] <= found.high
    return inside


class DriftingPool(NamedTuple):
    """Strengths from their mean, ratings from their start, games, who improves, the log-loss."""

    strengths: Numbers
    ratings: Numbers
    played: Numbers
    improves: Numbers
    loss: float


def play_drifting(system: RatingSystem, deviation: int, seed: int) -> DriftingPool:
    """Play the games of a pool; the last digits of the seed decide of which kind it is."""
    random, kind = np.random.default_rng([seed, deviation]), KINDS[seed // 2 % len(KINDS)]
    least, most = OWN_GAMES
    games = random.integers(least, most + 1, DRIFTING_PLAYERS)
    if seed % 2:
        games[:] = games[0]
    strengths = deviation * random.standard_normal(DRIFTING_PLAYERS)
    improves = (random.random(DRIFTING_PLAYERS) < SHARE) & (kind == "improving")
    k_by_games = np.array([k_after(system, n) for n in range(most)])
    ratings, played = np.zeros(DRIFTING_PLAYERS), np.zeros(DRIFTING_PLAYERS, int)
    losses = []
    for turn in range(1, max(games) + 1):
        # Each player takes part in their share of the rounds.
        present = random.permutation(np.flatnonzero(played < games * turn // max(games)))
        first, second = present[: len(present) // 2 * 2].reshape(2, -1)
        chance = expect(strengths[first] - strengths[second])
        expected = expect(ratings[first] - ratings[second])
        losses.extend(-chance * np.log(expected) - (1 - chance) * np.log(1 - expected))
        surplus = (random.random(len(first)) < chance) - expected
        ratings[first] += k_by_games[played[first]] * surplus
        ratings[second] -= k_by_games[played[second]] * surplus
        both = np.concatenate([first, second])
        played[both] += 1
        strengths += TREND * improves * np.isin(np.arange(DRIFTING_PLAYERS), both)
        if kind == "drifting":
            strengths[both] += WALK * random.standard_normal(len(both))
    strengths -= np.mean(strengths)
    return DriftingPool(strengths, ratings, played, improves, float(np.mean(losses)))


def mean_loss(system: RatingSystem, seeds: Sequence[int] = CHOICE) -> float:
    """Return the log-loss of the pools of these seeds."""
    pools = [play_drifting(system, *pool) for pool in product(DRIFTING_DEVIATIONS, seeds)]
    return float(np.mean([pool.loss for pool in pools]))


def count_drifting(
    system: RatingSystem,
    seeds: Sequence[int] = CHECK,
    deviations: Sequence[int] = DRIFTING_DEVIATIONS,
) -> dict[str, float]:
    """Return the share of the strengths in their intervals by kind of pool, and of some players."""
    start, inside = start_of(system, None), {name: [] for name in ("all", *KINDS, "improvers")}
    for deviation, seed in product(deviations, seeds):
        pool = play_drifting(system, deviation, seed)
        sizes = [ONE_AT_A_TIME] * DRIFTING_PLAYERS
        found = find_inside(system, pool.played, sizes, pool.ratings, pool.strengths, start)
        found = found[(listed := pool.played >= PROVISIONAL_BELOW)]
        for name in ("all", KINDS[seed // 2 % len(KINDS)]):
            inside[name].extend(found)
        inside["improvers"].extend(found[pool.improves[listed]])
    return {name: float(np.mean(shares)) for name, shares in inside.items()}


def main() -> int:
    """Print the tables of both kinds of pools; return 1 if a share is outside its goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parameters", action="store_true", help="log-loss of more floors of K")
    parser.add_argument("--nearby", type=float, default=0, help="points; 0: random opponents")
    parser.add_argument("--as-drawn", action="store_true", help="strengths are not from the mean")
    parser.add_argument("--players", type=int, default=PLAYERS, help="of each pool, an even number")
    parser.add_argument("--mixed", action="store_true", help="in events of several sizes")
    options = vars(parser.parse_args())
    if options.pop("parameters"):
        for loss, system in sorted((mean_loss(system), str(system)) for system in CANDIDATES):
            print(f"{loss:.5f}  {system}")
        return 0
    return max(_print_drifting(), _print_constant(**options))


def _print_drifting() -> int:
    names = ("all", *dict.fromkeys(KINDS), "improvers")
    print(f"strengths in their 95 % interval: {OWN_GAMES[0]} to {OWN_GAMES[1]} games a player")
    print("preset      log-loss" + "".join(f"{name:>11}" for name in names))
    for name, system in PRESETS.items():
        if isinstance(system, Elo):
            found = count_drifting(system)
            cells = "".join(f"{found[kind]:>11.1%}" for kind in names)
            print(f"{name:<10} {mean_loss(system):>9.5f}{cells}", flush=True)
            if name == DEFAULT:
                default = found
    print(f"goals of {DEFAULT.value}: all 92% to 98%, improvers at least 88%\n")
    least, most = GOAL
    is_met = least <= default["all"] <= most and default["improvers"] >= GOAL_OF_IMPROVING
    return int(not is_met)


def _print_constant(*, players: int, mixed: bool, **options: Any) -> int:
    plans = SIZES[1:] if mixed else SIZES[:1]
    if mixed:
        options["pools"] = MIXED_POOLS
    print(f"strengths in their 95 % interval: all, best {ENDS}, worst {ENDS} of {players} players")
    print("preset     deviation  log-loss" + "".join(f"{f'{n} games':>16}" for n in GAMES))
    found = []
    for sizes, (name, system), deviation in product(plans, PRESETS.items(), DEVIATIONS):
        shares, loss = simulate(system, deviation, sizes=sizes, players=players, **options)
        cells = "".join(
            f"{' '.join(f'{share:.0%}' for share in shares[number]):>16}" for number in GAMES
        )
        events = f"  {', '.join(map(str, sizes))}" if mixed else ""
        print(f"{name:<10} {deviation:>9} {loss:>9.4f}{cells}{events}", flush=True)
        found += list(shares.values())
    every = np.array(found)
    low, high = every.min(axis=0), every.max(axis=0)
    for index, who in enumerate(("all", "best", "worst")):
        print(f"{who}: {low[index]:.1%} to {high[index]:.1%}")
    least, most = GOAL_OF_ALL if mixed else GOAL
    compared = every[:, :1] if mixed else every
    ends = "" if mixed else f", of the ends at least {least:.0%}"
    print(f"goal of all: {least:.0%} to {most:.0%}{ends}")
    return int(not least <= compared.min() <= high[0] <= most)


if __name__ == "__main__":
    raise SystemExit(main())
