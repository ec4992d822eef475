"""Write a tournament as one file from which another installation can compute all of it again.

A bundle is a zip with one member, `bundle.ndjson`, one row per line as JSON:
`{"kind", "row", "seal"}`. The seal is the SHA-256 of the canonical JSON of the previous seal, the
kind and the row, so that a changed, removed or added line is found by its number. The kinds, in
this order:

| kind | rows |
|---|---|
| bundle | one: format, version, the journal's stream and its head |
| tournament | one: the tournament and its settings |
| player, entry, bye, round, snapshot, certificate | the players, and each round |
| game, pairing, report | all versions of the pairings; every report with its record |
| correction | what each correction changed and did |
| journal | the chain, with the payloads that are not erased |
| pool, batch, opening, batch_game | the games filed with ratings, if they were, and the ratings \
of their players before |
| end | one: the number of lines before it |

The columns are the journalled and derived ones of the models, and rows refer to others by the keys
that the journal names them by, so that no id of the exporting installation travels. Logins, e-mail
addresses, tokens, links and ratings are not exported.
"""

import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from django.db.models import Field, Model, Q

from games.core.journal.chain import canonical_json
from games.core.journal.lines import line_with_rows, load_lines
from games.core.journal.rows import stated
from games.models import Game, JournalHead, Player, Report
from games.models.columns import columns_of
from games.models.fields import FoldedField
from ratings.models import Batch, BatchGame, Opening, Pool
from ratings.runs.openings import export_openings
from tournament.models import (
    Bye,
    Certificate,
    Correction,
    Entry,
    Pairing,
    Round,
    Snapshot,
    Tournament,
)

BUNDLE_FORMAT, BUNDLE_VERSION = "perihelion-bundle", 2
MEMBER = "bundle.ndjson"
MEMBER_TIME = (1980, 1, 1, 0, 0, 0)
"""The time of the member, so that the same tournament gives the same bytes."""

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
    "correction": Correction,
    "pool": Pool,
    "batch": Batch,
    "opening": Opening,
    "batch_game": BatchGame,
}
EXPORTED: dict[str, Sequence[str]] = {
    "pool": ("code", "name", "preset", "parameters", "casual_games"),
    "batch": columns_of(Batch).journalled,
    "opening": ("player", "rating", "games"),
    "batch_game": [name for name in columns_of(BatchGame).derived if name != "batch"],
}
"""The columns of the ratings that travel: no decisions of officers, and nothing that runs compute.
Of the other kinds, all journalled and derived columns do."""


@cache
def columns(kind: str) -> tuple["Field[Any, Any]", ...]:
    """Return the exported columns of a kind, in the order of the model."""
    declared = columns_of(MODELS[kind])
    names = EXPORTED.get(kind) or (*declared.journalled, *declared.derived)
    fields = MODELS[kind]._meta.concrete_fields
    return tuple(
        field for field in fields if field.name in names and not isinstance(field, FoldedField)
    )


def _rows(kind: str, rows: "Iterable[Model]") -> Iterator[tuple[str, dict[str, Any]]]:
    fields = columns(kind)
    for _, _, row in stated((row, fields) for row in rows):
        yield kind, row


def sealed_lines(rows: Iterable[tuple[str, dict[str, Any]]]) -> Iterator[str]:
    """Yield the lines of a bundle with their seals, and the end."""
    seal, count = "", 0
    for kind, row in rows:
        count += 1
        line, seal = _sealed_line(seal, kind, row)
        yield line
    yield _sealed_line(seal, "end", {"lines": count})[0]


def _sealed_line(previous_seal: str, kind: str, row: dict[str, Any]) -> tuple[str, str]:
    """Return a line and its seal, encoding the row once for both."""
    encoded = canonical_json(row)
    seal = hashlib.sha256(f'["{previous_seal}","{kind}",{encoded}]'.encode()).hexdigest()
    return f'{{"kind":"{kind}","row":{encoded},"seal":"{seal}"}}\n', seal


def bundle_rows(tournament: Tournament) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every row of a tournament with its kind, in the order of the file."""
    stream = tournament.stream
    head = JournalHead.objects.filter(stream=stream).first()
    yield (
        "bundle",
        {
            "format": BUNDLE_FORMAT,
            "version": BUNDLE_VERSION,
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
    yield from _rows(
        "correction", Correction.objects.filter(tournament=tournament).order_by("number")
    )
    for line in load_lines(stream):
        yield "journal", line_with_rows(line)
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
    """Return the players who are entered or have a game, and those they were merged into."""
    games = Game.objects.filter(stream=tournament.stream)
    condition = (
        Q(pk__in=tournament.entries.values("player"))
        | Q(pk__in=games.values("first"))
        | Q(pk__in=games.values("second"))
    )
    into = Player.objects.filter(condition, merged_into__isnull=False).values("merged_into")
    return Player.objects.filter(condition | Q(pk__in=into)).order_by("pk")


def write_bundle(tournament: Tournament) -> bytes:
    """Return the bundle of a tournament; the same tournament gives the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        member = zipfile.ZipInfo(MEMBER, MEMBER_TIME)
        member.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(member, "".join(sealed_lines(bundle_rows(tournament))), compresslevel=9)
    return buffer.getvalue()
