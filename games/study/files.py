"""Files of games for study: a record or a line of JSON for each, written as the games are read.

The games are in the order of their ids, and each names its id, so that a client whose download was
cut off continues after the last game that it has received whole.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from django.db.models import QuerySet

from games.core.decimals import RATING, write
from games.core.references import current_player_of
from games.play.queries import GAME_FIELDS, game_as_json, place_as_json
from games.rules.errors import RecordError
from games.rules.records.record import Record
from games.rules.records.sgf_writer import is_written_in_sgf, write_sgf
from games.rules.seat import Seat
from games.study.queries import ratings_as_json

EXPORTED_AT_ONCE: Final = 200
"""Games that are in memory at the same time."""

GAME_EXPORT_COLUMNS: Final = (
    *GAME_FIELDS,
    "first_rating",
    "second_rating",
    "record__record",
)

Row = dict[str, Any]


def write_games(
    rows: "QuerySet[Any, Row]", write: Callable[[Row], str], *, after: int
) -> Iterator[str]:
    """Yield the text of the games with an id greater than `after`, in batches."""
    while batch := list(rows.filter(pk__gt=after).order_by("pk")[:EXPORTED_AT_ONCE]):
        yield "".join(map(write, batch))
        after = batch[-1]["id"]


def game_line(row: Row) -> dict[str, Any]:
    """Return a game as the JSON of a line, with the turns of its record if it has one."""
    record = _read_record(row)
    return {
        **game_as_json(row),
        **ratings_as_json(row),
        "moves": None if record is None else list(record.moves),
    }


def write_record(row: Row) -> str:
    """Return the record of a game with what is known of it as tags; "" without a record."""
    record = _read_record(row)
    return "" if record is None else f"{replace(record, tags={**record.tags, **_tags(row)})}\n"


def write_sgf_game(row: Row) -> str:
    """Return a game of Hex or TwixT in SGF, with what is known of it; "" for any other."""
    record = _read_record(row)
    if record is None or not is_written_in_sgf(record):
        return ""
    return write_sgf(replace(record, tags={**record.tags, **_tags(row)}))


def _read_record(row: Row) -> Record | None:
    """Return the record of a game, None if it has none that can be read."""
    try:
        return Record.parse(row["record__record"]) if row["record__record"] else None
    except RecordError:
        return None


def _tags(row: Row) -> dict[str, str]:
    """Return the tags of a game: who, where and when, as far as it is known."""
    ratings: Mapping[str, Any] = ratings_as_json(row)
    players = {seat: current_player_of(row, seat) for seat in Seat}
    values: dict[str, Any] = {"GameId": row["id"]}
    for seat in Seat:
        name = seat.value.title()
        values[name] = players[seat]["name"]
        values[f"{name}Id"] = players[seat]["id"]
        values[f"{name}Rating"] = write(ratings[f"{seat}_rating"], RATING)
    values |= {
        "Event": row["event"],
        "Round": row["round"],
        "BoardNumber": place_as_json(row)["board"],
    }
    values["Date"] = row["played_on"] and f"{row['played_on']:%Y.%m.%d}"
    return {name: str(value) for name, value in values.items() if value not in (None, "")}
