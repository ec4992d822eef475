"""Filing games with a pool: an event's as one batch, a casual game as a batch of its own."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef

from games.chunks import ROWS_A_STATEMENT
from games.http.errors import Conflict
from games.journal.chain import write_line
from games.models import Game, Player
from games.services.sending import send_on_commit
from ratings import eligibility
from ratings.models import Batch, BatchGame, Pool
from ratings.systems.elo import MILLI


def file_batch(
    pool: Pool,
    *,
    stream: str,
    label: str,
    effective_at: datetime,
    games: Iterable[Game],
    kind: str = Batch.Kind.EVENT,
) -> Batch:
    """File an event's games with a pool and ask for them to be rated.

    Each game is filed as it stands: with its result, or with the code of why it is not rated.
    Filing the same stream again brings its batch up to date, and does nothing where nothing
    changed. Raises Conflict for a game that another batch of the pool holds.
    """
    with transaction.atomic():
        batch, is_new = Batch.objects.select_for_update(no_key=True).get_or_create(
            pool=pool,
            stream=stream,
            defaults={"kind": kind, "label": label[:120], "effective_at": effective_at},
        )
        filed = _filed(pool, batch, [game.pk for game in games])
        _check_elsewhere(pool, batch, [one.game_id for one in filed])
        digest = eligibility.digest_of_facts(effective_at, map(_row, filed))
        known = _as_lines(BatchGame.objects.filter(pool=pool, batch=batch))
        same = (batch.facts, batch.label, known) == (digest, label[:120], _as_lines(filed))
        if not is_new and same:
            return batch

        BatchGame.objects.filter(pool=pool, batch=batch).delete()
        BatchGame.objects.bulk_create(filed, batch_size=ROWS_A_STATEMENT)
        batch.label, batch.effective_at, batch.facts = label[:120], effective_at, digest
        batch.save(update_fields=["label", "effective_at", "facts"])
        excluded = sum(1 for one in filed if one.exclusion)
        payload = {
            "batch": batch.pk,
            "stream": stream,
            "effective_at": effective_at.isoformat(),
            "games": len(filed),
            "excluded": excluded,
            "facts": digest,
        }
        write_line(pool.stream, "batch.filed", payload, by=None)
        send_on_commit("ratings.tasks.advance_pool", pool.pk)
    return batch


def _row(game: BatchGame) -> eligibility.Filed:
    return eligibility.Filed._make(getattr(game, name) for name in eligibility.FILED)


def _as_lines(games: Iterable[BatchGame]) -> set[tuple[int, str]]:
    return {(one.game_id, one.exclusion) for one in games}


def _filed(pool: Pool, batch: Batch, ids: Sequence[int]) -> list[BatchGame]:
    """The games as they stand now; a seed that was filed before is kept."""
    games = Game.objects.filter(pk__in=ids).annotate(**eligibility.told()).order_by("pk")
    parts = {game.pk: eligibility.handicap_part(pool, game) for game in games}
    told = {game.pk: eligibility.Told.of(game, parts[game.pk]) for game in games}
    seeds = _seeds({seat for one in told.values() for seat in (one.first, one.second)})
    for first, second, *kept in BatchGame.objects.filter(pool=pool, batch=batch).values_list(
        "first", "second", "first_seed", "second_seed"
    ):
        seeds.update(zip((first, second), kept, strict=True))
    return [
        BatchGame(
            pool=pool,
            batch=batch,
            game_id=game,
            first_id=one.first,
            second_id=one.second,
            first_seed=seeds[one.first],
            second_seed=seeds[one.second],
            score=one.score,
            handicap_part=parts[game],
            exclusion=one.exclusion,
        )
        for game, one in told.items()
    ]


def _seeds(players: set[int]) -> dict[int, int | None]:
    """The seed ratings of players, in milli."""
    found = Player.objects.filter(pk__in=players).values_list("pk", "seed_rating")
    return {player: None if seed is None else seed * MILLI for player, seed in found}


def _check_elsewhere(pool: Pool, batch: Batch, ids: Sequence[int]) -> None:
    elsewhere = (
        BatchGame.objects.filter(pool=pool, game__in=ids).exclude(batch=batch).values_list("game")
    )
    held = sorted(game for (game,) in elsewhere)
    if held:
        listed = ", ".join(map(str, held[:20]))
        raise Conflict("already_filed", f"another batch of {pool.code} holds the games {listed}")


def file_game(pool: Pool, game: Game) -> Batch:
    """File a casual game, placed at the moment when its result came to stand.

    Not at the day it is said to have been played: a player could then reach back into everybody's
    history at will. Raises Conflict for a game that is not confirmed yet.
    """
    if game.confirmed_at is None:
        raise Conflict("unconfirmed", f"game {game.pk} is not confirmed: there is nothing to rate")
    return file_batch(
        pool,
        stream=game.journal_stream,
        label="",
        effective_at=game.confirmed_at,
        games=[game],
        kind=Batch.Kind.GAME,
    )


def file_casual_games(pool: Pool) -> int:
    """File every confirmed casual game of the pool's kind that is not filed yet; how many."""
    filed = BatchGame.objects.filter(pool=pool, game=OuterRef("pk"))
    games = list(
        Game.objects.filter(
            ~Exists(filed),
            stream="",
            rated=True,
            state=Game.State.CONFIRMED,
            game__in=pool.casual_games,
        ).order_by("confirmed_at", "pk")
    )
    for game in games:
        file_game(pool, game)
    return len(games)


def refresh_facts(pool: Pool) -> int:
    """Bring filed games up to what the games have become; how many had changed.

    Runs inside the transaction of the run that follows from it.
    """
    touched = set(eligibility.drifted(pool).values_list("batch", flat=True))
    if not touched:
        return 0
    # Batches before their games, as filing locks them.
    batches = list(Batch.objects.select_for_update(no_key=True).filter(pk__in=touched))
    changed = list(eligibility.drifted(pool).filter(batch__in=touched))
    now = [eligibility.Told.of(one, one.handicap_part) for one in changed]
    seeds = _seeds({seat for one in now for seat in (one.first, one.second)})
    for one, told in zip(changed, now, strict=True):
        if one.first_id != told.first:
            one.first_id, one.first_seed = told.first, seeds[told.first]
        if one.second_id != told.second:
            one.second_id, one.second_seed = told.second, seeds[told.second]
        one.score, one.exclusion = told.score, told.exclusion
    fields = ["first", "second", "first_seed", "second_seed", "score", "exclusion"]
    BatchGame.objects.bulk_update(changed, fields, batch_size=ROWS_A_STATEMENT)
    for batch in batches:
        games = map(eligibility.Filed._make, eligibility.filed_games(pool=pool, batch=batch))
        batch.facts = eligibility.digest_of_facts(batch.effective_at, games)
        batch.save(update_fields=["facts"])
    return len(changed)
