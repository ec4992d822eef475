"""Check a record while it is entered: `POST /rules/check`, for the script of the board.

The fields are `record`, the text so far, and one of: `cell`, a cell of the board, with the turn
`begun`; `words`, more turns; `undo`; `about`, a question about the cell.
"""

from typing import Any

from django.http import JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.pages import PageView
from games.pages.replays import answer
from games.play.boards import view_board
from games.play.record_entry import error_in_words, state_in_words
from games.rules.record_entry import (
    PartialRecord,
    enter_cell,
    enter_words,
    read_entry,
    remove_last,
)
from games.rules.text import Text

LONGEST_WORDS, LONGEST_TEXT = 2_000, 20_000
"""Characters that can be entered at once, and of the whole text; the referee judges longer ones."""


class RecordCheck(PageView):
    throttle_scope = "check"

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Raise MethodNotAllowed: a check is a POST."""
        return self.http_method_not_allowed(request)

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return what the record shows after the cell, the words or the undo; nothing is stored."""
        form = request._request.POST
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
            entry = enter_words(entry, words)
        return JsonResponse(entry_as_json(entry, names=form.get("names") == "1"))


def entry_as_json(entry: PartialRecord, *, names: bool) -> dict[str, Any]:
    """Return what the script of the board shows."""
    view = view_board(entry.scene, names=names) if entry.scene else None
    message = view.sentence if view else ""
    if entry.begun:
        message = gettext("%(turn)s: select the next cell.") % {"turn": entry.begun}
    return {
        "record": entry.text,
        "begun": entry.begun,
        "svg": view.svg if view else None,
        "message": message,
        "state": state_in_words(entry),
        "words": list(entry.words),
        "error": error_in_words(entry.error),
    }
