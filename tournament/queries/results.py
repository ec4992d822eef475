"""Load the results of an event from its pairings and games."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import F, QuerySet

from tournament.core.corrected_results import (
    NO_CORRECTIONS,
    CorrectedValues,
    purpose_of,
    with_counted_results,
)
from tournament.core.queries import IN_CURRENT_VERSION, counted_states
from tournament.core.results import CONFIRMED, adjourned_pair, combine_pairs, pair_of_results
from tournament.models import Pairing, Tournament
from tournament.standings.awarded_points import with_awarded_points
from tournament.standings.crosstable import (
    ABSENT,
    Kind,
    PlayerId,
    RoundResult,
)
from tournament.standings.points import PointSystem

BYE_RESULT_KINDS = {
    Pairing.Kind.PAIRING_BYE: Kind.PAIRING_BYE,
    Pairing.Kind.HALF_BYE: Kind.HALF_BYE,
    Pairing.Kind.ZERO_BYE: Kind.ZERO_BYE,
    Pairing.Kind.FULL_BYE: Kind.FULL_BYE,
    Pairing.Kind.FREE: Kind.ZERO_BYE,
}
BYE_RESULTS = {str(kind): RoundResult(BYE_RESULT_KINDS[kind]) for kind in BYE_RESULT_KINDS}
GAME_KIND = str(Pairing.Kind.GAME)
PAIRING_COLUMNS = (
    "kind", "first_id", "second_id", "awarded_for", "awarded_first", "awarded_second",
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
    corrected: CorrectedValues = NO_CORRECTIONS,
) -> dict[PlayerId, list[RoundResult]]:
    """Load the results of rounds 1 to `last` by pairing number; players never paired are left out.

    In a league, the games of published rounds count as soon as they have a result.
    `numbers` are the pairing numbers by entry id. An unrated game of a rated event is marked short,
    as TRF marks a game of less than one move. An adjourned game is a draw `for_pairing`, otherwise
    it awards no points.
    """
    columns = [*GAME_COLUMNS, *(["record__outcome__detail"] if with_counts else [])]
    rows = pairing_rows(tuple(columns), tournament.games_per_pairing).filter(
        tournament=tournament,
        round__number__lte=last,
        round__state__in=counted_states(tournament),
    )
    purpose = purpose_of(for_pairing=for_pairing)
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
    for number, kind, first_id, second_id, award, own, others, *games in rows:
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
            results[first][number - 1], results[second][number - 1] = pair
        elif games[2] or games[2 - width]:
            pair = adjourned_pair(first, second, games, width, points, for_pairing=for_pairing)
            results[first][number - 1], results[second][number - 1] = pair
        else:
            results[first][number - 1] = results[second][number - 1] = ABSENT
    return results
