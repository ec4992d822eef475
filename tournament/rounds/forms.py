"""What a director types and picks on the page of a round, as the bodies of the API's requests.

A picked player is sent as their pairing, their seat and the kind of a bye: `3.17.22.first.game` is
entry 17, who has the first seat against entry 22 at board 3; `.40..first.half_bye` is entry 40. So
a form needs no state of the page; `If-Match` rejects it if the round has changed since.

All pairings by hand are a board, or a bye, in each line:

3 17            numbers 3 and 17 play, the first seat first; the lines are the boards in their order
3 17 second 2 stones    with a handicap; without one, the recommended one
5 half-point bye    number 5 has a bye, by its name or its code; 5 bye is the pairing-allocated one
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final, Self

from django.utils.translation import gettext

from games.core.errors import Unprocessable, check_all
from games.core.forms import typed_members
from games.core.handicaps import HandicapField
from games.rules.text import Text
from tournament.core.pages import entry_of_number
from tournament.core.queries import (
    entries_by_number,
    find_tournament,
    leading_number,
    number_of_player,
)
from tournament.core.references import NumberedEntry
from tournament.models import Pairing
from tournament.rounds.serializers import BoardChangeSerializer

Form = dict[str, Any]
PAIRING_LINE: Final = re.compile(
    r"([0-9]{1,6})[\s;,:–-]+(?:([0-9]{1,6})(?:[\s;,:]+(\S.*))?|([^\W\d_].{0,60}))"
)
SHORT_KINDS: Final = {"bye": Pairing.Kind.PAIRING_BYE}
BYE_WORDS: Final = frozenset(Pairing.Kind.values) - {Pairing.Kind.GAME, Pairing.Kind.FREE}
MOST_PICKS = 2
ROW_NUMBER: Final = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)
CELLS: Final = ("first", "second", "handicap")
"""The fields of a row, `row.3.first`; `second` may be a bye by its name."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A player of a round: their pairing, their seat, and the kind of the pairing."""

    board: int | None
    first: int
    second: int | None
    seat: str
    kind: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the player that a form names; raises Unprocessable for anything else."""
        board, first, second, seat, kind = (text.split(".") + [""] * 5)[:5]
        numbers = (board, first, second)
        is_known = all(n == "" or (n.isascii() and n.isdigit() and len(n) < 18) for n in numbers)
        if not first or not is_known or seat not in ("first", "second"):
            raise Unprocessable("unreadable", Text("the form names no player; load the page again"))
        return cls(_number(board), int(first), _number(second), seat, kind)

    def __str__(self) -> str:
        numbers = (self.board, self.first, self.second)
        parts = ["" if number is None else str(number) for number in numbers]
        return ".".join([*parts, self.seat, self.kind])

    @property
    def entry(self) -> int:
        """Return the entry of the picked player."""
        return self.second if self.seat == "second" and self.second else self.first

    @property
    def pairing(self) -> tuple[int, int | None]:
        """Return the entries of the pairing."""
        return self.first, self.second

    def with_entry(self, entry: int) -> Form:
        """Return the pairing with another player instead, as the API reads it."""
        if self.second is None:
            return {"first_id": entry, "bye": self.kind}
        seats: Form = {"first_id": self.first, "second_id": self.second, f"{self.seat}_id": entry}
        return {"board": self.board} | seats


def pick_of(row: Mapping[str, Any], seat: str) -> str:
    """Return what a form sends for the player of a pairing."""
    first: NumberedEntry = row["first"]
    second: NumberedEntry | None = row["second"]
    return str(Pick(row["board"], first["id"], second and second["id"], seat, row["kind"]))


def swap_players(form: Form, _address: Mapping[str, Any]) -> Form:
    """Return the body that lets two players change places; at the same board, their seats."""
    one, other = _two_picks(form)
    if one.pairing == other.pairing:
        seats = {"first_id": one.second, "second_id": one.first}
        return _body(form, {"board": one.board, **seats})
    return _body(form, one.with_entry(other.entry), other.with_entry(one.entry))


def swap_boards(form: Form, _address: Mapping[str, Any]) -> Form:
    """Return the body that exchanges the boards of two pairings."""
    one, other = _two_picks(form)
    if one.pairing == other.pairing or one.board is None or other.board is None:
        raise _wrong_picks(Text("pick a player at each of two boards"))
    return _body(
        form,
        {"board": one.board, "first_id": other.first, "second_id": other.second},
        {"board": other.board, "first_id": one.first, "second_id": one.second},
    )


def give_byes(form: Form, _address: Mapping[str, Any]) -> Form:
    """Return the body that gives byes to one or two players."""
    picks = _picks(form)
    if not 1 <= len(picks) <= MOST_PICKS:
        raise _wrong_picks(
            Text(
                "pick the player, or both players of a board; %(count)s are picked",
                count=len(picks),
            )
        )
    return _body(form, *({"first_id": pick.entry, "bye": form.get("bye")} for pick in picks))


def pair_players(form: Form, _address: Mapping[str, Any]) -> Form:
    """Return the body that pairs two players at the board `board` of the form."""
    one, other = _two_picks(form)
    board = typed_members(BoardChangeSerializer(), {"board": form.get("board")})
    return _body(form, {**board, "first_id": one.entry, "second_id": other.entry})


def set_handicap(form: Form, _address: Mapping[str, Any]) -> Form:
    """Return the body that sets the handicap of a board."""
    pick = Pick.parse(str(form.get("pick", "")))
    board = {"board": pick.board, "first_id": pick.first, "second_id": pick.second}
    handicap = HandicapField().read_text(str(form.get("handicap", "")))
    return _body(form, {**board, "handicap": handicap})


def hand_body(form: Form, address: Mapping[str, Any]) -> Form:
    """Return the body that sets all pairings of a round; raises Unprocessable with wrong lines."""
    tournament = find_tournament(f"tournament/{address['slug']}")
    entries = entries_by_number(tournament)
    pairings: list[Form] = []
    errors: list[Form] = []
    lines = (
        str(form["lines"]).splitlines()
        if "lines" in form
        else chosen_lines(form, partial(number_of_player, tournament))
    )
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            pairings.append(_pairing(line.strip(), entries))
        except ValueError as error:
            problem = {"code": "unreadable", "pointer": "/lines", "line": number}
            errors.append(problem | {"detail": error.args[0]})
    if errors:
        raise Unprocessable("unreadable", errors[0]["detail"], errors)
    if not pairings:
        raise Unprocessable("missing", Text("type a board in each line, such as 3 17"), at="/lines")
    sent = {"reason": form["reason"]} if "reason" in form else {}
    return {"pairings": pairings, **sent}


FindNumber = Callable[[str], int | None]
"""Return the pairing number of the player whom a text names."""


def chosen_lines(form: Form, find: FindNumber) -> list[str]:
    """Return the lines of rows in which players and byes were chosen by their names."""
    rows = form.get("row", {})
    cells = {
        int(number): row
        for number, row in (rows.items() if isinstance(rows, dict) else ())
        if ROW_NUMBER.fullmatch(number) and isinstance(row, dict)
    }
    return [_line_of(cells.get(number, {}), find) for number in range(1, max(cells, default=0) + 1)]


def _line_of(row: Mapping[str, Any], find: FindNumber = leading_number) -> str:
    texts = [str(row.get(name, "")).strip() for name in CELLS]
    numbers = [find(text) for text in texts[:2]]
    players = [text if n is None else str(n) for n, text in zip(numbers, texts, strict=False)]
    return " ".join(filter(None, (*players, *texts[2:])))


def explain_body(form: Form, address: Mapping[str, Any]) -> Form:
    """Return the body of a question about two players who were chosen by number or name."""
    tournament = find_tournament(f"tournament/{address['slug']}")
    names = "first_number", "second_number"
    typed = {name: form.get(name, "") for name in names}
    numbers = {name: number_of_player(tournament, str(text)) for name, text in typed.items()}
    return typed | {name: number for name, number in numbers.items() if number is not None}


def start_body(form: Form, _address: Mapping[str, Any]) -> Form:
    """Return the times of a round; one that was typed is in the time zone of the event."""
    times = {}
    for name in ("starts_at", "ends_at"):
        typed = str(form.get(name, ""))
        with suppress(ValueError):
            if "T" in typed or " " in typed:
                times[name] = datetime.fromisoformat(typed)
    return form | times


def times_body(form: Form, _address: Mapping[str, Any]) -> Form:
    """Return the times of rounds, each of a row with a day and, perhaps, a time."""
    sent = form.get("rounds")
    rows = {
        number: row
        for number, row in (sent.items() if isinstance(sent, dict) else ())
        if ROW_NUMBER.fullmatch(number) and isinstance(row, dict)
    }
    return {"rounds": dict(check_all(*(partial(_times_of, *row) for row in rows.items())))}


def _times_of(number: str, row: Mapping[str, Any]) -> tuple[str, Form]:
    day, time = row.get("starts_on"), row.get("starts_at")
    if not time:
        return number, {"starts_on": day}
    if not day:
        detail = Text("choose the day, too")
        raise Unprocessable("missing", detail, at=f"/rounds/{number}/starts_on")
    try:
        return number, {"starts_at": datetime.fromisoformat(f"{day}T{time}")}
    except ValueError as error:
        detail = Text("write the day as 2026-05-01, and the time as 14:30")
        at = f"/rounds/{number}/starts_at"
        raise Unprocessable("invalid", detail, at=at) from error


def hand_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the pairings of a draft as lines."""
    return "\n".join(_line_of(_cells(row, lambda player: str(player["number"]))) for row in rows)


def hand_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return the pairings of a draft as rows in which players and byes are chosen."""
    return [_cells(row, named_player) for row in rows]


def named_player(player: NumberedEntry) -> str:
    """Return a player as the lists of a form name them: `12 Ada Moon`."""
    return f"{player['number']} {player['player']['name']}"


def bye_body(form: Form, address: Mapping[str, Any]) -> Form:
    """Return the body that grants a player, by pairing number, a bye in the round of the page."""
    tournament = find_tournament(f"tournament/{address['slug']}")
    entry = entry_of_number(tournament, str(form.pop("player", "")).strip(), at="/player")
    return {**form, "entry_id": entry, "round": address["number"]}


def byes_by_name() -> dict[str, str]:
    """Return the kinds of byes by their names in the language of the reader, in lower case."""
    return {
        gettext(str(kind.label)).casefold(): kind.value
        for kind in Pairing.Kind
        if kind in BYE_WORDS
    }


def _number(text: str) -> int | None:
    return int(text) if text else None


def _picks(form: Form) -> list[Pick]:
    return [Pick.parse(text) for text in form.get("pick", [])]


def _two_picks(form: Form) -> list[Pick]:
    picks = _picks(form)
    if len(picks) != MOST_PICKS:
        raise _wrong_picks(Text("pick two players; %(count)s are picked", count=len(picks)))
    return picks


def _wrong_picks(detail: str) -> Unprocessable:
    return Unprocessable("wrong_picks", detail, at="/boards")


def _body(form: Form, *boards: Form) -> Form:
    sent: Form = {name: form[name] for name in ("reason", "accept") if name in form}
    return {"boards": list(boards), **sent}


def _pairing(line: str, entries: Mapping[int, int]) -> Form:
    """Return the pairing of a line; raises ValueError."""
    found = PAIRING_LINE.fullmatch(line)
    if found is None:
        raise ValueError(
            Text(
                "%(text)s is not a board, such as 3 17, or a bye, such as 5 bye",
                text=f"{line[:40]!r}",
            )
        )
    first, second, handicap, word = found.groups()
    if word:
        kind = SHORT_KINDS.get(word) or byes_by_name().get(word.casefold(), word)
        if kind not in BYE_WORDS:
            raise ValueError(Text("%(text)s is not a bye", text=f"{word[:40]!r}"))
        return {"first_id": _entry(first, entries), "bye": str(kind)}
    board = {"first_id": _entry(first, entries), "second_id": _entry(second, entries)}
    return board | ({"handicap": HandicapField().read_text(handicap)} if handicap else {})


def _entry(number: str, entries: Mapping[int, int]) -> int:
    if int(number) not in entries:
        raise ValueError(
            Text("no player of the event has the pairing number %(number)s", number=number)
        )
    return entries[int(number)]


def _cells(row: Mapping[str, Any], name: Callable[[NumberedEntry], str]) -> dict[str, str]:
    first, second, applied = row["first"], row["second"], row["applied"]
    return {
        "first": name(first),
        "second": name(second) if second else gettext(str(Pairing.Kind(row["kind"]).label)),
        "handicap": (applied and applied["handicap_text"]) or "",
    }
