"""Reading a TRF: the whole file, or all errors with line, column and what was expected.

First all lines are read, then they are compared with each other; not if a line has an error that
would make others wrong.

CR, LF and CRLF end lines. Bytes are UTF-8 with or without a byte order mark. Lines that are not
understood are returned as they are.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from games.rules.text import Text
from tournament.trf.assembly import assemble
from tournament.trf.columns import CELL_WIDTH, FIRST_CELL
from tournament.trf.errors import MOST_ERRORS, TeamFileError, TrfError, attempt, raise_first
from tournament.trf.player_record import PlayerRecord, read_player
from tournament.trf.records import Records, read_record
from tournament.trf.trf_file import TrfFile, TrfHeader, UnknownLine

MOST_TRF_CHARACTERS = 20_000_000
MOST_BYTES = 4 * MOST_TRF_CHARACTERS
MOST_TRF_PLAYERS = 20_000

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
    "222": "encoded_time",
}
_COUNTS = ("062", "072", "082")
_TEAM_RECORDS = frozenset({"300", "310", "320", "330", "352", "362", "801", "802"})
"""Records of TRF26 of team events only."""
_TEAM_PLAYERS = re.compile(r"013.*\s[0-9]{1,4}\s*")
"""A team with players, which an event of single players may have for a table of teams, too."""
_TEAM_TYPES = re.compile(r"(?<![A-Z])(?:TEAMS?|SCHEVENINGEN|SCHILLER)(?![A-Z])")
_TEAM_WORDS = re.compile(
    _TEAM_TYPES.pattern + "|MANNSCHAFT|[EÉ]QUIPES|EQUIPOS|SQUADRE|DRUŻYN|DRUZYN"
)
"""An event of teams in record 092."""
_INDIVIDUAL = re.compile("INDIVID|EINZEL|INDYWID")
"""An event of single players in record 092, as programs write it in their languages."""


def read_trf(source: bytes | str, *, round_robin: bool | None = None) -> TrfFile:
    """Read a TRF16 or TRF26.

    `round_robin` is the type of event; by default record 192 or 092 decides, else it is a Swiss.
    Raises TrfError with line and column, and with all errors of the file; TeamFileError for the
    file of a team event.
    """
    text = _decode(source)
    try:
        return _read(text, round_robin)
    except TrfError as error:
        if isinstance(source, str) or source.isascii():
            raise
        # Some programs write UTF-8 but count bytes when they fill the columns.
        try:
            return _decode_columns(_read(source.decode("latin-1"), round_robin))
        except TrfError:
            raise error from None


def _read(text: str, round_robin: bool | None) -> TrfFile:
    header: dict[str, str] = {}
    deputies: list[str] = []
    dates: tuple[str, ...] = ()
    players: list[PlayerRecord] = []
    records = Records()
    unknown: list[UnknownLine] = []
    errors: list[TrfError] = []
    are_comparable = True
    lines = _LINE_END.split(text)
    _refuse_teams(lines)
    for number, line in enumerate(lines, start=1):
        if len(errors) >= MOST_ERRORS:
            are_comparable = False
            break
        code = line[:3]
        if code == "001":
            if player := read_player(line, number, errors):
                players.append(player)
            else:
                are_comparable = False
            if len(players) > MOST_TRF_PLAYERS:
                raise TrfError(
                    Text("too many players"),
                    number,
                    1,
                    Text("at most %(most)s", most=MOST_TRF_PLAYERS),
                )
        elif code in _HEADER:
            header[_HEADER[code]] = line[4:].strip()
        elif code == "112":
            deputies.append(line[4:].strip())
        elif code == "132":
            starts = range(FIRST_CELL, len(line.rstrip()), CELL_WIDTH)
            dates = tuple(line[start : start + 8].strip() for start in starts)
        elif code in _COUNTS or not line.strip():
            continue
        elif (is_known := attempt(errors, read_record, records, line, number)) is None:
            are_comparable = False
        elif not is_known:
            unknown.append(UnknownLine(number, line.rstrip()))
    if not are_comparable:
        raise_first(errors)
    if not players:
        raise TrfError(Text("the file has no players"), 1, 1, Text("lines that start with 001"))
    if round_robin is None:
        event_type = records.system or header.get("kind", "")
        round_robin = "ROUNDROBIN" in re.sub(r"[^A-Z]", "", event_type.upper())
    trf = attempt(errors, assemble, players, records, round_robin=round_robin)
    raise_first(errors)
    assert trf is not None
    return replace(
        trf,
        header=TrfHeader(**header, deputies=tuple(deputies), round_dates=dates),
        unknown_lines=tuple(unknown),
    )


def _refuse_teams(lines: Sequence[str]) -> None:
    """Raise TeamFileError for the first line that only the file of a team event has."""
    types = [line[4:].upper() for line in lines if line.startswith("092")]
    is_individual = any(_INDIVIDUAL.search(text) for text in types)
    for number, line in enumerate(lines, start=1):
        code = line[:3]
        if (
            code in _TEAM_RECORDS
            or (not is_individual and _TEAM_PLAYERS.fullmatch(line))
            or (code == "192" and _TEAM_TYPES.search(line[4:].upper()))
            or (code == "092" and not is_individual and _TEAM_WORDS.search(line[4:].upper()))
        ):
            raise TeamFileError(line, number)


def _decode_columns(trf: TrfFile) -> TrfFile:
    """Decode texts whose columns were cut from UTF-8 bytes; incomplete characters are dropped."""

    def decode(text: str) -> str:
        return text.encode("latin-1").decode("utf-8", errors="ignore")

    table, header = trf.crosstable, trf.header
    players = (replace(player, name=decode(player.name)) for player in table.players)
    return replace(
        trf,
        crosstable=replace(table, players=tuple(players)),
        header=TrfHeader(
            **{name: decode(getattr(header, name)) for name in _HEADER.values()},
            deputies=tuple(decode(deputy) for deputy in header.deputies),
            round_dates=header.round_dates,
        ),
        unknown_lines=tuple(UnknownLine(n.line, decode(n.text)) for n in trf.unknown_lines),
    )


def _decode(source: bytes | str) -> str:
    if isinstance(source, bytes):
        if len(source) > MOST_BYTES:
            raise TrfError(
                Text("the file is too long"),
                1,
                1,
                Text("at most %(most)s characters", most=MOST_TRF_CHARACTERS),
            )
        try:
            text = source.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = len(_LINE_END.findall(source[: error.start].decode("utf-8-sig"))) + 1
            raise TrfError(Text("not UTF-8"), line, 1, Text("a text file")) from None
    else:
        text = source.removeprefix("\ufeff")
    if len(text) > MOST_TRF_CHARACTERS:
        raise TrfError(
            Text("the file is too long"),
            1,
            1,
            Text("at most %(most)s characters", most=MOST_TRF_CHARACTERS),
        )
    if "\0" in text:
        line = len(_LINE_END.findall(text[: text.index("\0")])) + 1
        raise TrfError(Text("a NUL character"), line, 1, Text("a text file"))
    return text
