"""The recorded positions, in both editions of TRF, and their recorded pairings."""

from dataclasses import replace
from random import Random

import pytest

from tests.processes import ROOT
from tests.tournament.pairing.events import POSITIONS, position
from tournament.pairing.systems.dutch import pair_dutch
from tournament.pairing.trf_rounds import request_next_round
from tournament.trf import read_trf

FOLDERS = {"trf16": POSITIONS, "trf26": ROOT / "tests" / "data" / "pairing" / "trf26"}
NAMES = sorted(path.stem for path in POSITIONS.glob("*.trf"))


@pytest.mark.parametrize(
    ("edition", "names"),
    [
        pytest.param("trf16", NAMES, id="trf16"),
        pytest.param("trf26", NAMES[::2], id="trf26"),
        pytest.param("trf26", NAMES[1::2], id="trf26, the others", marks=pytest.mark.long),
    ],
)
def test_recorded_pairings(edition: str, names: list[str]) -> None:
    found = {}
    for name in names:
        request = request_next_round(read_trf((FOLDERS[edition] / f"{name}.trf").read_bytes()))
        found[name] = str(pair_dutch(request))

    assert found == {name: (POSITIONS / f"{name}.pairs").read_text() for name in names}


@pytest.mark.parametrize("name", ["008", "024", "072", "120"])
def test_the_order_of_lines_does_not_matter(name: str) -> None:
    lines = (POSITIONS / f"{name}.trf").read_text().splitlines()
    Random(name).shuffle(lines)
    request = request_next_round(read_trf("\n".join(lines)))
    assert str(pair_dutch(request)) == (POSITIONS / f"{name}.pairs").read_text()


@pytest.mark.parametrize("name", ["008", "024", "072", "120"])
def test_a_player_who_never_played_does_not_matter(name: str) -> None:
    request = position(name)
    table = request.crosstable
    last = max(table.by_number)
    away = replace(table.players[0], number=last + 1, results=(), virtual=())
    larger = replace(
        request,
        crosstable=replace(table, players=(*table.players, away)),
        absent=request.absent | {last + 1},
    )
    assert pair_dutch(larger) == pair_dutch(request)
