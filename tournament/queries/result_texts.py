"""The results of games and pairings as text, from the columns of their games."""

from collections.abc import Sequence
from typing import Any

from games.models import Game
from tournament.core.crosstable import point_system
from tournament.core.results import game_kinds
from tournament.models import Tournament
from tournament.standings.awarded_points import result_code
from tournament.standings.crosstable import GAME_POINTS, Kind
from tournament.standings.points import format_decimal


def result_of_row(row: dict[str, Any], game: str = "game") -> str | None:
    """Return the result of a game in the row of its pairing; None while it has none."""
    score = row[f"{game}__score_first"], row[f"{game}__score_second"]
    state, winner, draw = (row[f"{game}__{name}"] for name in ("state", "winner", "draw"))
    return result_text(state, winner, draw, score)


def result_text(state: str, winner: str, draw: bool, score: Sequence[int | None]) -> str | None:
    """Return the result of a game, first seat first; None while it has none."""
    if state != Game.State.CONFIRMED:
        return None
    if score[0] is not None:
        return f"{score[0]}-{score[1]}"
    if draw:
        return "1/2"
    return {"first": "1-0", "second": "0-1"}.get(winner, "0-0")


def _kinds(row: dict[str, Any], game: str = "game") -> tuple[Kind, Kind]:
    names = (f"{game}__{name}" for name in ("winner", "draw", "termination"))
    return game_kinds(*(row[name] for name in names))


def points_text(row: dict[str, Any]) -> str | None:
    """Return the points of both games, as 1.5-0.5; None while one has no result."""
    if not row["game__state"] == row["return_game__state"] == Game.State.CONFIRMED:
        return None
    games = _kinds(row), _kinds(row, "return_game")[::-1]
    totals = (sum(GAME_POINTS[kind] for kind in side) for side in zip(*games, strict=True))
    return "-".join(map(format_decimal, totals))


def awarded_text(tournament: Tournament, row: dict[str, Any]) -> str | None:
    """Return the points that an arbiter awarded, as 0.5-0; None without a valid award."""
    if not row["awarded_for"] or row["game__state"] != Game.State.CONFIRMED:
        return None
    kinds = _kinds(row)
    if row["awarded_for"] != result_code(kinds):
        return None
    points = point_system(tournament)
    awarded_units = row["awarded_first"], row["awarded_second"]
    return "-".join(
        points.format_units(points.units_of(kind) if units is None else units)
        for kind, units in zip(kinds, awarded_units, strict=True)
    )
