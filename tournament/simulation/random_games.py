"""The games of one simulation: their results are drawn one after the other, and kept."""

from random import Random

from tournament.simulation.event import OpenPairing, RandomGame
from tournament.simulation.strengths import KindPair, Strengths


class RandomGames:
    """Draws the results of games from the strengths of the players; `played` has all of them."""

    def __init__(self, strengths: Strengths, random: Random):
        self.strengths = strengths
        self.random = random
        self.played: list[RandomGame] = []

    def play(self, pairing: OpenPairing) -> list[KindPair]:
        """Return the results of the games of a pairing; only those that are missing are drawn.

        In the return game the seats are exchanged, but a handicap helps the same player.
        """
        first, second = pairing.pair
        strengths = self.strengths
        kinds = []
        for index, known in enumerate(pairing.games):
            if known is not None:
                kinds.append(known)
                continue
            part = pairing.part - (2 * strengths.first_seat if index else 0)
            drawn = strengths.random_game(self.random, pairing.pair, part)
            kinds.append(drawn)
            game = RandomGame(first, second, part, drawn)
            self.played.append(RandomGame(second, first, -part, drawn[::-1]) if index else game)
        return kinds
