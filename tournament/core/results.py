"""The results of the two sides of a game or a pairing, from the columns of its games."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from games.models import Game
from games.rules.seat import Seat
from tournament.standings.crosstable import (
    FORFEITS,
    Kind,
    PlayerId,
    RoundResult,
    combine_games,
)
from tournament.standings.points import PointSystem

CONFIRMED = str(Game.State.CONFIRMED)
FORFEITED = frozenset({"forfeit", "double-forfeit"})
GAME_KINDS = {
    "first": (Kind.WIN, Kind.LOSS),
    "second": (Kind.LOSS, Kind.WIN),
    "": (Kind.LOSS, Kind.LOSS),
}
"""The results of the first and the second seat, by the winning seat."""
FORFEIT_KINDS = {
    "first": (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS),
    "second": (Kind.FORFEIT_LOSS, Kind.FORFEIT_WIN),
    "": (Kind.FORFEIT_LOSS, Kind.FORFEIT_LOSS),
}

Pair = tuple[RoundResult, RoundResult]
"""The results of both sides of a pairing."""


def game_kinds(winner: str, is_draw: bool, termination: str) -> tuple[Kind, Kind]:
    """Return what a confirmed game was for its first and its second seat, without awards."""
    if is_draw:
        return Kind.DRAW, Kind.DRAW
    by_winner = FORFEIT_KINDS if termination in FORFEITED else GAME_KINDS
    return by_winner.get(winner) or by_winner[""]


def pair_of_results(
    first: PlayerId,
    second: PlayerId,
    winner: str,
    is_draw: bool,
    termination: str,
    score_first: int | None,
    score_second: int | None,
    record: int | None,
    counts: Any = None,
) -> Pair:
    """Return the results of a confirmed game for its first and its second seat."""
    kinds = game_kinds(winner, is_draw, termination)
    if record is None:
        return _results_without_record(kinds, first, second)
    score = None
    if score_first is not None and score_second is not None:
        score = score_first, score_second
    return (
        RoundResult(
            kinds[0],
            second,
            Seat.FIRST,
            score=score,
            stars=_count(counts, Seat.FIRST, "stars"),
            quarks=_count(counts, Seat.FIRST, "quarks"),
        ),
        RoundResult(
            kinds[1],
            first,
            Seat.SECOND,
            score=score and score[::-1],
            stars=_count(counts, Seat.SECOND, "stars"),
            quarks=_count(counts, Seat.SECOND, "quarks"),
        ),
    )


def adjourned_pair(
    first: PlayerId,
    second: PlayerId,
    games: Sequence[Any],
    width: int,
    points: PointSystem,
    *,
    for_pairing: bool,
) -> Pair:
    """Return the results of a pairing with an adjourned game.

    In pairings it counts as a draw. In standings it awards no points so far, and neither does a
    pairing of two games, one of which is adjourned.
    """
    kinds = (Kind.DRAW, Kind.DRAW) if for_pairing else (Kind.LOSS, Kind.LOSS)

    def pair_of(first: PlayerId, second: PlayerId, game: Sequence[Any]) -> Pair:
        if game[1] == CONFIRMED:
            return pair_of_results(first, second, *game[3:])
        return _results_without_record(kinds, first, second)

    pair = pair_of(first, second, games[:width])
    if len(games) > width:
        pair = combine_pairs(pair, pair_of(second, first, games[width:])[::-1], points)
    if for_pairing:
        return pair
    own, others = (replace(result, awarded=0, adjourned=True) for result in pair)
    return own, others


def combine_pairs(game: Pair, return_game: Pair, points: PointSystem) -> Pair:
    """Return the results of a pairing from those of its games, each by the pairing's seats.

    If both games were lost by forfeit, one by each player, both are awarded the points of a draw.
    """
    sides = tuple(zip(game, return_game, strict=True))
    first, second = (tuple(result.kind for result in side) for side in sides)
    is_level = {*first, *second} == FORFEITS and first == second[::-1] and first[0] != first[1]
    awarded = points.draw if is_level else None
    kinds = combine_games(first, second), combine_games(second, first)
    first_result, second_result = (
        replace(side[0], kind=kind, games=games, awarded=awarded, **_sum_of_scores(side))
        for side, kind, games in zip(sides, kinds, (first, second), strict=True)
    )
    return first_result, second_result


def _sum_of_scores(games: Pair) -> dict[str, Any]:
    """Return score, stars and quarks of the played games; None if a game has none."""
    played = [game for game in games if game.is_played]
    scores = [game.score for game in played if game.score is not None]
    sums: dict[str, Any] = {"score": None}
    if scores and len(scores) == len(played):
        sums["score"] = tuple(map(sum, zip(*scores, strict=True)))
    for name in ("stars", "quarks"):
        counts = [count for game in played if (count := getattr(game, name)) is not None]
        sums[name] = sum(counts) if counts and len(counts) == len(played) else None
    return sums


@lru_cache(maxsize=2**15)
def _results_without_record(kinds: tuple[Kind, Kind], first: PlayerId, second: PlayerId) -> Pair:
    """Return the results of a game without score and counts; cached for the next request."""
    return RoundResult(kinds[0], second, Seat.FIRST), RoundResult(kinds[1], first, Seat.SECOND)


def _count(counts: Any, seat: Seat, what: str) -> int | None:
    """Return a count of a verdict's detail; None for games that have no such count."""
    own = counts.get(seat) if isinstance(counts, dict) else None
    count = own.get(what) if isinstance(own, dict) else None
    return count if type(count) is int else None
