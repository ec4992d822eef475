"""The published rounds that are not complete: their boards, and the results so far."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet

from games.rules.records.handicaps import with_handicap
from ratings.systems.handicap import HandicapTable, part_of_conditions
from tournament.core.corrected_results import NO_CORRECTIONS, Purpose, with_counted_results
from tournament.core.crosstable import point_system
from tournament.core.queries import FINISHED_ROUND_STATES, current_pairings, event_conditions
from tournament.core.results import CONFIRMED, game_kinds
from tournament.models import Pairing, Round, Tournament
from tournament.queries.open_boards import UNSETTLED
from tournament.queries.results import GAME_COLUMNS, pairing_rows, read_results
from tournament.simulation.event import OpenPairing, OpenRound
from tournament.simulation.strengths import KindPair
from tournament.standings.crosstable import ABSENT, Kind, PlayerId

ANNULLED_KINDS = (Kind.FORFEIT_LOSS, Kind.FORFEIT_LOSS)
"""What an annulled game of a pairing of two counts as, if the other game is still open."""

OPEN_PAIRING_COLUMNS = ("round__number", "first_id", "second_id", "handicap")
RESULT_COLUMNS = ("state", "winner", "draw", "termination")


def load_open_rounds(
    tournament: Tournament,
    numbers: Mapping[int, PlayerId],
    values: HandicapTable,
    *,
    after: int,
) -> dict[int, OpenRound]:
    """Return the published rounds after round `after`, by number; three queries.

    `numbers` are the pairing numbers by entry id, `values` those of handicaps. A game is open as
    long as its result is not settled; an adjourned game is open too.
    """
    states = (*FINISHED_ROUND_STATES, Round.State.PUBLISHED)
    published = {"round__number__gt": after, "round__state__in": states}
    rows = pairing_rows(GAME_COLUMNS, tournament.games_per_pairing)
    counted = with_counted_results(
        rows.filter(tournament=tournament, **published),
        GAME_COLUMNS,
        Purpose.STANDINGS,
        NO_CORRECTIONS,
    )
    results = read_results(
        counted, tournament, tournament.rounds, point_system(tournament), numbers
    )
    games = [f"{game}__{column}" for game in GAME_RELATIONS for column in RESULT_COLUMNS]
    boards = current_pairings(tournament).filter(kind=Pairing.Kind.GAME, **published)
    rounds = tournament.round_set.filter(number__gt=after, state__in=states)
    open_pairings: dict[int, list[OpenPairing]] = {
        number: [] for number in rounds.values_list("number", flat=True)
    }
    for number, first, second, handicap, *columns in _in_order(boards, games):
        known = _known_games(columns, tournament.games_per_pairing)
        if None in known and first in numbers and second in numbers:
            part = _part(tournament, handicap, values)
            pair = numbers[first], numbers[second]
            open_pairings[number].append(OpenPairing(pair, part, known))
    return {
        number: _open_round(number, pairings, results) for number, pairings in open_pairings.items()
    }


GAME_RELATIONS = ("game", "return_game")


def _in_order(boards: "QuerySet[Pairing]", games: Iterable[str]) -> "QuerySet[Pairing, Any]":
    ordered = boards.order_by("round__number", "board_number")
    return ordered.values_list(*OPEN_PAIRING_COLUMNS, *games)


def _known_games(columns: list[Any], games_per_pairing: int) -> tuple[KindPair | None, ...]:
    """Return the results of the games by the seats of the pairing, None for an open game."""
    width = len(RESULT_COLUMNS)
    known: list[KindPair | None] = []
    for index in range(games_per_pairing):
        state, winner, is_draw, termination = columns[index * width : (index + 1) * width]
        if state in UNSETTLED:
            known.append(None)
            continue
        kinds = game_kinds(winner, is_draw, termination) if state == CONFIRMED else ANNULLED_KINDS
        known.append(kinds[::-1] if index else kinds)
    return tuple(known)


def _part(tournament: Tournament, handicap: str, values: HandicapTable) -> int:
    """Return what a board's conditions are worth to its first player, in milli."""
    conditions = event_conditions(tournament)
    if handicap:
        conditions = with_handicap(conditions, handicap)
    return part_of_conditions(
        values, tournament.game, tournament.board, conditions.handicap, swap=conditions.swap
    )


def _open_round(
    number: int, pairings: list[OpenPairing], results: Mapping[PlayerId, list[Any]]
) -> OpenRound:
    """Return a round: the results of all players who have no open board."""
    playing = {player for pairing in pairings for player in pairing.pair}
    return OpenRound(
        tuple(pairings),
        {
            player: row[number - 1]
            for player, row in results.items()
            if player not in playing and row[number - 1] is not ABSENT
        },
    )
