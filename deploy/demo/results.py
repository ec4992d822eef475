"""What came of the event, fetched from the service: pairings, standings, files, ratings."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from deploy.demo.event import Event
from deploy.demo.rest import Service
from deploy.samples.event import POOL


@dataclass(frozen=True, slots=True)
class Results:
    """The results as the service tells them.

    `standings` are by the event's own tie-breaks; `table` is the CSV, `report` the TRF16;
    `ratings` are each game's by its id, in the pool of the event.
    """

    rounds: tuple[list[dict[str, Any]], ...]
    standings: list[dict[str, Any]]
    table: str
    report: str
    ratings: Mapping[int, dict[str, Any]]

    @property
    def changes(self) -> dict[str, Decimal]:
        """What the event did to the rating of everybody who was rated, by name."""
        names = {row["player"]["id"]: row["player"]["name"] for row in self.standings}
        return {
            names[change["player"]]: Decimal(change["after"]) - Decimal(change["before"])
            for game in self.ratings.values()
            for change in game["changes"]
        }


def fetch_results(event: Event) -> Results:
    """Everything that is to be compared, in a request each."""
    service, path = event.service, event.path
    rounds = tuple(
        service.get(f"{path}/rounds/{one.number}/pairings")["pairings"]
        for one in event.sample.rounds
    )
    games = [line["game"] for pairings in rounds for line in pairings if line["game"]]
    return Results(
        rounds=rounds,
        standings=service.get(f"{path}/standings")["rows"],
        table=service.get(f"{path}/standings.csv"),
        report=service.get(f"{path}/standings.trf"),
        ratings={game: _rating_of(service, game) for game in games},
    )


def _rating_of(service: Service, game: int) -> dict[str, Any]:
    """What became of a game in the event's pool; empty when the pool does not hold it."""
    pools = service.get(f"/games/{game}/ratings")
    return next((one for one in pools if one["pool"] == POOL), {"state": None, "changes": []})


def download(event: Event, results: Results, folder: Path) -> tuple[Path, ...]:
    """Write the table and the report into a folder; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = (folder / f"{event.slug}.standings.csv", folder / f"{event.slug}.trf")
    for file, text in zip(files, (results.table, results.report), strict=True):
        file.write_text(text, encoding="utf-8")
    return files
