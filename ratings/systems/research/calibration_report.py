"""The report of a calibration: the estimates beside the table in force, and their reliability."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from ratings.systems.elo import MILLION
from ratings.systems.handicap import HandicapTable
from ratings.systems.reliability import Group, group_by_expected
from ratings.systems.research.calibration import Calibration, CalibrationGame, Estimate, calibrate

MOST_CALIBRATION_GAMES: Final = 200_000
"""The last games that are used; they bound the memory and are more than enough."""

CALIBRATION_COLUMNS = ("name", "games", "table", "estimate", "low", "high")
CALIBRATION_NOTE = (
    "The values of table v1 are the project's priors, not measurements. The estimates change no "
    f"rating. They are computed from the last {MOST_CALIBRATION_GAMES} games of players whose "
    "ratings are settled. Intervals contain the value with a probability of 95 %."
)


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """Estimates from the games of a pool, beside the values of its table.

    The groups are of the games with a handicap or without the pie rule, by the expected scores of
    the table in force and of the estimates.
    """

    table: str
    games: int
    slope: Estimate
    values: tuple[tuple[int, Estimate], ...]
    by_table: tuple[Group, ...]
    by_estimates: tuple[Group, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON; values in rating points."""
        names = CALIBRATION_COLUMNS[:2] + CALIBRATION_COLUMNS[3:]
        return {
            "table": self.table,
            "games": self.games,
            "note": CALIBRATION_NOTE,
            "slope": dict(zip(names, _rounded(self.slope), strict=True)),
            "values": [dict(zip(CALIBRATION_COLUMNS, row, strict=True)) for row in self._rows()],
            "reliability": {
                "table": list(map(_group_as_json, self.by_table)),
                "estimates": list(map(_group_as_json, self.by_estimates)),
            },
        }

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for in_force, estimate in self.values:
            name, games, *numbers = _rounded(estimate)
            yield name, games, in_force, *numbers


def report_rows(report: Mapping[str, Any]) -> Iterator[Sequence[object]]:
    """Yield the header, the slope, and a row for each value; what is not estimated is empty."""
    yield CALIBRATION_COLUMNS
    for row in ({**report["slope"], "table": 1}, *report["values"]):
        yield ["" if row[name] is None else row[name] for name in CALIBRATION_COLUMNS]


def report_series(report: Mapping[str, Any]) -> dict[str, tuple[Group, ...]]:
    """Return the series of the reliability plot, by their names."""
    names = {"table": f"table {report['table']}", "estimates": "estimates"}
    return {
        names[key]: tuple(Group(**group) for group in groups)
        for key, groups in report["reliability"].items()
    }


def make_report(
    version: str, table: HandicapTable, games: Iterable[tuple[CalibrationGame, int]]
) -> CalibrationReport:
    """Return the report for games with their expected scores by the table of this version.

    Only the last `MOST_CALIBRATION_GAMES` are used. Raises NotEstimable.
    """
    used = deque(games, maxlen=MOST_CALIBRATION_GAMES)
    found: Calibration = calibrate([game for game, _ in used], table)
    by_table, by_estimates = [], []
    for (game, millionths), expected in zip(used, found.expected, strict=True):
        if any(game.amounts):
            score = game.score / MILLION
            by_table.append((millionths / MILLION, score))
            by_estimates.append((expected, score))
    in_force = asdict(table)
    return CalibrationReport(
        version,
        len(used),
        found.slope,
        tuple((in_force[estimate.name], estimate) for estimate in found.values),
        group_by_expected(by_table),
        group_by_expected(by_estimates),
    )


def _rounded(estimate: Estimate) -> tuple[Any, ...]:
    numbers = (estimate.value, estimate.low, estimate.high)
    rounded = (None if number is None else round(number, 3) for number in numbers)
    return estimate.name, estimate.games, *rounded


def _group_as_json(group: Group) -> dict[str, Any]:
    return {name: round(value, 6) for name, value in asdict(group).items()}
