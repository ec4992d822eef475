"""Restore a player's state in FIDE's system from what was stored: the changes, or its JSON."""

from collections.abc import Sequence
from typing import Any

from ratings.systems.fide import FideState
from ratings.systems.fide_initial import InitialEvent, add_event, count_initial
from ratings.systems.fide_k import TOP_LEVEL


def repeat_change(
    state: FideState,
    before: int,
    opponent: int,
    part: int,
    score: int,
    after: int,
    *,
    period: int,
    event: int,
) -> FideState:
    """Return the state after a game of which `changes` recorded these values.

    `before` and `opponent` are the ratings of the player and the opponent before, `part` the
    handicap part that helps the player, `after` the player's rating after the period; `period` and
    `event` are those of the game. The state is complete after all changes of the period.
    """
    if before and not after:
        return FideState()  # the rating fell below the floor
    if before:
        has_reached_2400 = state.has_reached_2400 or after >= TOP_LEVEL
        return FideState(after, state.games + (opponent > 0), has_reached_2400)
    if not opponent:
        return state
    events = add_event(state.initial, InitialEvent(period, event, 1, opponent - part, score))
    return FideState(after, count_initial(events).games if after else 0, initial=events)


def read_state(values: Sequence[Any]) -> FideState:
    """Return the state with these values, in which JSON has made lists of the events."""
    *numbers, initial = values
    return FideState._make([*numbers, tuple(map(InitialEvent._make, initial))])
