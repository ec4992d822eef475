"""The band of expected scores in which games are rated.

A game whose result is almost certain says little about the strength of the players, and invites
them to collect points. Its expected score is that of the ratings at pairing and of the handicap.
"""

from ratings.systems.elo import MILLION, Elo, PlayerState, RatedGame, rate_batch
from ratings.systems.fide import rate_period, start_rated
from ratings.systems.presets import RatingSystem


def expected_at_pairing(first: int, second: int, part: int, system: RatingSystem) -> int:
    """Return the expected score of the first seat in millionths; ratings and part are in milli."""
    games = [RatedGame("first", "second", 0, part)]
    if isinstance(system, Elo):
        states = {"first": PlayerState(first, 0), "second": PlayerState(second, 0)}
        return rate_batch(states, games, system).games[0][1]
    rated = {"first": start_rated(first), "second": start_rated(second)}
    return rate_period(rated, games, system).games[0][1]


def is_out_of_band(expected: int, percent: int) -> bool:
    """Return True if the expected score of one of the players is below this many percent."""
    return min(expected, MILLION - expected) * 100 < percent * MILLION
