"""The state of an event that a forecast starts from: what the public knows, and the ratings.

The forecast is the same for everyone, so it starts from what is public: complete rounds, the
boards and settled results of published rounds, and the entries. Drafts, requested byes of rounds to
come and separations are not public, and it ignores them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from games.core.journal.chain import digest_of
from games.models import Game, Player
from games.rules.records.handicaps import with_handicap
from games.rules.registry import GAMES
from ratings.batches.eligibility import current_values, make_row
from ratings.batches.services import players_of
from ratings.core.conditions import load_table, load_tables
from ratings.models import Batch, Pool, Rating
from ratings.runs.queries import History, find_juniors, load_current_states, load_histories
from ratings.systems.elo import MILLI, RatedGame
from ratings.systems.handicap import HandicapTable, part_of_conditions, values_of
from ratings.systems.intervals import deviation_of
from ratings.systems.presets import USUAL_SPREAD, find_preset
from tournament.core.corrected_results import NO_CORRECTIONS, Purpose, with_counted_results
from tournament.core.crosstable import (
    Participants,
    load_crosstable,
    load_participants,
    point_system,
)
from tournament.core.crosstable_results import (
    CONFIRMED,
    GAME_COLUMNS,
    game_kinds,
    pairing_rows,
    read_results,
)
from tournament.core.engine import pairing_codes
from tournament.core.handicaps import load_catalogue, seats_follow_handicaps, table_version
from tournament.core.queries import (
    FINISHED_ROUND_STATES,
    UNSETTLED,
    current_pairings,
    event_conditions,
    numbered_entries,
)
from tournament.core.rankings import load_first_boards
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.pairing.certificates import ENGINE
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.simulation.event import OpenPairing, OpenRound, SimulatedEvent
from tournament.simulation.event_json import event_as_json
from tournament.simulation.rating_changes import RatingRule
from tournament.simulation.strengths import KindPair, Strengths
from tournament.standings.crosstable import ABSENT, Crosstable, Kind, PlayerId

ANNULLED_KINDS = (Kind.FORFEIT_LOSS, Kind.FORFEIT_LOSS)
"""What an annulled game of a pairing of two counts as, if the other game is still open."""

RESULT_COLUMNS = ("state", "winner", "draw", "termination")


def load_open_rounds(
    tournament: Tournament, numbers: Mapping[int, PlayerId], values: HandicapTable, *, after: int
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
    games = [f"{game}__{column}" for game in ("game", "return_game") for column in RESULT_COLUMNS]
    boards = current_pairings(tournament).filter(kind=Pairing.Kind.GAME, **published)
    rounds = tournament.round_set.filter(number__gt=after, state__in=states)
    open_pairings: dict[int, list[OpenPairing]] = {
        number: [] for number in rounds.values_list("number", flat=True)
    }
    ordered = boards.order_by("round__number", "board_number")
    for number, first, second, handicap, *columns in ordered.values_list(
        "round__number", "first_id", "second_id", "handicap", *games
    ):
        if number not in open_pairings:  # published meanwhile: it belongs to the next state
            continue
        known = _known_games(columns, tournament.games_per_pairing)
        if None in known and first in numbers and second in numbers:
            part = _part(tournament, handicap, values)
            pair = numbers[first], numbers[second]
            open_pairings[number].append(OpenPairing(pair, part, known))
    return {
        number: _open_round(number, pairings, results) for number, pairings in open_pairings.items()
    }


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


USUAL_RATING = 1500
"""The rating of players of whom none in the event has one."""

SEED_DEVIATION = 100
"""That of the strengths about seed ratings, in points: somebody has stated them."""

PRIOR_GAMES = 20
"""The games by which the draw rate is damped: (draws + 1) / (games + 20)."""


@dataclass(frozen=True, slots=True)
class ForecastState:
    """An event to simulate, how it is rated, its players, and the digest of all of it."""

    event: SimulatedEvent
    rule: RatingRule | None
    participants: Participants
    digest: str

    @property
    def through(self) -> int:
        """The last complete round."""
        return self.event.crosstable.completed


def load_forecast_state(event: Tournament) -> ForecastState:
    """Load the public state of a running event, in a fixed number of queries."""
    through = last_done_round(event)
    crosstable, participants = load_participants(event, through=through)
    paired_by = load_crosstable(event, through=through, for_pairing=True)
    values = values_of(load_table(table_version(event)), event.game, event.board)
    numbers = {entry: number for number, entry in participants.entries.items()}
    rule, ratings, deviations = _load_ratings(event, participants, crosstable)
    open_rounds = load_open_rounds(event, numbers, values, after=through)
    has_bracket = PAIRING_SYSTEMS[event.system].find_progress is not None
    boards = load_first_boards(event) if has_bracket else {}
    catalogue = load_catalogue(event) if event.handicaps == event.Handicaps.RECOMMENDED else None
    simulated = SimulatedEvent(
        system=event.system,
        crosstable=crosstable,
        paired_by=paired_by if paired_by != crosstable.for_pairing() else None,
        strengths=Strengths(
            ratings=ratings,
            deviations=deviations,
            draws=_draw_rate(event, crosstable),
            first_seat=part_of_conditions(values, event.game, event.board, None, swap=event.swap),
            catalogue=catalogue,
        ),
        tiebreaks=pairing_codes(event),
        options=event.system_options,
        balance_seats=event.balance_seats
        and event.games_per_pairing == 1
        and not seats_follow_handicaps(event),
        withdrawn=_withdrawn_numbers(event),
        open_rounds=open_rounds,
        first_boards={
            number: players
            for number, players in boards.items()
            if number <= through or number in open_rounds
        },
    )
    digest = digest_of([ENGINE, event_as_json(simulated, rule)])
    return ForecastState(simulated, rule, participants, f"sha256:{digest}")


def last_done_round(tournament: Tournament) -> int:
    """Return the last of the complete rounds before the first that is not complete."""
    done = set(
        tournament.round_set.filter(state__in=FINISHED_ROUND_STATES).values_list(
            "number", flat=True
        )
    )
    number = 0
    while number + 1 in done:
        number += 1
    return number


def _withdrawn_numbers(tournament: Tournament) -> frozenset[PlayerId]:
    entries = numbered_entries(tournament).exclude(state=Entry.State.ACCEPTED)
    return frozenset(entries.values_list("pairing_number", flat=True))


def _draw_rate(tournament: Tournament, crosstable: Crosstable) -> float:
    """Return the draw rate of equal players, by the games of the event so far."""
    if not GAMES[tournament.game].draws:
        return 0.0
    played = [
        result.kind
        for player in crosstable.players
        for result in player.results
        if result.is_played
    ]
    games, draws = len(played) // 2, played.count(Kind.DRAW) // 2
    return round((draws + 1) / (games + PRIOR_GAMES), 6)


def _load_ratings(
    tournament: Tournament, participants: Participants, crosstable: Crosstable
) -> tuple[RatingRule | None, dict[PlayerId, int], dict[PlayerId, int]]:
    """Return how the event is rated, and the rating of each player and its deviation in milli.

    A player has the rating of the event's pool, else the seed rating, else the mean of the others.
    The deviations of the strengths about ratings of the pool are those of their intervals.
    """
    seeds = {player.number: player.rating * MILLI for player in crosstable.players}
    pool = Pool.objects.filter(code=tournament.pool).first() if tournament.rated else None
    rule, spread = None, pool.spread if pool else USUAL_SPREAD
    deviations = {
        number: (SEED_DEVIATION if seed else spread) * MILLI for number, seed in seeds.items()
    }
    known = {number: rating for number, rating in seeds.items() if rating}
    if pool is not None:
        ids = {number: player["id"] for number, player in participants.players.items()}
        rated = Rating.objects.filter(pool=pool, player__in=ids.values(), rating__gt=0)
        by_player = {row.player_id: row for row in rated}
        own = {number: by_player[pk] for number, pk in ids.items() if pk in by_player}
        known |= {number: row.rating for number, row in own.items()}
        deviations |= _load_deviations(pool, own)
        rule = _load_rule(pool, tournament, ids)
    usual = sum(known.values()) // len(known) if known else USUAL_RATING * MILLI
    return rule, {number: known.get(number, usual) for number in seeds}, deviations


def _load_deviations(pool: Pool, ratings: Mapping[PlayerId, Rating]) -> dict[PlayerId, int]:
    """Return the standard deviations of the strengths about ratings of a pool, to whole points."""
    system = find_preset(pool.preset, pool.parameters)
    histories = load_histories([pool], [row.player_id for row in ratings.values()])
    found = {}
    for number, row in ratings.items():
        history = histories.get((pool.pk, row.player_id), History())
        deviation = deviation_of(
            system, row.rating, row.games, pool.spread, start=history.start, sizes=history.sizes
        )
        found[number] = round(deviation / MILLI) * MILLI
    return found


def _load_rule(pool: Pool, tournament: Tournament, ids: Mapping[PlayerId, int]) -> RatingRule:
    """Return how the games of the event would be rated if it were final now."""
    numbers = {pk: number for number, pk in ids.items()}
    system = find_preset(pool.preset, pool.parameters)
    people = Player.objects.in_bulk(numbers)
    states = load_current_states(pool, system, people)
    ratings = {player: state.rating for player, state in states.items()}
    juniors = find_juniors(people.values(), timezone.now().year)
    return RatingRule(
        system=system,
        states={numbers[pk]: state for pk, state in states.items()},
        played=tuple(_rated_games(pool, tournament, numbers, ratings)),
        juniors=frozenset(numbers[player] for player in juniors),
        least_expected=pool.least_expected,
    )


def _rated_games(
    pool: Pool, tournament: Tournament, numbers: Mapping[int, PlayerId], ratings: Mapping[int, int]
) -> list[RatedGame[PlayerId]]:
    batch = Batch(pool=pool, stream=tournament.stream, state=Batch.State.FILED, approved=True)
    games = Game.objects.filter(stream=tournament.stream, void=False)
    tables = load_tables()
    rows = (
        make_row(batch, game, tables, ratings)
        for game in games.annotate(**current_values())
        if players_of([game]) <= numbers.keys()
    )
    return sorted(
        RatedGame(numbers[row.first_id], numbers[row.second_id], row.score, row.handicap_part or 0)
        for row in rows
        if not row.exclusion
    )
