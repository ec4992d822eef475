"""The results of an event, as the service returns them, and their differences from the sample."""

from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

from deploy.demo.event import Event
from deploy.samples.event import SAMPLE_POOL, SampleEvent


class Results(NamedTuple):
    """The pairings of each round, the standings, the files, and the rating changes by game."""

    rounds: list[list[dict[str, Any]]]
    standings: list[dict[str, Any]]
    csv: str
    trf: str
    ratings: dict[int, dict[str, Any]]

    @property
    def changes(self) -> dict[int, float]:
        """The rating change of each rated player, by their id."""
        changes = [change for game in self.ratings.values() for change in game["changes"]]
        return {c["player"]["id"]: c["after"] - c["before"] for c in changes}


def fetch_results(event: Event) -> Results:
    """Fetch everything that is compared."""
    get, path = partial(event.client.call, "GET"), event.path
    numbers = range(1, len(event.sample.rounds) + 1)
    rounds = [get(f"{path}/rounds/{number}/pairings")["pairings"] for number in numbers]
    ratings: dict[int, dict[str, Any]] = {}
    for game in [row["game"] for rows in rounds for row in rows if row["game"]]:
        changes = get(f"/games/{game}/rating-changes")["results"]
        pools = {pool["pool"]: pool for pool in changes}
        ratings[game] = pools.get(SAMPLE_POOL, {"state": None, "exclusion": None, "changes": []})
    standings, csv, trf = (get(f"{path}/standings{suffix}") for suffix in ("", ".csv", ".trf"))
    return Results(rounds, standings["rows"], csv, trf, ratings)


def find_differences(sample: SampleEvent, results: Results) -> list[str]:
    """Return the differences between the service's results and the sample, one sentence each.

    Every basis is links, because the organiser issued the tokens of both sides, but a forfeit is
    a ruling. A game is rated unless it is a forfeit or out of the band: its result may have been
    almost certain.
    """
    found: dict[str, Any] = {"that a rating changed": any(results.changes.values())}
    expected: dict[str, Any] = {"that a rating changed": True}
    for sample_round, rows in zip(sample.rounds, results.rounds, strict=True):
        place = f"round {sample_round.number}"
        byes = sample_round.byes.items()
        expected |= {f"{place}, {name}": kind for name, kind in byes if kind.endswith("-bye")}
        for game in sample_round.games:
            result = f"{game.result}f" if game.termination == "forfeit" else game.result
            basis = "ruling" if game.termination == "forfeit" else "links"
            outcome = game.first, game.second, result, game.termination, "confirmed", basis
            expected[f"{place}, board {game.board}"] = outcome
        for row in rows:
            first, second, game_id = row["first"], row["second"], row["game"]
            if second is None:
                found[f"{place}, {first['player']['name']}"] = row["kind"]
                continue
            outcome = tuple(row[key] for key in ("result", "termination", "state", "basis"))
            found[f"{place}, board {row['board']}"] = (
                first["player"]["name"],
                second["player"]["name"],
                *outcome,
            )
            rating = results.ratings[game_id]
            is_excluded = "forfeit" in outcome or rating["exclusion"] == "expected_out_of_band"
            players = [] if is_excluded else sorted([first["player"]["id"], second["player"]["id"]])
            name = f"the rating of game {game_id}"
            found[name] = (
                rating["state"],
                sorted(each["player"]["id"] for each in rating["changes"]),
            )
            expected[name] = "excluded" if is_excluded else "rated", players
    for row in results.standings:
        rank = row["rank"], row["number"], Decimal(row["values"]["PTS"])
        found[f"{row['player']['name']}'s rank, number, points"] = rank
    for player in sample.players:
        rank = player.rank, player.number, Decimal(player.points)
        expected[f"{player.name}'s rank, number, points"] = rank
    for lines, text in ((found, results.trf), (expected, sample.trf)):
        lines |= {f"line {n} of the TRF": line for n, line in enumerate(text.splitlines(), 1)}
    found["the CSV"] = [line.split(",")[:2] for line in results.csv.splitlines()[1:]]
    expected["the CSV"] = [[str(row["rank"]), str(row["number"])] for row in results.standings]
    return [
        f"{name}: expected {expected.get(name)}, the service has {found.get(name)}"
        for name in expected | found
        if expected.get(name) != found.get(name)
    ]
