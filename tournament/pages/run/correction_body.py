"""The body of a correction, from a form that names games by round and board, players by number.

A line of results is the round, the board and the right result, as in `2 5 0-1`; `2 5r 7-14` is the
return game, and `2 5 annulled` annuls a game. `entry.clear` names values of an entry
that become empty; a value that is given as well counts.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from games.core.errors import Unprocessable
from games.rules.text import Text
from tournament import queries
from tournament.models import Tournament
from tournament.pages.run.player_numbers import entry_of_number
from tournament.queries.places import Place, games_at
from tournament.results.lines import RETURN, full_result

Form = dict[str, Any]
CORRECTION_LINE: Final = re.compile(
    r"(\d{1,3})[\s;,:/]+(\d{1,5})(r?)[\s;,:]+(\S.{0,39})", re.ASCII | re.I
)
MOST_CORRECTION_LINES: Final = 100
CLEARED: Final[Mapping[str, Any]] = {"birth_year": None, "sex": "", "category": "", "title": ""}
"""The values of an entry that can be cleared, and what they are then."""


def correction_body(form: Form, address: Mapping[str, Any]) -> Form:
    """Return the body; raises Unprocessable for what names no game or player of the event."""
    tournament = queries.find_tournament(f"tournament/{address['slug']}")
    changes = _results(tournament, str(form.get("results", "")))
    for name in ("bye", "entry"):
        if change := _change_of_entry(tournament, form.get(name), name):
            changes.append(change)
    if not changes:
        raise Unprocessable("missing", Text("correct at least one result, bye or entry"))
    names = ("scope", "reason", "digest", "accept")
    return {"changes": changes} | {name: form[name] for name in names if name in form}


def _results(tournament: Tournament, text: str) -> list[Form]:
    """Return the changes of the lines; raises Unprocessable with each line that is wrong."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    found = [(number, line, CORRECTION_LINE.fullmatch(line)) for number, line in lines if line]
    if len(found) > MOST_CORRECTION_LINES:
        detail = Text("a correction has at most %(most)s changes", most=MOST_CORRECTION_LINES)
        raise Unprocessable("too_many", detail, at="/results")
    places: dict[int, Place] = {
        number: (int(read[1]), int(read[2]), read[3].lower() == RETURN)
        for number, _, read in found
        if read
    }
    games = games_at(tournament, places.values())
    changes, errors = [], []
    for number, line, read in found:
        if read and places[number] in games:
            changes.append({"game": games[places[number]], "result": full_result(read[4])})
            continue
        detail = (
            Text(
                "round %(number)s has no game at board %(board)s%(letter)s",
                number=read[1],
                board=read[2],
                letter=read[3],
            )
            if read
            else Text(
                "%(text)s is not a round, a board and a result, such as 2 5 0-1",
                text=f"{line[:40]!r}",
            )
        )
        error = {"code": "unreadable", "pointer": "/results", "line": number, "detail": detail}
        errors.append(error)
    if errors:
        raise Unprocessable("unreadable", str(errors[0]["detail"]), errors)
    return changes


def _change_of_entry(tournament: Tournament, sent: Any, name: str) -> Form | None:
    """Return the change of the player with a pairing number; None if the form names none."""
    values = dict(sent) if isinstance(sent, dict) else {}
    number = str(values.pop("number", "")).strip()
    if not number:
        return None
    entry = entry_of_number(tournament, number, at=f"/{name}/number")
    cleared = values.pop("clear", ())
    values = {str(value): CLEARED.get(value, "") for value in cleared} | values
    return {**values, "entry": entry}
