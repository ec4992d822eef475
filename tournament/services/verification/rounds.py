"""The rows of rounds, their pairings and their games, as the journal has them."""

from collections.abc import Mapping
from typing import Any

from games.models import JournalLine
from games.rules.records.handicaps import FIRST_MOVE, exchange_seats, is_bound_to_seat
from games.services.verification import OPEN_RESULT, JournalledRows
from tournament.models import Pairing, Round

AWARD = ("awarded_for", "awarded_first", "awarded_second")
NO_AWARD = {"awarded_for": "", "awarded_first": None, "awarded_second": None, "counted": None}
"""The columns of a pairing that its next version has too, without awarded and corrected points."""
NO_HANDICAP = {"handicap": "", "handicap_reason": "", "recommended": None}
NEW_ROUND = {
    "state": Round.State.PLANNED, "version": 0, "system": "", "reason": "", "notes": [],
    "relaxed": [],
}  # fmt: skip
NO_PAIRING = {
    "board_number": None, "second_id": None, "game_id": None, "return_game_id": None, **NO_AWARD,
    **NO_HANDICAP,
}  # fmt: skip
Payload = Mapping[str, Any]


def add_round(rows: JournalledRows, line: JournalLine, number: int) -> None:
    """Add a planned round, unless it exists: it can be scheduled before the start."""
    if number not in rows.of("round"):
        rows.set(line, "round", number, starts_on=None, start_time=None, **NEW_ROUND)


def add_round_line(rows: JournalledRows, line: JournalLine, payload: Payload) -> None:
    """Apply a line of a round to the round, its pairings and its games."""
    number, word = payload["round"], line.kind.partition(".")[2]
    if word == "scheduled":
        add_round(rows, line, number)
        columns = {name: payload[name] for name in ("starts_on", "start_time")}
        rows.set(line, "round", number, **columns)
    elif word in ("paired", "set_by_hand", "changed"):
        version = payload["version"]
        state = payload.get("state", Round.State.DRAFTED)
        rows.set(
            line, "round", number, state=state, version=version,
            system=payload["system"], reason=payload["reason"], notes=payload["notes"],
            relaxed=payload["relaxations"],
        )  # fmt: skip
        given = {first: values for first, *values in payload["handicaps"]}
        for board, first, second, kind in payload["boards"]:
            handicap = dict(zip(NO_HANDICAP, given.get(first, NO_HANDICAP.values()), strict=True))
            place = board, second, kind, handicap["handicap"]
            rows.set(
                line, "pairing", (number, version, first), board_number=board, second_id=second,
                kind=kind, game_id=None, return_game_id=None, **handicap,
                **_awards(rows, (number, payload.get("previous"), first), place),
            )  # fmt: skip
        if "games" in payload:
            _publish(rows, line, payload)
            _set_void_games(rows, line, number, version)
    elif word == "unpaired":
        rows.set(line, "round", number, **NEW_ROUND | {"version": payload["version"]})
        _set_void_games(rows, line, number, payload["version"])
    elif word == "restored":
        columns = {name: payload[name] for name in ("state", "version")}
        rows.set(line, "round", number, **columns, **payload["pairings"])
        _set_void_games(rows, line, number, payload["version"])
    elif word == "published":
        relaxed = payload["relaxations"]
        rows.set(line, "round", number, state=Round.State.PUBLISHED, relaxed=relaxed)
        _publish(rows, line, payload)
    elif word == "complete":
        rows.set(line, "round", number, state=Round.State.COMPLETE)
    elif word == "reopened":
        rows.set(line, "round", number, state=Round.State.PUBLISHED)


def _awards(
    rows: JournalledRows, key: tuple[int, int | None, int], place: tuple[Any, ...]
) -> Mapping[str, Any]:
    """Return the awarded points of a board, if an earlier version has the same board."""
    old = rows.of("pairing").get(key)
    names = ("board_number", "second_id", "kind", "handicap")
    if old is None or tuple(old[name] for name in names) != place:
        return NO_AWARD
    return {name: old[name] for name in NO_AWARD}


def _set_void_games(rows: JournalledRows, line: JournalLine, number: int, version: int) -> None:
    """Make the games of a round void, except those of the current version."""
    games = {
        (key[1] == version, game)
        for key, pairing in rows.of("pairing").items()
        for game in (pairing["game_id"], pairing["return_game_id"])
        if key[0] == number and game is not None
    }
    for is_current, game in sorted(games):  # the current version last: versions share games
        rows.set(line, "game", game, void=not is_current)


def _publish(rows: JournalledRows, line: JournalLine, payload: Payload) -> None:
    """Add the games of a round, which are listed in the order of their boards."""
    number, version = payload["round"], payload["version"]
    boards = sorted(
        (pairing["board_number"], key)
        for key, pairing in rows.of("pairing").items()
        if key[:2] == (number, version) and pairing["kind"] == Pairing.Kind.GAME
    )
    return_games = payload.get("return_games", [None] * len(boards))
    for (_, key), game, return_game in zip(boards, payload["games"], return_games, strict=True):
        rows.set(line, "pairing", key, game_id=game, return_game_id=return_game)
        pairing = rows.of("pairing")[key]
        first, second, handicap = key[2], pairing["second_id"], pairing["handicap"]
        set_new_game(rows, line, game, number, first, second, handicap)
        if return_game is not None:
            mirrored = exchange_seats(handicap)
            set_new_game(rows, line, return_game, number, second, first, mirrored)


def set_new_game(
    rows: JournalledRows,
    line: JournalLine,
    game: int,
    number: int,
    first: int,
    second: int,
    handicap: str = "",
) -> None:
    """Set an open game; reports may precede it in the journal, if the players are absent."""
    entries = rows.of("entry")
    players = {"first_id": entries[first]["player"], "second_id": entries[second]["player"]}
    known = rows.of("game").get(game, OPEN_RESULT)
    columns = {**known, **players, "round": str(number), "void": False, **_conditions(handicap)}
    rows.set(line, "game", game, **columns)


def _conditions(handicap: str) -> dict[str, Any]:
    """Return the columns of a game that depend on its handicap."""
    if not handicap or handicap == FIRST_MOVE:
        return {"handicap": None} | ({"swap": False} if handicap else {})
    seat, number, kind = handicap.split()
    conditions = {"handicap": {"seat": seat, kind: int(number)}}
    return conditions | ({"swap": False} if is_bound_to_seat(handicap) else {})


def add_correction_line(rows: JournalledRows, line: JournalLine, payload: Payload) -> None:
    """Apply a correction to byes and to what counts; its games and entries have their own lines."""
    columns = {name: payload[name] for name in ("scope", "reason", "undoes")}
    rows.set(line, "correction", payload["correction"], **columns)
    for number, version, entry, kind in payload["byes"]:
        key = number, version, entry
        if kind is None:
            rows.remove("pairing", key)
            continue
        known = rows.of("pairing").get(key, NO_PAIRING)
        rows.set(line, "pairing", key, **{**known, "kind": kind})
    for number, version, first, counted in payload["counted"]:
        rows.set(line, "pairing", (number, version, first), counted=counted)
