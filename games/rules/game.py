"""What the house must know of a game beside its positions: names, boards, words, agreements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.rules.conditions import Conditions, HandicapKind, Setup
from games.rules.position import Position


def no_shortcut(_conditions: Conditions, _turns: Sequence[str]) -> Position | None:
    """Return None: this game's turns are walked one by one."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules:
    """A game that records, the referee and the organisers can name.

    - `boards` are boards as the tag `Board` writes them: all of them, or the usual ones where
      there are more; `board_form`, `notation`, `summary` and `source` are for people.
    - `read_board` turns a board's name into its canonical form, None when there is no such board.
    - `start` gives the position before the first turn; the conditions have been checked.
    - `words` are turns in canonical spelling that a reader may take as they stand; `canonical`
      gives the spelling of a turn that was written in another way and leaves the rest alone.
    - `shortcut` may give the position after many turns without walking them. It returns None
      unless every turn is legal: then the walk finds out what is wrong, and where.
    - `handicap_stones` says on which boards (canonical) stones are possible.
    - `combined_score` is the sum of both scores on a board, None where nothing is scored.
    """

    code: str
    name: str
    boards: tuple[str, ...]
    board_form: str
    notation: str
    summary: str
    source: str
    read_board: Callable[[str], str | None]
    start: Callable[[Conditions], Position]
    words: Callable[[str], frozenset[str]]
    canonical: Callable[[str], str]
    options: tuple[str, ...] = ()
    players: int = 2
    swaps: bool = True
    draws: bool = False
    combined_score: Callable[[Conditions], int] | None = None
    handicaps: frozenset[HandicapKind] = frozenset()
    handicap_stones: Callable[[str], bool] = bool
    read_setup: Callable[[Setup | None], Setup] | None = None
    shortcut: Callable[[Conditions, Sequence[str]], Position | None] = no_shortcut
