"""The results of the event, fetched from the service: pairings, standings, files, ratings."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from deploy.demo.client import DemoClient
from deploy.demo.event import Event
from deploy.samples.event import SAMPLE_POOL


@dataclass(frozen=True, slots=True)
class Results:
    """The results as the service returns them.

    `standings` are ranked by the event's tie-breaks; `ratings` are the rating changes of each game
    by its id, in the pool of the event.
    """

    rounds: tuple[list[dict[str, Any]], ...]
    standings: list[dict[str, Any]]
    csv: str
    trf: str
    ratings: Mapping[int, dict[str, Any]]

    @property
    def changes(self) -> dict[str, Decimal]:
        """The rating change of each rated player, by name."""
        names = {row["player"]["id"]: row["player"]["name"] for row in self.standings}
        return {
            names[change["player"]]: Decimal(change["after"]) - Decimal(change["before"])
            for game in self.ratings.values()
            for change in game["changes"]
        }


def fetch_results(event: Event) -> Results:
    """Fetch everything that is compared, with one request each."""
    client, path = event.client, event.path
    rounds = tuple(
        client.get(f"{path}/rounds/{sample_round.number}/pairings")["pairings"]
        for sample_round in event.sample.rounds
    )
    games = [row["game"] for pairings in rounds for row in pairings if row["game"]]
    return Results(
        rounds=rounds,
        standings=client.get(f"{path}/standings")["rows"],
        csv=client.get(f"{path}/standings.csv"),
        trf=client.get(f"{path}/standings.trf"),
        ratings={game: _ratings_of(client, game) for game in games},
    )


def _ratings_of(client: DemoClient, game: int) -> dict[str, Any]:
    """Return the rating changes of a game in the event's pool."""
    pools = client.get(f"/games/{game}/ratings")
    return next(
        (pool for pool in pools if pool["pool"] == SAMPLE_POOL), {"state": None, "changes": []}
    )


def save(event: Event, results: Results, folder: Path) -> tuple[Path, ...]:
    """Write the CSV and the TRF into a folder; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    files = (folder / f"{event.slug}.standings.csv", folder / f"{event.slug}.trf")
    for file, text in zip(files, (results.csv, results.trf), strict=True):
        file.write_text(text, encoding="utf-8")
    return files
