"""The rating of an event: whether its pool rates such games, what it decided, and its batch."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Final, Literal, TypedDict, cast, get_args

from django.db.models import QuerySet

from games.core.errors import Unprocessable
from games.core.references import (
    AccountReference,
    TournamentReference,
    absolute_url,
    account_reference,
)
from games.models.time_controls import SenselessTime
from games.rules.text import Text
from ratings.batches.decisions import reason_of
from ratings.core.conditions import find_unrated
from ratings.core.pools import pool_codes, pools_that_rate
from ratings.models import Batch, Pool
from tournament.core.approvals import EventFiling, find_event_filings
from tournament.models import Tournament

DECIDES_RATING: Final = frozenset(
    {"game", "board", "main_minutes", "increment_seconds", "rated", "pool"}
)
"""Settings that decide whether the pool rates the games of the event."""


def require_rated_games(tournament: Tournament) -> None:
    """Raise Unprocessable if the event requests its rating in a pool that does not rate its games.

    Call it when one of these settings changes: if the pool rates other games since, the other
    settings of the event can still change.
    """
    if not (tournament.pool and tournament.rated):
        return
    conditions = tournament.game, tournament.board, tournament.time_class
    pool = Pool.objects.get(code=tournament.pool)
    games = find_unrated(pool, *conditions)
    if games is None:
        return
    valid = valid_pools(tournament)
    values = {"pool": pool.code, "detail": games, "names": ", ".join(valid)}
    detail = (
        Text(
            "the pool %(pool)s does not rate %(detail)s; pools that do: %(names)s; "
            "or send rated: false",
            **values,
        )
        if valid
        else Text(
            "the pool %(pool)s does not rate %(detail)s, and no other pool does; send rated: false",
            **values,
        )
    )
    raise Unprocessable("pool_rates_others", detail, at="/pool", valid=valid)


def valid_pools(tournament: Tournament) -> list[str]:
    """Return the codes of the pools that an event can name: all, or those that rate its games."""
    if not tournament.rated:
        return pool_codes()
    try:
        time_class = tournament.time_class
    except SenselessTime:
        time_class = None  # which is said beside this
    return [pool.code for pool in pools_that_rate(tournament.game, tournament.board, time_class)]


APPROVED = "approved"
"""The state of an event that will be filed when it is final; the others are those of batches."""
RatingState = Literal["approved", "waiting", "filed", "refused", "withdrawn"]
RATING_STATES: Final = get_args(RatingState)


def requesting_tournaments(pool: Pool) -> "QuerySet[Tournament]":
    """Return the tournaments that request their rating in a pool, except drafts and cancelled."""
    hidden = (Tournament.State.DRAFT, Tournament.State.CANCELLED)
    requests = Tournament.objects.filter(pool=pool.code, rated=True).exclude(state__in=hidden)
    return requests.select_related("created_by")


class EventRatingBatch(TypedDict):
    """The rating in the pool: `approved` before the tournament is final, then that of the batch."""

    pool: str
    state: Annotated[RatingState, "waiting: for an officer of the pool"]
    reason: Annotated[str | None, "of the officer who refused it"]
    id: Annotated[int | None, "of the batch; null before the event is final"]


class RequestingTournament(TournamentReference):
    """A tournament that requests its rating in a pool, for the officers of the pool."""

    starts_on: date
    ends_on: date
    state: Tournament.State
    public: bool
    organiser: AccountReference | None
    rating_batch: EventRatingBatch
    url: str


def rating_as_json(tournament: Tournament) -> EventRatingBatch | None:
    """Return the state of a tournament's rating as JSON; None if it requests none."""
    if not tournament.rated or not tournament.pool:
        return None
    pool = Pool.objects.filter(code=tournament.pool).first()
    return None if pool is None else _load_states(pool, [tournament])[tournament.stream]


def is_rated(batch: int | None) -> bool:
    """Return True if a run has rated this batch as it is filed."""
    found = Batch.objects.filter(pk=batch, state=Batch.State.FILED).first() if batch else None
    return found is not None and found.is_rated


def requests_as_json(pool: Pool, tournaments: Sequence[Tournament]) -> list[RequestingTournament]:
    """Return the JSON of tournaments for the officers of a pool, in a fixed number of queries."""
    states = _load_states(pool, tournaments)
    return [
        {
            "slug": tournament.slug,
            "name": tournament.name,
            "starts_on": tournament.starts_on,
            "ends_on": tournament.ends_on,
            "state": Tournament.State(tournament.state),
            "public": tournament.public,
            "organiser": account_reference(tournament.created_by)
            if tournament.created_by
            else None,
            "rating_batch": states[tournament.stream],
            "url": absolute_url(f"tournaments/{tournament.slug}"),
        }
        for tournament in tournaments
    ]


def _load_states(pool: Pool, tournaments: Sequence[Tournament]) -> dict[str, EventRatingBatch]:
    """Return the states by stream; a batch is that of an event which is final, not reopened."""
    streams = [tournament.stream for tournament in tournaments]
    final = {tournament.stream for tournament in tournaments if tournament.finalised_at}
    batches = {
        batch.stream: batch
        for batch in pool.batches.filter(stream__in=streams)
        if batch.stream in final
    }
    filings = find_event_filings(pool, tournaments)
    return {
        stream: _state_as_json(pool, batches.get(stream), filings[stream]) for stream in streams
    }


def _state_as_json(pool: Pool, batch: Batch | None, found: EventFiling) -> EventRatingBatch:
    if batch is not None:
        state, reason = batch.state, batch.reason
    else:
        will_be_filed = found.filing.state == Batch.State.FILED
        state, reason = APPROVED if will_be_filed else found.filing.state, found.filing.reason
    reason = reason_of(pool, state, reason)
    if batch is None and state == Batch.State.WAITING and found.changed:
        reason = Text(
            "%(detail)s: changed since the last approval: %(names)s",
            detail=reason,
            names=found.changed,
        )
    return {
        "pool": pool.code,
        "state": cast("RatingState", state),
        "reason": reason or None,
        "id": batch.pk if batch else None,
    }
