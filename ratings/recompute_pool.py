"""Recompute the ratings of a pool from its export: `python3 -I recompute_pool.py export.ndjson`.

It reads `/api/v1/pools/CODE/export.ndjson`, or the file of `manage.py export_pool`, rates every
batch, prints `player,rating,games`, and compares ratings and digests with the file: exit status 1
if one differs, 2 for another file. A second file, `/api/v1/pools/CODE/games.ndjson`, must have the
games that the export rates, with the same times, players and results. Every digest is computed;
only a batch without rated games can have openings of which nothing but the digest is public.
Units: 1/1000 point, 10^-6
"""

import hashlib
import json
import sys
from bisect import bisect_left
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

MILLI, MILLION, FIDE_MIN = 1_000, 1_000_000, 1_400_000
# `gains` are those of the games of a period, `initial` the games of a player without a rating.
UNRATED = {"rating": 0, "games": 0, "gains": (), "initial": (), "top": False, "junior": False}
RESULTS = {"first": (MILLION, "1-0"), "second": (0, "0-1"), None: (MILLION // 2, "1/2")}
# FIDE: the largest difference for an expected score, the difference for a score, of 50, 51, ... %
# fmt: off
LARGEST_DIFFERENCES = (3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129,
    137, 145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315,
    328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735)
BY_SCORE = (0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336,
    351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800)
# fmt: on


def digest_of(value: Any) -> str:
    """Return the SHA-256 of the compact JSON with sorted keys."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def divide(numerator: int, denominator: int) -> int:
    """Return the nearest whole number, a half away from zero."""
    rounded = (2 * abs(numerator) + denominator) // (2 * denominator)
    return rounded if numerator >= 0 else -rounded


@cache
def expected_score(points: int, limit: int) -> int:
    """Return the score for a difference: 1 / (1 + 10^(-D/400)), or with a limit FIDE's table."""
    if limit:
        expected = (50 + bisect_left(LARGEST_DIFFERENCES, min(abs(points), limit))) * MILLION // 100
    else:
        with localcontext(prec=50):
            power = Decimal(10) ** (Decimal(-min(abs(points), 2000)) / 400)
            expected = int((MILLION / (1 + power)).to_integral_value(ROUND_HALF_UP))
    return expected if points >= 0 else MILLION - expected


def change_of_elo(player: dict[str, Any], system: dict[str, Any]) -> None:
    """Change a rating by the games of a batch; K falls with the number of earlier games."""
    kmin, n0 = system["kmin"] * MILLI, system["n0"]
    k = kmin + divide((system["k0"] * MILLI - kmin) * n0, n0 + player["games"])
    player["rating"] += divide(sum(player["gains"]) * k, MILLION)
    player["games"] += len(player["gains"])


def change_of_fide(player: dict[str, Any], _: dict[str, Any]) -> None:
    """Change a rating by the games of a month, or give one after five games without one."""
    rating, games, gains = player["rating"], player["games"], player["gains"]
    player["top"] |= rating >= 2400 * MILLI
    if gains:
        is_new = games < 30 or (player["junior"] and rating < 2300 * MILLI)
        k = 10 if player["top"] else 40 if is_new else 20
        rating += divide(sum(gains) * min(k, 700 // len(gains)), MILLION) * MILLI
        player |= UNRATED if rating < FIDE_MIN else {"rating": rating, "games": games + len(gains)}
    elif not rating and (initial := player["initial"]):
        first = None if any(r[3] for r in initial if r[1] == initial[0][1]) else initial[0][1]
        counted = [r[2:] for r in initial if initial[-1][0] - r[0] < 26 and r[1] != first]
        player["games"] = count = len(counted)
        if count >= 5:
            opponents, scores = map(sum, zip(*counted, strict=True))
            percent = divide(100 * (scores + MILLION), (count + 2) * MILLION)
            part = BY_SCORE[abs(percent - 50)] * (1 if percent >= 50 else -1)
            total = opponents + 3600 * MILLI + part * MILLI * (count + 2)
            rating = min(2200, divide(total, (count + 2) * MILLI)) * MILLI
            player["rating"] = rating if rating >= FIDE_MIN else 0


def rate(system: dict[str, Any], batches: list[dict[str, Any]]) -> dict[int, tuple[int, int]]:
    """Return the ratings and games; a batch (FIDE: a month) is rated on the ratings before it."""
    fide, top = system["engine"][0] == "fide", 2650 * MILLI * system.get("limit_400", 0)
    players: dict[int, dict[str, Any]] = {}
    for key, period in groupby(batches, lambda row: row["effective_at"][:7] if fide else row["id"]):
        month = int(key[:4]) * 12 + int(key[5:]) if fide else 0
        games = []
        for batch in period:
            into = dict(batch["merged"])
            stated = sorted(batch["openings"], key=lambda row: (row[2], -row[0]))
            openings = {into.get(player, player): state for player, *state in stated}
            for _, first, second, *seeds, score, part, junior, second_junior in batch["games"]:
                games.append((first, second, score, part, junior, batch["id"]))
                games.append((second, first, MILLION - score, -part, second_junior, batch["id"]))
                for player, *seed in ((first, *seeds[::2]), (second, *seeds[1::2])):
                    rating, count, has_reached = openings.get(player, seed)
                    if fide:
                        rating = divide(rating or 0, MILLI) * MILLI
                    elif rating is None:
                        rating = system["start"] * MILLI
                    state = {"rating": rating, "games": count, "top": has_reached}
                    is_rated = not fide or rating >= FIDE_MIN
                    players.setdefault(player, UNRATED | (state if is_rated else {}))
        active = {}
        for player, opponent, score, part, junior, event in games:
            own = active[player] = players.setdefault(player, UNRATED.copy())
            other = players.setdefault(opponent, UNRATED.copy())["rating"]
            own["junior"] |= junior
            if not fide or (own["rating"] and other):
                points = divide(own["rating"] - other + part, MILLI)
                limit = 400 if own["rating"] < top else 10**9
                own["gains"] += (score - expected_score(points, limit if fide else 0),)
            elif other:
                own["initial"] += ((month, event, other - part, score),)
        for own in active.values():
            (change_of_fide if fide else change_of_elo)(own, system)
            own |= {"gains": (), "junior": False}
    return {key: (p["rating"], p["games"]) for key, p in players.items() if p["rating"] or not fide}


def digests(lines: list[dict[str, Any]], batches: list[dict[str, Any]]) -> Iterator[list[Any]]:
    """Yield the name of each digest in the file, the digest that it states, and the computed one.

    A batch without rated games can state a digest of openings that the file does not list.
    """
    digest = digest_of(lines[0]["system"])
    for batch in batches:
        openings = batch["openings_digest"] or None
        if batch["openings"] or batch["games"]:
            computed = digest_of(batch["openings"]) if batch["openings"] else None
            yield [f"openings of batch {batch['id']}", openings, computed]
            openings = computed
        inputs = [digest, batch["id"], digest_of([batch["effective_at"], batch["games"]])]
        digest = digest_of([*inputs, *filter(None, [openings])])
    yield ["digest", lines[0]["input_digest"], digest]


def read(path: str) -> list[dict[str, Any]]:
    """Return the lines of a file."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def rated_games(batches: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return the time, the players and the score of each game that an export rates."""
    return {
        f"game {game}": [batch["effective_at"], first, second, score]
        for batch in batches
        for game, first, second, *_, score, _, _, _ in batch["games"]
    }


def public_games(lines: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return the same of each game in the file of games that is rated."""
    return {
        f"game {game['id']}": [
            str(game["effective_at"]).replace("Z", "+00:00"),
            game["first"]["player"]["id"],
            game["second"]["player"]["id"],
            score_of(game),
        ]
        for game in lines
        if game["exclusion"] is None
    }


def score_of(game: dict[str, Any]) -> int | str:
    """Return the score of the first player, or that what says who won does not agree."""
    own, winner = game["score"], game["winner"]
    score, result = RESULTS[winner]
    if own:
        result = f"{own['first']}-{own['second']}"
    agrees = game["result"] == result and game["draw"] == (winner is None)
    return score if agrees else "winner, draw, score and result do not agree"


def main(path: str, games_path: str = "") -> int:
    """Print the recomputed ratings, and what differs on the standard error output."""
    source = path
    try:
        lines = read(path)
        system, batches = lines[0]["system"], [line for line in lines if line["kind"] == "batch"]
        batches.sort(key=lambda row: (row["effective_at"], row["order"], row["id"]))
        if system["engine"] not in (["elo", 1], ["fide", 1]):
            raise ValueError(f"engine {system['engine']}")
        ratings = [line for line in lines if line["kind"] == "rating"]
        stored: dict[Any, Any] = {r["player"]: (r["rating"], r["games"]) for r in ratings}
        computed: dict[Any, Any] = rate(system, batches)
        found, compared = dict(computed), list(digests(lines, batches))
        if games_path:
            source = games_path
            stored |= public_games(read(games_path))
            found |= rated_games(batches)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        print(f"{source} is not a file for this program: {error!r}", file=sys.stderr)
        return 2
    print("player,rating,games")
    for player, (rating, games) in sorted(computed.items(), key=lambda row: (-row[1][0], row[0])):
        print(f"{player},{Decimal(rating) / MILLI:.3f},{games}")
    for name, stated, digest in compared:
        stored[name], found[name] = stated, digest
    for key in (k for k in {**found, **stored} if found.get(k) != stored.get(k)):
        print(f"{key}: stored {stored.get(key)}, here {found.get(key)}", file=sys.stderr)
    return int(found != stored)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) in (2, 3) else __doc__)
