"""The public kinds of journal lines, and the data of each in the feed of its stream.

`FEED_KINDS` has the function that returns the data of a line from its payload and the rows that it
is about; the data says what is public now, and is None if the line is not.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.models import Game
from tournament.models import Round
from tournament.queries.feed_boards import FeedBoard
from tournament.queries.result_texts import result_text

Data = dict[str, Any]
Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FeedRows:
    """The rows that the data of some lines of a stream is taken from.

    `boards` are those of the published rounds, by the number of the round; `games` has each game
    with its board, by the place that names it in the journal: ids in lines can be those of another
    installation. `published` are the rounds and versions that have been public at some time.
    """

    name: str
    rounds: Mapping[int, int] = field(default_factory=dict)
    boards: Mapping[int, Sequence[FeedBoard]] = field(default_factory=dict)
    games: Mapping[str, tuple[int, FeedBoard]] = field(default_factory=dict)
    published: frozenset[tuple[int, int]] = frozenset()

    @property
    def address(self) -> str:
        """Return the address of the tournament in the API."""
        return f"/api/v1/tournaments/{self.name}"


def _tournament_data(payload: Payload, rows: FeedRows) -> Data:
    data: Data = {"tournament": rows.name}
    if "state" in payload:
        data["state"] = payload["state"]
    return data | {"address": rows.address}


def _scheduled_data(payload: Payload, rows: FeedRows) -> Data:
    return {
        "tournament": rows.name,
        "round": payload["round"],
        "starts_on": payload["starts_on"],
        "start_time": payload.get("start_time"),
        "address": f"{rows.address}/rounds/{payload['round']}",
    }


def _round_data(payload: Payload, rows: FeedRows) -> Data | None:
    number = payload["round"]
    if number not in rows.rounds:
        return None
    return {
        "tournament": rows.name,
        "round": number,
        "address": f"{rows.address}/rounds/{number}",
    }


def _pairings_data(payload: Payload, rows: FeedRows) -> Data | None:
    """Return a round with its current boards; None for a draft."""
    data = _round_data(payload, rows)
    if data is None or payload.get("state", Round.State.PUBLISHED) != Round.State.PUBLISHED:
        return None
    boards = [board.as_json() for board in rows.boards[payload["round"]]]
    return data | {"boards": boards, "address": f"{data['address']}/pairings"}


def _unpaired_data(payload: Payload, rows: FeedRows) -> Data | None:
    """Return a round whose pairings were withdrawn after they had been public."""
    number = payload["round"]
    if (number, payload["unpaired"]) not in rows.published:
        return None
    address = f"{rows.address}/rounds/{number}"
    return {"tournament": rows.name, "round": number, "address": address}


def _game_data(payload: Payload, rows: FeedRows) -> Data | None:
    """Return a game with the result that the line states; None if it is not in a current round."""
    if payload["place"] not in rows.games:
        return None
    (game, board), state = rows.games[payload["place"]], payload["state"]
    is_confirmed = state == Game.State.CONFIRMED
    score = (payload["score"] or (None, None)) if is_confirmed else (None, None)
    return {
        "tournament": rows.name,
        "round": board.round,
        **board.game_as_json(game),
        "state": state,
        "adjourned": payload["adjourned"],
        "basis": payload["basis"] or None,
        "result": result_text(state, payload["winner"], payload["draw"], score),
        "winner": (payload["winner"] or None) if is_confirmed else None,
        "termination": (payload["termination"] or None) if is_confirmed else None,
        "address": f"/api/v1/games/{game}",
    }


def _correction_data(payload: Payload, rows: FeedRows) -> Data:
    number = payload["correction"]
    return {
        "tournament": rows.name,
        "correction": number,
        "scope": payload["scope"],
        "undoes": payload["undoes"],
        "games": [rows.games[place][0] for place in payload["places"] if place in rows.games],
        "address": f"{rows.address}/corrections/{number}",
    }


def _run_data(payload: Payload, rows: FeedRows) -> Data:
    return {
        "pool": rows.name,
        "run": payload["run"],
        "batches": payload["batches"],
        "players": payload["players"],
        "input_digest": payload["input_digest"],
        "address": f"/api/v1/pools/{rows.name}/runs/{payload['run']}",
    }


def _list_data(payload: Payload, rows: FeedRows) -> Data:
    return {
        "pool": rows.name,
        "published_on": payload["published_on"],
        "run": payload["run"],
        "players": payload["players"],
        "address": f"/api/v1/pools/{rows.name}/lists/{payload['published_on']}",
    }


FEED_KINDS: Final[Mapping[str, Callable[[Payload, FeedRows], Data | None]]] = {
    "round.scheduled": _scheduled_data,
    "round.published": _pairings_data,
    "round.changed": _pairings_data,
    "round.restored": _pairings_data,
    "round.unpaired": _unpaired_data,
    "round.complete": _round_data,
    "round.reopened": _round_data,
    "game.open": _game_data,
    "game.waiting": _game_data,
    "game.confirmed": _game_data,
    "game.disputed": _game_data,
    "game.adjourned": _game_data,
    "game.annulled": _game_data,
    "correction.committed": _correction_data,
    "tournament.edited": _tournament_data,
    "tournament.registration": _tournament_data,
    "tournament.running": _tournament_data,
    "tournament.review": _tournament_data,
    "tournament.final": _tournament_data,
    "tournament.archived": _tournament_data,
    "tournament.cancelled": _tournament_data,
    "tournament.resumed": _tournament_data,
    "tournament.reopened": _tournament_data,
    "rating.run": _run_data,
    "list.published": _list_data,
}
"""The public kinds, with the functions that return their data; None if it is not public now."""
POOL_KINDS: Final = ("rating.run", "list.published")
"""The kinds of the feed of a pool; the others are those of a tournament."""
