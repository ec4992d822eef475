"""Save the rows of a bundle, if its slug and its ids are free."""

from collections.abc import Sequence
from typing import Any

from django.core.management.color import no_style
from django.db import connection

from games.broker import send_on_commit
from games.bulk import BATCH_SIZE, chunks
from games.http.errors import Conflict
from games.imports.bulk import insert_rows
from games.imports.progress import Progress
from games.models import JournalHead, JournalLine, JournalPayload, Player
from games.rules.text import Text
from ratings.models import BatchGame, Opening, Pool
from ratings.queries.openings import digest_openings
from ratings.services.batches import announce_batch
from ratings.systems.elo import PlayerState
from tournament.imports.bundle.archive import bundle_error
from tournament.imports.bundle.rows import Rows, name_kind
from tournament.imports.bundle.writing import MODELS
from tournament.models import Tournament

SAVED = (
    "tournament", "player", "entry", "bye", "round", "snapshot", "certificate", "game",
    "report", "pairing", "correction",
)  # fmt: skip


def check_conflicts(tournament: Tournament, rows: Rows) -> None:
    """Raise Conflict if the slug or an id is taken; drop existing players from `rows`."""
    if Tournament.objects.filter(slug=tournament.slug).exists():
        raise Conflict(
            "slug_taken",
            Text("there is a tournament %(slug)s already", slug=f"{tournament.slug!r}"),
        )
    if JournalHead.objects.filter(stream=tournament.stream).exists():
        raise Conflict(
            "stream_taken",
            Text("there is a journal of %(stream)s already", stream=tournament.stream),
        )
    for kind in (*(kind for kind in SAVED if kind != "player"), "batch"):
        for chunk in chunks([row.pk for _, row in rows[kind]]):
            taken = MODELS[kind]._default_manager.filter(pk__in=chunk).first()
            if taken is not None:
                raise _ids_taken(kind, taken.pk)
    existing: dict[int, Player] = {}
    for chunk in chunks([row.pk for _, row in rows["player"]]):
        existing |= Player.objects.in_bulk(chunk)
    for _, row in rows["player"]:
        player = existing.get(row.pk)
        if player is not None and (player.name, player.country) != (row.name, row.country):
            raise _ids_taken("player", row.pk)
    new = {row.pk: row.external_ids.get("fide") for _, row in rows["player"]}
    for chunk in chunks([fide for pk, fide in new.items() if fide and pk not in existing]):
        other = Player.objects.filter(external_ids__fide__in=chunk).first()
        if other is not None:
            detail = Text(
                "player %(number)s has the FIDE id of another player of the bundle", number=other.pk
            )
            raise Conflict("external_id_taken", detail, player=other.pk)
    rows["player"] = [(number, row) for number, row in rows["player"] if row.pk not in existing]


def _ids_taken(kind: str, pk: int) -> Conflict:
    detail = Text(
        "there is another %(kind)s with the id %(number)s; import bundles into "
        "an empty installation",
        kind=name_kind(kind),
        number=pk,
    )
    return Conflict("ids_taken", detail)


def save_rows(rows: Rows, progress: Progress) -> None:
    """Save the rows of a tournament and its rating inputs; unsettled games get their tasks."""
    for kind in SAVED:
        insert_rows([row for _, row in rows[kind]], step=Text("writing rows"), progress=progress)
    _save_rating_inputs(rows)
    for game in {row.game_id for _, row in rows["report"] if row.settled_at is None}:
        send_on_commit("games.tasks.settle_game", game)
    models = [MODELS[kind] for kind in rows if kind not in ("pool", "batch_game")]
    statements = connection.ops.sequence_reset_sql(no_style(), models)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def save_journal(
    lines: Sequence[JournalLine], payloads: Sequence[tuple[Any, Any]], progress: Progress
) -> None:
    """Save a chain unchanged, with its payloads and their rows; None is an erased payload."""
    for count, (chunk, bodies) in enumerate(zip(chunks(lines), chunks(payloads), strict=True)):
        progress(Text("writing the journal"), count * BATCH_SIZE, len(lines))
        saved = JournalLine.objects.bulk_create(chunk)
        JournalPayload.objects.bulk_create(
            JournalPayload(line=line, body=body, rows=rows)
            for line, (body, rows) in zip(saved, bodies, strict=True)
            if body is not None
        )
    if lines:
        last = lines[-1]
        JournalHead.objects.create(stream=last.stream, sequence=last.sequence, digest=last.digest)


def find_pool(rows: Rows) -> Pool | None:
    """Return the pool of the same code; raises Unprocessable if it has other parameters."""
    for number, source in rows["pool"]:
        pool = Pool.objects.filter(code=source.code).first()
        computed_by = ("preset", "parameters")
        if pool and any(getattr(pool, name) != getattr(source, name) for name in computed_by):
            detail = Text(
                "the pool %(pool)s has other parameters in this installation", pool=pool.code
            )
            raise bundle_error(number, detail)
        return pool
    return None


def _save_rating_inputs(rows: Rows) -> None:
    """Save the batch in the pool of the same code, which is created if it does not exist.

    Only site staff import bundles, so a batch keeps its state: its pool need not approve it again.
    """
    if not rows["pool"] or not rows["batch"]:
        return
    ((_, source),), ((_, batch),) = rows["pool"], rows["batch"]
    names = ("name", "preset", "parameters", "casual_games")
    defaults = {name: getattr(source, name) for name in names}
    pool = find_pool(rows) or Pool.objects.create(code=source.code, **defaults)
    batch.pool = pool
    filed = [row for _, row in rows["batch_game"]]
    openings = [row for _, row in rows["opening"]]
    for row in (*filed, *openings):
        row.pool = pool
    batch.openings_digest = digest_openings(
        {row.player_id: PlayerState(row.rating, row.games) for row in openings}
    )
    batch.save(force_insert=True)
    Opening.objects.bulk_create(openings)
    BatchGame.objects.bulk_create(filed)
    announce_batch(batch, filed)
