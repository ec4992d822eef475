"""File the games of an event, or a casual game, with a pool as one batch, and change its state.

A batch that is filed or refused by decisions, withdrawn, restored or back-dated has its games filed
anew at once, and a run follows if the ratings change.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Case, F, Max, Q, QuerySet, When
from django.utils import timezone

from games.core.broker import send_on_commit
from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import append_line, lock_head
from games.core.journal.rows import changed_rows
from games.core.permissions import DIRECTORS
from games.models import Account, Game, Player, Role
from games.models.bulk import chunks
from games.rules.text import Text
from ratings.batches.decisions import Filing, RatingRequest, find_filing
from ratings.batches.eligibility import (
    Keys,
    RatedInput,
    digest_filed,
    digest_games,
    has_juniors,
    load_current_games,
    load_keys,
    make_row,
)
from ratings.batches.order import batches_before, order_key_of_event, order_keys_of_games
from ratings.core.conditions import load_tables
from ratings.models import Batch, BatchGame, Pool
from ratings.systems.elo import MILLI
from ratings.systems.fide import is_junior
from ratings.systems.intervals import PROVISIONAL_BELOW
from ratings.systems.presets import Start, find_preset


def rows_of(batch: Batch) -> "QuerySet[BatchGame]":
    """Return the stored rows of a batch."""
    return BatchGame.objects.filter(pool=batch.pool_id, batch=batch)


def load_rows(
    batch: Batch, game_ids: Sequence[int], limits: Collection[str] = ()
) -> list[BatchGame]:
    """Return the games of a batch as they are now; `limits` are those that a casual one is beyond.

    What was filed before is preserved: the seeds, who was a junior, the values of handicaps, which
    games are outside the band of the pool.
    """
    stored = {row.game_id: row for row in rows_of(batch)}
    tables, games = load_tables(), list(load_current_games(game_ids))
    year = batch.effective_at.year
    values = load_players(players_of(games), batch.pool, batch.stream if batch.approved else "")
    filed = {player: of_player.in_year(year) for player, of_player in values.items()}
    with_juniors = has_juniors(batch.pool)
    for row in stored.values():
        starts = RatedInput.from_row(row)
        filed[row.first_id] = (starts.first_start, with_juniors and row.first_junior)
        filed[row.second_id] = (starts.second_start, with_juniors and row.second_junior)
    new = players_of(game for game in games if game.pk not in stored)
    ratings = load_ratings(batch.pool, {player: filed[player][0] for player in new})
    rows = [
        make_row(batch, game, tables, ratings, limits=limits, filed=stored.get(game.pk))
        for game in games
    ]
    for row in rows:
        set_players(row, filed)
    return rows


def set_players(row: BatchGame, filed: Mapping[int, tuple[Start, bool]]) -> None:
    """Set the seeds of both players, and whether they are juniors."""
    first, row.first_junior = filed[row.first_id]
    second, row.second_junior = filed[row.second_id]
    row.first_seed, row.first_seed_games, row.first_reached_2400 = first
    row.second_seed, row.second_seed_games, row.second_reached_2400 = second


class PlayerValues(NamedTuple):
    """The seed of a player, and the year of birth if the system of the pool asks for it."""

    seed: Start
    birth_year: int | None

    def in_year(self, year: int) -> tuple[Start, bool]:
        """Return the seed, and whether the player is a junior in this year."""
        return self.seed, self.birth_year is not None and is_junior(self.birth_year, year)


def players_of(games: Iterable[Any]) -> set[int]:
    """Return the players of games with `current_values`."""
    return {player for game in games for player in (game.current_first, game.current_second)}


def load_ratings(pool: Pool, starts: Mapping[int, Start]) -> dict[int, int]:
    """Return the ratings in milli from which a run would rate these players now, by their seeds.

    A player without one in the pool has that of the seed, or of the start of the system.
    """
    system = find_preset(pool.preset, pool.parameters)
    ratings = {player: start.state(system).rating for player, start in starts.items()}
    for numbers in chunks(sorted(starts)):
        rated = pool.ratings.filter(player__in=numbers)
        ratings.update(rated.values_list("player_id", "rating"))
    return ratings


def stated_by_official(pool: Pool, stream: str) -> Q:
    """Return the condition of players whose seed ratings count in a pool.

    An open pool trusts everybody; others trust the installation, staff, their officers, and owners
    and directors of approved events, of which `stream` may be one.
    """
    if pool.policy == Pool.Policy.OPEN:
        return Q(pk__isnull=False)
    approved = pool.batches.filter(kind=Batch.Kind.TOURNAMENT, approved=True).values("stream")
    officials = Role.objects.filter(
        Q(stream=pool.stream, role=Role.Name.RATING_OFFICER)
        | Q(stream=stream, role__in=DIRECTORS)
        | Q(stream__in=approved, role__in=DIRECTORS)
    )
    by = Q(seed_by__isnull=True) | Q(seed_by__is_staff=True)
    return by | Q(seed_by__in=officials.values("account"))


def load_players(players: Iterable[int], pool: Pool, stream: str) -> dict[int, PlayerValues]:
    """Return the current values of these players, and the seeds that count.

    Anyone can read what the ratings are computed from, so it has years of birth only where they
    decide about K.
    """
    with_years = has_juniors(pool)
    counts = stated_by_official(pool, stream)
    columns = ("pk", "seed", "seed_games", "seed_reached_2400", "birth_year")
    return {
        player: PlayerValues(Start.from_points(*seed), birth_year if with_years else None)
        for numbers in chunks(sorted(players))
        for player, *seed, birth_year in Player.objects.filter(pk__in=numbers)
        .annotate(seed=Case(When(counts, then=F("seed_rating")), default=None))
        .values_list(*columns)
    }


HIGHEST_SEED_ABOVE: Final = 200_000
"""In milli: how far above the best established player a stated rating may start a new one."""


def find_high_seed(batch: Batch, rows: Iterable[BatchGame]) -> int | None:
    """Return the highest stated rating with which these games bring a new player into a pool.

    None unless it is far above the best player who is not provisional there. A player is new who
    has no rated game in an earlier batch: the seed counts as it is filed, whatever it is today.
    """
    established = batch.pool.ratings.filter(games__gte=PROVISIONAL_BELOW)
    best = established.aggregate(best=Max("rating"))["best"]
    if best is None:
        return None
    limit = best + HIGHEST_SEED_ABOVE
    seeds = {row.first_id: row.first_seed or 0 for row in rows}
    seeds |= {row.second_id: row.second_seed or 0 for row in rows}
    high = {player for player, seed in seeds.items() if seed > limit}
    new = high - _rated_before(batch, high) if high else high
    return max((seeds[player] // MILLI for player in new), default=None)


def _rated_before(batch: Batch, players: Collection[int]) -> set[int]:
    """Return which of these players have a game that the pool rates in an earlier batch."""
    earlier = batches_before(batch).filter(state=State.FILED)
    rated = BatchGame.objects.filter(pool=batch.pool_id, batch__in=earlier, exclusion="")
    found: set[int] = set()
    for seat in ("first", "second"):
        of_seat = rated.filter(**{f"{seat}__in": players})
        found.update(of_seat.values_list(f"{seat}_id", flat=True))
    return found


def _hold_for_seed(batch: Batch, filing: Filing, rows: Iterable[BatchGame]) -> Filing:
    """Let an event wait whose new player would start far above the pool, whoever approved it.

    The officers accept that by approving the event when its games are there.
    """
    if filing.state != State.FILED or batch.kind != Batch.Kind.TOURNAMENT:
        return filing
    seed = find_high_seed(batch, rows)
    if seed is None:
        return filing
    decision = batch.pool.decisions.filter(stream=batch.stream, approved=True).first()
    is_accepted = decision is not None and decision.covers.get("seed", 0) >= seed
    return filing if is_accepted else Filing(State.WAITING, approved=False)


MAX_LISTED_GAMES = 20
FILED_KIND: Final = "rating.filed"
"""The kind of the line of an event that has the digest of what is filed with ratings."""
State = Batch.State
CHANGING = [
    "label", "state", "approved", "reason", "effective_at", "backdated", "order_key",
    "games_digest", "filed_digest", "rated_games_digest",
]  # fmt: skip
"""The columns of a batch that filing and officers change."""


def file_batch(
    pool: Pool,
    *,
    stream: str,
    label: str,
    effective_at: datetime,
    games: Iterable[Game],
    filing: Filing,
    kind: str = Batch.Kind.TOURNAMENT,
    organiser: Account | None = None,
    limits: Collection[str] = (),
) -> Batch:
    """File the games of an event with a pool and request their rating.

    Each game is filed with its current result, or with the code of why it is not rated. Filing the
    same stream again updates its batch, except that a withdrawn one stays withdrawn and one with
    a time of an officer keeps it, and does nothing if nothing changed. `limits` are those that a
    casual game is beyond; nobody starts far above the pool by one.
    Raises Conflict if another batch of the pool contains one of the games.
    """
    label = label[:120]
    numbers = [game.pk for game in games]
    with transaction.atomic():
        if kind == Batch.Kind.TOURNAMENT:
            lock_streams([stream])
        batch, is_new = pool.batches.select_for_update(no_key=True).get_or_create(
            pool=pool,
            stream=stream,
            defaults={
                "kind": kind,
                "label": label,
                "effective_at": effective_at,
                "organiser": organiser,
                "state": filing.state,
            },
        )
        before = [getattr(batch, name) for name in CHANGING]
        stored = set(rows_of(batch).values_list("game_id", "exclusion"))
        batch.label = label
        if not batch.backdated:
            batch.effective_at = effective_at
        if batch.state != Batch.State.WITHDRAWN:
            batch.state, batch.approved, batch.reason = filing
        rows = load_rows(batch, numbers, limits)
        if batch.state == State.FILED and kind == Batch.Kind.GAME and find_high_seed(batch, rows):
            rows = load_rows(batch, numbers, [*limits, "without_event"])
        elif batch.state == State.FILED and (held := _hold_for_seed(batch, filing, rows)) != filing:
            batch.state, batch.approved, batch.reason = held
            rows = load_rows(batch, numbers, limits)
        _check_not_filed_elsewhere(batch, [row.game_id for row in rows])
        set_digests(batch, rows)
        after = [getattr(batch, name) for name in CHANGING]
        if is_new or before != after or stored != {(row.game_id, row.exclusion) for row in rows}:
            _save_rows(batch, rows)
            announce_batch(batch, rows)
    return batch


def set_digests(batch: Batch, rows: Sequence[BatchGame], keys: Keys | None = None) -> None:
    """Set the digests of a batch with these games."""
    batch.games_digest = digest_games(batch.effective_at, map(RatedInput.from_row, rows))
    batch.filed_digest = digest_filed(batch, rows, keys or load_keys(rows))


def announce_batch(batch: Batch, rows: Sequence[BatchGame]) -> None:
    """Write the journal lines of a new or changed batch and send the task that rates it."""
    if batch.kind == Batch.Kind.TOURNAMENT:
        append_filed(batch, by=None)
    announce_in_pool(batch, rows)


def announce_in_pool(batch: Batch, rows: Sequence[BatchGame]) -> None:
    """Write the line of the pool, and send the task: an imported event has its own line."""
    payload, changed = batch_payload(batch, rows), changed_rows(batch)
    append_line(batch.pool.stream, f"batch.{batch.state}", payload, by=None, rows=changed)
    send_on_commit("ratings.tasks.advance_pool", batch.pool_id)


def append_filed(batch: Batch, *, by: Account | None) -> None:
    """State in the journal of the event what is filed of it, so that its bundle can be verified."""
    payload = {
        "pool": batch.pool.code,
        "state": batch.state,
        "effective_at": batch.effective_at.isoformat(),
        "filed_digest": batch.filed_digest,
    }
    append_line(batch.stream, FILED_KIND, payload, by=by)


def batch_payload(batch: Batch, rows: Sequence[BatchGame]) -> dict[str, Any]:
    """Return the payload of the journal line of a batch."""
    return {
        "batch": batch.pk,
        "stream": batch.stream,
        "effective_at": batch.effective_at.isoformat(),
        "games": len(rows),
        "excluded": sum(1 for row in rows if row.exclusion),
        "games_digest": batch.games_digest,
    }


def limit_effective_time(
    ends_at: datetime, *, created_at: datetime, filed_at: datetime
) -> datetime:
    """Return when the batch of an event takes effect: at its end, within the limits.

    These are its creation, less the grace period of the installation, and the time of filing. They
    prevent that an organiser changes the whole history, or the order of all later events.
    """
    earliest = created_at - timedelta(days=settings.RATING_GRACE_DAYS)
    return min(max(ends_at, earliest), filed_at)


def refresh_event(stream: str) -> list[Batch]:
    """File the games of an event as they are now, in every pool, and request a run of each."""
    return _refresh(Batch.objects.filter(stream=stream))


def refresh_batches(pool: Pool, changed: Collection[int]) -> None:
    """Update these batches, of which games have changed since they were filed.

    Call it in the transaction of the run that follows.
    """
    if changed:
        _refresh(pool.batches.filter(pk__in=changed))


def _refresh(batches: "QuerySet[Batch]") -> list[Batch]:
    """Lock batches and file their games as they are now; write a line for each that changed."""
    # Lock batches before their games, in the same order as file_batch.
    locked = lock_batches(batches)
    for batch in locked:
        before = batch.filed_digest, batch.order_key
        rows = refresh_batch(batch)
        if (batch.filed_digest, batch.order_key) != before:  # by a merge, or another result
            announce_batch(batch, rows)
    return locked


def refresh_batch(batch: Batch) -> list[BatchGame]:
    """File the games of a batch, whose row is locked, as they are now; return its new rows."""
    rows = load_rows(batch, list(rows_of(batch).values_list("game", flat=True)))
    set_digests(batch, rows)
    _save_rows(batch, rows)
    return rows


def _save_rows(batch: Batch, rows: Sequence[BatchGame]) -> None:
    """Save a batch and replace its games."""
    key = order_key_of(batch, rows)
    if batch.order_key != key:
        # With another place in the order it is due, even if its games have not changed.
        batch.order_key, batch.rated_games_digest = key, ""
    rows_of(batch).delete()
    BatchGame.objects.bulk_create(rows)
    batch.save(update_fields=CHANGING)


def order_key_of(batch: Batch, rows: Sequence[BatchGame]) -> str:
    """Return the place of a batch among those of the same time."""
    if batch.kind == Batch.Kind.TOURNAMENT or not rows:
        return order_key_of_event(batch.stream)
    return order_keys_of_games([rows[0].game_id])[rows[0].game_id]


def _check_not_filed_elsewhere(batch: Batch, game_ids: Sequence[int]) -> None:
    elsewhere = (
        BatchGame.objects.filter(pool=batch.pool_id, game__in=game_ids)
        .exclude(batch=batch)
        .order_by("game_id")
        .values_list("game_id", flat=True)[:MAX_LISTED_GAMES]
    )
    if elsewhere:
        listed = ", ".join(map(str, elsewhere))
        raise Conflict(
            "already_filed",
            Text(
                "another batch of %(pool)s has the games %(names)s", pool=batch.pool, names=listed
            ),
        )


def lock_batches(batches: "QuerySet[Batch]") -> list[Batch]:
    """Read batches and lock their rows until the transaction ends, after the journals of events.

    Lock them before the first line is written to the journal of the pool, as runs do.
    """
    events = batches.filter(kind=Batch.Kind.TOURNAMENT)
    lock_streams(events.order_by("stream").values_list("stream", flat=True).distinct())
    # Not their keys, to which the rows of games refer, and not the pools that are read with them.
    locked = batches.select_for_update(no_key=True, of=("self",)).select_related("pool")
    return list(locked.order_by("pk"))


def lock_streams(streams: Iterable[str]) -> None:
    """Lock the journals of events, in their order, before their batches, as a correction does."""
    for stream in list(streams):
        lock_head(stream)


def review_batches(batches: Iterable[Batch], *, by: Account | None) -> None:
    """Bring locked batches of events to the state that policy and decisions give them now.

    A filed batch stays filed; it may become approved. A withdrawn one stays withdrawn.
    """
    for batch in batches:
        if batch.state == State.WITHDRAWN:
            continue
        filing = find_filing(batch.pool, RatingRequest(batch.stream, batch.organiser_id))
        filing = _hold_for_seed(batch, filing, rows_of(batch))
        if batch.state == State.FILED and (batch.approved or not filing.approved):
            continue
        if (batch.state, batch.approved, batch.reason) != filing:
            batch.state, batch.approved, batch.reason = filing
            _save(batch, f"batch.{batch.state}", by)


def review_waiting_batches(pool: Pool) -> None:
    """File or refuse the waiting batches that policy and decisions no longer leave waiting."""
    with transaction.atomic():
        review_batches(lock_batches(pool.batches.filter(state=State.WAITING)), by=None)


def withdraw_batch(batch: Batch, *, reason: str, by: Account) -> Batch:
    """Exclude all games of a filed batch; raises Conflict in another state."""
    return _change_state(batch, State.FILED, State.WITHDRAWN, "batch.withdrawn", reason, by)


def restore_batch(batch: Batch, *, reason: str, by: Account) -> Batch:
    """Rate the games of a withdrawn batch again; raises Conflict in another state."""
    return _change_state(batch, State.WITHDRAWN, State.FILED, "batch.restored", reason, by)


def _change_state(
    batch: Batch, source: Batch.State, target: Batch.State, kind: str, reason: str, by: Account
) -> Batch:
    with transaction.atomic():
        (batch,) = lock_batches(Batch.objects.filter(pk=batch.pk))
        if batch.state != source:
            detail = Text(
                "batch %(number)s has the state %(state)s; this is possible only in the state"
                " %(states)s",
                number=batch.pk,
                state=State(batch.state),
                states=source,
            )
            raise Conflict("wrong_state", detail)
        batch.state, batch.reason = target, reason
        _save(batch, kind, by)
    return batch


def backdate_batch(batch: Batch, *, effective_at: datetime, reason: str, by: Account) -> Batch:
    """Set when a batch takes effect, without the limit for organisers.

    Raises Unprocessable for a time in the future.
    """
    if effective_at > timezone.now():
        detail = Text(
            "%(time)s is in the future; send a time that has passed", time=effective_at.isoformat()
        )
        raise Unprocessable("in_future", detail, at="/effective_at")
    with transaction.atomic():
        (batch,) = lock_batches(Batch.objects.filter(pk=batch.pk))
        batch.effective_at, batch.backdated, batch.reason = effective_at, True, reason
        _save(batch, "batch.backdated", by)
    return batch


def _save(batch: Batch, kind: str, by: Account | None) -> None:
    refresh_batch(batch)
    payload = {
        "batch": batch.pk,
        "stream": batch.stream,
        "effective_at": batch.effective_at.isoformat(),
        "reason": batch.reason,
        "games_digest": batch.games_digest,
    }
    if batch.kind == Batch.Kind.TOURNAMENT:
        append_filed(batch, by=by)
    append_line(batch.pool.stream, kind, payload, by=by, rows=changed_rows(batch))
    send_on_commit("ratings.tasks.advance_pool", batch.pool_id)
