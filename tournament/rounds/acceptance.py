"""The rules that a round breaks are accepted by the codes that the caller names."""

from collections.abc import Collection, Sequence
from typing import Any

from games.core.errors import Conflict
from games.rules.text import Text
from tournament.pairing.findings import Finding

GAME_REPORTED = "game-reported"
"""The code to accept that a game with reports becomes void."""


def require_acceptance(
    violations: Sequence[Finding], accept: Collection[str], reported_boards: Sequence[int] = ()
) -> None:
    """Raise Conflict unless the caller accepts the rules that a round breaks.

    The games of `reported_boards` have reports, and become void.
    """
    errors: list[dict[str, Any]] = [
        {"code": finding.code.value, "detail": finding.sentence} for finding in violations
    ]
    errors += [
        {
            "code": GAME_REPORTED,
            "board": board,
            "detail": Text(
                "the game at board %(board)s has reports; it would become void", board=board
            ),
        }
        for board in reported_boards
    ]
    missing = [error for error in errors if error["code"] not in accept]
    if missing:
        codes = sorted({str(error["code"]) for error in errors})
        detail = Text(
            "pairing numbers: %(detail)s; send `accept`: %(codes)s",
            detail=missing[0]["detail"],
            codes=", ".join(codes),
        )
        raise Conflict("acceptance_needed", detail, missing, accept=codes)


def codes_of(violations: Sequence[Finding]) -> list[str]:
    """Return the codes of the broken rules, each once."""
    return list(dict.fromkeys(finding.code.value for finding in violations))
