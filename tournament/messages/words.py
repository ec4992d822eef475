"""Whom a line of the feed concerns, and in which words.

The list of kinds (kinds.py) has a function of this module for each kind, made by `tell`: from the
data of a line it makes a message for each audience. Channels, mail and push send the same messages.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from games.rules.messages import gettext_noop
from games.rules.text import Text
from tournament.messages.data import Data, FeedRows

EVERYBODY: Final = "everybody"
"""Who follows the event or the pool, as a club's channel does."""
ENTRANTS: Final = "entrants"
"""All players of the event."""
OFFICIALS: Final = "officials"
PLAYERS: Final = "player/"
"""The players whom the data names; a message to one of them has their id after it."""
ALL: Final = (EVERYBODY, ENTRANTS, OFFICIALS)

PAIRED: Final = gettext_noop(
    "%(event)s, round %(round)s: you play against %(other)s on board %(board)s"
)


@dataclass(frozen=True, slots=True)
class Message:
    """What a line says to an audience: a title, further lines, and the page to go to.

    `standings` is the round after which the first of the standings follow the lines.
    """

    to: str
    title: str
    link: str
    lines: tuple[str, ...] = ()
    standings: int | None = None


Words = Callable[[Data, FeedRows], list[Message]]


def tell(pattern: str, *to: str, page: str = "", standings: bool = False) -> Words:
    """Return the function that says a sentence to audiences.

    Its values are the members of the data. `page` is that below the event's or the pool's; without
    one, the message leads to the address of the object itself.
    """

    def words(data: Data, rows: FeedRows) -> list[Message]:
        values = _values_of(data, rows)
        message = Message(
            "",
            Text(pattern, **values),
            rows.page + page % values if page or "url" not in data else data["url"],
            standings=data.get("round", max(rows.rounds, default=0)) if standings else None,
        )
        players = [player["player"]["id"] for player in _players_of(data).values()]
        named = [f"{PLAYERS}{player}" for player in players] if PLAYERS in to else []
        return [replace(message, to=one) for one in (*to, *named) if one != PLAYERS]

    return words


def tell_pairings(data: Data, rows: FeedRows) -> list[Message]:
    """Tell the boards of a round, and each player their own."""
    values = _values_of(data, rows)
    page = f"{rows.page}/rounds/{data['round']}"
    title = Text("%(event)s: pairings of round %(round)s", **values)
    pairs = [
        (board["board"], *(board[seat]["player"] for seat in ("first", "second")))
        for board in data["boards"]
    ]
    boards = tuple(f"{board}. {one['name']} – {other['name']}" for board, one, other in pairs)
    return [Message(to, title, page, boards) for to in (EVERYBODY, OFFICIALS)] + [
        Message(
            f"{PLAYERS}{player['id']}",
            Text(PAIRED, **values, other=opponent["name"], board=board),
            f"{page}/boards/{board}",
        )
        for board, *seats in pairs
        for player, opponent in (seats, seats[::-1])
    ]


def tell_schedule(data: Data, rows: FeedRows) -> list[Message]:
    """Tell the day of a round, and its time in the time zone of the event."""
    if data["starts_on"] is None:
        return tell(gettext_noop("%(event)s: round %(round)s has no date yet"), *ALL)(data, rows)
    starts = data["starts_on"]
    if data["starts_at"] is not None:
        at = datetime.fromisoformat(data["starts_at"]).astimezone(ZoneInfo(rows.zone))
        starts = f"{at:%Y-%m-%d, %H:%M %Z}"
    pattern = gettext_noop("%(event)s: round %(round)s begins on %(starts_on)s")
    return tell(pattern, *ALL)({**data, "starts_on": starts}, rows)


def _values_of(data: Data, rows: FeedRows) -> dict[str, Any]:
    """Return the members of the data with the names of players, and the names of events."""
    names = {seat: player["player"]["name"] for seat, player in _players_of(data).items()}
    values = {**data, **names, "event": rows.title, "pool": rows.title, "slug": rows.name}
    if "game" in data:
        pattern = gettext_noop("%(event)s, round %(round)s, board %(board)s")
        values["where"] = Text(pattern, **values)
    return values


def _players_of(data: Data) -> Mapping[str, Any]:
    """Return the players whom the data names: of a game by their seats, or the one of an entry."""
    if "first" in data:
        return {seat: data[seat] for seat in ("first", "second")}
    return {"player": data} if "player" in data else {}
