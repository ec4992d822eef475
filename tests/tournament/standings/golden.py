"""Finished events with tie-break values and standings from other programs."""

import csv
from pathlib import Path

from tournament.standings.crosstable import Crosstable
from tournament.trf import read_trf

DATA = Path(__file__).parent / "data"
SWISS = ["001", "002", "003", "004", "005", "006", "007", "008", "009"]
ROUND_ROBIN = ["010", "011", "012"]


def load(name: str) -> Crosstable:
    return read_trf((DATA / f"{name}.trf").read_bytes(), round_robin=name in ROUND_ROBIN).crosstable


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))
