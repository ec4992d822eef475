"""gacrux, an independent pairing checker, as a function."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tournament.trf import TrfEdition, TrfFile, write_trf

Paired = set[tuple[int, int]]


@pytest.fixture
def gacrux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[TrfFile], Paired]:
    """Pair the next round; (player, 0) is the bye; empty without a legal pairing."""
    from gacrux.pairingchecker import pairingchecker

    source, pairs = tmp_path / "event.trf", tmp_path / "pairs"

    def pair(trf: TrfFile) -> Paired:
        source.write_text(write_trf(trf, edition=TrfEdition.TRF26), encoding="utf-8")
        # Without its number, the round after the last one with a game is paired.
        options = f"-p -b utf-8 -dT -n {trf.crosstable.completed + 1} -i {source} -o {pairs}"
        monkeypatch.setattr("sys.argv", ["gacrux", *options.split()])
        program = pairingchecker()
        program.common_main()
        return set((getattr(program.chessfile, "result", None) or {}).get("pairs") or ())

    return pair
