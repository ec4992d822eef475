"""The rating systems that a pool can choose, and their parameters."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeAlias

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.text import Text
from ratings.systems.elo import MILLI, Elo, PlayerState, RatingError
from ratings.systems.fide import Fide, FideState, start_rated

RatingSystem: TypeAlias = Elo | Fide


class Start(NamedTuple):
    """A rating from elsewhere, in milli, None for none, and what decides K besides.

    `games` are the rated games that led to it; `reached_2400` is true if it was 2400 at any time.
    """

    rating: int | None
    games: int = 0
    reached_2400: bool = False

    @classmethod
    def from_points(cls, rating: int | None, games: int, reached_2400: bool) -> "Start":
        """Return the start for the seed rating of a player, in points; 0 is none."""
        return cls(rating * MILLI, games, reached_2400) if rating else cls(None)

    def state(self, system: RatingSystem) -> PlayerState | FideState:
        """Return the state of a player in this system before the first game."""
        if isinstance(system, Elo):
            rating = system.start * MILLI if self.rating is None else self.rating
            return PlayerState(rating, self.games)
        if self.rating is None:
            return FideState()
        return start_rated(self.rating, self.games, has_reached_2400=self.reached_2400)


class Preset(LabelledEnum):
    """The presets."""

    FLOOR = "floor", gettext_noop("floor: K falls fast, from 180, but stays above 10")
    SETTLING = "settling", gettext_noop("settling: K falls fast, from 200 to 1")
    DECAY = "decay", gettext_noop("decay: K falls with the number of games")
    FIXED = "fixed", gettext_noop("fixed: one K for all games")
    FIDE_2024 = "fide-2024", gettext_noop("fide-2024: FIDE's regulations, month by month")


PRESETS: Final[dict[str, RatingSystem]] = {
    Preset.FLOOR: Elo(k0=180, n0=5, kmin=10),
    Preset.SETTLING: Elo(k0=200, n0=6, kmin=1),
    Preset.DECAY: Elo(k0=100, n0=10, kmin=12),
    Preset.FIXED: Elo(k0=24, kmin=24),
    Preset.FIDE_2024: Fide(),
}

DEFAULT: Final = Preset.FLOOR
"""The one of new pools, and of `manage.py rate`."""
USUAL_SPREAD: Final = 250
"""The spread of the strengths in a pool without players (ratings/systems/intervals.py)."""

ELO_PARAMETERS: Final[dict[str, range]] = {
    "k0": range(1, 1001),
    "kmin": range(1, 1001),
    "n0": range(1, 1001),
    "start": range(0, 10_001),
}
"""Valid values: points of K, points of K, games, points."""

FIDE_PARAMETERS: Final[dict[str, range]] = {"limit_400": range(0, 2)}


class UnknownPreset(RatingError):
    """No preset has this name; the message lists the valid names."""


class BadParameter(RatingError):
    """The preset has no such parameter, or the value is out of range."""

    def __init__(self, parameter: str, detail: str) -> None:
        super().__init__(detail)
        self.parameter = parameter


def find_preset(name: str, parameters: Mapping[str, object] | None = None) -> RatingSystem:
    """Return the preset of this name, with some of its parameters replaced.

    Raises UnknownPreset, or BadParameter with the name of the parameter and its range.
    """
    if name not in PRESETS:
        raise UnknownPreset(
            Text(
                "no preset %(name)s; valid are: %(names)s",
                name=f"{name[:60]!r}",
                names=", ".join(PRESETS),
            )
        )
    for error in find_bad_parameters(name, parameters or {}):
        raise error
    preset: Any = PRESETS[name]  # each has parameters of its own
    found: RatingSystem = replace(preset, **(parameters or {}))
    return found


def find_bad_parameters(name: str, parameters: Mapping[str, object]) -> Iterator[BadParameter]:
    """Yield an error for each parameter that is wrong for a preset."""
    preset = PRESETS[name]
    valid = FIDE_PARAMETERS if isinstance(preset, Fide) else ELO_PARAMETERS
    right: dict[str, int] = {}
    for key, value in parameters.items():
        if key not in valid:
            detail = Text(
                "no parameter %(name)s; valid are: %(names)s",
                name=f"{key[:60]!r}",
                names=", ".join(valid),
            )
            yield BadParameter(key, detail)
        elif type(value) is not int or value not in valid[key]:
            detail = Text(
                "%(field)s must be a whole number from %(least)s to %(most)s",
                field=key,
                least=valid[key][0],
                most=valid[key][-1],
            )
            yield BadParameter(key, detail)
        else:
            right[key] = value
    if isinstance(preset, Elo) and (system := replace(preset, **right)).kmin > system.k0:
        detail = Text(
            "kmin %(least)s must not exceed k0 %(most)s: K never rises",
            least=system.kmin,
            most=system.k0,
        )
        yield BadParameter("kmin" if "kmin" in right else "k0", detail)
