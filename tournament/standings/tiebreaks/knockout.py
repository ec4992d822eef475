"""The final order of a knockout: STAGE and LOST. Players who are not in the bracket have no value.

STAGE ranks by the round reached: one for each tie won, byes included, and a half for the game for
third place. LOST then ranks the players who lost in the same stage by the places of the players
who beat them. Players of whom nobody advanced, because both were absent, are behind these.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from games.rules.text import Text
from tournament.standings.crosstable import PlayerId, Progress
from tournament.standings.points import Number
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import TermKind, TiebreakTerm, Value, Values, sum_terms


def lacks_a_bracket(table: ScoreTable) -> Text | None:
    """Return that no player is in a bracket, None if one is."""
    return None if _progress(table) else Text("the results so far contain no bracket")


def stage(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the number of ties won, and a half for third place."""
    progress = _progress(table)
    return {
        number: _value(Fraction(progress[number].half_ties, 2))
        if number in progress
        else Value(None)
        for number in group
    }


def lost_to(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the place of the player who won the tie; 0 for players who have lost none.

    Where nobody won the tie, it is the place behind all who won one of the stage.
    """
    progress = _progress(table)
    places = _places(progress)
    return {
        number: _value(_place_of_winner(number, progress, places))
        if number in progress
        else Value(None)
        for number in group
    }


def _progress(table: ScoreTable) -> dict[PlayerId, Progress]:
    players = table.crosstable.players
    return {player.number: player.progress for player in players if player.progress}


def _places(progress: Mapping[PlayerId, Progress]) -> dict[PlayerId, int]:
    """Return the place of each player by STAGE and LOST; a winner is placed before the loser."""
    places: dict[PlayerId, int] = {}

    def lost_to_place(number: PlayerId) -> int:
        return _place_of_winner(number, progress, places)

    by_stage = sorted(progress, key=lambda number: -progress[number].half_ties)
    for _, players in groupby(by_stage, key=lambda number: progress[number].half_ties):
        ordered = sorted(players, key=lost_to_place)
        tied = [list(equal) for _, equal in groupby(ordered, key=lost_to_place)]
        for equal in tied:
            places |= dict.fromkeys(equal, len(places) + 1)
    return places


def _place_of_winner(
    number: PlayerId, progress: Mapping[PlayerId, Progress], places: Mapping[PlayerId, int]
) -> int:
    own = progress[number]
    if own.lost_to == number:
        return 1 + sum(other.half_ties > own.half_ties for other in progress.values())
    return places.get(own.lost_to or 0, 0)


def _value(number: Number) -> Value:
    return sum_terms([TiebreakTerm(0, None, number, number, TermKind.OWN)])
