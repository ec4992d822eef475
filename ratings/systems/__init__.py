"""How games become ratings: pure functions on values.

`PRESETS` holds the rating systems that a pool can choose, by key.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Final

from ratings.systems.elo import Elo
from ratings.systems.errors import BadParameter, UnknownPreset

PRESETS: Final[dict[str, Elo]] = {
    "decay": Elo(k0=100, n0=10, kmin=12),
    "fixed": Elo(k0=24, kmin=24),
}

RANGES: Final[dict[str, range]] = {
    "k0": range(1, 1001),
    "kmin": range(1, 1001),
    "n0": range(1, 1001),
    "start": range(0, 10_001),
}


def find_preset(name: str, parameters: Mapping[str, object] | None = None) -> Elo:
    """The preset of that name with some of its parameters changed.

    Parameters are whole numbers: `k0`, `kmin` (points of K), `n0` (games), `start` (points).
    Raises UnknownPreset, or BadParameter naming the parameter and its range.
    """
    if name not in PRESETS:
        raise UnknownPreset(f"no preset {name[:60]!r}; valid are: {', '.join(PRESETS)}")
    preset = PRESETS[name]
    known = [field.name for field in fields(preset)]
    wanted: dict[str, int] = {}
    for key, value in (parameters or {}).items():
        if key not in known:
            raise BadParameter(f"no parameter {key[:60]!r}; valid are: {', '.join(known)}")
        if type(value) is not int or value not in RANGES[key]:
            low, high = RANGES[key][0], RANGES[key][-1]
            raise BadParameter(f"{key} is a whole number from {low} to {high}")
        wanted[key] = value
    system = replace(preset, **wanted)
    if system.kmin > system.k0:
        raise BadParameter(f"kmin {system.kmin} is above k0 {system.k0}: K falls, it never rises")
    return system
