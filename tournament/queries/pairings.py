"""The pairings of a round as the API shows them, and how far their explanation has come."""

from typing import Any

from django.db.models import F

from games.models import Game
from games.queries import plain
from tournament.models import Explanation, Round, Tournament
from tournament.queries.crosstable import point_system
from tournament.queries.events import current_pairings
from tournament.queries.results import game_kinds
from tournament.standings.awarded_points import result_code

MOST_ATTEMPTS = 3
"""After which an explanation is given up."""


def _paired(row: dict[str, Any], seat: str) -> dict[str, Any] | None:
    if row[f"{seat}_id"] is None:
        return None
    return {
        "entry": row[f"{seat}_id"],
        "pairing_number": row[f"{seat}__pairing_number"],
        "player": row[f"{seat}__player_id"],
        "name": row[f"{seat}__player__name"],
    }


def result_text(winner: str, draw: bool, score: tuple[int, int] | None, state: str) -> str | None:
    """A result as it is written, first seat's first; None while none stands."""
    if state != Game.State.CONFIRMED:
        return None
    if score is not None:
        return f"{score[0]}-{score[1]}"
    if draw:
        return "1/2"
    return {"first": "1-0", "second": "0-1"}.get(winner, "0-0")


def _awarded_text(tournament: Tournament, row: dict[str, Any]) -> str | None:
    """The points that an arbiter awarded, as 0.5-0, while they stand; None where there are none."""
    if not row["awarded_for"] or row["game__state"] != Game.State.CONFIRMED:
        return None
    kinds = game_kinds(row["game__winner"], row["game__draw"], row["game__termination"])
    if row["awarded_for"] != result_code(kinds):
        return None
    points = point_system(tournament)
    units = row["awarded_first"], row["awarded_second"]
    return "-".join(
        points.format_units(points.units_of(kind) if own is None else own)
        for kind, own in zip(kinds, units, strict=True)
    )


def pairings_of(tournament: Tournament, this_round: Round) -> list[dict[str, Any]]:
    """A round's current pairings as the API shows them: by board, then the byes."""
    rows = plain(
        current_pairings(tournament)
        .filter(round=this_round)
        .order_by(F("board_number").asc(nulls_last=True), "first__pairing_number"),
        "board_number", "kind", "by_hand", "first_id", "first__pairing_number", "first__player_id",
        "first__player__name", "second_id", "second__pairing_number", "second__player_id",
        "second__player__name", "game_id", "game__state", "game__basis", "game__winner",
        "game__draw", "game__score_first", "game__score_second", "game__termination",
        "awarded_for", "awarded_first", "awarded_second",
    )  # fmt: skip
    return [
        {
            "board": row["board_number"],
            "kind": row["kind"],
            "by_hand": row["by_hand"],
            "first": _paired(row, "first"),
            "second": _paired(row, "second"),
            "game": row["game_id"],
            "state": row["game__state"],
            "basis": row["game__basis"] or None,
            "result": _awarded_text(tournament, row)
            or result_text(
                row["game__winner"] or "",
                bool(row["game__draw"]),
                None
                if row["game__score_first"] is None
                else (row["game__score_first"], row["game__score_second"]),
                row["game__state"] or "",
            ),
            "termination": row["game__termination"] or None,
        }
        for row in rows
    ]


def explanation_progress(explanation_id: int) -> dict[str, Any] | None:
    """How far an explanation has come; `done` with what it says, None if unknown."""
    found = (
        Explanation.objects.filter(pk=explanation_id)
        .select_related("certificate__round__tournament")
        .first()
    )
    if found is None:
        return None
    certificate, body = found.certificate, found.body
    done = body is not None
    failed = not done and found.attempts >= MOST_ATTEMPTS
    place = {"tournament": certificate.round.tournament.slug, "round": certificate.round.number}
    return {
        "id": f"explanation-{found.pk}",
        "state": "done" if done else "failed" if failed else "waiting",
        "progress": 1 if done else 0,
        "stream": certificate.round.tournament.stream,
        "result": {**place, **body, "numbers": certificate.entries} if body is not None else None,
    }
