"""Whom a line of the feed concerns, and in which words.

The list of kinds (kinds.py) states for each the audiences and the words; `messages_of` makes a
message for each audience of a line. Channels, mail and push send the same messages.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from games.rules.messages import gettext_noop as noop
from games.rules.text import Moment, Text
from tournament.messages.data import Data, FeedRows, Payload

EVERYBODY: Final = "everybody"
"""Who follows the event or the pool, as a club's channel does."""
ENTRANTS: Final = "entrants"
"""All players of the event."""
OFFICIALS: Final = "officials"
PLAYERS: Final = "player/"
"""The players whom the data names; a message to one of them has their id after it."""
ALL: Final = (EVERYBODY, ENTRANTS, OFFICIALS)
SEATS: Final = {
    "first": noop("You are the first player (dark stones)."),
    "second": noop("You are the second player (orange stones)."),
}
EXCHANGED: Final = noop("The seats are exchanged in the second game.")
BYE: Final = noop("%(event)s, round %(round)s: you have a bye, so you do not play")
BEGINS: Final = noop("Begins: %(starts)s")


@dataclass(frozen=True, slots=True)
class Message:
    """What a line says to an audience: a title, further lines, and the page to go to.

    `standings` is the round after which the standings follow the lines. A director has written the
    lines where `is_written`, and asks that their addresses are opened.
    """

    to: str
    title: str
    link: str
    lines: tuple[str, ...] = ()
    standings: int | None = None
    is_written: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of message: of which lines, with which data, to whom, in which words and feeds.

    The values of `text` are the members of the data. `page` is the one to go to, below that of the
    event or the pool; without it the message leads to the page of the object itself. `own_text`
    is what a player reads of their board.
    """

    line: str
    data: Callable[[Payload, FeedRows], Data | None]
    to: tuple[str, ...]
    text: str
    page: str = ""
    feeds: tuple[str, ...] = ("tournament", "account")
    has_standings: bool = False
    own_text: str = noop(
        "%(event)s, round %(round)s: you play against %(other)s on board %(board)s"
    )


def messages_of(kind: Kind, data: Data, rows: FeedRows) -> list[Message]:
    """Return the messages of a line by its data, the one to everybody first."""
    players = _players_of(data)
    names = {seat: player["player"]["name"] for seat, player in players.items()}
    known = {name: "–" if value is None else value for name, value in data.items()}
    # A rating is written without its thousandths.
    known |= {name: round(value) for name, value in known.items() if isinstance(value, float)}
    values = {**known, **names, "event": rows.title, "pool": rows.title}
    values["where"] = _place_of(values)
    values["starts"] = _start_of(data, rows.zone)
    message = Message(
        "",
        Text(kind.text, **values),
        data["page_url"]
        if "page_url" in data and not kind.page
        else rows.page + kind.page % values,
        (*map(_pair_of, data.get("boards", ())), *data.get("text", "").splitlines()),
        data.get("round", max(rows.rounds, default=0)) if kind.has_standings else None,
        "text" in data,
    )
    return [
        *(replace(message, to=one) for one in kind.to if one != PLAYERS),
        *(
            replace(message, to=f"{PLAYERS}{player['player']['id']}")
            for player in players.values()
            if PLAYERS in kind.to
        ),
        *_paired(kind, data, rows, message.link),
    ]


def _paired(kind: Kind, data: Data, rows: FeedRows, page: str) -> list[Message]:
    """Tell each player of a round their opponent, their board and seat, and the start; or a bye."""
    starts = rows.starts.get(data.get("round", 0), "")
    begins = [BEGINS] if starts else []
    byes = [
        Message(
            f"{PLAYERS}{one['player']['id']}",
            Text(BYE, event=rows.title, round=data["round"]),
            page,
        )
        for one in data.get("byes", ())
    ]
    return byes + [
        Message(
            f"{PLAYERS}{one['player']['id']}",
            Text(
                kind.own_text,
                event=rows.title,
                round=data["round"],
                other=other["player"]["name"],
                board=board["board"],
            ),
            f"{page}/boards/{board['board']}",
            tuple(Text(line, starts=starts) for line in (SEATS[seat], *again, *begins)),
        )
        for board in data.get("boards", ())
        for again in ([EXCHANGED] if len(board["game_ids"]) > 1 else [],)
        for seat, one, other in (
            ("first", board["first"], board["second"]),
            ("second", board["second"], board["first"]),
        )
    ]


def _pair_of(board: Data) -> str:
    first, second = (board[seat]["player"]["name"] for seat in ("first", "second"))
    return f"{board['board']}. {first} – {second}"


def _start_of(data: Data, zone: str) -> Any:
    """Return the day of a round, and its time in the time zone of the event."""
    if data.get("starts_at") is None:
        day = data.get("starts_on")
        return Moment(day) if day else Text("not fixed yet")
    at = datetime.fromisoformat(data["starts_at"]).astimezone(ZoneInfo(zone))
    return Moment.of(at)


def _place_of(values: Mapping[str, Any]) -> Text:
    """Return where a game is played."""
    if values.get("board", "–") == "–":
        return Text("Casual game")
    board = {name: values[name] for name in ("event", "round", "board")}
    return Text("%(event)s, round %(round)s, board %(board)s", **board)


def _players_of(data: Data) -> Mapping[str, Any]:
    """Return the players whom the data names: of a game by their seats, or the one of an entry."""
    if "first" in data:
        return {seat: data[seat] for seat in ("first", "second")}
    found = data.get("entry") or data
    return {"player": found} if "player" in found else {}
