"""Recompute the ratings of a pool from its export, with nothing but Python.

    python3 -I recompute_pool.py POOL.ndjson

This program reads the file that `manage.py export_pool` writes, and uses no code of the service. It
rates every batch, prints `player,rating,games`, and compares with the ratings and the digests of
the file. The exit status is 1 if any differs, 2 for another file.

All numbers are integers: ratings and K in thousandths of a point, scores in millionths.
"""

import hashlib
import json
import sys
from decimal import ROUND_HALF_UP, Decimal, localcontext
from pathlib import Path
from typing import Any

MILLI, MILLION = 1_000, 1_000_000
Ratings = dict[int, tuple[int, int]]
"""The rating and the number of games of each player."""


def digest_of(value: Any) -> str:
    """Return the SHA-256 of the compact JSON with sorted keys."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def divide(numerator: int, denominator: int) -> int:
    """Return the nearest whole number, a half away from zero."""
    quotient = (2 * abs(numerator) + denominator) // (2 * denominator)
    return quotient if numerator >= 0 else -quotient


def expected_by_elo(difference: int) -> int:
    """Return the expected score for a difference in points: 1 / (1 + 10^(-D/400))."""
    with localcontext() as context:
        context.prec = 50
        power = Decimal(10) ** (Decimal(-min(abs(difference), 2000)) / 400)
        expected = int((MILLION / (1 + power)).to_integral_value(ROUND_HALF_UP))
    return expected if difference >= 0 else MILLION - expected


def rate_elo(system: dict[str, Any], batches: list[dict[str, Any]]) -> Ratings:
    """Rate the batches in order; all games of a batch are rated on the ratings before it."""
    ratings: Ratings = {}
    expected_scores: dict[int, int] = {}
    for batch in batches:
        openings = {player: (rating, games) for player, rating, games in batch["openings"]}
        surpluses: dict[int, int] = {}
        counts: dict[int, int] = {}
        for _, first, second, first_seed, second_seed, score, part in batch["games"]:
            for player, seed in ((first, first_seed), (second, second_seed)):
                start = system["start"] * MILLI if seed is None else seed
                ratings.setdefault(player, openings.get(player, (start, 0)))
            points = divide(ratings[first][0] - ratings[second][0] + part, MILLI)
            if points not in expected_scores:
                expected_scores[points] = expected_by_elo(points)
            surplus = score - expected_scores[points]
            for player, gain in ((first, surplus), (second, -surplus)):
                surpluses[player] = surpluses.get(player, 0) + gain
                counts[player] = counts.get(player, 0) + 1
        for player, surplus in surpluses.items():
            rating, games = ratings[player]
            added = (system["k0"] - system["kmin"]) * MILLI * system["n0"]
            k = system["kmin"] * MILLI + divide(added, system["n0"] + games)
            ratings[player] = (rating + divide(surplus * k, MILLION), games + counts[player])
    return ratings


ENGINES = {"elo": rate_elo}


def main(path: str) -> int:
    """Print the recomputed ratings, and what differs on the standard error output."""
    try:
        lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
        pool, batches = lines[0], [line for line in lines if line["kind"] == "batch"]
        engine, version = pool["system"]["engine"]
        rate = ENGINES[engine]
    except (OSError, ValueError, LookupError, TypeError) as error:
        print(f"{path} is not the export of a pool: {error}", file=sys.stderr)
        return 2
    if version != 1:
        print(
            f"{path} is of version {version} of the engine; this rates version 1", file=sys.stderr
        )
        return 2

    digest = digest_of(pool["system"])
    for batch in batches:
        inputs = [digest, batch["id"], digest_of([batch["effective_at"], batch["games"]])]
        digest = digest_of([*inputs, *filter(None, [batch["openings_digest"]])])
    ratings = rate(pool["system"], batches)
    stored = {
        line["player"]: (line["rating"], line["games"])
        for line in lines
        if line["kind"] == "rating"
    }

    print("player,rating,games")
    for player, (rating, games) in sorted(ratings.items(), key=lambda row: (-row[1][0], row[0])):
        sign = "-" if rating < 0 else ""
        print(f"{player},{sign}{abs(rating) // MILLI}.{abs(rating) % MILLI:03},{games}")
    for player in sorted(ratings.keys() | stored.keys()):
        if ratings.get(player) != stored.get(player):
            difference = f"stored {stored.get(player)}, recomputed {ratings.get(player)}"
            print(f"player {player}: {difference}", file=sys.stderr)
    if digest != pool["input_digest"]:
        print(f"the digest is {digest}, stored {pool['input_digest']}", file=sys.stderr)
    return int(ratings != stored or digest != pool["input_digest"])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
