"""Records of Hex and TwixT in SGF, for other programs; `foreign.sgf` reads them back.

Hex is written as red-bean.com/sgf/hex.html says: black, `B`, is the first seat, cells are `a3`, and
a swap is `swap-pieces`, after which all cells are reflected at the diagonal. TwixT is written as
Little Golem does it: `b` and `r`, cells of two letters, `swap` with the same meaning. What SGF has
no word for stands in RU: a game without swap, links that can be removed, advice. A draw that is
agreed on is a move `draw`, a win that is agreed on the result `B+Agreed`. Tags without a property
of SGF are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_lowercase
from typing import Final

from games.rules.conditions import Conditions
from games.rules.outcome import Termination
from games.rules.position import SWAP
from games.rules.records.claims import without_ending
from games.rules.records.foreign.sgf import GAMES_BY_NUMBER, TAGS
from games.rules.records.record import Record
from games.rules.records.verdict import Verdict
from games.rules.seat import Seat
from games.rules.twixt import LINK_REMOVAL

NUMBERS: Final = {game: number for number, game in GAMES_BY_NUMBER.items()}
"""The games that are written in SGF, with their numbers (GM)."""

_PROPERTIES: Final = {
    "First": "PB", "Second": "PW", "FirstRating": "BR", "SecondRating": "WR",
    **{tag: name for name, tag in TAGS.items()},
}  # fmt: skip
_DATE = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")
_CELL = re.compile(r"([a-z])([0-9]+)")
_SPECIAL = re.compile(r"[\\\]]")
_CLAIMS: Final = {"1-0": "B+", "0-1": "W+", "1/2": "Draw"}
_REASONS: Final = {
    Termination.RESIGNED: "Resign", Termination.TIME: "Time", Termination.AGREED: "Agreed",
}  # fmt: skip


def is_written_in_sgf(record: Record) -> bool:
    """Return True for the games that are written in SGF."""
    return record.conditions.game in NUMBERS


def write_sgf(record: Record) -> str:
    """Return a record of Hex or TwixT as a line in SGF; raise RecordError if it is illegal."""
    conditions, verdict = record.conditions, record.replay()
    size = conditions.board.replace("x", ":")
    root = {
        "FF": "4", "CA": "UTF-8", "AP": "Perihelion", "GM": NUMBERS[conditions.game], "SZ": size,
        "RU": _rules(conditions),
    }  # fmt: skip
    for tag, name in _PROPERTIES.items():
        value = record.tags.get(tag, "")
        root[name] = _DATE.sub(r"\1-\2-\3", value) if name == "DT" else value
    root["GC"] = f"game #{number}" if (number := record.tags.get("GameId")) else ""
    root["RE"] = _result(verdict)

    nodes = ["".join(f"{name}[{_escape(value)}]" for name, value in root.items() if value)]
    nodes += _moves(record, verdict)
    texts: dict[int, list[str]] = {}
    for comment in record.comments:
        texts.setdefault(min(comment.after, len(nodes) - 1), []).append(comment.text)
    for node, lines in texts.items():
        nodes[node] += "C[{}]".format(_escape("\n".join(lines)))
    return f"(;{';'.join(nodes)})\n"


def _rules(conditions: Conditions) -> str:
    rules = [] if conditions.swap else ["no swap"]
    if LINK_REMOVAL in conditions.options:
        rules.append("link removal")
    if conditions.advice:
        rules.append(f"advice to {conditions.advice}")
    return ", ".join(rules)


def _result(verdict: Verdict) -> str:
    """Return the value of RE, "" for a game that is open."""
    outcome, claim = verdict.outcome, verdict.claim
    if outcome.termination is None:
        return _CLAIMS.get(claim, claim) if claim else ""
    if outcome.draw or outcome.winner is None:
        return "Draw"
    colour = "B" if outcome.winner is Seat.FIRST else "W"
    return f"{colour}+{_REASONS.get(outcome.termination, '')}"


def _moves(record: Record, verdict: Verdict) -> Iterator[str]:
    """Yield the moves as properties, without `;`."""
    is_hex = record.conditions.game == "hex"
    turns, colours, is_reflected = without_ending(record.moves), "BW" if is_hex else "br", False
    has_names = is_hex or LINK_REMOVAL in record.conditions.options

    def written(cell: re.Match[str]) -> str:
        column, row = ascii_lowercase.index(cell[1]), int(cell[2]) - 1
        column, row = (row, column) if is_reflected else (column, row)
        return ascii_lowercase[column] + (str(row + 1) if has_names else ascii_lowercase[row])

    for ply, turn in enumerate(turns):
        if turn == SWAP:
            is_reflected, value = True, "swap-pieces" if is_hex else "swap"
        else:
            value = _CELL.sub(written, turn)
        yield f"{colours[ply % 2]}[{value}]"
    if verdict.outcome.termination is Termination.RESIGNED and not is_hex:
        yield f"{colours[len(turns) % 2]}[resign]"
    elif verdict.outcome.termination is Termination.AGREED and verdict.outcome.draw:
        yield f"{colours[len(turns) % 2]}[draw]"


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)
