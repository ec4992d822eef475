"""Read a file of records for an import: convert each record, and list every error together."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from games.core.errors import ApiError
from games.core.uploads.encodings import decode_text
from games.core.uploads.lists import LineErrors
from games.core.uploads.progress import Progress
from games.core.uploads.services import SentFile
from games.rules.errors import RecordError
from games.rules.records.record import Record
from games.rules.records.streams import split_records
from games.rules.text import Text

Item = TypeVar("Item")


def convert_records(
    sent: SentFile, convert: Callable[[int, Record], Item], progress: Progress, *, most: int
) -> list[Item]:
    """Return what `convert` makes of the line and the content of each record of a file.

    Raises Unprocessable with every record that cannot be read or for which `convert` raises a
    RecordError or an ApiError, and if the file has more than `most` records; what `decode_text`
    raises.
    """
    text = decode_text(sent.content, sent.parameters.get("encoding", ""))
    of = max(1, text.count("\n"))
    errors = LineErrors()
    items = []
    for count, (written, line) in enumerate(split_records(text), start=1):
        progress(Text("verifying records, at line"), min(line, of), of)
        if count > most:
            errors.add(line, "", Text("a file has at most %(most)s records", most=most))
            break
        try:
            items.append(convert(line, Record.parse(written, first_line=line)))
        except RecordError as error:
            errors.add(error.line or line, "", _with_turn(error), error.code)
        except ApiError as error:
            errors.add_each(line, error)
    errors.raise_if_any()
    return items


def _with_turn(error: RecordError) -> str:
    """Return what is wrong, with the turn and what the file has for it, if it is one."""
    if error.ply is None:
        return error.detail
    if not error.move or error.move in error.detail:
        return Text("turn %(ply)s: %(detail)s", ply=error.ply, detail=error.detail)
    return Text(
        "turn %(ply)s, %(move)s: %(detail)s", ply=error.ply, move=error.move, detail=error.detail
    )


def add_chosen_seats(text: str, chosen: Mapping[tuple[int, str], int | str]) -> str:
    """Return a file of records with tags that name players: an id, or `new`.

    The key is the first line of a record, counted from 1, and the tag of a seat: the player of
    `(10, "First")` becomes the tag `FirstId` in front of line 10.
    """
    lines = text.split("\n")
    for (line, seat), player in sorted(chosen.items(), reverse=True):
        if 0 < line <= len(lines):
            lines.insert(line - 1, f'[{seat}Id "{player}"]')
    return "\n".join(lines)
