"""FIDE's rating of a player who has none (Rating Regulations 2024, B.02, 7.1.4 and 8.2).

The games against rated opponents are summed by event. Those of 26 consecutive rating periods, the
last of which is that of the last event, count together (7.1.4). If the player scored zero in the
first event, it does not count (8.2.1); its score is that of these games.

A casual game is an event of its own, so a lost one can be the first event. FIDE knows no such game:
it rates tournaments, and no match with an unrated player (6.1). A pool that rates casual games
counts them towards first ratings nevertheless, because nobody could get one there otherwise, and
8.2.1 then applies to them as to all events. A pool without casual games follows 6.1.
"""

from typing import NamedTuple

from ratings.systems.elo import DRAW, MILLI, MILLION
from ratings.systems.fide_tables import difference_of

INITIAL_PERIODS = 26
HYPOTHETICAL_GAMES, HYPOTHETICAL_RATING = 2, 1800 * MILLI
HIGHEST_INITIAL = 2200 * MILLI


class InitialEvent(NamedTuple):
    """The games of an unrated player against rated opponents in an event.

    `period` is the number of the rating period, `event` that of the event, `opponents` the sum of
    the ratings of the opponents, in milli, and `score` that of the scores, in millionths.
    """

    period: int
    event: int
    games: int = 0
    opponents: int = 0
    score: int = 0


InitialEvents = tuple[InitialEvent, ...]
"""The first event of a player and the later ones that can still count, in their order."""


def add_event(events: InitialEvents, new: InitialEvent) -> InitialEvents:
    """Return the events with that of some further games, which is new or the last one."""
    first, *later = (*events, new)
    if not later:
        return (first,)
    *later, last = later
    before = later[-1] if later else first
    if before[:2] == last[:2]:
        both = zip(before[2:], last[2:], strict=True)
        last = InitialEvent(*last[:2], *(one + other for one, other in both))
        if not later:
            return (last,)
        later = later[:-1]
    recent = [event for event in later if last.period - event.period < INITIAL_PERIODS]
    return first, *recent, last


def count_initial(events: InitialEvents) -> InitialEvent:
    """Return the sums over the events that count; the period and the event are the last ones."""
    first, last = events[0], events[-1]
    counted = [
        event
        for event in events
        if last.period - event.period < INITIAL_PERIODS and not (event is first and not event.score)
    ]
    return InitialEvent(*last[:2], *(sum(event[i] for event in counted) for i in (2, 3, 4)))


def initial_rating(opponents: int, score: int, games: int) -> int:
    """Return the rating of an unrated player from the sums over their games (8.2)."""
    games += HYPOTHETICAL_GAMES
    opponents += HYPOTHETICAL_GAMES * HYPOTHETICAL_RATING
    score += HYPOTHETICAL_GAMES * DRAW
    percent = round_away(100 * score, games * MILLION)
    points = round_away(opponents + difference_of(percent) * MILLI * games, games * MILLI)
    return min(HIGHEST_INITIAL, points * MILLI)


def round_away(numerator: int, denominator: int) -> int:
    """Round to the nearest whole number, a half away from zero."""
    rounded = (2 * abs(numerator) + denominator) // (2 * denominator)
    return rounded if numerator >= 0 else -rounded
