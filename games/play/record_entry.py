"""The control by which a form enters a record: `{% include "games/board_entry.html" %}`.

A form of any page can contain it:

- The page's context has `entry`, the value of `record_entry`, made from the game's conditions:
  `record_entry(start_of_record(conditions_of(game), players), state=self.form)`. After a rejection
  it shows what was typed, and its errors are those of the field `record`.
- The template has `{% include "games/board_head.html" %}` in its block `head`, and the include
  inside a `<form method="post">` with `{% csrf_token %}`.
- The form then sends the text of the record as the field `record` (another name: `name=`), which
  the API's reports take as it is. Without scripts it is a text field, and the server answers with
  the error and its ply. With scripts, cells are clicked, tapped or typed, and every turn is checked
  at once by `POST /rules/check`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from games.core.forms import FormState
from games.core.text import translated
from games.play.boards import BoardView, view_board
from games.rules.conditions import Conditions
from games.rules.errors import RecordError
from games.rules.record_entry import PartialRecord, read_entry
from games.rules.records.record import Record


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """The control: the name of its field, the text, the position, the errors of the form.

    `view` is None if the text cannot be read.
    """

    name: str
    text: str
    view: BoardView | None
    words: Sequence[str]
    state: str
    error: str
    errors: tuple[str, ...]


def start_of_record(conditions: Conditions, players: tuple[str, str] = ("", "")) -> str:
    """Return the text of a record before the first turn."""
    tags = {seat: name for seat, name in zip(("First", "Second"), players, strict=True) if name}
    return str(Record(conditions=conditions, tags=tags))


def record_entry(text: str, *, state: FormState | None = None, name: str = "record") -> RecordEntry:
    """Return the control with a record so far, or with what a rejected form sent."""
    state = state or FormState()
    entry = read_entry(str(state.typed.get(name, "")) or text)
    if entry.scene is None:
        entry = PartialRecord(entry.text, read_entry(text).scene, error=entry.error)
    return RecordEntry(
        name=name,
        text=entry.text,
        view=view_board(entry.scene) if entry.scene else None,
        words=entry.words,
        state=state_in_words(entry),
        error=error_in_words(entry.error),
        errors=state.errors.get(name, ()),
    )


def state_in_words(entry: PartialRecord) -> str:
    """Return whose turn it is, or that the game is over."""
    if entry.scene is None:
        return ""
    if entry.scene.outcome.termination:
        return gettext("The game is over.")
    values = {"ply": len(entry.scene.turns) + 1, "seat": entry.scene.position.to_move.value}
    return gettext("Ply %(ply)d: %(seat)s to move.") % values


def error_in_words(error: RecordError | None) -> str:
    """Return what is wrong, and where; "" if nothing is."""
    if error is None:
        return ""
    detail = translated(error.detail)
    if error.ply is not None:
        place = gettext("Ply %(ply)d") % {"ply": error.ply}
        move = "" if not error.move or error.move in error.detail else f"{error.move}: "
        return f"{place}: {move}{detail}."
    if error.line is not None:
        place = gettext("Line %(line)d") % {"line": error.line}
        return f"{place}: {detail}."
    return f"{detail}."
