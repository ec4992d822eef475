"""What the results of a simulated event would change in the ratings of its pool."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ratings.systems.band import expected_at_pairing, is_out_of_band
from ratings.systems.elo import DRAW, LOSS, WIN, Elo, PlayerState, RatedGame, rate_batch
from ratings.systems.fide import FideState, rate_period
from ratings.systems.presets import RatingSystem
from tournament.simulation.event import RandomGame
from tournament.standings.crosstable import Kind, PlayerId

RATED_SCORES = {Kind.WIN: WIN, Kind.DRAW: DRAW, Kind.LOSS: LOSS}


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRule:
    """How an event is rated: the system, the players before it, and the games rated so far.

    All games of the event are rated together, on the states before it. `juniors` have FIDE's K of
    juniors. The pool leaves out a game in which a player can expect less than `least_expected`
    percent.
    """

    system: RatingSystem
    states: Mapping[PlayerId, PlayerState | FideState]
    played: tuple[RatedGame[PlayerId], ...] = ()
    juniors: frozenset[PlayerId] = frozenset()
    least_expected: int = 0
    _rates: dict[tuple[PlayerId, PlayerId, int], bool] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def changes(self, games: Iterable[RandomGame]) -> dict[PlayerId, int]:
        """Return the change of each player's rating with these further games, in milli.

        Players without a game, and those without a rating before the event, are left out.
        """
        rated = [*self.played]
        rated += [
            RatedGame(g.first, g.second, RATED_SCORES[g.kinds[0]], g.part)
            for g in games
            if self.rates(g.first, g.second, g.part)
        ]
        states = self.states
        if isinstance(self.system, Elo):
            elo_states = {n: state for n, state in states.items() if isinstance(state, PlayerState)}
            batch = rate_batch(elo_states, rated, self.system)
            return {n: after - before for n, (before, _, after, _) in batch.players.items()}
        fide_states = {n: state for n, state in states.items() if isinstance(state, FideState)}
        period = rate_period(fide_states, rated, self.system, juniors=self.juniors)
        return {
            number: player.after.rating - player.before.rating
            for number, player in period.players.items()
            if player.before.rating and player.after.rating
        }

    def rates(self, first: PlayerId, second: PlayerId, part: int) -> bool:
        """Return False if the pool leaves out a game of these players; FIDE's unrated have none."""
        key = first, second, part
        if key not in self._rates:
            ratings = self.states[first].rating, self.states[second].rating
            has_band = isinstance(self.system, Elo) or all(ratings)
            self._rates[key] = not has_band or not is_out_of_band(
                expected_at_pairing(*ratings, part, self.system), self.least_expected
            )
        return self._rates[key]
