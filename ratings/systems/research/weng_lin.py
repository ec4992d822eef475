"""Weng-Lin ratings in shadow, by the Bradley-Terry model of openskill with its defaults.

    R. C. Weng, C.-J. Lin: A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011),
    algorithm 1

A player has a mean and a standard deviation. The expected score is the one from which the model
computes its changes,

    E = 1 / (1 + exp(-(difference of the means) / c)),  c^2 = 2 beta^2 + the sum of both variances

and not openskill's `predict_win`, which puts the same argument into the normal distribution and so
states more certainty than the model has. A rating point is ln(10) / 400 x sqrt(2) beta: with it, E
is that of Elo between players who are known exactly.
"""

import math
from importlib.util import find_spec

import numpy as np

from ratings.systems.elo import MILLI, MILLION
from ratings.systems.research.prediction_scores import Numbers
from ratings.systems.research.shadow_games import START, ShadowGames


def is_available() -> bool:
    """Return True if openskill is installed."""
    return find_spec("openskill") is not None


def predict_weng_lin(games: ShadowGames) -> Numbers:
    """Return the expected score of each first seat before its batch.

    The games of a batch change the ratings in their order.
    """
    from openskill.models import BradleyTerryFull

    model = BradleyTerryFull()
    milli = math.log(10) / 400 * math.sqrt(2) * model.beta / MILLI
    players = [
        model.rating(mu=model.mu + milli * ((START if start is None else start) - START))
        for start in games.starts
    ]
    seats = games.columns.players.tolist()
    parts = (milli * games.columns.parts).tolist()
    scores = games.columns.scores.tolist()
    expected = np.zeros(len(scores))
    begin = 0
    for end in games.columns.ends.tolist():
        for game in range(begin, end):
            first, second = players[seats[2 * game]], players[seats[2 * game + 1]]
            variance = 2 * model.beta**2 + first.sigma**2 + second.sigma**2
            difference = first.mu + parts[game] - second.mu
            expected[game] = 1 / (1 + math.exp(-difference / math.sqrt(variance)))
        for game in range(begin, end):
            first, second = players[seats[2 * game]], players[seats[2 * game + 1]]
            first.mu += parts[game]
            points = [float(scores[game]), float(MILLION - scores[game])]
            ((first,), (second,)) = model.rate([[first], [second]], scores=points)
            first.mu -= parts[game]
            players[seats[2 * game]], players[seats[2 * game + 1]] = first, second
        begin = end
    return expected
