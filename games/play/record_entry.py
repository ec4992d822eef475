"""The control by which a form enters a record: `{% include "games/play/board_entry.html" %}`.

A form of any page can contain it:

- The page's context has `entry`, the value of `record_entry`, made from the game's conditions:
  `record_entry(start_of_record(conditions_of(game), players), state=self.form)`. After a rejection
  it shows what was typed, and its errors are those of the field `record`.
- The template has `{% include "games/board_head.html" %}` in its block `head`, and the include
  inside a `<form method="post">` with `{% csrf_token %}`.
- The form then sends the text of the record as the field `record`, which the API's reports take as
  it is. Without scripts it is a text field, and the server answers with the error and its ply. With
  scripts, cells are clicked, tapped or typed, and every turn is checked at once by
  `POST /rules/check`.

The fields of `POST /rules/check` are `record`, the text so far, and one of: `cell`, a cell of the
board, with the turn `begun`; `words`, more turns; `undo`; `about`, a question about the cell.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.forms import FormState
from games.core.pages import PageView
from games.core.text import labelled, translated
from games.play.boards import BoardView, answer, view_board
from games.play.outcomes import full_result
from games.rules.conditions import Conditions
from games.rules.errors import RecordError
from games.rules.examples import example_result, example_turn, example_turns
from games.rules.record_entry import PartialRecord, enter_cell, enter_words, read_entry, remove_last
from games.rules.records.record import Record
from games.rules.registry import find_game
from games.rules.text import Text


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """The control: the text of its field `record`, the position, the errors of the form.

    `view` is None if the text cannot be read. The examples are turns and a result of the game: one
    that can be next, three turns as a record has them, and a result to agree on, "" in a solitaire.
    """

    text: str
    view: BoardView | None
    words: Sequence[str]
    state: str
    error: str
    errors: tuple[str, ...]
    example_turn: str
    example_turns: str
    example_result: str


def start_of_record(conditions: Conditions, players: tuple[str, str] = ("", "")) -> str:
    """Return the text of a record before the first turn."""
    tags = {seat: name for seat, name in zip(("First", "Second"), players, strict=True) if name}
    return str(Record(conditions=conditions, tags=tags))


def record_entry(text: str, *, state: FormState | None = None) -> RecordEntry:
    """Return the control with a record so far, or with what a rejected form sent."""
    state = state or FormState()
    entry = read_entry(str(state.typed.get("record", "")) or text)
    if entry.scene is None:
        entry = PartialRecord(entry.text, read_entry(text).scene, error=entry.error)
    conditions = entry.scene.conditions if entry.scene else Record.parse(text).conditions
    start = find_game(conditions.game).start(conditions)
    next_turn = ""
    if entry.scene and not entry.scene.outcome.termination:
        next_turn = example_turn(entry.scene.position)
    return RecordEntry(
        text=entry.text,
        view=view_board(entry.scene) if entry.scene else None,
        words=entry.words,
        state=state_in_words(entry),
        error=error_in_words(entry.error),
        errors=state.errors.get("record", ()),
        example_turn=next_turn or example_turn(start),
        example_turns=example_turns(conditions),
        example_result=example_result(conditions),
    )


def state_in_words(entry: PartialRecord) -> str:
    """Return whose turn it is, in a solitaire only which, or that the game is over."""
    if entry.scene is None:
        return ""
    if entry.scene.outcome.termination:
        return gettext("The game is over.")
    seat, ply = gettext(entry.scene.position.to_move.value), len(entry.scene.turns) + 1
    if len(entry.scene.seats) == 1:
        return gettext("Turn %(ply)d.") % {"ply": ply}
    return gettext("Turn %(ply)d: %(seat)s to move.") % {"ply": ply, "seat": seat}


def error_in_words(error: RecordError | None) -> str:
    """Return what is wrong, and where; "" if nothing is."""
    if error is None:
        return ""
    detail = translated(error.detail)
    if error.ply is not None:
        place = gettext("Turn %(ply)d") % {"ply": error.ply}
        is_named = not error.move or error.move in error.detail
        return f"{labelled(place, detail if is_named else labelled(error.move, detail))}."
    if error.line is not None:
        place = gettext("Line %(line)d") % {"line": error.line}
        return f"{labelled(place, detail)}."
    return f"{detail}."


LONGEST_WORDS, LONGEST_TEXT = 2_000, 20_000
"""Characters that can be entered at once, and of the whole text; the referee judges longer ones."""


AGREED_RESULT: Final = re.compile(r"\b(agreed)\s+(\S.*?)\s*\Z")
"""The result at the end of the words, which may be typed as in the forms of results."""


def full_agreement(found: re.Match[str]) -> str:
    """Return the result after `agreed` as a record has it, for `AGREED_RESULT.sub`."""
    return f"{found[1]} {full_result(found[2])}"


class RecordCheck(PageView):
    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Raise MethodNotAllowed: a check is a POST."""
        return self.http_method_not_allowed(request)

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return what the record shows after the cell, the words or the undo; nothing is stored."""
        form = request.POST
        text = form.get("record", "").replace("\r\n", "\n")
        if len(text) > LONGEST_TEXT:
            detail = Text(
                "a record that is entered here has at most %(most)s characters", most=LONGEST_TEXT
            )
            raise Unprocessable("too_long", detail, at="/record")
        entry = read_entry(text)
        if entry.scene is not None and (question := form.get("about")):
            return JsonResponse({"message": answer(entry.scene, question, form.get("cell", ""))})
        begun = form.get("begun", "")
        entry = PartialRecord(entry.text, entry.scene, begun, entry.error)
        words = form.get("words", "").replace("\0", " ")
        if len(words) > LONGEST_WORDS:
            detail = Text("enter at most %(most)s characters at once", most=LONGEST_WORDS)
            raise Unprocessable("too_long", detail, at="/words")
        if form.get("undo"):
            entry = remove_last(entry)
        elif cell := form.get("cell"):
            entry = enter_cell(entry, cell)
        elif words.strip():
            entry = enter_words(entry, AGREED_RESULT.sub(full_agreement, words))
        return JsonResponse(entry_as_json(entry, names=form.get("names") == "1"))


def entry_as_json(entry: PartialRecord, *, names: bool) -> dict[str, Any]:
    """Return what the script of the board shows."""
    view = view_board(entry.scene, names=names) if entry.scene else None
    message = view.sentence if view else ""
    if entry.begun:
        message = gettext("%(turn)s: select the next cell.") % {"turn": entry.begun.rstrip(",")}
    return {
        "record": entry.text,
        "begun": entry.begun,
        "svg": view.svg if view else None,
        "message": message,
        "state": state_in_words(entry),
        "words": list(entry.words),
        "error": error_in_words(entry.error),
    }
