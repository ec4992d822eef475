"""Random positions of all kinds, paired and compared with gacrux.

gacrux gives requested byes and forfeits the points of a game and pairs without awarded points
(records XXS and 299), and reads two rules differently (`is_read_differently`). The test does not
compare such positions.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.tournament.pairing.dutch.conftest import Paired
from tests.tournament.pairing.dutch.random_positions import pair_or_none, random_position
from tests.tournament.pairing.dutch.test_against_gacrux import is_read_differently
from tests.tournament.pairing.test_commands import run
from tournament.pairing.request import Pairings
from tournament.pairing.systems.dutch.field import field_of
from tournament.pairing.trf_rounds import request_next_round
from tournament.standings.crosstable import Kind
from tournament.trf import AnnouncedBye, TrfEdition, TrfFile, read_trf, write_trf


def check_files(trf: TrfFile, pairings: Pairings | None, seed: int) -> None:
    """Check that the file can be written and read, and that the order of its lines is free."""
    for edition in TrfEdition:
        written = write_trf(trf, edition=edition)
        assert read_trf(written) == trf
        lines = written.splitlines()
        Random(seed).shuffle(lines)
        assert pair_or_none(request_next_round(read_trf("\n".join(lines)))) == pairings


def check_open_round(trf: TrfFile, pairings: Pairings, path: Path, seed: int) -> None:
    """Check that `check_pairings` agrees with the pairings of the open round."""
    number = trf.crosstable.completed + 1
    bye = [AnnouncedBye(number, Kind.PAIRING_BYE, pairings.bye)] if pairings.bye else []
    open_round = replace(trf, open_pairings=tuple(sorted(pairings.pairs)), byes=(*trf.byes, *bye))
    path.write_text(write_trf(open_round, edition=list(TrfEdition)[seed % 2]))
    _, out, err = run("check_pairings", path)
    assert err == ""
    assert f"round {number} agrees" in out.splitlines()


def is_compared(trf: TrfFile) -> bool:
    """Return True if gacrux can read the position as it is meant."""
    codes = {line[:3] for line in write_trf(trf, edition=TrfEdition.TRF26).splitlines()}
    request = request_next_round(trf)
    return (
        not {"XXS", "299"} & codes
        and len(request.present) > 1
        and not is_read_differently(field_of(request))
    )


def try_positions(seeds: Iterable[int], gacrux: Callable[[TrfFile], Paired], path: Path) -> int:
    """Check each position; return how many were compared."""
    compared = 0
    for seed in seeds:
        trf = random_position(seed)
        try:
            pairings = pair_or_none(request_next_round(trf))
            check_files(trf, pairings, seed)
            if pairings and pairings.pairs:
                check_open_round(trf, pairings, path, seed)
            if is_compared(trf):
                bye = {(pairings.bye, 0)} if pairings and pairings.bye else set()
                assert gacrux(trf) == (set(pairings.pairs) | bye if pairings else set())
                compared += 1
        except Exception as error:
            error.add_note(f"position {seed}")
            raise
    return compared


def test_forty_random_positions(gacrux: Callable[[TrfFile], Paired], tmp_path: Path) -> None:
    assert try_positions(range(15, 55), gacrux, tmp_path / "open.trf") >= 20


@pytest.mark.long
def test_two_thousand_random_positions(gacrux: Callable[[TrfFile], Paired], tmp_path: Path) -> None:
    assert try_positions(range(1000, 3000), gacrux, tmp_path / "open.trf") >= 1100
