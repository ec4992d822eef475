"""All pairings of a round as a director types them: a board, or a bye, in each line.

3 17            numbers 3 and 17 play, the first seat first; the lines are the boards in their order
3 17 second 2 stones    with a handicap; without one, the recommended one
5 half-bye      number 5 has a bye; 5 bye is the pairing-allocated one
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.core.errors import Unprocessable
from games.rules.text import Text
from tournament import queries
from tournament.models import Pairing

Form = dict[str, Any]
PAIRING_LINE: Final = re.compile(
    r"([0-9]{1,6})[\s;,:–-]+(?:([0-9]{1,6})(?:[\s;,:]+(\S.*))?|([a-z][a-z-]*))"
)
SHORT_KINDS: Final = {"bye": Pairing.Kind.PAIRING_BYE}
BYE_WORDS: Final = frozenset(Pairing.Kind.values) - {Pairing.Kind.GAME, Pairing.Kind.FREE}


def hand_body(form: Form, address: Mapping[str, Any]) -> Form:
    """Return the body that sets all pairings of a round.

    Raises Unprocessable with each line that is none, and for an unknown pairing number.
    """
    tournament = queries.find_tournament(f"tournament/{address['slug']}")
    entries = queries.entries_by_number(tournament)
    pairings, errors = [], []
    for number, line in enumerate(str(form.get("lines", "")).splitlines(), 1):
        if not line.strip():
            continue
        try:
            pairings.append(_pairing(line.strip(), entries))
        except ValueError as error:
            problem = {"code": "unreadable", "pointer": "/lines", "line": number}
            errors.append(problem | {"detail": str(error)})
    if errors:
        raise Unprocessable("unreadable", str(errors[0]["detail"]), errors)
    if not pairings:
        raise Unprocessable("missing", Text("type a board in each line, such as 3 17"), at="/lines")
    sent = {"reason": form["reason"]} if "reason" in form else {}
    return {"pairings": pairings, **sent}


def _pairing(line: str, entries: Mapping[int, int]) -> Form:
    """Return the pairing of a line; raises ValueError."""
    found = PAIRING_LINE.fullmatch(line)
    if found is None:
        raise ValueError(
            Text(
                "%(text)s is not a board, such as 3 17, or a bye, such as 5 half-bye",
                text=f"{line[:40]!r}",
            )
        )
    first, second, handicap, word = found.groups()
    if word:
        kind = SHORT_KINDS.get(word, word)
        if kind not in BYE_WORDS:
            raise ValueError(Text("%(text)s is not a bye, such as half-bye", text=f"{word[:40]!r}"))
        return {"first": _entry(first, entries), "bye": str(kind)}
    board = {"first": _entry(first, entries), "second": _entry(second, entries)}
    return board | ({"handicap": handicap} if handicap else {})


def _entry(number: str, entries: Mapping[int, int]) -> int:
    if int(number) not in entries:
        raise ValueError(
            Text("no player of the event has the pairing number %(number)s", number=number)
        )
    return entries[int(number)]


def hand_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the pairings of a draft as lines."""
    return "\n".join(_line(row) for row in rows)


def _line(row: Mapping[str, Any]) -> str:
    first, second, applied = row["first"], row["second"], row["applied"]
    if not second:
        return f"{first['pairing_number']} {row['kind']}"
    handicap = f" {applied['handicap']}" if applied and applied["handicap"] else ""
    return f"{first['pairing_number']} {second['pairing_number']}{handicap}"
