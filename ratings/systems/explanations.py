"""Why a game changed a rating as it did, in words."""

from typing import Final

from ratings.systems.elo import MILLI, Elo
from ratings.systems.fide import MAX_K_TIMES_GAMES, KRule
from ratings.systems.presets import PRESETS

FIDE_REASONS: Final = {
    10 * MILLI: KRule.TOP.value,
    20 * MILLI: KRule.STANDARD.value,
    40 * MILLI: f"{KRule.NEW.value}, or {KRule.JUNIOR.value}",
}
MONTH_LIMIT = f"at most {MAX_K_TIMES_GAMES} for all games of the month"


def explain_change(preset: str, before: int, opponent: int, k: int) -> str:
    """Return in words why a change has this K.

    `before` and `opponent` are the ratings of both players before the batch, or the month.
    """
    system = PRESETS[preset]
    if isinstance(system, Elo):
        falls = system.kmin < system.k0
        return "K falls with the number of rated games" if falls else "K is the same for all games"
    if not opponent:
        return "the opponent is unrated: the game changes no rating"
    if not before:
        return "unrated before the month: the game counts towards the first rating"
    return f"K: {FIDE_REASONS[k]}, or {MONTH_LIMIT}" if k in FIDE_REASONS else f"K: {MONTH_LIMIT}"
