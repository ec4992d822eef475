"""The rows of a bundle into the tables, where their name and their ids are free."""

from collections.abc import Sequence
from typing import Any

from django.core.management.color import no_style
from django.db import connection

from games.broker import send_on_commit
from games.bulk import BATCH_SIZE, chunks
from games.http.errors import Conflict
from games.imports.progress import Progress
from games.models import JournalHead, JournalLine, JournalPayload, Player
from ratings.models import Pool
from ratings.queries.openings import digest_openings
from ratings.services.batches import announce_batch
from ratings.systems.elo import PlayerState
from tournament.imports.bulk import insert
from tournament.imports.bundle.rows import Rows
from tournament.imports.bundle.unpacking import refusal
from tournament.imports.bundle.writing import MODELS
from tournament.models import Tournament

SAVED = (
    "tournament", "player", "entry", "bye", "round", "snapshot", "certificate", "game",
    "report", "pairing",
)  # fmt: skip


def check_free(tournament: Tournament, rows: Rows) -> None:
    """Refuse where the name or an id is taken by something else; known players are kept."""
    if Tournament.objects.filter(slug=tournament.slug).exists():
        raise Conflict("slug_taken", f"there is a tournament {tournament.slug!r} already")
    if JournalHead.objects.filter(stream=tournament.stream).exists():
        raise Conflict("stream_taken", f"{tournament.stream} has a journal here already")
    for kind in (*(one for one in SAVED if one != "player"), "batch"):
        for some in chunks([row.pk for _, row in rows[kind]]):
            taken = MODELS[kind]._default_manager.filter(pk__in=some).first()
            if taken is not None:
                raise _ids_taken(kind, taken.pk)
    here: dict[int, Player] = {}
    for some in chunks([row.pk for _, row in rows["player"]]):
        here |= Player.objects.in_bulk(some)
    for _, row in rows["player"]:
        known = here.get(row.pk)
        if known is not None and (known.name, known.country) != (row.name, row.country):
            raise _ids_taken("player", row.pk)
    rows["player"] = [(number, row) for number, row in rows["player"] if row.pk not in here]


def _ids_taken(kind: str, pk: int) -> Conflict:
    told = f"there is another {kind} {pk} here; a bundle goes into an empty installation"
    return Conflict("ids_taken", told)


def save_rows(rows: Rows, progress: Progress) -> None:
    """Write the rows of an event, and file what was filed for rating."""
    for kind in SAVED:
        insert([row for _, row in rows[kind]], step=f"writing rows: {kind}", progress=progress)
    _file(rows)
    for game in {row.game_id for _, row in rows["report"] if row.settled_at is None}:
        send_on_commit("games.tasks.settle_game", game)
    models = [MODELS[kind] for kind in rows if kind not in ("pool", "batch_game")]
    statements = connection.ops.sequence_reset_sql(no_style(), models)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def save_journal(lines: Sequence[JournalLine], payloads: Sequence[Any], progress: Progress) -> None:
    """Write a chain as it came, with the payloads that are still there (None: erased)."""
    for count, (some, bodies) in enumerate(zip(chunks(lines), chunks(payloads), strict=True)):
        progress("writing the journal", count * BATCH_SIZE, len(lines))
        saved = JournalLine.objects.bulk_create(some)
        JournalPayload.objects.bulk_create(
            JournalPayload(line=line, body=body)
            for line, body in zip(saved, bodies, strict=True)
            if body is not None
        )
    if lines:
        last = lines[-1]
        JournalHead.objects.create(stream=last.stream, sequence=last.sequence, digest=last.digest)


def _file(rows: Rows) -> None:
    """File what was filed, in the pool of that code, which is made where it is not there."""
    if not rows["pool"] or not rows["batch"]:
        return
    ((number, told),), ((_, batch),) = rows["pool"], rows["batch"]
    names = ("name", "preset", "parameters", "handicap_table", "casual_games")
    wanted = {name: getattr(told, name) for name in names}
    pool, _ = Pool.objects.get_or_create(code=told.code, defaults=wanted)
    if (pool.preset, pool.parameters, pool.handicap_table) != (
        told.preset,
        told.parameters,
        told.handicap_table,
    ):
        raise refusal(number, f"the pool {pool.code} is computed otherwise here")
    batch.pool = pool
    filed = [row for _, row in rows["batch_game"]]
    openings = [row for _, row in rows["opening"]]
    for row in (*filed, *openings):
        row.pool = pool
    batch.openings_digest = digest_openings(
        {row.player_id: PlayerState(row.rating, row.games) for row in openings}
    )
    batch.save(force_insert=True)
    insert(openings)
    insert(filed)
    announce_batch(batch, filed)
