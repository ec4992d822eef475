"""The rows of the rounds of a TRF file, as the line of its import has them."""

from typing import Any

from games.models import Game, JournalLine, Report
from games.rules.game_outcome import GameOutcome
from games.services.verification import JournalledRows
from tournament.services.verification.rounds import (
    AWARD,
    NO_AWARD,
    NO_HANDICAP,
    Payload,
    add_round,
    set_new_game,
)


def add_imported_round(
    rows: JournalledRows, line: JournalLine, imported: Payload, reason: str
) -> None:
    """Apply a round of a TRF file: all its results are rulings, or the games are adjourned."""
    number = imported["round"]
    columns = {name: imported[name] for name in ("state", "version", "system", "reason")}
    add_round(rows, line, number)
    rows.set(line, "round", number, starts_on=imported["starts_on"], **columns)
    for board, first, second, kind, game, outcome, award, *others in imported["boards"]:
        return_game, return_outcome = others or (None, None)
        awarded = NO_AWARD | (dict(zip(AWARD, award, strict=True)) if award else {})
        rows.set(
            line, "pairing", (number, 1, first), board_number=board, second_id=second,
            kind=kind, game_id=game, return_game_id=return_game, **awarded, **NO_HANDICAP,
        )  # fmt: skip
        if game is not None:
            set_new_game(rows, line, game, number, first, second)
        if return_game is not None:
            set_new_game(rows, line, return_game, number, second, first)
        for reported, result in ((game, outcome), (return_game, return_outcome)):
            if reported is not None and result:
                _set_report(rows, line, reported, result, reason)


def _set_report(
    rows: JournalledRows, line: JournalLine, game: int, outcome: list[Any] | str, reason: str
) -> None:
    """Set the only report of a game: its adjournment, or the ruling with its outcome."""
    kind, value = Report.Kind.ADJOURNMENT, {}
    columns: dict[str, Any] = {"adjourned": True}
    if not isinstance(outcome, str):
        winner, draw, termination = outcome
        kind = Report.Kind.RULING
        value = GameOutcome.from_json(
            {"winner": winner or None, "draw": draw, "termination": termination}
        ).as_json()
        columns = {
            "state": Game.State.CONFIRMED, "basis": Game.Basis.RULING, "winner": winner,
            "draw": draw, "termination": termination,
        }  # fmt: skip
    rows.set(line, "game", game, **columns)
    rows.set(
        line, "report", (game, 1), kind=kind, seat="", digest="", confirms=None, outcome=value,
        reason=reason,
    )  # fmt: skip
