"""The file of a bundle, from which another installation can compute all of a tournament again.

A bundle is a zip with one member, `bundle.ndjson`, one row per line as JSON:
`{"kind", "row", "seal"}`. The seal is the SHA-256 of the canonical JSON of the previous seal, the
kind and the row, so that a changed, removed or added line is found by its number. The kinds, in
this order:

| kind | rows |
|---|---|
| bundle | one: format, version, the journal's stream and its head |
| tournament | one: the tournament and its settings |
| player, entry, bye, round, certificate | the players, and each round |
| game, pairing, report | all versions of the pairings; every report with its record |
| correction | what each correction changed and did |
| journal | the chain, with the payloads that are not erased |
| pool, batch, opening, batch_game | the games filed with ratings, and the ratings before |
| end | one: the number of lines before it |

The columns are the journalled and derived ones of the models, and rows refer to others by the keys
that the journal names them by, so that no id of the exporting installation travels. Logins, e-mail
addresses, tokens, links and ratings are not exported.

A file that is read has one plain member, whose size is limited before it is unpacked, and lines
that are bounded in size, sealed and complete. A hostile file of some kilobytes can declare
thousands of members, or unpack to gigabytes. The end of the directory is read first, so that
zipfile never reads a large one; zipfile then unpacks at most the declared size, a piece at a time,
and compares the checksum at the end.
"""

import hashlib
import io
import json
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, BinaryIO, cast

from django.conf import settings
from django.db.models import Field, Model, Q

from games.core.errors import Unprocessable
from games.core.journal.chain import canonical_json, digest_of
from games.core.journal.lines import line_with_rows, load_lines
from games.core.journal.rows import stated
from games.core.uploads.progress import Progress, no_progress
from games.models import Account, Game, JournalHead, Player, Report
from games.models.columns import columns_of, login_columns
from games.models.fields import FoldedField
from games.rules.text import Text, shortened
from ratings.models import Batch, BatchGame, Opening, Pool
from ratings.runs.openings import export_openings
from tournament.models import Bye, Certificate, Correction, Entry, Pairing, Round, Tournament
from tournament.players.custody import kept_players

BUNDLE_FORMAT, BUNDLE_VERSION = "perihelion-bundle", 3
READ_VERSIONS = (2, BUNDLE_VERSION)
"""Version 2 has rows of retired kinds, which are dropped."""
MEMBER = "bundle.ndjson"
MEMBER_TIME = (1980, 1, 1, 0, 0, 0)
"""The time of the member, so that the same tournament gives the same bytes."""

MODELS: dict[str, type[Model]] = {
    "tournament": Tournament,
    "player": Player,
    "entry": Entry,
    "bye": Bye,
    "round": Round,
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
    "player": [
        name
        for name in columns_of(Player).journalled
        if name not in ("registered_in", "created_at")
    ],
    "pool": ("code", "name", "preset", "parameters", "casual_games"),
    "batch": [
        name
        for name in columns_of(Batch).journalled
        if name not in ("order_key", "filed_digest", "openings_digest")
    ],
    "report": (*columns_of(Report).journalled, *columns_of(Report).derived, "settled_at"),
    "opening": ("player", "rating", "games", "reached_2400"),
    "batch_game": [name for name in columns_of(BatchGame).derived if name != "batch"],
}
"""The columns of the ratings that travel: no decisions of officers, no digests of ids, and nothing
that runs compute; those of players without their registration, which belongs to its installation;
and those of reports, with whether they are settled. Of the other kinds, all journalled and derived
columns do, and of no kind those that refer to a login."""


@cache
def columns(kind: str) -> tuple["Field[Any, Any]", ...]:
    """Return the exported columns of a kind, in the order of the model."""
    declared = columns_of(MODELS[kind])
    names = EXPORTED.get(kind) or (*declared.journalled, *declared.derived)
    fields = MODELS[kind]._meta.concrete_fields
    logins = login_columns(MODELS[kind])
    return tuple(
        field
        for field in fields
        if field.name in names and field.name not in logins and not isinstance(field, FoldedField)
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


def bundle_rows(
    tournament: Tournament, *, by: Account | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every row of a tournament with its kind, in the order of the file.

    For an account, year of birth and sex are those of the players whose registration it keeps;
    without one, as on the command line, they are those of all.
    """
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
    yield from _rows("player", _players(tournament, by))
    yield from _rows("entry", tournament.entries.order_by("pk"))
    yield from _rows("bye", tournament.byes.order_by("pk"))
    yield from _rows("round", tournament.round_set.order_by("pk"))
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
                Opening(batch=batch, player_id=player, **start._asdict())
                for player, start in sorted(openings.items())
            ),
        )
        yield from _rows("batch_game", filed)


def _players(tournament: Tournament, by: Account | None) -> Iterable[Player]:
    """Yield the players who are entered or have a game, and those they were merged into."""
    games = Game.objects.filter(stream=tournament.stream)
    condition = (
        Q(pk__in=tournament.entries.values("player"))
        | Q(pk__in=games.values("first"))
        | Q(pk__in=games.values("second"))
    )
    into = Player.objects.filter(condition, merged_into__isnull=False).values("merged_into")
    players = Player.objects.filter(condition | Q(pk__in=into)).order_by("pk")
    kept = kept_players(by) if by else Player.objects.all()
    seen = set(kept.filter(pk__in=players.order_by().values("pk")).values_list("pk", flat=True))
    filed = _filed_seeds(tournament)
    for player in players:
        if player.pk not in seen:
            player.birth_year, player.sex = None, ""
        if player.pk in filed:
            player.seed_rating, player.seed_games, player.seed_reached_2400 = filed[player.pk]
        yield player


Seed = tuple[int | None, int, bool]
"""The seed rating of a player in points, the games that led to it, and whether it was 2400."""


def _filed_seeds(tournament: Tournament) -> dict[int, Seed]:
    """Return the seeds in points by player of what is filed with ratings: the journal has them."""
    batch = Batch.objects.filter(stream=tournament.stream).order_by("pk").first()
    return seeds_of(BatchGame.objects.filter(batch=batch)) if batch else {}


def seeds_of(rows: Iterable[BatchGame]) -> dict[int, Seed]:
    """Return the seeds of the players of games filed with ratings, by player."""
    seeds: dict[int, Seed] = {}
    for row in rows:
        for player, rating, games, has_reached in (
            (row.first_id, row.first_seed, row.first_seed_games, row.first_reached_2400),
            (row.second_id, row.second_seed, row.second_seed_games, row.second_reached_2400),
        ):
            seeds[player] = (rating and rating // 1000, games, has_reached)
    return seeds


def write_bundle(tournament: Tournament, *, by: Account | None = None) -> bytes:
    """Return the bundle of a tournament; the same tournament gives the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        member = zipfile.ZipInfo(MEMBER, MEMBER_TIME)
        member.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(
            member, "".join(sealed_lines(bundle_rows(tournament, by=by))), compresslevel=9
        )
    return buffer.getvalue()


BUFFER = 1024 * 1024
LARGEST_DIRECTORY = 1024
"""Bytes; the entry of the member has about 60, and other programs add some times and owners."""

END_OF_DIRECTORY = struct.Struct("<4s4H2LH")
"""Signature, two disks, two counts of members, size and place of the directory, comment size."""
END_SIGNATURE = b"PK\5\6"
ZIP64_LOCATOR = b"PK\6\7"
ZIP64_LOCATOR_SIZE = 20
COMPRESSION_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The methods that unpack piece by piece; bzip2 and LZMA unpack a whole block at once."""

BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, NotImplementedError,
    ValueError,
)  # fmt: skip
"""What zipfile raises for a broken file."""


def bundle_error(number: int, detail: str, code: str = "invalid_bundle") -> Unprocessable:
    """Return the error that rejects a bundle for one line; line 0 is the whole file."""
    message = Text("line %(line)s: %(detail)s", line=number, detail=detail) if number else detail
    error = {"code": code, "detail": message} | ({"line": number} if number else {})
    return Unprocessable(code, Text("%(detail)s; nothing was imported", detail=message), [error])


@contextmanager
def open_member(content: bytes) -> Iterator[tuple[BinaryIO, int]]:
    """Open the only member of a zip file; return its stream and its size.

    Raises Unprocessable for a file that is no bundle or exceeds a limit.
    """
    _check_directory(content)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            member = _find_member(archive, len(content))
            with archive.open(member) as unpacked:
                stream = io.BufferedReader(cast(io.RawIOBase, unpacked), BUFFER)
                yield stream, member.file_size
    except BROKEN as error:
        raise bundle_error(
            0, Text("this is not a complete zip file: %(reason)s", reason=error)
        ) from error


def _check_directory(content: bytes) -> None:
    """Raise Unprocessable unless the file ends with a small directory of one member."""
    start = len(content) - END_OF_DIRECTORY.size
    if start < 0 or not content.startswith(END_SIGNATURE, start):
        raise bundle_error(0, Text("this is not a complete zip file, or it has a comment"))
    if content.startswith(ZIP64_LOCATOR, max(0, start - ZIP64_LOCATOR_SIZE)):
        raise bundle_error(0, Text("the zip file has the format zip64; a bundle never needs it"))
    _, _, _, here, members, size, _, _ = END_OF_DIRECTORY.unpack_from(content, start)
    if here != members or members != 1 or size > LARGEST_DIRECTORY:
        detail = Text("a bundle is a zip file with %(file)s and nothing else", file=MEMBER)
        raise bundle_error(0, detail, "bundle_members")


def _find_member(archive: zipfile.ZipFile, packed_size: int) -> zipfile.ZipInfo:
    """Return the only member, a plain file within the limits of its declared size."""
    members = archive.infolist()
    if [member.orig_filename for member in members] != [MEMBER]:
        detail = Text("a bundle is a zip file with %(file)s and nothing else", file=MEMBER)
        raise bundle_error(0, detail, "bundle_members")
    (member,) = members
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise bundle_error(0, Text("%(file)s is not a plain file", file=MEMBER))
    if member.flag_bits & 1:
        raise bundle_error(0, Text("the zip file is encrypted"))
    if member.compress_type not in COMPRESSION_METHODS:
        raise bundle_error(0, Text("%(file)s is neither stored nor deflated", file=MEMBER))
    if member.file_size > settings.LARGEST_UNPACKED_BUNDLE:
        limit = settings.LARGEST_UNPACKED_BUNDLE
        detail = Text(
            "a bundle has at most %(most)s bytes when unpacked, not %(size)s",
            most=limit,
            size=member.file_size,
        )
        raise bundle_error(0, detail, "bundle_size")
    if member.file_size > settings.LARGEST_BUNDLE_RATIO * packed_size:
        limit = settings.LARGEST_BUNDLE_RATIO
        detail = Text(
            "a bundle unpacks to at most %(most)s times its size, not %(size)s bytes",
            most=limit,
            size=member.file_size,
        )
        raise bundle_error(0, detail, "bundle_ratio")
    return member


MOST_JOURNAL_LINES = 500_000
LONGEST_LINE = 4 * 1024 * 1024
MOST_CONTAINERS = 2_000_000
"""Lists and objects of a bundle. An empty list has 3 bytes in a file and 64 in memory, so that
without this limit 128 MiB of them need 3 GB. A game needs about 20, counted as opening brackets."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a bundle with its line number, from 1."""

    number: int
    kind: str
    row: dict[str, Any]


def read_lines(content: bytes, progress: Progress = no_progress) -> Iterator[Line]:
    """Yield the lines of a bundle, the first and the last included, unpacking one at a time.

    Raises Unprocessable, for an incomplete bundle only after the last line.
    """
    with open_member(content) as (stream, size):
        yield from _sealed_lines(stream, size, progress)


def _sealed_lines(stream: BinaryIO, size: int, progress: Progress) -> Iterator[Line]:
    seal, number, read, containers = "", 0, 0, 0
    line = Line(0, "", {})
    while text := stream.readline(LONGEST_LINE + 1):
        number, read = number + 1, read + len(text)
        containers += text.count(b"[") + text.count(b"{")
        progress(Text("reading bytes"), read, size)
        if number > MOST_JOURNAL_LINES:
            raise bundle_error(
                0,
                Text("a bundle has at most %(most)s lines", most=MOST_JOURNAL_LINES),
                "bundle_lines",
            )
        if len(text) > LONGEST_LINE:
            detail = Text("a line has at most %(most)s bytes", most=LONGEST_LINE)
            raise bundle_error(number, detail, "bundle_line_size")
        if containers > MOST_CONTAINERS:
            detail = Text("a bundle has at most %(most)s lists and objects", most=MOST_CONTAINERS)
            raise bundle_error(number, detail, "bundle_containers")
        if not text.endswith(b"\n"):
            raise bundle_error(number, Text("the file ends in the middle of a line"))
        line, seal = _parse_line(number, text, seal)
        if number == 1:
            _check_first(line)
        yield line
    if line.kind != "end" or line.row != {"lines": number - 1}:
        raise bundle_error(number or 1, Text("the end is missing: the bundle is incomplete"))


def _check_first(line: Line) -> None:
    if line.kind != "bundle" or line.row.get("format") != BUNDLE_FORMAT:
        raise bundle_error(
            1,
            Text(
                "the first line must be of kind bundle and format %(format)s", format=BUNDLE_FORMAT
            ),
        )
    if line.row.get("version") not in READ_VERSIONS:
        raise bundle_error(
            1,
            Text(
                "the bundle has version %(found)s, not %(version)s; export the event again"
                " from a current program",
                found=str(line.row.get("version"))[:20],
                version=BUNDLE_VERSION,
            ),
        )


def _parse_line(number: int, text: bytes, previous_seal: str) -> tuple[Line, str]:
    try:
        if b"\\u0000" in text.replace(b"\\\\", b""):
            raise ValueError(Text("it contains a NUL character"))
        content = _DECODER.decode(text.decode(json.detect_encoding(text), "surrogatepass"))
        if not isinstance(content, dict) or content.keys() != {"kind", "row", "seal"}:
            raise ValueError(Text("it is not an object with kind, row and seal"))
        kind, row = content["kind"], content["row"]
        if not isinstance(kind, str) or not isinstance(row, dict):
            raise ValueError(Text("kind must be a string and row an object"))
        seal = digest_of([previous_seal, kind, row])
    except (ValueError, RecursionError) as error:
        raise bundle_error(
            number, Text("it cannot be read: %(reason)s", reason=shortened(str(error), 160))
        ) from error
    if content["seal"] != seal:
        raise bundle_error(number, Text("the seal does not fit its content and the previous line"))
    return Line(number, kind, row), seal


def _reject_constant(name: str) -> Any:
    raise ValueError(Text("%(word)s is not a JSON number", word=name))


_DECODER = json.JSONDecoder(parse_constant=_reject_constant)
