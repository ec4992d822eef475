"""An event as one file from which all of it can be computed again, elsewhere.

A zip with one member, `bundle.ndjson`: JSON, a line a row. Every line is `{"kind", "row", "seal"}`,
its seal the SHA-256 over the canonical JSON of the seal before it, the kind and the row, so that a
line that was altered, taken out or put in is found by its number. The kinds, in this order:

| kind | rows |
|---|---|
| bundle | one: format, version, the journal's stream and its head |
| tournament | one: the event and its set-up |
| player, entry, bye, round, snapshot, certificate | who took part, and round by round |
| game, pairing, report | all versions of pairings; every report with its record |
| journal | the chain, with the payloads that are still there |
| pool, batch, opening, batch_game | what was filed with ratings, if it was, and where its players \
stood before |
| end | one: how many lines stand before it |

Ids are those of the house it comes from, for the journal names them. Logins, e-mail addresses and
tokens stay at home; what is computed (ratings, standings) is left out.
"""

import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import cache
from typing import Any

from django.db.models import DateField, Field, Model, Q, QuerySet

from games.journal.chain import canonical_json, format_time
from games.journal.lines import line_as_json, load_lines
from games.models import Game, JournalHead, Player, Report
from ratings.models import Batch, BatchGame, Opening, Pool
from ratings.queries.openings import export_openings
from tournament.models import Bye, Certificate, Entry, Pairing, Round, Snapshot, Tournament

FORMAT, VERSION = "perihelion-bundle", 1
MEMBER = "bundle.ndjson"
FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The time that the member bears, so that the same event gives the same bytes."""

MODELS: dict[str, type[Model]] = {
    "tournament": Tournament,
    "player": Player,
    "entry": Entry,
    "bye": Bye,
    "round": Round,
    "snapshot": Snapshot,
    "certificate": Certificate,
    "game": Game,
    "pairing": Pairing,
    "report": Report,
    "pool": Pool,
    "batch": Batch,
    "opening": Opening,
    "batch_game": BatchGame,
}
AT_HOME = {
    "tournament": {"created_by_id", "changed_at"},
    "player": {"account_id", "created_at"},
    "report": {"by_id"},
    "pool": {"id", "current_run_id", "created_at"},
    "batch": {
        "pool_id",
        "run_id",
        "rated_effective_at",
        "rated_games_digest",
        "input_digest",
        "openings_digest",
    },
    "opening": {"id", "pool_id"},
    "batch_game": {"id", "pool_id"},
}
"""Columns that are not exported: of logins, of this house, or computed."""
ADDED = {
    "entry": {"title"},
    "pairing": {"awarded_first", "awarded_second", "awarded_for"},
}
"""Columns that the first bundles of this version lack: they are read with the field's default."""


@cache
def columns(kind: str) -> tuple["Field[Any, Any]", ...]:
    """The columns of a kind that are exported, in the order of the model."""
    fields = MODELS[kind]._meta.concrete_fields
    return tuple(one for one in fields if one.attname not in AT_HOME.get(kind, ()))


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return format_time(value)
    return value.isoformat() if isinstance(value, date) else value


def _rows(
    kind: str, rows: "Iterable[Model] | QuerySet[Any]"
) -> Iterator[tuple[str, dict[str, Any]]]:
    names = [one.attname for one in columns(kind)]
    times = [one.attname for one in columns(kind) if isinstance(one, DateField)]
    found: Iterable[Sequence[Any]] = (
        rows.values_list(*names)
        if isinstance(rows, QuerySet)
        else [[getattr(row, name) for name in names] for row in rows]
    )
    for values in found:
        row = dict(zip(names, values, strict=True))
        for name in times:
            row[name] = _plain(row[name])
        yield kind, row


def sealed(rows: Iterable[tuple[str, dict[str, Any]]]) -> Iterator[str]:
    """The lines of a bundle, each with its seal; the end is written behind them."""
    seal, count = "", 0
    for kind, row in rows:
        count += 1
        line, seal = _sealed_line(seal, kind, row)
        yield line
    yield _sealed_line(seal, "end", {"lines": count})[0]


def _sealed_line(before: str, kind: str, row: dict[str, Any]) -> tuple[str, str]:
    """A line and its seal, their canonical JSON put together of that of the row."""
    written = canonical_json(row)
    seal = hashlib.sha256(f'["{before}","{kind}",{written}]'.encode()).hexdigest()
    return f'{{"kind":"{kind}","row":{written},"seal":"{seal}"}}\n', seal


def bundle_rows(tournament: Tournament) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every row of an event with its kind, in the order of the file."""
    stream = tournament.stream
    head = JournalHead.objects.filter(stream=stream).first()
    yield (
        "bundle",
        {
            "format": FORMAT,
            "version": VERSION,
            "stream": stream,
            "head": head.digest if head else "",
        },
    )
    games = Game.objects.filter(stream=stream).order_by("pk")
    yield from _rows("tournament", [tournament])
    yield from _rows("player", _players(tournament))
    yield from _rows("entry", tournament.entries.order_by("pk"))
    yield from _rows("bye", tournament.byes.order_by("pk"))
    yield from _rows("round", tournament.round_set.order_by("pk"))
    yield from _rows(
        "snapshot", Snapshot.objects.filter(round__tournament=tournament).order_by("pk")
    )
    yield from _rows("certificate", tournament.certificates.order_by("pk"))
    yield from _rows("game", games)
    yield from _rows("pairing", tournament.pairings.order_by("pk"))
    yield from _rows("report", Report.objects.filter(game__in=games.order_by()).order_by("pk"))
    for line in load_lines(stream):
        yield "journal", line_as_json(line)
    batch = Batch.objects.filter(stream=stream).select_related("pool").order_by("pk").first()
    if batch is not None:
        yield from _rows("pool", [batch.pool])
        yield from _rows("batch", [batch])
        filed = BatchGame.objects.filter(pool=batch.pool, batch=batch).order_by("game_id")
        seats = {seat for pair in filed.values_list("first", "second") for seat in pair}
        openings = export_openings(batch, seats)
        yield from _rows(
            "opening",
            (
                Opening(batch=batch, player_id=player, rating=state.rating, games=state.games)
                for player, state in sorted(openings.items())
            ),
        )
        yield from _rows("batch_game", filed)


def _players(tournament: Tournament) -> Iterable[Player]:
    """Everybody entered or seated, and those whom they were merged into."""
    games = Game.objects.filter(stream=tournament.stream)
    here = (
        Q(pk__in=tournament.entries.values("player"))
        | Q(pk__in=games.values("first"))
        | Q(pk__in=games.values("second"))
    )
    into = Player.objects.filter(here, merged_into__isnull=False).values("merged_into")
    return Player.objects.filter(here | Q(pk__in=into)).order_by("pk")


def write_bundle(tournament: Tournament) -> bytes:
    """The bundle of an event; the same event gives the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        member = zipfile.ZipInfo(MEMBER, FIRST_DAY)
        member.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(member, "".join(sealed(bundle_rows(tournament))), compresslevel=9)
    return packed.getvalue()
