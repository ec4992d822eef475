"""A bundle as an event of this house, checked against all its digests, all or nothing.

Besides the seals (unpacking.py): the journal's chain, its payloads and its head; every record,
replayed, against the digest of its report; every game against what its reports come to; what was
filed with ratings against the digest of its facts.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import IntegrityError, connection, transaction
from django.db.models import ForeignKey, Model

from games.errors import Conflict
from games.journal import Link, digest_of, write_line
from games.models import (
    Account,
    Game,
    JournalHead,
    JournalLine,
    JournalPayload,
    Player,
    Report,
    Role,
)
from games.rules.errors import RecordError
from games.rules.record import Record
from games.services.sending import send_on_commit
from games.services.settlement import weigh
from ratings.facts import FILED, Filed, digest_of_facts
from ratings.models import Batch, BatchGame, Opening, Pool
from ratings.openings import digest_of_openings
from ratings.systems.elo import PlayerState
from tournament.exports.bundle import MODELS, columns
from tournament.imports.unpacking import Line, read_lines, refusal
from tournament.models import Tournament
from tournament.pairing import certificates

KINDS = {model: kind for kind, model in MODELS.items()}
ONCE = ("tournament",)
MOST_ONCE = ("pool", "batch")
SAVED = (
    "tournament", "player", "entry", "bye", "round", "snapshot", "certificate", "game",
    "report", "pairing",
)  # fmt: skip
STEP = 500
WRITTEN_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"
SITE = "site"

Rows = dict[str, list[tuple[int, Any]]]
"""By kind: number of the line, and the row as a model not yet saved."""


def import_bundle(content: bytes, *, by: Account | None) -> Tournament:
    """Make the event of a bundle, which `by` will own; the journal's head is the same afterwards.

    Raises Unprocessable naming the line that is broken or whose digest does not match, Conflict
    where its name or one of its ids is taken here.
    """
    lines = read_lines(content)
    rows = _models(lines)
    chain = [line for line in lines if line.kind == "journal"]
    _check_references(rows)
    journal = _check_journal(lines[0], chain)
    _check_games(rows)
    _check_certificates(rows)
    (tournament,) = (row for _, row in rows["tournament"])
    if lines[0].row.get("stream") != tournament.stream:
        raise refusal(1, f"its stream is not {tournament.stream}")
    with transaction.atomic():
        _check_free(tournament, rows)
        try:
            with transaction.atomic():
                _save(rows)
                _save_journal(journal, [line.row["payload"] for line in chain])
        except IntegrityError as error:
            raise refusal(0, "its rows contradict each other or what is here") from error
        if by is not None:
            Role.objects.get_or_create(stream=tournament.stream, account=by, role=Role.Name.OWNER)
        told = {"tournament": tournament.slug, "head": lines[0].row["head"]}
        write_line(SITE, "bundle.imported", told, by=by)
    return tournament


def _models(lines: Iterable[Line]) -> Rows:
    """Each row as a model of its kind, every value checked by its field."""
    rows: Rows = defaultdict(list)
    for line in lines:
        if line.kind in ("bundle", "end", "journal"):
            continue
        if line.kind not in MODELS:
            raise refusal(line.number, f"{line.kind[:40]!r} is no kind of row")
        rows[line.kind].append((line.number, _model(line)))
    for kind in (*ONCE, *MOST_ONCE):
        if len(rows[kind]) > 1 or (kind in ONCE and not rows[kind]):
            raise refusal(0, f"a bundle has one {kind}, not {len(rows[kind])}")
    return rows


def _model(line: Line) -> Model:
    fields = columns(line.kind)
    if line.row.keys() != {one.attname for one in fields}:
        odd = sorted(line.row.keys() ^ {one.attname for one in fields})
        raise refusal(line.number, f"a {line.kind} with or without {', '.join(odd)[:120]}")
    model = MODELS[line.kind]
    values: dict[str, Any] = {}
    for one in fields:
        value = line.row[one.attname]
        if isinstance(one, ForeignKey) or one.primary_key:
            is_id = type(value) is int and 0 < value < 2**63
            if not is_id and not (value is None and one.null):
                raise refusal(line.number, f"{one.attname} is no id")
        elif isinstance(value, dict | list) and one.get_internal_type() != "JSONField":
            raise refusal(line.number, f"{one.attname} is no single value")
        values[one.attname] = value
    made = model(**values)
    skipped = {one.name for one in model._meta.concrete_fields if one not in fields}
    skipped |= {one.name for one in fields if isinstance(one, ForeignKey)}
    try:
        made.clean_fields(exclude=skipped)
    except (ValidationError, ValueError, TypeError, OverflowError) as error:
        told = error.messages[0] if isinstance(error, ValidationError) else str(error)
        raise refusal(line.number, f"this is no {line.kind}: {told[:160]}") from error
    return made


def _check_references(rows: Rows) -> None:
    """What a row points to stands in the bundle too, and everything belongs to its event."""
    ids = {kind: {row.pk for _, row in listed} for kind, listed in rows.items()}
    ((_, tournament),) = rows["tournament"]
    for kind, listed in rows.items():
        links = [one for one in columns(kind) if isinstance(one, ForeignKey)]
        seen: set[int] = set()
        for number, row in listed:
            if row.pk is not None and row.pk in seen:
                raise refusal(number, f"there is a {kind} {row.pk} already")
            seen.add(row.pk)
            for link in links:
                target = getattr(row, link.attname)
                if target is not None and target not in ids.get(_kind_of(link), ()):
                    raise refusal(number, f"{link.attname} {target} is not in the bundle")
            if isinstance(row, Game | Batch) and row.stream != tournament.stream:
                raise refusal(number, f"it is of {row.stream[:80]!r}, not of {tournament.stream}")


def _kind_of(link: "ForeignKey[Any, Any]") -> str:
    return KINDS.get(link.related_model, "") if isinstance(link.related_model, type) else ""


def _check_journal(first: Line, chain: list[Line]) -> list[JournalLine]:
    """The chain as rows: it holds, its payloads are those it sealed, its end is the head."""
    stream, head = first.row.get("stream"), first.row.get("head")
    rows: list[JournalLine] = []
    for line in chain:
        row = line.row
        if row.keys() != {*Link.__dataclass_fields__, "payload"}:
            raise refusal(line.number, "this is no line of a journal")
        sealed = {name: row[name] for name in Link.__dataclass_fields__}
        try:
            link = Link(**sealed)
            at = datetime.strptime(link.at, WRITTEN_TIME).replace(tzinfo=UTC)
            made = JournalLine(**sealed | {"at": at})
            made.clean_fields()
        except (ValidationError, ValueError, TypeError) as error:
            raise refusal(line.number, "this is no line of a journal") from error
        before = rows[-1].digest if rows else ""
        if (link.sequence, link.previous) != (len(rows) + 1, before) or link.stream != stream:
            raise refusal(line.number, "it does not follow the line before in the journal")
        if link.digest != link.right_digest():
            raise refusal(line.number, "its digest is not that of its content")
        if row["payload"] is not None and digest_of(row["payload"]) != link.payload_digest:
            raise refusal(line.number, "the payload is not the one that was sealed")
        rows.append(made)
    if (rows[-1].digest if rows else "") != head:
        raise refusal(1, "the head is not the digest of the journal's last line")
    return rows


def _check_games(rows: Rows) -> None:
    """Records are what their digests say, and games what their reports come to."""
    reports: dict[int, list[Report]] = defaultdict(list)
    verdicts: dict[str, str | None] = {}
    for number, report in rows["report"]:
        reports[report.game_id].append(report)
        if report.record:
            if report.record not in verdicts:
                try:
                    verdicts[report.record] = Record.parse(report.record).digest()
                except RecordError as error:
                    raise refusal(number, f"the record is refused: {error.detail}") from error
            if verdicts[report.record] != report.digest:
                raise refusal(number, "the digest is not that of the record")
    for number, game in rows["game"]:
        said = sorted(reports[game.pk], key=lambda report: report.version)
        if any(report.settled_at is None for report in said):
            continue  # no task has weighed them yet; one will
        settled = weigh(said, deadline_passed=game.state == Game.State.CONFIRMED)
        stands = settled.state == Game.State.CONFIRMED and settled.report
        outcome = settled.report.outcome if stands and settled.report else {}
        score = outcome.get("score") or {}
        due = (
            settled.state,
            outcome.get("winner") or "",
            bool(outcome.get("draw")),
            score.get("first"),
            score.get("second"),
        )
        if due != (game.state, game.winner, game.draw, game.score_first, game.score_second):
            raise refusal(number, f"game {game.pk} is not what its reports come to")
    for number, batch in rows["batch"]:
        filed = sorted(
            (Filed._make(getattr(one, name) for name in FILED) for _, one in rows["batch_game"]),
            key=lambda one: one.game,
        )
        if digest_of_facts(batch.effective_at, filed) != batch.facts:
            raise refusal(number, "the digest is not that of the games filed for rating")


def _check_certificates(rows: Rows) -> None:
    """Certificates can be read, and bear the digests under which they are kept."""
    for number, kept in rows["certificate"]:
        try:
            made = certificates.Certificate.parse(kept.text)
        except certificates.CertificateError as error:
            raise refusal(number, f"the certificate is refused: {error}") from error
        if (made.input_digest, made.output_digest) != (kept.input_digest, kept.output_digest):
            raise refusal(number, "the digests are not those of the certificate")


def _check_free(tournament: Tournament, rows: Rows) -> None:
    """Refuse where the name or an id is taken by something else; known players are kept."""
    if Tournament.objects.filter(slug=tournament.slug).exists():
        raise Conflict("slug_taken", f"there is a tournament {tournament.slug!r} already")
    if JournalHead.objects.filter(stream=tournament.stream).exists():
        raise Conflict("stream_taken", f"{tournament.stream} has a journal here already")
    for kind in (*(one for one in SAVED if one != "player"), "batch"):
        for some in _parts([row.pk for _, row in rows[kind]]):
            taken = MODELS[kind]._default_manager.filter(pk__in=some).first()
            if taken is not None:
                raise _ids_taken(kind, taken.pk)
    here: dict[int, Player] = {}
    for some in _parts([row.pk for _, row in rows["player"]]):
        here |= Player.objects.in_bulk(some)
    for _, row in rows["player"]:
        known = here.get(row.pk)
        if known is not None and (known.name, known.country) != (row.name, row.country):
            raise _ids_taken("player", row.pk)
    rows["player"] = [(number, row) for number, row in rows["player"] if row.pk not in here]


def _ids_taken(kind: str, pk: int) -> Conflict:
    told = f"there is another {kind} {pk} here; a bundle goes into an empty installation"
    return Conflict("ids_taken", told)


def _parts(ids: list[int]) -> Iterable[list[int]]:
    return (ids[start : start + STEP] for start in range(0, len(ids), STEP))


def _save(rows: Rows) -> None:
    for kind in SAVED:
        listed = [row for _, row in rows[kind]]
        MODELS[kind]._default_manager.bulk_create(listed, batch_size=STEP)
    _file(rows)
    for game in {row.game_id for _, row in rows["report"] if row.settled_at is None}:
        send_on_commit("games.tasks.settle_game", game)
    models = [MODELS[kind] for kind in rows if kind not in ("pool", "batch_game")]
    statements = connection.ops.sequence_reset_sql(no_style(), models)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _save_journal(lines: list[JournalLine], payloads: list[Any]) -> None:
    saved = JournalLine.objects.bulk_create(lines, batch_size=STEP)
    JournalPayload.objects.bulk_create(
        [
            JournalPayload(line=line, body=payload)
            for line, payload in zip(saved, payloads, strict=True)
            if payload is not None
        ],
        batch_size=STEP,
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
    batch.openings = digest_of_openings(
        {row.player_id: PlayerState(row.rating, row.games) for row in openings}
    )
    batch.save(force_insert=True)
    Opening.objects.bulk_create(openings, batch_size=STEP)
    BatchGame.objects.bulk_create(filed, batch_size=STEP)
    payload = {
        "batch": batch.pk,
        "stream": batch.stream,
        "effective_at": batch.effective_at.isoformat(),
        "games": len(filed),
        "excluded": sum(1 for one in filed if one.exclusion),
        "facts": batch.facts,
    }
    write_line(pool.stream, "batch.filed", payload, by=None)
    send_on_commit("ratings.tasks.advance_pool", pool.pk)
