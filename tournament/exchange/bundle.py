"""Import a bundle as a tournament with new ids, verified against all its digests, all or nothing.

Beside the seals of the lines, the import verifies the journal's chain, payloads and head, the
digest of every replayed record, every game against its reports, the games that were filed with
ratings against their results, the digests of certificates, and the saved rows against
the journal.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import ForeignKey

from games.core.broker import send_on_commit
from games.core.errors import Conflict
from games.core.journal.lines import SITE, append_line
from games.core.journal.rows import changed_rows, combined, whole_rows
from games.core.references import absolute_url
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.services import Importer, ImportResult, SentFile
from games.models import Account, JournalHead, JournalLine, JournalPayload, Player, Role
from games.models.bulk import BATCH_SIZE, chunks
from games.rules.text import Text
from ratings.batches.order import order_key_of_event
from ratings.batches.services import FILED_KIND, announce_in_pool, set_digests
from ratings.models import Pool
from ratings.runs.filed import find_filed_otherwise
from ratings.runs.openings import digest_openings
from ratings.systems.presets import Start
from tournament.events.serializers import ImportedTournamentSerializer
from tournament.events.verification import RETIRED_KINDS, compare_with_journal, find_derived
from tournament.exchange.bundle_file import BUNDLE_VERSION, MODELS, Line, bundle_error, read_lines
from tournament.exchange.bundle_rows import (
    LABEL_KINDS,
    MODEL_KINDS,
    Reader,
    Rows,
    check_rows,
    replace_references,
)
from tournament.exchange.bundle_verification import verify_journal, verify_rows, verify_seeds
from tournament.models import Tournament

SAVED = (
    "tournament", "player", "entry", "bye", "round", "certificate", "game",
    "report", "pairing", "correction",
)  # fmt: skip


def check_conflicts(tournament: Tournament, rows: Rows) -> None:
    """Raise Conflict if the slug is taken, or the FIDE id of a new player."""
    if Tournament.objects.filter(slug=tournament.slug).exists():
        detail = Text(
            "another event has the address %(slug)s, and a bundle keeps that of its event",
            slug=f"{tournament.slug!r}",
        )
        raise Conflict("slug_taken", detail, at="/slug")
    if JournalHead.objects.filter(stream=tournament.stream).exists():
        raise Conflict(
            "stream_taken",
            Text("there is a journal of %(stream)s already", stream=tournament.stream),
        )
    existing = _existing_players(rows)
    new = {row.key: row.external_ids.get("fide") for _, row in rows["player"]}
    for chunk in chunks([fide for key, fide in new.items() if fide and key not in existing]):
        other = Player.objects.filter(external_ids__fide__in=chunk).first()
        if other is not None:
            detail = Text(
                "player %(number)s has the FIDE id of another player of the bundle", number=other.pk
            )
            raise Conflict("external_id_taken", detail, player_id=other.pk)


def _existing_players(rows: Rows) -> dict[str, int]:
    """Return the ids of the players of a bundle who are registered already, by key."""
    existing: dict[str, int] = {}
    for chunk in chunks([row.key for _, row in rows["player"]]):
        existing |= Player.objects.filter(key__in=chunk).values_list("key", "pk")
    return existing


Ids = dict[str, dict[int, int]]
"""The ids in the database by kind and by the id in the bundle."""
Later = list[tuple[Any, Any, str, int]]
"""References to rows that are not saved yet: the row, its column, the kind and the id there."""


def save_rows(rows: Rows, progress: Progress) -> list[Player]:
    """Save the rows of a tournament and its rating inputs; unsettled games get their tasks.

    The ids of a bundle are replaced by those that the database gives. Return the new players; those
    who are registered already stay as they are.
    """
    existing = _existing_players(rows)
    known = {row.pk: existing[row.key] for _, row in rows["player"] if row.key in existing}
    ids: Ids = {"player": known}
    later: Later = []
    for count, kind in enumerate(SAVED):
        progress(Text("writing rows"), count, len(SAVED))
        of_kind = [(number, row) for number, row in rows[kind] if row.pk not in ids.get(kind, ())]
        replace_references({kind: of_kind}, lambda label, old: ids[LABEL_KINDS[label]][int(old)])
        saved = [row for _, row in of_kind]
        _replace_ids(kind, saved, ids, later)
        numbers = [row.pk for row in saved]
        _insert(saved)
        ids[kind] = ids.get(kind, {}) | {
            number: row.pk for number, row in zip(numbers, saved, strict=True)
        }
    changed: dict[Any, list[Any]] = defaultdict(list)
    for row, column, kind, number in later:
        setattr(row, column.attname, ids[kind][number])
        changed[column].append(row)
    for column, referring in changed.items():
        column.model._default_manager.bulk_update(referring, [column.name], batch_size=BATCH_SIZE)
    _save_rating_inputs(rows, ids)
    for game in {row.game_id for _, row in rows["report"] if row.settled_at is None}:
        send_on_commit("games.tasks.settle_game", game)
    return [row for _, row in rows["player"] if row.key not in existing]


def _insert(rows: Sequence[Any]) -> None:
    for row in rows:
        row.pk = None
    if rows:
        type(rows[0])._default_manager.bulk_create(rows, batch_size=BATCH_SIZE)


def _replace_ids(kind: str, rows: Sequence[Any], ids: Ids, later: Later) -> None:
    """Replace the references of rows by ids in the database, or leave them for later."""
    for column, target in _references(kind):
        for row in rows:
            number = getattr(row, column.attname)
            if number in ids.get(target, ()):
                setattr(row, column.attname, ids[target][number])
            elif number is not None:
                setattr(row, column.attname, None)
                later.append((row, column, target, number))


def _references(kind: str) -> list[tuple[Any, str]]:
    """Return the references of a kind to rows of a bundle, with their kinds."""
    fields: Sequence[Any] = MODELS[kind]._meta.concrete_fields
    return [
        (column, MODEL_KINDS[column.related_model])
        for column in fields
        if isinstance(column, ForeignKey) and column.related_model in MODEL_KINDS
    ]


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


def _save_rating_inputs(rows: Rows, ids: Ids) -> None:
    """Save the batch in the pool of the same code, which is created if it does not exist.

    Only site staff import bundles, so a batch keeps its state: its pool need not approve it again.
    """
    if not rows["pool"] or not rows["batch"]:
        return
    ((_, source),), ((_, batch),) = rows["pool"], rows["batch"]
    names = ("name", "preset", "parameters", "casual_games")
    defaults = {name: getattr(source, name) for name in names}
    ((_, event),) = rows["tournament"]
    defaults["rated_games"] = {event.game: []}
    pool = find_pool(rows)
    if pool is None:
        pool = Pool.objects.create(code=source.code, **defaults)
        created = {"code": pool.code, **defaults}
        append_line(pool.stream, "pool.created", created, by=None, rows=changed_rows(pool))
    filed = [row for _, row in rows["batch_game"]]
    openings = [row for _, row in rows["opening"]]
    for kind, saved in (("batch_game", filed), ("opening", openings)):
        _replace_ids(kind, saved, ids, [])
    batch.pool, batch.pk = pool, None
    batch.order_key = order_key_of_event(batch.stream)
    set_digests(batch, filed)
    batch.openings_digest = digest_openings(
        {row.player_id: Start(row.rating, row.games, row.reached_2400) for row in openings}
    )
    batch.save(force_insert=True)
    for row in (*filed, *openings):
        row.pool, row.batch = pool, batch
    _insert(openings)
    _insert(filed)
    announce_in_pool(batch, filed)


@dataclass(frozen=True, slots=True)
class Bundle:
    """A tournament that was read and verified, with its whole journal; nothing is saved yet."""

    tournament: Tournament
    rows: Rows
    journal: Sequence[JournalLine]
    payloads: Sequence[tuple[Any, Any]]
    head: str


def read_bundle(content: bytes, progress: Progress = no_progress) -> Bundle:
    """Read and verify a bundle without using the database.

    Raises Unprocessable naming the line that is invalid or whose digest differs.
    """
    reader, chain = Reader(), []
    first = Line(0, "", {})
    dropped: Sequence[str] = ()
    for line in read_lines(content, progress):
        if line.kind == "journal":
            chain.append(line)
        elif line.kind == "bundle" and line.number == 1:
            first = line
            dropped = () if line.row["version"] == BUNDLE_VERSION else RETIRED_KINDS
        elif line.kind not in ("end", *dropped):
            reader.add(line)
    reader.resolve()
    rows = reader.rows
    check_rows(rows)
    journal = verify_journal(first, chain, progress)
    verify_rows(rows, progress)
    ((_, tournament),) = rows["tournament"]
    if first.row.get("stream") != tournament.stream:
        raise bundle_error(1, Text("the stream is not %(stream)s", stream=tournament.stream))
    if any(line.row["kind"] == FILED_KIND for line in chain):
        verify_seeds(rows)
    payloads = [(line.row["payload"], line.row["rows"]) for line in chain]
    return Bundle(tournament, rows, journal, payloads, first.row["head"])


def save_bundle(
    bundle: Bundle, *, by: Account | None, progress: Progress = no_progress
) -> Tournament:
    """Create the tournament of a bundle with the same journal head; `by` becomes its owner.

    Raises Conflict if its slug is taken.
    """
    tournament = bundle.tournament
    with transaction.atomic():
        check_conflicts(tournament, bundle.rows)
        try:
            with transaction.atomic():
                for _, player in bundle.rows["player"]:
                    player.registered_by, player.registered_in = by, tournament.stream
                players = save_rows(bundle.rows, progress)
                save_journal(bundle.journal, bundle.payloads, progress)
        except IntegrityError as error:
            detail = Text("its rows contradict each other or existing rows")
            raise bundle_error(0, detail) from error
        rows = whole_rows(*players)
        if by is not None:
            owner, _ = Role.objects.get_or_create(
                stream=tournament.stream, account=by, role=Role.Name.OWNER
            )
            rows = combined(rows, whole_rows(owner))
        payload = {"tournament": tournament.slug, "head": bundle.head}
        append_line(SITE, "bundle.imported", payload, by=by, rows=rows)
        differences = [
            *compare_with_journal(tournament.stream),
            *find_derived(tournament.stream),
            *find_filed_otherwise(tournament.stream),
        ]
        if differences:
            detail = Text(
                "its rows are not those of its journal: %(detail)s", detail=differences[0]
            )
            raise bundle_error(0, detail)
    return tournament


def import_bundle(content: bytes, *, by: Account | None) -> Tournament:
    """Read a bundle and create its tournament, all or nothing; raises as both steps do."""
    return save_bundle(read_bundle(content), by=by)


def _read(sent: SentFile, progress: Progress) -> Bundle:
    return read_bundle(sent.content, progress)


def _save(sent: SentFile, bundle: Bundle, progress: Progress) -> ImportResult:
    tournament = save_bundle(bundle, by=sent.by, progress=progress)
    body = dict(ImportedTournamentSerializer(tournament).data)
    return ImportResult(body, absolute_url(f"tournaments/{tournament.slug}"))


def _preview(_: SentFile, bundle: Bundle) -> ImportResult:
    """Return what the import would return; raises Conflict as `save_bundle` does."""
    check_conflicts(bundle.tournament, bundle.rows)
    find_pool(bundle.rows)
    bundle.tournament.pk = 0
    return ImportResult(dict(ImportedTournamentSerializer(bundle.tournament).data))


BUNDLE = Importer(
    task="tournament.tasks.import_bundle",
    action="bundle.import",
    read=_read,
    save=_save,
    preview=_preview,
    max_sync_size=64 * 1024,
)
