"""Reading a report: the whole file or nothing, every fault with line, column and what was due.

CR, LF and CRLF end lines; UTF-8, with or without a mark, else Windows-1252, else Latin-1. Lines
that are not understood are kept.
"""

import re
from dataclasses import replace

from tournament.trf.assembly import settle
from tournament.trf.columns import CELL_WIDTH, FIRST_CELL
from tournament.trf.errors import TrfError
from tournament.trf.player_record import PlayerRecord, read_player
from tournament.trf.record_readers import read_record
from tournament.trf.records import Records
from tournament.trf.trf_file import TrfFile, TrfHeader, UnknownLine

MOST_CHARACTERS = 20_000_000
MOST_BYTES = 4 * MOST_CHARACTERS
MOST_PLAYERS = 20_000

_LINE_END = re.compile(r"\r\n|\r|\n")
_HEADER = {
    "012": "name",
    "022": "city",
    "032": "federation",
    "042": "start",
    "052": "end",
    "092": "kind",
    "102": "chief_arbiter",
    "122": "time_control",
}
_COUNTS = ("062", "072", "082")


def read_trf(source: bytes | str, *, round_robin: bool | None = None) -> TrfFile:
    """Read a TRF16 or TRF26 report.

    `round_robin` says which kind of event it is when the caller knows; otherwise record 192 or
    092 does, else it is a Swiss. Raises TrfError with line and column.
    """
    try:
        return _read(decode(source), round_robin)
    except TrfError as fault:
        if isinstance(source, str) or source.isascii() or not _is_utf_8(source):
            raise
        # Some programs write UTF-8 but count bytes when they fill the columns.
        try:
            return _recoded(_read(source.decode("latin-1"), round_robin))
        except TrfError:
            raise fault from None


def _read(text: str, round_robin: bool | None) -> TrfFile:
    header: dict[str, str] = {}
    deputies: list[str] = []
    dates: tuple[str, ...] = ()
    sheets: list[PlayerRecord] = []
    notes = Records()
    kept: list[UnknownLine] = []
    for number, line in enumerate(_LINE_END.split(text), start=1):
        code = line[:3]
        if code == "001":
            sheets.append(read_player(line, number))
            if len(sheets) > MOST_PLAYERS:
                raise TrfError("too many players", number, 1, f"at most {MOST_PLAYERS}")
        elif code in _HEADER:
            header[_HEADER[code]] = line[4:].strip()
        elif code == "112":
            deputies.append(line[4:].strip())
        elif code == "132":
            starts = range(FIRST_CELL, len(line.rstrip()), CELL_WIDTH)
            dates = tuple(line[s : s + 8].strip() for s in starts)
        elif code in _COUNTS or not line.strip():
            continue
        elif not read_record(notes, line, number):
            kept.append(UnknownLine(number, line.rstrip()))
    if not sheets:
        raise TrfError("there is no player in the file", 1, 1, "lines that begin with 001")
    if round_robin is None:
        told = notes.system or header.get("kind", "")
        round_robin = "ROUNDROBIN" in re.sub(r"[^A-Z]", "", told.upper())
    return replace(
        settle(sheets, notes, round_robin=round_robin),
        header=TrfHeader(**header, deputies=tuple(deputies), round_dates=dates),
        kept=tuple(kept),
    )


def _is_utf_8(source: bytes) -> bool:
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _recoded(document: TrfFile) -> TrfFile:
    """Turn text that was cut byte by byte into what it says; half a character at a cut goes."""

    def text(cut: str) -> str:
        return cut.encode("latin-1").decode("utf-8", errors="ignore")

    table, header = document.crosstable, document.header
    players = (replace(player, name=text(player.name)) for player in table.players)
    return replace(
        document,
        crosstable=replace(table, players=tuple(players)),
        header=TrfHeader(
            **{name: text(getattr(header, name)) for name in _HEADER.values()},
            deputies=tuple(text(deputy) for deputy in header.deputies),
            round_dates=header.round_dates,
        ),
        kept=tuple(UnknownLine(kept.line, text(kept.text)) for kept in document.kept),
    )


def _text(source: bytes) -> str:
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return source.decode(encoding)
        except UnicodeDecodeError:
            continue
    return source.decode("latin-1")


def decode(source: bytes | str) -> str:
    """Turn a file's bytes into text; raises TrfError for what cannot be a report."""
    if isinstance(source, bytes):
        if len(source) > MOST_BYTES:
            raise TrfError("the file is too long", 1, 1, f"{MOST_CHARACTERS} characters at most")
        text = _text(source)
    else:
        text = source.removeprefix("\ufeff")
    if len(text) > MOST_CHARACTERS:
        raise TrfError("the file is too long", 1, 1, f"{MOST_CHARACTERS} characters at most")
    if "\0" in text:
        before = text[: text.index("\0")]
        line = len(_LINE_END.findall(before)) + 1
        raise TrfError("a NUL character", line, 1, "a text file")
    return text
