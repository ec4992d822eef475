"""The results of an event for its crosstable, from the columns of its pairings and games."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.db.models import F, QuerySet

from games.models import Game
from games.rules.outcome import Termination
from games.rules.seat import Seat
from tournament.core.corrected_results import (
    NO_CORRECTIONS,
    CorrectedValues,
    Purpose,
    with_counted_results,
)
from tournament.core.queries import IN_CURRENT_VERSION, SHOWN_ROUND_STATES, counted_states
from tournament.models import Pairing, Tournament
from tournament.standings.awarded_points import with_awarded_points
from tournament.standings.crosstable import (
    ABSENT,
    FORFEITS,
    Kind,
    PlayerId,
    RoundResult,
    combine_games,
)
from tournament.standings.points import PointSystem

CONFIRMED = str(Game.State.CONFIRMED)
FORFEITED = frozenset({"forfeit", "double_forfeit"})
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
    """Return the results of a confirmed game for its first and its second seat.

    The counts of a game whose score was agreed are those so far, not those of the score.
    """
    kinds = game_kinds(winner, is_draw, termination)
    if termination == Termination.AGREED:
        counts = None
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


BYE_RESULT_KINDS = {
    Pairing.Kind.PAIRING_BYE: Kind.PAIRING_BYE,
    Pairing.Kind.HALF_BYE: Kind.HALF_BYE,
    Pairing.Kind.ZERO_BYE: Kind.ZERO_BYE,
    Pairing.Kind.FULL_BYE: Kind.FULL_BYE,
    Pairing.Kind.FREE: Kind.ZERO_BYE,
}
BYE_RESULTS = {str(kind): RoundResult(BYE_RESULT_KINDS[kind]) for kind in BYE_RESULT_KINDS}
NO_SEATS = "both"
"""The value of `without_seat` if neither player of a forfeit has a colour."""
GAME_KIND = str(Pairing.Kind.GAME)
PAIRING_COLUMNS = (
    "kind", "first_id", "second_id", "awarded_for", "awarded_first", "awarded_second",
    "without_seat",
)  # fmt: skip
GAME_COLUMNS = (
    "rated", "state", "adjourned", "winner", "draw", "termination", "score_first", "score_second",
    "record_id",
)  # fmt: skip


def pairing_rows(columns: tuple[str, ...], games_per_pairing: int) -> "QuerySet[Pairing, Any]":
    """Return the query of the pairings of all events, as `with_counted_results` reads them."""
    games = ("game", "return_game")[:games_per_pairing]
    return Pairing.objects.filter(IN_CURRENT_VERSION).values_list(
        "counted",
        "game_id",
        "return_game_id",
        "round__number",
        *PAIRING_COLUMNS,
        *(f"{game}__{column}" for game in games for column in columns),
    )


def load_results(
    tournament: Tournament,
    last: int,
    points: PointSystem,
    numbers: Mapping[int, PlayerId],
    *,
    with_counts: bool,
    for_pairing: bool = False,
    with_running: bool = False,
    corrected: CorrectedValues = NO_CORRECTIONS,
) -> dict[PlayerId, list[RoundResult]]:
    """Load the results of rounds 1 to `last` by pairing number; players never paired are left out.

    In a league, and `with_running`, the games of published rounds count as soon as they have a
    result.
    `numbers` are the pairing numbers by entry id. An unrated game of a rated event is marked short,
    as TRF marks a game of less than one move. An adjourned game is a draw `for_pairing`, otherwise
    it awards no points.
    """
    columns = [*GAME_COLUMNS, *(["record__outcome__detail"] if with_counts else [])]
    rows = pairing_rows(tuple(columns), tournament.games_per_pairing).filter(
        tournament=tournament,
        round__number__lte=last,
        round__state__in=SHOWN_ROUND_STATES if with_running else counted_states(tournament),
    )
    purpose = Purpose.PAIRINGS if for_pairing else Purpose.STANDINGS
    counted = with_counted_results(rows, columns, purpose, corrected)
    results = read_results(counted, tournament, last, points, numbers, for_pairing=for_pairing)
    if tournament.missed_rounds != Tournament.MissedRounds.ZERO:
        missed = tournament.byes.filter(round__lt=F("entry__first_round"), round__lte=last)
        for number, entry, kind in missed.values_list("round", "entry_id", "kind"):
            own_results = results[numbers.get(entry, 0)]
            if own_results[number - 1] is ABSENT:  # a correction can give another bye
                own_results[number - 1] = BYE_RESULTS[kind]
    return results


def read_results(
    rows: Iterable[Sequence[Any]],
    tournament: Tournament,
    last: int,
    points: PointSystem,
    numbers: Mapping[int, PlayerId],
    *,
    for_pairing: bool = False,
) -> dict[PlayerId, list[RoundResult]]:
    """Return the results in the rows of pairings, as `load_results` does.

    A row is the number of a round, PAIRING_COLUMNS, and the GAME_COLUMNS of each game of a pairing,
    None for a bye.
    """
    results: dict[PlayerId, list[RoundResult]] = defaultdict(lambda: [ABSENT] * last)
    for number, kind, first_id, second_id, award, own, others, without_seat, *games in rows:
        first, second = numbers.get(first_id, 0), numbers.get(second_id, 0)
        if kind != GAME_KIND:
            bye = BYE_RESULTS[kind]
            if award:
                (bye,) = with_awarded_points((bye,), award, (own,), points)
            results[first][number - 1] = bye
            continue
        width = len(games) // tournament.games_per_pairing
        if games[1] == games[1 - width] == CONFIRMED:
            pair = pair_of_results(first, second, *games[3:width])
            if len(games) > width:
                return_game = pair_of_results(second, first, *games[width + 3 :])
                pair = combine_pairs(pair, return_game[::-1], points)
            if award:
                first_result, second_result = with_awarded_points(
                    pair, award, (own, others), points
                )
                pair = first_result, second_result
            is_rated = games[0] or games[-width]
            if not is_rated and tournament.rated and pair[0].is_played:
                pair = replace(pair[0], short=True), replace(pair[1], short=True)
            if without_seat == NO_SEATS and pair[0].kind in FORFEITS:
                pair = replace(pair[0], seat=None), replace(pair[1], seat=None)
            results[first][number - 1], results[second][number - 1] = pair
        elif games[2] or games[2 - width]:
            pair = adjourned_pair(first, second, games, width, points, for_pairing=for_pairing)
            results[first][number - 1], results[second][number - 1] = pair
        else:
            results[first][number - 1] = results[second][number - 1] = ABSENT
    return results
