"""The state of an event that a forecast starts from: what the public knows, and the ratings.

The forecast is the same for everyone, so it starts from what is public: complete rounds, the
boards and settled results of published rounds, and the entries. Drafts, requested byes of rounds to
come and separations are not public, and it ignores them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from games.core.journal.chain import digest_of
from games.models import Game, Player
from games.rules.registry import GAMES
from ratings.batches.eligibility import current_values, make_row
from ratings.models import Batch, Pool, Rating
from ratings.queries.current_states import load_current_states
from ratings.queries.tables import load_table, load_tables
from ratings.systems.elo import MILLI, RatedGame
from ratings.systems.handicap import part_of_conditions, values_of
from ratings.systems.presets import find_preset
from tournament.core.crosstable import (
    Participants,
    load_crosstable,
    load_participants,
    pairing_codes,
)
from tournament.core.handicaps import load_catalogue, seats_follow_handicaps, table_version
from tournament.core.queries import FINISHED_ROUND_STATES, numbered_entries
from tournament.models import Entry, Tournament
from tournament.pairing.certificates import ENGINE
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.queries.brackets import load_first_boards
from tournament.services.forecasts.open_rounds import load_open_rounds
from tournament.simulation.event import SimulatedEvent
from tournament.simulation.event_json import event_as_json
from tournament.simulation.rating_changes import RatingRule
from tournament.simulation.strengths import Strengths
from tournament.standings.crosstable import Crosstable, Kind, PlayerId

USUAL_RATING = 1500
"""The rating of players of whom none in the event has one."""

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
    through = _last_done_round(event)
    crosstable, participants = load_participants(event, through=through)
    paired_by = load_crosstable(event, through=through, for_pairing=True)
    values = values_of(load_table(table_version(event)), event.game, event.board)
    numbers = {entry: number for number, entry in participants.entries.items()}
    withdrawn = _withdrawn_numbers(event)
    rule, ratings = _load_ratings(event, participants, crosstable)
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
            draws=_draw_rate(event, crosstable),
            first_seat=part_of_conditions(values, event.game, event.board, None, swap=event.swap),
            catalogue=catalogue,
        ),
        tiebreaks=pairing_codes(event),
        options=event.system_options,
        balance_seats=event.balance_seats
        and event.games_per_pairing == 1
        and not seats_follow_handicaps(event),
        absences={
            number: dict.fromkeys(withdrawn, Kind.ZERO_BYE)
            for number in range(through + 1, event.rounds + 1)
            if withdrawn
        },
        withdrawn=withdrawn,
        open_rounds=open_rounds,
        first_boards={
            number: players
            for number, players in boards.items()
            if number <= through or number in open_rounds
        },
    )
    digest = digest_of([ENGINE, event_as_json(simulated, rule)])
    return ForecastState(simulated, rule, participants, f"sha256:{digest}")


def _last_done_round(tournament: Tournament) -> int:
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
) -> tuple[RatingRule | None, dict[PlayerId, int]]:
    """Return how the event is rated, and the rating of each player in milli.

    A player has the rating of the event's pool, else the seed rating, else the mean of the others.
    """
    seeds = {player.number: player.rating * MILLI for player in crosstable.players}
    pool = Pool.objects.filter(code=tournament.pool).first() if tournament.rated else None
    rule = None
    known = {number: rating for number, rating in seeds.items() if rating}
    if pool is not None:
        ids = {number: player["id"] for number, player in participants.players.items()}
        rated = Rating.objects.filter(pool=pool, player__in=ids.values(), rating__gt=0)
        by_player = dict(rated.values_list("player_id", "rating"))
        known |= {number: by_player[pk] for number, pk in ids.items() if pk in by_player}
        rule = _load_rule(pool, tournament, ids)
    usual = sum(known.values()) // len(known) if known else USUAL_RATING * MILLI
    return rule, {number: known.get(number, usual) for number in seeds}


def _load_rule(pool: Pool, tournament: Tournament, ids: Mapping[PlayerId, int]) -> RatingRule:
    """Return how the games of the event would be rated if it were final now."""
    numbers = {pk: number for number, pk in ids.items()}
    system = find_preset(pool.preset, pool.parameters)
    states = load_current_states(pool, system, Player.objects.in_bulk(numbers))
    return RatingRule(
        system=system,
        states={numbers[pk]: state for pk, state in states.items()},
        played=tuple(_rated_games(pool, tournament, numbers)),
    )


def _rated_games(
    pool: Pool, tournament: Tournament, numbers: Mapping[int, PlayerId]
) -> list[RatedGame[PlayerId]]:
    batch = Batch(pool=pool, stream=tournament.stream, state=Batch.State.FILED, approved=True)
    games = Game.objects.filter(stream=tournament.stream, void=False)
    tables = load_tables()
    rows = (make_row(batch, game, tables) for game in games.annotate(**current_values()))
    return sorted(
        RatedGame(numbers[row.first_id], numbers[row.second_id], row.score, row.handicap_part or 0)
        for row in rows
        if not row.exclusion and row.first_id in numbers and row.second_id in numbers
    )
