"""The body of a change of boards, from the players that a director picks on the round's page.

A picked player is sent as their pairing, their seat and the kind of a bye: `3.17.22.first.game` is
entry 17, who has the first seat against entry 22 at board 3; `.40..first.half-bye` is entry 40. So
a form needs no state of the page; `If-Match` rejects it if the round has changed since.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from games.core.errors import Unprocessable
from games.rules.text import Text
from tournament.rounds.queries import PairedPlayer

Form = dict[str, Any]
Address = Mapping[str, Any]
MOST_PICKS = 2


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
            return {"first": entry, "bye": self.kind}
        seats: Form = {"first": self.first, "second": self.second, self.seat: entry}
        return {"board": self.board} | seats


def _number(text: str) -> int | None:
    return int(text) if text else None


def pick_of(row: Mapping[str, Any], seat: str) -> str:
    """Return what a form sends for the player of a pairing."""
    first: PairedPlayer = row["first"]
    second: PairedPlayer | None = row["second"]
    return str(Pick(row["board"], first["entry"], second and second["entry"], seat, row["kind"]))


def swap_players(form: Form, _address: Address) -> Form:
    """Return the body that lets two players change places; at the same board, their seats."""
    one, other = _two_picks(form)
    if one.pairing == other.pairing:
        seats = {"first": one.second, "second": one.first}
        return _body(form, {"board": one.board, **seats})
    return _body(form, one.with_entry(other.entry), other.with_entry(one.entry))


def swap_boards(form: Form, _address: Address) -> Form:
    """Return the body that exchanges the boards of two pairings."""
    one, other = _two_picks(form)
    if one.pairing == other.pairing or one.board is None or other.board is None:
        raise _wrong_picks(Text("pick a player at each of two boards"))
    return _body(
        form,
        {"board": one.board, "first": other.first, "second": other.second},
        {"board": other.board, "first": one.first, "second": one.second},
    )


def give_byes(form: Form, _address: Address) -> Form:
    """Return the body that gives byes to one or two players."""
    picks = _picks(form)
    if not 1 <= len(picks) <= MOST_PICKS:
        raise _wrong_picks(
            Text(
                "pick the player, or both players of a board; %(count)s are picked",
                count=len(picks),
            )
        )
    return _body(form, *({"first": pick.entry, "bye": form.get("bye")} for pick in picks))


def pair_players(form: Form, _address: Address) -> Form:
    """Return the body that pairs two players at the board `board` of the form."""
    one, other = _two_picks(form)
    board = {"board": form.get("board"), "first": one.entry, "second": other.entry}
    return _body(form, board)


def set_handicap(form: Form, _address: Address) -> Form:
    """Return the body that sets the handicap of a board."""
    pick = Pick.parse(str(form.get("pick", "")))
    board = {"board": pick.board, "first": pick.first, "second": pick.second}
    return _body(form, {**board, "handicap": form.get("handicap", "none")})


def _picks(form: Form) -> list[Pick]:
    return [Pick.parse(text) for text in form.get("pick", [])]


def _two_picks(form: Form) -> list[Pick]:
    picks = _picks(form)
    if len(picks) != MOST_PICKS:
        raise _wrong_picks(Text("pick two players; %(count)s are picked", count=len(picks)))
    return picks


def _wrong_picks(detail: str) -> Unprocessable:
    return Unprocessable("wrong_picks", detail)


def _body(form: Form, *boards: Form) -> Form:
    sent: Form = {name: form[name] for name in ("reason", "accept") if name in form}
    return {"boards": list(boards), **sent}
