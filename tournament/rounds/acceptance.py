"""What a director accepts by codes: rules that a round breaks, changes of what is published."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.core.errors import Conflict
from games.rules.text import Text
from tournament.core.violations import sentences_of
from tournament.models import Tournament
from tournament.pairing.findings import Finding, FindingCode

GAME_REPORTED = "game_reported"
"""The code to accept that a game with reports becomes void."""
PAIRINGS, RANKS, PRIZES = "pairings_change", "ranks_change", "prizes_change"
"""The codes to accept that other settings change what is published."""
REPORT_DIFFERS = "report_differs"
"""The code to accept that a result contradicts the report of a player."""
LABELS: Final[Mapping[str, Promise]] = {
    GAME_REPORTED: _("games that have reports become void"),
    PAIRINGS: _("rounds would be paired differently"),
    RANKS: _("ranks change"),
    PRIZES: _("prizes change"),
}
"""The codes that are no rules of pairing, for readers."""
BROKEN_RULES: Final = (*(str(code) for code in FindingCode if code.label), GAME_REPORTED)
"""The codes to accept of a round: the rules that it can break."""


def require_acceptance(
    tournament: Tournament,
    violations: Sequence[Finding],
    accept: Collection[str],
    reported_boards: Sequence[int] = (),
) -> None:
    """Raise Conflict unless the caller accepts the rules that a round breaks.

    The games of `reported_boards` have reports, and become void.
    """
    errors: list[dict[str, Any]] = [
        {"code": finding.code.value, "detail": sentence}
        for finding, sentence in zip(violations, sentences_of(tournament, violations), strict=True)
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
            "%(detail)s; send `accept`: %(codes)s",
            detail=missing[0]["detail"],
            codes=", ".join(codes),
        )
        raise Conflict("acceptance_needed", detail, missing, accept=codes)


def codes_of(violations: Sequence[Finding]) -> list[str]:
    """Return the codes of the broken rules, each once."""
    return list(dict.fromkeys(finding.code.value for finding in violations))
